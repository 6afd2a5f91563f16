"""The numbers of Figures 9 and 10, from outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from deixis.outcomes import Outcomes
from deixis.runs.summary import averaged
from deixis.units import MEASURES


@dataclass(frozen=True)
class Cell:
    """A bar of Figure 9.

    Attributes:
        test: which games.
        player: who.
        state: of training.
        condition: what was seen.
        n: trials.
        clusters: tangrams.
        accuracy: mean over annotations, text to picture; of the ensemble where there are several
            runs.
        low: lower end of its 95 % interval, clustered by tangram.
        high: upper end.
        by_picture: mean over pictures of the mean over their trials, as published.
        runs: accuracy of each training run.
        cut: trials with a text that was too long for the player.
    """

    test: str
    player: str
    state: str
    condition: str
    n: int
    clusters: int
    accuracy: float
    low: float
    high: float
    by_picture: float
    runs: tuple[float, ...]
    cut: int


@dataclass(frozen=True)
class Point:
    """A point of Figure 10.

    Attributes:
        player: who.
        full: parts of the annotation.
        included: parts of it that were seen.
        n: annotations.
        accuracy: mean over annotations, with its interval.
        probability: of the target, with its interval.
    """

    player: str
    full: int
    included: int
    n: int
    accuracy: tuple[float, float, float]
    probability: tuple[float, float, float]


def cell(
    where: Mapping[str, str],
    joined: Outcomes,
    runs: Sequence[Outcomes],
    pictures: Mapping[str, str],
) -> Cell:
    """A bar.

    Args:
        where: test, player, state, condition.
        joined: of the ensemble, or of the only run.
        runs: of each run.
        pictures: key of each item's target as it was seen.
    """
    mean, low, high = averaged(MEASURES["accuracy"], [joined])
    return Cell(
        test=where["test"],
        player=where["player"],
        state=where["state"],
        condition=where["condition"],
        n=len(joined),
        clusters=len(np.unique(joined.clusters)),
        accuracy=mean,
        low=low,
        high=high,
        by_picture=by_picture(joined, pictures),
        runs=tuple(averaged(MEASURES["accuracy"], [o])[0] for o in runs),
        cut=0 if joined.cut is None else int(joined.cut.sum()),
    )


def by_picture(outcomes: Outcomes, pictures: Mapping[str, str]) -> float:
    """Accuracy averaged over each picture's trials, then over pictures, as KiloGram's code does.

    In black all annotations of a tangram share their picture; in color each has its own.

    Args:
        outcomes: text to picture.
        pictures: key of each item's target as it was seen.
    """
    keys = np.array([pictures[i] for i in outcomes.items])
    _, codes = np.unique(keys, return_inverse=True)
    return float((np.bincount(codes, weights=outcomes.credit) / np.bincount(codes)).mean())


def curve(player: str, outcomes: Outcomes) -> list[Point]:
    """Figure 10: how well it went by number of parts that were seen.

    Trials of one annotation with equally many parts are averaged first, so every annotation counts
    once; intervals are clustered by tangram.

    Args:
        player: who.
        outcomes: of a task made with ``contexts="subsets"``.
    """
    points = []
    for stratum in np.unique(outcomes.strata):
        own = outcomes.only(outcomes.strata == stratum)
        included, _, full, _ = str(stratum).split()
        points.append(
            Point(
                player=player,
                full=int(full),
                included=int(included),
                n=len(np.unique(own.items)),
                accuracy=averaged(MEASURES["accuracy"], [own]),
                probability=averaged(MEASURES["probability"], [own]),
            )
        )
    return sorted(points, key=lambda p: (p.full, p.included))
