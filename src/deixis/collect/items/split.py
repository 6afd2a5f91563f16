"""Splits by set, with equal shares of every synset."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from deixis.seeds import draw

SHARES = {"train": 0.7, "dev": 0.15, "test1": 0.15}


def split(
    sets: Mapping[str, str], shares: Mapping[str, float] = SHARES, *, seed: int = 0
) -> dict[str, str]:
    """Give each set to a split, so that each synset has the same shares everywhere.

    Within a synset sets are shuffled and dealt out so that after every set each split is within
    one of its share; what is left over differs from synset to synset, so that it adds up over all.

    Args:
        sets: the synset of each set.
        shares: of the splits; they add up to one.
        seed: of the shuffling.

    >>> made = split({str(i): "dog" for i in range(20)})
    >>> [list(made.values()).count(s) for s in ("train", "dev", "test1")]
    [14, 3, 3]
    """
    by_synset: dict[str, list[str]] = {}
    for name, synset in sets.items():
        by_synset.setdefault(synset, []).append(name)
    names, share = list(shares), np.array(list(shares.values()))
    made: dict[str, str] = {}
    given = np.zeros(len(names))
    for synset in sorted(by_synset):
        members = sorted(by_synset[synset])
        rng = draw(seed, "split", synset)
        here = np.zeros(len(names))
        for n, place in enumerate(rng.permutation(len(members)), start=1):
            # What the synset lacks comes first; among equals what all synsets lack.
            lack = share * n - here
            total = share * (given.sum() + 1) - given
            chosen = int(np.argmax(np.round(lack, 9) + 0.01 * total))
            here[chosen] += 1
            given[chosen] += 1
            made[members[place]] = names[chosen]
    return made
