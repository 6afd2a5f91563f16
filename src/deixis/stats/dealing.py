"""Deal members out to splits, so that every stratum has the same shares everywhere."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.seeds import draw

Floats = NDArray[np.float64]


def neediest(here: Floats, given: Floats, share: Floats, weight: float = 1.0) -> int:
    """Which split gets one more member.

    Of those that its stratum lacks at all: first one that has nothing yet of any stratum; then what
    the stratum lacks a whole member of; else what all strata lack most, so that many small strata
    come to the shares together.

    Args:
        here: weight of the same stratum in each of s splits, shape (s,).
        given: weight of all strata, shape (s,).
        share: of the splits, shape (s,).
        weight: of the member.
    """
    lack = share * (here.sum() + weight) - here
    overall = share * (given.sum() + weight) - given
    lack, overall = np.round(lack, 9), np.round(overall, 9)
    empty, urgent = (lack > 0) & (given == 0), lack >= weight
    if urgent.any() and not empty.any():
        return int(np.argmax(lack))
    return int(np.argmax(np.where(empty if empty.any() else lack > 0, overall, -np.inf)))


def deal(
    strata: Mapping[str, str],
    shares: Mapping[str, float],
    *,
    weights: Mapping[str, float] | None = None,
    seed: int = 0,
) -> dict[str, str]:
    """Give each member to a split, so that each stratum has the same shares everywhere.

    Within a stratum members are shuffled, the heaviest first, and dealt out so that after each the
    splits are as near to their shares as they can be; what is left over differs from stratum to
    stratum, so that it adds up over all.

    Args:
        strata: the stratum of each member.
        shares: of the splits; they add up to one.
        weights: of members; all the same by default.
        seed: of the shuffling.

    Raises:
        BadInput: the shares do not add up to one, or one is not positive.

    >>> made = deal({str(i): "dog" for i in range(20)}, {"train": 0.7, "dev": 0.15, "test": 0.15})
    >>> [list(made.values()).count(s) for s in ("train", "dev", "test")]
    [14, 3, 3]
    """
    checked(shares)
    names, share = list(shares), np.array(list(shares.values()))
    by_stratum: dict[str, list[str]] = {}
    for name, stratum in strata.items():
        by_stratum.setdefault(stratum, []).append(name)
    made: dict[str, str] = {}
    given = np.zeros(len(names))
    for stratum in sorted(by_stratum):
        members = sorted(by_stratum[stratum])
        shuffled = [members[i] for i in draw(seed, "split", stratum).permutation(len(members))]
        here = np.zeros(len(names))
        for name in sorted(shuffled, key=lambda m: -(weights or {}).get(m, 1.0)):
            weight = (weights or {}).get(name, 1.0)
            chosen = neediest(here, given, share, weight)
            here[chosen] += weight
            given[chosen] += weight
            made[name] = names[chosen]
    return made


def checked(shares: Mapping[str, float]) -> None:
    """Refuse shares that are not positive, or do not add up to one.

    Raises:
        BadInput: they do not.
    """
    values = list(shares.values())
    if not values or min(values) <= 0 or abs(sum(values) - 1) > 1e-9:
        raise BadInput(f"shares of splits must be positive and add up to 1, got {dict(shares)}")
