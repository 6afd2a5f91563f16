"""Outcome matrices whose truth is known, with the dependence that reference games have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class World:
    """How trials depend on each other.

    The spreads are about those of what `linear` loses on KiloGram's dense split without the parts:
    .18 between tangrams, .1 between its 228 annotators, nothing to be seen between distractors.

    Attributes:
        clusters: how many figures.
        size: mean number of trials of each; sizes vary from a third of it to twice it.
        figure: spread of what the intervention does to a figure's own trials.
        distractor: spread of what it does to the trials that a figure is a distractor in.
        annotator: spread of what it does to one annotator's trials.
        annotators: how many there are.
    """

    clusters: int
    size: int = 16
    figure: float = 0.15
    distractor: float = 0.02
    annotator: float = 0.08
    annotators: int = 228

    def draw(self, generator: np.random.Generator, gap: float = 0.0) -> tuple[Floats, Ints, Ints]:
        """Credits under the base and under an intervention that costs `gap` on the whole.

        Under the intervention about a third of all answers change, right to wrong and wrong to
        right; which ones depends on figure, distractors and annotator.

        Returns:
            Shape (units, 2), clusters, and annotators.
        """
        sizes = generator.integers(max(self.size // 3, 1), 2 * self.size, self.clusters)
        figure = np.repeat(np.arange(self.clusters), sizes)
        n = len(figure)
        others = generator.integers(0, self.clusters, (n, 9))
        worker = generator.integers(0, self.annotators, n)
        shift = (
            self.figure * generator.standard_normal(self.clusters)[figure]
            + self.distractor * generator.standard_normal(self.clusters)[others].mean(axis=1) * 3
            + self.annotator * generator.standard_normal(self.annotators)[worker]
        )
        own = generator.standard_normal(self.clusters)[figure] * 0.1
        base = np.clip(0.5 + own, 0.4, 0.6)
        before = generator.random(n) < base
        # Whoever is wrong becomes right as often as makes up for those who become wrong. Shifts
        # are cut off alike on both sides, so that none of the mean is lost by it.
        moved = (np.clip(shift, -0.25, 0.25) + gap) / 2
        falls = 0.35 + moved / base
        rises = 0.35 * base / (1 - base) - moved / (1 - base)
        after = np.where(before, generator.random(n) >= falls, generator.random(n) < rises)
        return np.column_stack([before, after]).astype(np.float64), figure, worker


def sentences(
    generator: np.random.Generator, groups: int = 250, size: int = 4, icc: float = 0.3
) -> tuple[Floats, Ints]:
    """Right or wrong answers, `size` to a sentence, with a given intraclass correlation.

    Returns:
        Shape (units, 1), and clusters; the true mean is .6.
    """
    mean, spread = 0.6, 1 / icc - 1
    rates = generator.beta(mean * spread, (1 - mean) * spread, groups)
    values = generator.random((groups, size)) < rates[:, None]
    return values.reshape(-1, 1).astype(np.float64), np.repeat(np.arange(groups), size)
