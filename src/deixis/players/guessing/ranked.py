"""From what a guesser reads to ranks in the pool, at its task: a view holds no answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.players.protocols import Guesser
from deixis.replies import Replies
from deixis.stats.ranks import Affine, Blocks, Gallery, Ranks, rank_blocks
from deixis.tasks.task import Task
from deixis.trials import GuessTrial, GuessView, Picture

Ints = NDArray[np.int64]


class GuessPlayer:
    """A guesser who reads the dialogs of a task as they stand, after each of their rounds."""

    def __init__(self, guesser: Guesser, task: Task, pool: Prepared | None = None) -> None:
        """Seat a guesser at a task.

        Args:
            guesser: reads.
            task: knows the targets.
            pool: made ready before, shared between conditions.
        """
        self.guesser, self.task = guesser, task
        self.name, self.revision = guesser.name, guesser.revision
        self._pool = pool or Prepared(guesser, task.trials)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_pool": Prepared(self.guesser, self.task.trials)}

    def at(self, task: Task) -> GuessPlayer:
        """The same guesser at the task under another condition."""
        same = task.trials is self.task.trials
        return GuessPlayer(self.guesser, task, self._pool if same else None)

    def reply(self, views: Sequence[GuessView]) -> Replies:
        """Ranks after the caption and after every round.

        A dialog that has fewer rounds than the longest of the task keeps its last rank.
        """
        trials = trials_of(self.task, views)
        rounds = range(1 + rounds_of(self.task))
        reads = (self.guesser.read([v.dialog.upto(r) for v in views]) for r in rounds)
        return ranked(views, [self._pool.rank(trials, read) for read in reads])


class Prepared:
    """The pictures of all pools of some trials, made ready for a guesser's read-outs."""

    def __init__(self, guesser: Guesser, trials: Sequence[GuessTrial]) -> None:
        self._guesser, self._trials = guesser, trials
        self._galleries: dict[tuple[int, int], tuple[Affine, Gallery]] = {}
        self._places: dict[int, Ints] = {}
        self._pictures: list[Picture] = []

    def rank(self, trials: Sequence[GuessTrial], read: Affine | Blocks) -> Ranks:
        """Ranks of the trials' targets by what was read of each."""
        targets = np.array([t.answer for t in trials], np.int64)
        if isinstance(read, Blocks):
            return rank_blocks(read, targets)
        gallery = self._gallery(read)
        places = [self._places[id(t.pool)] for t in trials]
        if all(len(p) == gallery.size for p in places):
            return gallery.rank(read.hidden, targets)
        return gallery.rank_within(read.hidden, targets, np.array(places))

    def _gallery(self, read: Affine) -> Gallery:
        # Read-outs are told apart by identity; they are kept, so that it stays theirs.
        key = (id(read.weight), id(read.bias))
        if key not in self._galleries:
            if not self._pictures:
                self._place()
            vectors = self._guesser.pictures(self._pictures)
            self._galleries[key] = (read, Gallery(vectors, read.weight, read.bias))
        return self._galleries[key][1]

    def _place(self) -> None:
        """Find every distinct picture, and where those of each pool are among them."""
        found: dict[str, int] = {}
        for pool in {id(t.pool): t.pool for t in self._trials}.values():
            for picture in pool.pictures:
                if picture.key not in found:
                    found[picture.key] = len(found)
                    self._pictures.append(picture)
            self._places[id(pool)] = np.array([found[p.key] for p in pool.pictures], np.int64)


def trials_of(task: Task, views: Sequence[GuessView]) -> list[GuessTrial]:
    """The trials behind views.

    Raises:
        BadInput: a view is not of the task.
    """
    places = [task.found(v.id) for v in views]
    for view, place in zip(views, places, strict=True):
        if place is None:
            raise BadInput(f"{task.name}: {view.id} is no trial of this task")
    return [task.trials[p] for p in places if p is not None]


def rounds_of(task: Task) -> int:
    """Rounds of the longest dialog of a task."""
    if "rounds" not in task.memo:
        task.memo["rounds"] = max(len(t.dialog.turns) for t in task.trials)
    longest: int = task.memo["rounds"]
    return longest


def ranked(
    views: Sequence[GuessView], parts: Sequence[Ranks], raw: Sequence[Sequence[str | None]] = ()
) -> Replies:
    """Replies from the ranks after each round, the caption's round 0 first.

    Args:
        views: n dialogs.
        parts: ranks of n dialogs for each round.
        raw: what was said in each round, where it was not there before.
    """
    n = len(views)
    sizes = np.array([v.k for v in views], np.int64)
    return Replies(
        ids=tuple(v.id for v in views) * len(parts),
        status=np.zeros(n * len(parts), np.uint8),
        rounds=np.repeat(np.arange(len(parts)), n),
        ranks=np.concatenate([p.ranks for p in parts]),
        ties=np.concatenate([p.ties for p in parts]),
        sizes=np.tile(sizes, len(parts)),
        top=np.vstack([p.top for p in parts]),
        raw=tuple(text for said in raw for text in said) if raw else None,
    )
