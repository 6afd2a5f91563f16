"""A listener that learns in seconds: ridge regression from words to shapes.

Three regressions: whole texts to figures, the joined part names to figures, and single part names
to the groups of pieces that they name. Where colors show the groups, each part's text is scored
against its own group; where they do not, the joined names are scored against the figure.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.encodings import Memory, encode
from deixis.errors import BadInput
from deixis.pictures.features import group_features
from deixis.pictures.store import TangramStore
from deixis.players.common.constant import Constant
from deixis.players.common.oracle import answers
from deixis.players.common.pairs import dots, scored
from deixis.players.common.saved import write_card
from deixis.players.protocols import Player
from deixis.replies import Replies
from deixis.stats.ridge import TextRidge
from deixis.tasks.see import views as views_of
from deixis.tasks.task import Task
from deixis.text.tfidf import Tfidf
from deixis.trials import Paint, Picture, ReferenceView

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Vectors = NDArray[np.floating]
Group = tuple[str, tuple[int, ...]]
"""A figure, and the ids of some of its pieces."""

ALL = (1, 2, 3, 4, 5, 6, 7)


@dataclass(frozen=True)
class Choices:
    """What was chosen by folds of KiloGram's dense split, see benchmarks/linear_choices.py.

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
        return self.of(*_describe(store, group))

    def of(self, measured: Floats, coverage: Floats) -> Floats:
        """The vector of raw features."""
        return np.concatenate(
            [
                self.measured * measured / self.deviation / np.sqrt(len(measured)),
                coverage / self.spread / np.sqrt(len(coverage)),
            ]
        )


class Linear:
    """The trained listener."""

    name = "linear"

    def __init__(
        self, store: TangramStore, scale: Scale, models: dict[str, TextRidge], parts: float
    ) -> None:
        self.store = store
        self.scale = scale
        self.models = models
        self.parts = parts
        self.revision = _revision(scale, models, parts)
        self._cache = Memory()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_cache": Memory()}

    def at(self, task: Task) -> Linear:
        """The same listener looking at another task's pictures."""
        store = _tangrams(task)
        return self if store is self.store else Linear(store, self.scale, self.models, self.parts)

    def reply(self, views: Sequence[ReferenceView]) -> Replies:
        """The whole against each figure, and parts against groups or figures."""
        total = self._figures(views, "whole", [t.whole for v in views for t in v.texts])
        blind = [" ".join(t.parts) if not _painted(v) else "" for v in views for t in v.texts]
        assert total.scores is not None
        sums = total.scores + self.parts * _table(self._figures(views, "names", blind))
        sums = sums + self.parts * self._groups(views)
        return Replies(total.ids, total.status, sums)

    def _figures(self, views: Sequence[ReferenceView], model: str, texts: list[str]) -> Replies:
        vectors, text_of = self._encode(model, texts)
        figures, figure_of = self._shapes(
            model, [(_figure(p), ALL) for v in views for p in v.pictures]
        )
        return scored(views, text_of, figure_of, lambda t, p: dots(vectors, figures, t, p))

    def _groups(self, views: Sequence[ReferenceView]) -> Floats:
        """Sum over parts of each part's text against the pieces in its color."""
        cells, names, groups = [], [], []
        for row, view in enumerate(views):
            for option in range(view.k):
                text = view.texts[option if len(view.texts) > 1 else 0]
                picture = view.pictures[option if len(view.pictures) > 1 else 0]
                for position, pieces in _colored(picture, len(text.parts)):
                    cells.append((row, option))
                    names.append(text.parts[position])
                    groups.append((_figure(picture), pieces))
        table = np.zeros((len(views), max(v.k for v in views)))
        if not cells:
            return table
        vectors, name_of = self._encode("parts", names)
        shapes, group_of = self._shapes("parts", groups)
        width = len(shapes)
        pairs, back = np.unique(name_of * width + group_of, return_inverse=True)
        values = dots(vectors, shapes, pairs // width, pairs % width)[back]
        np.add.at(table, tuple(np.array(cells).T), values)
        return table

    def _encode(self, model: str, texts: list[str]) -> tuple[Vectors, Ints]:
        encoder = self.models[model].texts
        return encode(texts, key=str, encoder=encoder, by=f"{model} texts", cache=self._cache)

    def _shapes(self, model: str, groups: list[Group]) -> tuple[Vectors, Ints]:
        ridge = self.models[model]

        def encoder(some: list[Group]) -> Floats:
            """Groups in the model's space; zero where there is no figure to see."""
            made = np.zeros((len(some), len(ridge.mean)))
            seen = [i for i, (figure, _) in enumerate(some) if figure]
            if seen:
                made[seen] = ridge.vectors(
                    np.array([self.scale(self.store, some[i]) for i in seen])
                )
            return made

        return encode(groups, key=repr, encoder=encoder, by=f"{model} shapes", cache=self._cache)

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
        store, lessons = _tangrams(task), _lessons(task)
        whole = [(_figure(p), ALL) for _, p in lessons]
        named = [
            (t.parts[i], (_figure(p), pieces))
            for t, p in lessons
            for i, pieces in _colored(p, len(t.parts))
        ]
        # Without any color to learn from, names are learnt as if they named the whole figure.
        named = named or [("", group) for group in whole]
        names, groups = [n for n, _ in named], [g for _, g in named]
        raw = {g: _describe(store, g) for g in {*whole, *groups} if g[0]}
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
        """Read a saved listener."""
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
            return Linear(_tangrams(task), scale, models, card["parts"])
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


def _lessons(task: Task) -> list[tuple]:  # type: ignore[type-arg]
    seen = views_of(task)
    lessons = []
    for view, answer in zip(seen, answers(task, seen), strict=True):
        text = view.texts[answer if len(view.texts) > 1 else 0]
        lessons.append((text, view.pictures[answer if len(view.pictures) > 1 else 0]))
    return lessons


def _describe(store: TangramStore, group: Group) -> tuple[Floats, Floats]:
    figure, pieces = group
    return store.derived(
        ("group features", group), lambda: group_features(store.tangram(figure), pieces)
    )


def _scale(raw: list[tuple[Floats, Floats]], choices: Choices) -> Scale:
    measured, coverage = np.array([m for m, _ in raw]), np.array([c for _, c in raw])
    spread = float(coverage.std(axis=0).mean()) + 1e-6
    return Scale(measured.std(axis=0) + 0.05, spread, choices.measured)


def _tangrams(task: Task) -> TangramStore:
    if not isinstance(task.store, TangramStore):
        raise BadInput(f"linear reads tangrams, and {task.name} has none")
    return task.store


def _figure(picture: Picture) -> str:
    """The name of the tangram to be seen; empty where there is none."""
    return "" if picture.edits or picture.source == "blank" else picture.source


def _painted(view: ReferenceView) -> bool:
    return any(p.paint is not None for p in view.pictures)


def _colored(picture: Picture, count: int) -> list[tuple[int, tuple[int, ...]]]:
    """Position and pieces of each part that a color shows, up to `count` parts."""
    paint: Paint = picture.paint or ()
    groups: dict[int, list[int]] = {}
    for piece, position in enumerate(paint, start=1):
        if position is not None and position < count and _figure(picture):
            groups.setdefault(position, []).append(piece)
    return [(position, tuple(pieces)) for position, pieces in sorted(groups.items())]


def _table(replies: Replies) -> Floats:
    assert replies.scores is not None
    return replies.scores
