"""What an intervention does to a dialog, beyond what it costs: what is said, guessed, and learnt.

A gap of 0 may mean that an input is not used, or that what it changed was of no use anyway; these
tell the two apart. Everything is by round: entry 0 is after the caption.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from deixis.datasets.chatir import starts_yes_no
from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.players.guessing.converse import turn_of
from deixis.players.protocols import Guesser
from deixis.stats.clustered import Intervals, t_intervals
from deixis.stats.percentile import percentile
from deixis.trials import Dialog, Turn

Floats = NDArray[np.float64]

BEST = 10
"""How many of the best are compared."""


@dataclass(frozen=True)
class Shift:
    """How far two conditions are apart, each of shape (1 + R,); NaN where there is nothing to say.

    Attributes:
        answers: share of dialogs whose answer in that round is another.
        questions: the same of questions.
        overlap: share of the ten best pictures that both have.
        spearman: correlation of the targets' ranks over dialogs.
    """

    answers: Floats
    questions: Floats
    overlap: Floats
    spearman: Floats


def rounds_in(outcomes: Outcomes) -> range:
    """The rounds of outcomes, the caption's 0 first."""
    return range(1 + int(outcomes.rounds.max(initial=0)))


def turns_of(outcomes: Outcomes, number: int) -> list[Turn]:
    """What was said in a round of each dialog; empty for dialogs that nobody made.

    Args:
        outcomes: of players that talk.
        number: of the round.
    """
    raw = outcomes.at(number).raw
    return [] if raw is None else [turn_of(str(r)) for r in raw if r is not None]


def shift(base: Outcomes, other: Outcomes) -> Shift:
    """How far two conditions of the same trials are apart.

    Raises:
        BadInput: they are not of the same trials and rounds.
    """
    if len(base) != len(other) or (base.ids != other.ids).any():
        raise BadInput("two conditions are compared on the same trials")
    pairs = [(base.at(r), other.at(r), r) for r in rounds_in(base)]
    said = [(turns_of(base, r), turns_of(other, r)) for _, _, r in pairs]
    return Shift(
        answers=np.array([_changed([t.answer for t in a], [t.answer for t in b]) for a, b in said]),
        questions=np.array(
            [_changed([t.question for t in a], [t.question for t in b]) for a, b in said]
        ),
        overlap=np.array([_overlap(a.top, b.top) for a, b, _ in pairs]),
        spearman=np.array([spearman(a.rank, b.rank) for a, b, _ in pairs]),
    )


def spearman(one: Floats, other: Floats) -> float:
    """Rank correlation; NaN where either is the same for all.

    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 15.0]))
    0.5
    """
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan")
    return float(stats.spearmanr(one, other).statistic)


def predicted_apart(guesser: Guesser, before: Sequence[Dialog], after: Sequence[Dialog]) -> Floats:
    """Cosine of the vectors predicted from two versions of n dialogs, shape (n,).

    Raises:
        BadInput: the guesser predicts no vectors.
    """
    from deixis.stats.ranks import Affine

    reads = [guesser.read(d) for d in (before, after)]
    vectors = [r.predictions for r in reads if isinstance(r, Affine)]
    if len(vectors) < 2:
        raise BadInput(f"{guesser.name} scores pictures, and predicts no vectors")
    a, b = vectors
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return np.asarray((a * b).sum(axis=1) / np.where(lengths > 0, lengths, np.nan))


def information(outcomes: Outcomes) -> Intervals:
    """Value of each round: mean rank before it less mean rank after it, paired by dialog.

    Returns:
        One contrast for each round from 1; positive where the round helps.
    """
    ranks = np.column_stack([outcomes.at(r).rank for r in rounds_in(outcomes)])
    weights = np.eye(ranks.shape[1])[:-1] - np.eye(ranks.shape[1])[1:]
    return t_intervals(ranks, outcomes.at(0).clusters, weights)


def by_caption(outcomes: Outcomes, n: int = 10) -> list[tuple[str, float, float]]:
    """The dialogs whose pictures the caption alone finds worst.

    Returns:
        Id, rank, and percentile rank, the worst first.
    """
    first = outcomes.at(0)
    order = np.argsort(-first.rank, kind="stable")[:n]
    points = percentile(first.rank, first.sizes)
    return [(str(first.ids[i]), float(first.rank[i]), float(points[i])) for i in order]


def yes_no(answers: Sequence[str]) -> tuple[float, float]:
    """Share of answers that are yes or no and nothing else, and that begin with it.

    >>> yes_no(["yes", "no, it is not", "red", "No."])
    (0.5, 0.75)
    """
    bare = [a.lower().strip(" .,!") for a in answers]
    exact = float(np.mean([a in ("yes", "no") for a in bare]))
    return exact, float(np.mean([starts_yes_no(a) for a in answers]))


def _changed(one: Sequence[str], other: Sequence[str]) -> float:
    if not one or not other:
        return float("nan")
    return float(np.mean([a != b for a, b in zip(one, other, strict=True)]))


def _overlap(one: NDArray[np.int64] | None, other: NDArray[np.int64] | None) -> float:
    if one is None or other is None:
        return float("nan")
    shared = []
    for a, b in zip(one[:, :BEST], other[:, :BEST], strict=True):
        best = {*a.tolist()} - {-1}
        shared.append(len(best & {*b.tolist()}) / max(len(best), 1))
    return float(np.mean(shared))
