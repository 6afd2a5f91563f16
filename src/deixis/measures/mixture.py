"""Mixtures of worker accuracies: are there several kinds of workers, and how good is each?

Two models, both fitted by expectation and maximisation from several starts: Gaussian components
with variances of their own over the workers' shares (as in Ji et al., EMNLP 2022), and binomial
components over their counts, which knows that few judgments make a noisy share. The number of
components is that of the lowest BIC, p log n - 2 log L.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deixis.errors import BadInput, unknown
from deixis.plain import percent
from deixis.seeds import draw

Floats = NDArray[np.float64]

MOST = 5
"""Components that are tried."""

STARTS = 8
STEPS = 500
TOLERANCE = 1e-9


class Counted(Protocol):
    """Whoever was right so often of so many."""

    @property
    def right(self) -> int:
        """How often right."""

    @property
    def n(self) -> int:
        """Of how many."""


@dataclass(frozen=True)
class Mixture:
    """A fitted mixture of k components, by ascending mean.

    Attributes:
        kind: ``gaussian`` or ``binomial``.
        weights: shape (k,), sum 1.
        means: of accuracy, 0 to 1, shape (k,).
        spreads: standard deviations of Gaussian components, shape (k,); zeros for binomial ones.
        loglik: natural logarithm of the likelihood.
        bic: lower is better.
        members: how probable each worker belongs to each component, shape (workers, k).
    """

    kind: str
    weights: Floats
    means: Floats
    spreads: Floats
    loglik: float
    bic: float
    members: Floats

    def told(self) -> str:
        """Means and weights for people."""
        pairs = zip(self.means, self.weights, strict=True)
        return ", ".join(f"{percent(m)} ({percent(w, 0)} %)" for m, w in pairs)

    def fields(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "components": len(self.means),
            "weights": self.weights,
            "means": self.means,
            "spreads": self.spreads if self.kind == "gaussian" else None,
            "loglik": self.loglik,
            "bic": self.bic,
        }


def mixtures(
    workers: Sequence[Counted], kind: str, seed: int = 0, most: int = MOST
) -> list[Mixture]:
    """Mixtures of 1 to `most` components, no more than there are workers.

    Args:
        workers: at least one, each with at least one judgment.
        kind: ``gaussian`` or ``binomial``.
        seed: of random starts.
        most: components.

    Raises:
        BadInput: there is no such kind, or nobody to fit it to.
    """
    if kind not in ("gaussian", "binomial"):
        raise unknown(f"there is no mixture {kind!r}", kind, ("gaussian", "binomial"))
    if not workers or any(w.n < 1 for w in workers):
        raise BadInput("a mixture needs workers with at least one judgment each")
    right = np.array([w.right for w in workers], np.float64)
    n = np.array([w.n for w in workers], np.float64)
    return [fitted(right, n, kind, k, seed) for k in range(1, min(most, len(workers)) + 1)]


def best(found: Sequence[Mixture]) -> Mixture:
    """The mixture of the lowest BIC."""
    return min(found, key=lambda m: m.bic)


def fitted(right: Floats, n: Floats, kind: str, k: int, seed: int = 0) -> Mixture:
    """The likeliest mixture of k components that several starts lead to.

    Args:
        right: how often each worker was right, shape (w,).
        n: of how many, shape (w,).
        kind: ``gaussian`` or ``binomial``.
        k: components.
        seed: of random starts; the first start cuts the ranked workers into k equal groups.
    """
    generator = draw(seed, "mixture", kind, k)
    shares = right / n
    best_one: Mixture | None = None
    for start in range(STARTS if k > 1 else 1):
        if start == 0:
            groups = np.argsort(np.argsort(shares, kind="stable")) * k // len(shares)
        else:
            groups = np.abs(shares[:, None] - generator.choice(shares, k)).argmin(axis=1)
        made = _run(right, n, kind, np.eye(k)[groups])
        if best_one is None or made.loglik > best_one.loglik:
            best_one = made
    assert best_one is not None
    return best_one


def _run(right: Floats, n: Floats, kind: str, members: Floats) -> Mixture:
    """Maximise and expect in turn until the likelihood stands still."""
    before = -math.inf
    for _ in range(STEPS):
        weights, means, spreads = _maximise(right, n, kind, members)
        density = _log_density(right, n, kind, means, spreads) + np.log(weights)
        total = special.logsumexp(density, axis=1)
        members = np.exp(density - total[:, None])
        loglik = float(total.sum())
        if loglik - before < TOLERANCE * abs(loglik):
            break
        before = loglik
    free = (3 if kind == "gaussian" else 2) * len(means) - 1
    order = np.argsort(means, kind="stable")
    return Mixture(
        kind,
        weights[order],
        means[order],
        spreads[order],
        loglik,
        free * math.log(len(n)) - 2 * loglik,
        members[:, order],
    )


def _maximise(
    right: Floats, n: Floats, kind: str, members: Floats
) -> tuple[Floats, Floats, Floats]:
    """Weights, means and standard deviations under the given memberships."""
    # A component that nobody belongs to keeps a trace of everybody, so that it has a mean.
    members = members + 1e-9
    taken = members.sum(axis=0)
    weights = taken / taken.sum()
    if kind == "binomial":
        means = (members.T @ right) / (members.T @ n)
        return weights, np.clip(means, 1e-9, 1 - 1e-9), np.zeros(len(taken))
    shares = right / n
    means = members.T @ shares / taken
    squares = (members * (shares[:, None] - means) ** 2).sum(axis=0) / taken
    # One worker alone would be infinitely likely: no component is narrower than one judgment.
    return weights, means, np.sqrt(np.maximum(squares, 1 / n.max() ** 2))


def _log_density(right: Floats, n: Floats, kind: str, means: Floats, spreads: Floats) -> Floats:
    """Logarithm of each worker's density under each component, shape (workers, k)."""
    if kind == "gaussian":
        z = ((right / n)[:, None] - means) / spreads
        return np.asarray(-0.5 * z**2 - np.log(spreads) - 0.5 * math.log(2 * math.pi))
    ways = special.gammaln(n + 1) - special.gammaln(right + 1) - special.gammaln(n - right + 1)
    return np.asarray(
        ways[:, None]
        + special.xlogy(right[:, None], means)
        + special.xlog1py((n - right)[:, None], -means)
    )
