"""A guesser that learns in seconds: ridge regression from the words so far to the picture's vector.

One regression for the caption and one for each number of rounds, so that a dialog is always read
by what has learnt from dialogs of its length. Words are weighted by TF-IDF; those of the caption,
of questions and of answers are not told apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from deixis.errors import BadInput
from deixis.pictures.vectors import Vectors
from deixis.players.common.saved import write_card
from deixis.players.guessing.options import fraction
from deixis.players.guessing.ranked import GuessPlayer, rounds_of, trials_of
from deixis.players.protocols import Player
from deixis.stats.ranks import Affine
from deixis.stats.ridge import ridge
from deixis.tasks.see import views as views_of
from deixis.tasks.task import Task
from deixis.text.bags import Bags
from deixis.trials import Dialog, Picture

Floats = NDArray[np.float64]

PENALTY = 0.3
"""Of the ridge: as in the first sketch on VisPro, and not tuned since."""

LEAST = 2
"""Dialogs in which a word must occur."""


@dataclass(frozen=True)
class Stage:
    """What was learnt from dialogs of one length.

    Attributes:
        idf: weight of each word, 0 for those that are too rare, shape (f,).
        weights: from weighted words to centred vectors, shape (f, d).
    """

    idf: Floats
    weights: NDArray[np.float32]


class LinearReader:
    """The trained guesser.

    Attributes:
        stages: for the caption, then for each number of rounds.
        mean: what is predicted from no words: the mean of all pictures, shape (d,). It is not that
            of the training pictures: a fold's own pictures are further from the mean of the others,
            so a cross-fitted player without any input would be worse than chance.
    """

    name = "linear"

    def __init__(self, store: Vectors, bags: Bags, stages: Sequence[Stage], mean: Floats) -> None:
        self.store, self.bags, self.stages, self.mean = store, bags, tuple(stages), mean
        total = hashlib.sha256(repr(list(bags.columns)).encode())
        for stage in stages:
            total.update(stage.weights.tobytes())
        self.revision = total.hexdigest()[:16]

    def pictures(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """The store's vectors, shape (N, d)."""
        return self.store.vectors(pictures)

    def read(self, dialogs: Sequence[Dialog]) -> Affine:
        """Predicted vectors, each by the stage of its dialog's length."""
        lengths = np.array([min(len(d.turns), len(self.stages) - 1) for d in dialogs])
        counts = self.bags([texts_of(d) for d in dialogs])
        made = np.empty((len(dialogs), len(self.mean)))
        for length in np.unique(lengths):
            rows = np.flatnonzero(lengths == length)
            stage = self.stages[length]
            made[rows] = self.mean + weighted(counts[rows], stage.idf) @ stage.weights
        return Affine(made)

    def save(self, folder: Path) -> None:
        """Write everything that was learnt; `LinearLearner.load` reads it."""
        write_card(folder, player="linear", kind="guessing")
        np.savez(
            folder / "linear.npz",
            words=np.array(list(self.bags.columns)),
            mean=self.mean,
            idf=np.array([s.idf for s in self.stages]),
            weights=np.array([s.weights for s in self.stages]),
        )


class LinearLearner:
    """Fits `LinearReader`."""

    name = "linear"
    quick = True
    stochastic = False

    def __init__(
        self, argument: str = "", _: Task | None = None, *, stretch: str | float = 1.0
    ) -> None:
        """Say how far it reaches.

        Args:
            argument: none.
            stretch: how many times as far from the mean picture predictions are taken: the least
                squares keep them near it, and so near to pictures that are near it themselves.

        Raises:
            BadInput: there is an argument, or the stretch is no number above 0.
        """
        if argument:
            raise BadInput(f"linear takes no argument, got {argument!r}")
        self.stretch = fraction("stretch", stretch, 1e6)

    def fit(
        self, task: Task, *, dev: Task | None = None, seed: int = 0, folder: Path | None = None
    ) -> Player:
        """Learn from each dialog and its picture, as the task's condition shows them.

        Nothing is drawn at random, and nothing is stopped early: `dev` and `seed` change nothing.
        """
        store, views = vectors_of(task, self.name), views_of(task)
        targets = store.vectors([t.image for t in trials_of(task, views)]).astype(np.float64)
        bags = Bags.of(chain.from_iterable(texts_of(v.dialog) for v in views))
        targets -= targets.mean(axis=0)
        stages = []
        for number in range(1 + rounds_of(task)):
            counts = bags([texts_of(v.dialog.upto(number)) for v in views])
            idf = inverse_frequency(counts)
            learnt = self.stretch * ridge(weighted(counts, idf), targets, PENALTY)
            stages.append(Stage(idf, learnt.astype(np.float32)))
        mean = store.mean.astype(np.float64)
        return GuessPlayer(LinearReader(store, bags, stages, mean), task)

    @staticmethod
    def load(folder: Path, task: Task) -> GuessPlayer:
        """Read a saved guesser."""
        with np.load(folder / "linear.npz") as held:
            bags, mean = Bags(held["words"].tolist()), held["mean"]
            stages = [Stage(i, w) for i, w in zip(held["idf"], held["weights"], strict=True)]
        store = vectors_of(task, "linear")
        if store.dimensions != len(mean):
            raise BadInput(
                f"saved:{folder}: predicts vectors of length {len(mean)}, and those of "
                f"{task.name} have length {store.dimensions}"
            )
        return GuessPlayer(LinearReader(store, bags, stages, mean), task)


def texts_of(dialog: Dialog) -> list[str]:
    """Every text of a dialog, in order."""
    return [dialog.caption, *chain.from_iterable((t.question, t.answer) for t in dialog.turns)]


def vectors_of(task: Task, player: str) -> Vectors:
    """The task's store, if it has vectors.

    Raises:
        BadInput: it has none.
    """
    store = task.store
    if not isinstance(store, Vectors):
        raise BadInput(
            f"{player} needs a vector of each picture, and {task.name} has none: "
            "name a file of them with --features"
        )
    return store


def inverse_frequency(counts: sparse.csr_array) -> Floats:
    """1 + log((1 + n) / (1 + dialogs with the word)); 0 for words in fewer than `LEAST`."""
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    idf = np.log((1 + counts.shape[0]) / (1 + frequency)) + 1
    return np.where(frequency >= LEAST, idf, 0.0)


def weighted(counts: sparse.csr_array, idf: Floats) -> sparse.csr_array:
    """(1 + log count) · idf, rows of length 1; rows of unknown words stay 0."""
    made = sparse.csr_array(counts, copy=True)
    made.data = (1 + np.log(made.data)) * idf[made.indices]
    lengths = np.sqrt(np.asarray(made.multiply(made).sum(axis=1)).ravel())
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return sparse.csr_array(sparse.diags_array(scale) @ made)
