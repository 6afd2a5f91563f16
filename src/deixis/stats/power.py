"""Power of paired comparisons: exactly for McNemar's test, by simulation for clustered items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deixis.errors import BadInput
from deixis.seeds import draw

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Paired:
    """What two conditions differ by, as rates.

    Attributes:
        effect: share of items won less share lost, 0 to `discordance`.
        discordance: share of items right under one condition only.
    """

    effect: float
    discordance: float

    def __post_init__(self) -> None:
        """Check that the two can be.

        Raises:
            BadInput: they can not.
        """
        if not 0 < self.discordance <= 1 or not 0 <= self.effect <= self.discordance:
            raise BadInput(
                "the effect can be at most the discordance, and that at most 1: got "
                f"{self.effect:g} and {self.discordance:g}"
            )

    @property
    def won(self) -> float:
        """Share of discordant items that the better condition wins."""
        return (1 + self.effect / self.discordance) / 2


def mcnemar_power(paired: Paired, items: int, *, level: float = 0.05) -> float:
    """Power of the exact two-sided McNemar test for independent items.

    Summed over the number of discordant items and over how many of them are won.

    Args:
        paired: the effect and the discordance, as fractions.
        items: how many.
        level: of the test.

    >>> round(mcnemar_power(Paired(0.03, 0.15), 1000), 2)
    0.66
    """
    counts = np.arange(items + 1)
    chance = _binomial(counts, items, paired.discordance)
    used = np.flatnonzero(chance > 1e-12)
    total = 0.0
    for m in used.tolist():
        lost = np.arange(m + 1)
        tail = special.bdtr(np.minimum(lost, m - lost), m, 0.5) if m else np.ones(1)
        rejected = np.minimum(1.0, 2 * tail) <= level
        total += float(chance[m] * _binomial(lost, m, 1 - paired.won)[rejected].sum())
    return total


def clustered_power(
    paired: Paired,
    clusters: int,
    size: int,
    icc: float,
    *,
    simulations: int = 2_000,
    seed: int = 0,
    level: float = 0.05,
) -> float:
    """Simulated power of the cluster-robust t test for items that come in clusters.

    Each cluster draws its own shares of won, lost and tied items from a Dirichlet distribution
    whose concentration gives differences the intraclass correlation `icc`.

    Args:
        paired: the effect.
        clusters: how many, at least 2.
        size: items in each.
        icc: intraclass correlation of differences, 0 to 1 (exclusive).
        simulations: how many studies are simulated.
        seed: of the draws.
        level: of the test.

    Raises:
        BadInput: a number is out of range.
    """
    if clusters < 2 or size < 1 or not 0 <= icc < 1:
        raise BadInput(
            f"expected 2 clusters or more of at least 1 item and an ICC from 0 to below 1, got "
            f"{clusters}, {size} and {icc:g}"
        )
    generator = draw(seed, "power", paired, clusters, size, icc)
    won = paired.discordance * paired.won
    shares = np.array([won, paired.discordance - won, 1 - paired.discordance])
    if icc > 0:
        alpha = np.maximum(shares * (1 / icc - 1), 1e-9)
        each = generator.dirichlet(alpha, (simulations, clusters))
    else:
        each = np.broadcast_to(shares, (simulations, clusters, 3))
    counts = generator.multinomial(size, each)
    sums = (counts[..., 0] - counts[..., 1]).astype(np.float64)
    mean = sums.mean(axis=1)
    error = sums.std(axis=1, ddof=1) / np.sqrt(clusters)
    critical = special.stdtrit(clusters - 1, 1 - level / 2)
    return float(np.mean(np.abs(mean) > critical * error))


def normal_power(paired: Paired, items: int, deff: float) -> float:
    """Power by the normal approximation, for more items than can be simulated.

    Args:
        paired: the effect and the discordance, as fractions.
        items: how many.
        deff: the design effect, see `design_effect`.

    >>> round(normal_power(Paired(0.03, 0.15), 2000, 1.0), 2)
    0.93
    """
    null = np.sqrt(paired.discordance * deff / items)
    own = np.sqrt(max(paired.discordance - paired.effect**2, 1e-300) * deff / items)
    return float(special.ndtr((paired.effect - special.ndtri(0.975) * null) / own))


def effect_found(paired: Paired, items: int, deff: float) -> float:
    """The smallest effect found four times in five: (z.975 + z.80) standard errors, a fraction.

    Args:
        paired: the effect that the standard error is worked out for, and the discordance.
        items: how many.
        deff: the design effect, see `design_effect`.

    >>> round(effect_found(Paired(0.03, 0.15), 2000, 1.0), 3)
    0.024
    """
    error = np.sqrt(max(paired.discordance - paired.effect**2, 0.0) * deff / items)
    return float((special.ndtri(0.975) + special.ndtri(0.8)) * error)


def design_effect(size: float, icc: float) -> float:
    """How much more items clusters need: 1 + (m - 1)·ICC (Kish, 1965).

    >>> round(design_effect(4, 0.3), 6)
    1.9
    """
    return 1 + (size - 1) * icc


def _binomial(k: NDArray[np.int64], n: int, p: float) -> Floats:
    log = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return np.asarray(np.exp(log + special.xlogy(k, p) + special.xlog1py(n - k, -p)))
