"""A listener that learns in seconds: ridge regression from words to shapes.

Three regressions: whole texts to figures, the joined part names to figures, and single part names
to the groups of pieces that they name. Where colors show the groups, each part's text is scored
against its own group; where they do not, the joined names are scored against the figure.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.pictures.store import TangramStore
from deixis.players.common.constant import Constant
from deixis.players.common.saved import write_card
from deixis.players.protocols import Player
from deixis.players.reference.listener import (
    ALL,
    Group,
    Listener,
    colored,
    describe,
    seen_pairs,
    tangrams,
    visible,
)
from deixis.stats.ridge import TextRidge
from deixis.tasks.task import Task
from deixis.text.tfidf import Tfidf

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Choices:
    """What was chosen by folds of KiloGram's dense split, see benchmarks/choices.py.

    Attributes:
        penalty: of the ridge, for figures and for groups.
        shrink: of the covariance, for figures and for groups.
        measured: weight of measurements against coverage.
        parts: weight of the sum over parts against the whole.
    """

    penalty: tuple[float, float] = (30.0, 10.0)
    shrink: tuple[float, float] = (3.0, 3.0)
    measured: float = 2.0
    parts: float = 1.0


@dataclass(frozen=True)
class Scale:
    """Brings measurements and coverage to a common scale, learnt from groups in training."""

    deviation: Floats
    spread: float
    measured: float

    def __call__(self, store: TangramStore, group: Group) -> Floats:
        """The vector of a group, shape (301,)."""
        return self.of(*describe(store, group))

    def of(self, measured: Floats, coverage: Floats) -> Floats:
        """The vector of raw features."""
        return np.concatenate(
            [
                self.measured * measured / self.deviation / np.sqrt(len(measured)),
                coverage / self.spread / np.sqrt(len(coverage)),
            ]
        )


class Linear(Listener):
    """The trained listener."""

    name = "linear"

    def __init__(
        self, store: TangramStore, scale: Scale, models: dict[str, TextRidge], parts: float
    ) -> None:
        super().__init__(store, parts)
        self.scale = scale
        self.models = models
        self.revision = _revision(scale, models, parts)

    def looking(self, store: TangramStore) -> Linear:
        """See `Listener`."""
        return Linear(store, self.scale, self.models, self.parts)

    def texts(self, way: str, texts: list[str]) -> Floats:
        """Predicted vectors."""
        return self.models[way].texts(texts)

    def shapes(self, way: str, groups: list[Group]) -> Floats:
        """Vectors in the space of the predictions."""
        return self.models[way].vectors(np.array([self.scale(self.store, g) for g in groups]))

    def save(self, folder: Path) -> None:
        """Write weights and features; `load` reads them."""
        write_card(folder, player="linear", kind="reference", parts=self.parts)
        arrays: dict[str, Floats] = {"deviation": self.scale.deviation}
        features = {}
        for name, model in self.models.items():
            features[name] = list(model.tfidf.columns)
            arrays |= {
                f"{name}.idf": model.tfidf.idf,
                f"{name}.weights": model.weights,
                f"{name}.mean": model.mean,
                f"{name}.whitener": model.whitener,
            }
        arrays["scale"] = np.array([self.scale.spread, self.scale.measured])
        np.savez(folder / "linear.npz", **arrays)  # type: ignore[arg-type]
        (folder / "features.json").write_text(json.dumps(features), "utf-8")


class LinearLearner:
    """Fits `Linear`.

    Attributes:
        choices: numbers of the regressions.
    """

    name = "linear"
    quick = True
    stochastic = False

    def __init__(self, argument: str = "", _: Task | None = None) -> None:
        if argument:
            raise BadInput(f"linear takes no argument, got {argument!r}")
        self.choices = Choices()

    def fit(
        self, task: Task, *, dev: Task | None = None, seed: int = 0, folder: Path | None = None
    ) -> Player:
        """Learn from each trial's text and target, as the task's condition shows them.

        Nothing is drawn at random, and nothing is stopped early: `dev` and `seed` change nothing.
        """
        store, lessons = tangrams(task, "linear"), seen_pairs(task)
        whole = [(visible(p), ALL) for _, p in lessons]
        named = [
            (t.parts[i], (visible(p), pieces))
            for t, p in lessons
            for i, pieces in colored(p, len(t.parts))
        ]
        # Without any color to learn from, names are learnt as if they named the whole figure.
        named = named or [("", group) for group in whole]
        names, groups = [n for n, _ in named], [g for _, g in named]
        raw = {g: describe(store, g) for g in {*whole, *groups} if g[0]}
        if not raw:
            return Constant()
        scale = _scale([raw[g] for g in groups if g[0]], self.choices)
        vectors = {g: scale.of(*raw[g]) for g in raw}
        figures = [i for i, g in enumerate(whole) if g in vectors]
        shapes = np.array([vectors[whole[i]] for i in figures])
        wholes = [lessons[i][0].whole for i in figures]
        joined = [" ".join(lessons[i][0].parts) for i in figures]
        models = {
            "whole": self._ridge(wholes, shapes, 0),
            "names": self._ridge(joined, shapes, 0),
            "parts": self._ridge(names, np.array([vectors[g] for g in groups]), 1),
        }
        return Linear(store, scale, models, self.choices.parts)

    @staticmethod
    def load(folder: Path, task: Task) -> Linear:
        """Read a saved listener.

        Raises:
            BadInput: a file of it is missing or broken.
        """
        card = json.loads((folder / "player.json").read_text("utf-8"))
        try:
            path = folder / "features.json"
            features = json.loads(path.read_text("utf-8"))
            path = folder / "linear.npz"
            with path.open("rb") as file, np.load(file) as held:
                arrays = dict(held)
            models = {name: _model(name, columns, arrays) for name, columns in features.items()}
            spread, measured = arrays["scale"]
            scale = Scale(arrays["deviation"], float(spread), float(measured))
            return Linear(tangrams(task, "linear"), scale, models, card["parts"])
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise BadInput(f"{path}: not what linear has saved: {error}") from None

    def _ridge(self, texts: list[str], vectors: Floats, which: int) -> TextRidge:
        c = self.choices
        return TextRidge.fit(texts, vectors, penalty=c.penalty[which], shrink=c.shrink[which])


def _model(name: str, columns: list[str], arrays: dict[str, Floats]) -> TextRidge:
    return TextRidge(
        Tfidf({f: i for i, f in enumerate(columns)}, arrays[f"{name}.idf"]),
        arrays[f"{name}.weights"],
        arrays[f"{name}.mean"],
        arrays[f"{name}.whitener"],
    )


def _revision(scale: Scale, models: dict[str, TextRidge], parts: float) -> str:
    """Hash of all numbers that replies depend on."""
    total = hashlib.sha256(repr((parts, scale.spread, scale.measured)).encode())
    total.update(scale.deviation.tobytes())
    for name, model in models.items():
        total.update(repr((name, list(model.tfidf.columns))).encode())
        for array in (model.tfidf.idf, model.weights, model.mean, model.whitener):
            total.update(array.tobytes())
    return total.hexdigest()[:16]


def _scale(raw: list[tuple[Floats, Floats]], choices: Choices) -> Scale:
    measured, coverage = np.array([m for m, _ in raw]), np.array([c for _, c in raw])
    spread = float(coverage.std(axis=0).mean()) + 1e-6
    return Scale(measured.std(axis=0) + 0.05, spread, choices.measured)
