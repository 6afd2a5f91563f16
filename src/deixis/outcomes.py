"""`score`: replies against answers. The only scorer.

Chance is chance: an option tied for best with others gets its share of the credit, never all of
it, so a player that scores all options the same has exactly the accuracy of guessing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.interventions.condition import show
from deixis.replies import STATUSES, Replies
from deixis.seeds import Seeds
from deixis.tasks.task import Task

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Names = NDArray[np.str_]


@dataclass(frozen=True)
class Outcomes:
    """Scored replies as columns, n rows in the order of the task's trials.

    Attributes:
        ids: of trials.
        items: of units of inference.
        clusters: the primary cluster.
        workers: who made the item, or "".
        raters: who replied, or "".
        groups: what must be right together, or "".
        strata: of trials.
        status: index into `deixis.replies.STATUSES`.
        credit: 0 to 1; the credit of a guess where the status is not ok.
        guess: the credit of a guess.
        rank: mid-rank of the answer, from 1; NaN where not ok.
        ties: how many options score as the answer does, itself included.
        sizes: how many options there were.
        probability: of the answer, by softmax over scores; NaN for choices.
        choice: position in the trial's own order of the one best option; -1 for ties.
        rounds: after which round; 0 where there are none.
        condition: the interventions in force, as written.
        seeds: of the draws.
        scores: of each option in the trial's own order, shape (n, k), NaN where there are none;
            None for pools.
        relevance: of each option in the trial's own order, as people judged it, shape (n, k), NaN
            where nobody did; None where nobody judged any.
        top: positions in the pool of its best, shape (n, 20); None elsewhere.
        raw: replies as text, of objects, None where there is none.
        seconds: how long each reply took.
        cut: whether a text was longer than the player takes and lost its end; None where it takes
            any length.
    """

    ids: Names
    items: Names
    clusters: Names
    workers: Names
    raters: Names
    groups: Names
    strata: Names
    status: NDArray[np.uint8]
    credit: Floats
    guess: Floats
    rank: Floats
    ties: Ints
    sizes: Ints
    probability: Floats
    choice: Ints
    rounds: Ints
    condition: str
    seeds: Seeds
    scores: Floats | None = None
    relevance: Floats | None = None
    top: Ints | None = None
    raw: NDArray[np.object_] | None = None
    seconds: Floats | None = None
    cut: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def statuses(self) -> dict[str, int]:
        """How many replies have each status; those that do not occur are left out."""
        counts = np.bincount(self.status, minlength=len(STATUSES))
        return {s: int(n) for s, n in zip(STATUSES, counts, strict=True) if n}

    def only(self, rows: NDArray[np.bool_]) -> Outcomes:
        """The outcomes of some rows, chosen by a mask of shape (n,)."""
        columns: dict[str, Any] = {
            f.name: getattr(self, f.name)[rows]
            for f in fields(self)
            if isinstance(getattr(self, f.name), np.ndarray)
        }
        return replace(self, **columns)

    def filled(self, credit: float) -> Outcomes:
        """The same outcomes with this credit (0 or 1) wherever the status is not ok.

        Credit 0 is the last rank, credit 1 the first.
        """
        ok = self.status == 0
        place = 1 if credit else self.sizes
        return replace(
            self,
            credit=np.where(ok, self.credit, credit),
            rank=np.where(ok, self.rank, place),
            ties=np.where(ok, self.ties, 1),
        )

    def guessed(self) -> Outcomes:
        """The outcomes of scoring all options the same."""
        middle = (self.sizes + 1) / 2
        return replace(
            self,
            status=np.zeros_like(self.status),
            credit=self.guess,
            rank=middle,
            ties=self.sizes,
            probability=self.guess,
        )

    def at(self, rounds: int) -> Outcomes:
        """The rows after one round."""
        kept = self.rounds == rounds
        columns = {
            f.name: value[kept]
            for f in fields(self)
            if isinstance(value := getattr(self, f.name), np.ndarray)
        }
        return replace(self, **columns)


def score(task: Task, replies: Replies) -> Outcomes:
    """Score replies to a task's views.

    Trials without a reply get the status ``missing``, after every round that occurs.

    Args:
        task: the task whose views were replied to, with the same condition and seeds.
        replies: in any order.

    Raises:
        BadInput: a reply to no trial of the task, two replies to one, or a score that is no number.
    """
    places = _places(task, replies)
    absent, unheard = _absent(task, replies, places)
    scored = _ranked(replies) if replies.ranks is not None else _scored(task, replies, places)
    scored = scored.join(_unanswered(task, absent))
    rounds = np.zeros(len(places), np.int64) if replies.rounds is None else replies.rounds
    rounds = np.concatenate([rounds, unheard])
    raters = [*(replies.raters or [""] * len(places)), *[""] * len(absent)]
    places = np.concatenate([places, absent])
    order = np.lexsort((np.array(raters), rounds, places))

    def kept(values: Any, filler: object) -> Any:
        """A column of the replies with a filler for trials without, in the order of trials."""
        if values is None:
            return None
        rows = np.asarray(values, object if filler is None else None)
        tail = np.full((len(absent), *rows.shape[1:]), filler, rows.dtype)
        return np.concatenate([rows, tail])[order]

    own = None
    if replies.scores is not None:
        own = _own_order(task, replies.scores, places[: len(replies)])[0]
    trials = [task.trials[p] for p in places[order]]
    return Outcomes(
        ids=np.array([t.id for t in trials]),
        items=np.array([t.item for t in trials]),
        clusters=np.array([t.clusters[0][1] for t in trials]),
        workers=np.array([dict(t.clusters).get("worker", "") for t in trials]),
        raters=np.array(raters)[order],
        groups=np.array([t.group or "" for t in trials]),
        strata=np.array([t.stratum for t in trials]),
        rounds=rounds[order],
        condition=show(task.condition),
        seeds=task.seeds,
        scores=kept(own, np.nan),
        relevance=_relevance(trials),
        top=kept(replies.top, -1),
        raw=kept(replies.raw, None),
        seconds=kept(replies.seconds, np.nan),
        cut=kept(replies.cut, False),
        **scored.take(order),
    )


def credit(scores: Floats, answers: Ints) -> Floats:
    """1 / (number tied for best) where the answer is among them, else 0; shape (n,).

    Args:
        scores: shape (n, k), NaN beyond a row's own options.
        answers: position of the answer, shape (n,).

    >>> credit(np.array([[1.0, 1.0, 0.0], [3.0, 2.0, 1.0]]), np.array([0, 1]))
    array([0.5, 0. ])
    """
    best = np.nanmax(scores, axis=1, keepdims=True)
    tied = (scores == best).sum(axis=1)
    right = np.take_along_axis(scores, answers[:, None], axis=1) == best
    return np.asarray(right[:, 0] / tied)


def mid_rank(scores: Floats, answers: Ints) -> tuple[Floats, Ints]:
    """Rank of the answer, ties shared: 1 + better + (equal - 1) / 2; and how many are equal.

    >>> mid_rank(np.array([[1.0, 1.0, 0.0]]), np.array([1]))
    (array([1.5]), array([2]))
    """
    own = np.take_along_axis(scores, answers[:, None], axis=1)
    better, equal = (scores > own).sum(axis=1), (scores == own).sum(axis=1)
    return 1 + better + (equal - 1) / 2, equal


def softmax(scores: Floats, answers: Ints) -> Floats:
    """Probability of the answer when scores are log-odds, shape (n,).

    >>> softmax(np.zeros((1, 4)), np.array([2]))
    array([0.25])
    """
    shifted = np.exp(scores - np.nanmax(scores, axis=1, keepdims=True))
    own = np.take_along_axis(shifted, answers[:, None], axis=1)[:, 0]
    return np.asarray(own / np.nansum(shifted, axis=1))


def recall(ranks: Floats, ties: Ints, k: int) -> Floats:
    """Expected credit for the answer being among the best k, ties broken at random.

    clip((k - better) / ties, 0, 1), where `better` options score above the answer.

    Args:
        ranks: mid-ranks of the answers from 1, shape (n,).
        ties: how many options have the answer's score, itself included, shape (n,).
        k: how many are looked at.

    >>> recall(np.array([1.0, 2.5]), np.array([1, 4]), 2)
    array([1. , 0.5])
    """
    better = ranks - 1 - (ties - 1) / 2
    return np.asarray(np.clip((k - better) / ties, 0, 1))


def _relevance(trials: Sequence[Any]) -> Floats | None:
    """What people judged of the options, where a kind of trial knows of it and they did."""
    rows = [getattr(t, "relevance", ()) for t in trials]
    width = max(map(len, rows), default=0)
    if not width:
        return None
    return np.array([[*row, *[np.nan] * (width - len(row))] for row in rows])


def _places(task: Task, replies: Replies) -> Ints:
    places = np.array([-1 if (p := task.found(i)) is None else p for i in replies.ids], np.int64)
    if (places < 0).any():
        stranger = replies.ids[int(np.argmin(places))]
        raise BadInput(f"{task.name}: a reply to {stranger}, which is no trial of this task")
    raters = replies.raters or ("",) * len(replies)
    rounds = replies.rounds if replies.rounds is not None else np.zeros(len(replies), np.int64)
    seen = set()
    for row in zip(places.tolist(), raters, rounds.tolist(), strict=True):
        if row in seen:
            raise BadInput(f"{task.name}: two replies to trial {task.trials[row[0]].id}")
        seen.add(row)
    return places


def _absent(task: Task, replies: Replies, places: Ints) -> tuple[Ints, Ints]:
    """Positions and rounds of trials without a reply, each of shape (m,)."""
    rounds = np.zeros(len(places), np.int64) if replies.rounds is None else replies.rounds
    asked = np.unique(rounds) if len(rounds) else np.zeros(1, np.int64)
    heard = np.zeros((len(task), len(asked)), bool)
    heard[places, np.searchsorted(asked, rounds)] = True
    absent, column = np.nonzero(~heard)
    return absent, asked[column]


@dataclass(frozen=True)
class _Scored:
    """The columns of outcomes that come from replies; see `Outcomes`."""

    status: NDArray[np.uint8]
    credit: Floats
    guess: Floats
    rank: Floats
    ties: Ints
    sizes: Ints
    probability: Floats
    choice: Ints

    def join(self, other: _Scored) -> _Scored:
        return _Scored(
            *(np.concatenate([a, b]) for a, b in zip(_values(self), _values(other), strict=True))
        )

    def take(self, order: Ints) -> dict[str, NDArray[Any]]:
        return {f.name: getattr(self, f.name)[order] for f in fields(self)}


def _values(scored: _Scored) -> list[NDArray[Any]]:
    return [getattr(scored, f.name) for f in fields(scored)]


def _scored(task: Task, replies: Replies, places: Ints) -> _Scored:
    """Scores or choices of options."""
    if replies.scores is None:
        raise BadInput("replies hold neither scores nor ranks")
    scores, sizes = _own_order(task, replies.scores, places)
    ok = replies.status == 0
    broken = ok & (np.isfinite(scores).sum(axis=1) < sizes)
    if broken.any():
        trial = task.trials[places[int(broken.argmax())]]
        raise BadInput(f"{task.name}: a score that is no number, for trial {trial.id}")
    # Rows without a reply are scored as if all options were equal, then marked.
    inside = np.arange(scores.shape[1]) < sizes[:, None]
    scores = np.where(ok[:, None], scores, np.where(inside, 0.0, np.nan))
    answers = np.array([task.trials[p].answer for p in places], np.int64)
    rank, ties = mid_rank(scores, answers)
    best = scores == np.nanmax(scores, axis=1, keepdims=True)
    chance = softmax(scores, answers) if replies.graded else np.full(len(ok), np.nan)
    return _Scored(
        status=replies.status,
        credit=credit(scores, answers),
        guess=1 / sizes,
        rank=np.where(ok, rank, np.nan),
        ties=ties,
        sizes=sizes,
        probability=np.where(ok, chance, np.nan),
        choice=np.where(ok & (best.sum(axis=1) == 1), best.argmax(axis=1), -1),
    )


def _ranked(replies: Replies) -> _Scored:
    """Ranks in a pool."""
    assert replies.ranks is not None
    if replies.ties is None or replies.sizes is None:
        raise BadInput("replies hold ranks, but not their ties and the size of the pool")
    n, ok, sizes = len(replies), replies.status == 0, replies.sizes
    return _Scored(
        status=replies.status,
        credit=np.where(ok, recall(replies.ranks, replies.ties, 1), 1 / sizes),
        guess=1 / sizes,
        rank=np.where(ok, replies.ranks, np.nan),
        ties=replies.ties,
        sizes=sizes,
        probability=np.full(n, np.nan),
        choice=np.full(n, -1) if replies.top is None else replies.top[:, 0],
    )


def _unanswered(task: Task, absent: Ints) -> _Scored:
    n, sizes, guess = len(absent), task.sizes[absent], task.chances[absent]
    nothing = np.full(n, np.nan)
    status = np.full(n, STATUSES.index("missing"), np.uint8)
    return _Scored(status, guess, guess, nothing, sizes, sizes, nothing, np.full(n, -1))


def _own_order(task: Task, shown: Floats, places: Ints) -> tuple[Floats, Ints]:
    """Scores put back in the trials' own order, and how many options each trial has."""
    # At least one column, also where there is no reply: a row must have a best score.
    width, sizes = shown.shape[1], task.sizes[places]
    own = np.full((len(places), max(1, width)), np.nan)
    own[:, :width] = np.where(np.arange(width) < sizes[:, None], shown, np.nan)
    for i, place in enumerate(places.tolist()):
        if task.trials[place].shuffled:
            own[i, task.order(place)] = shown[i, : sizes[i]]
    return own, sizes
