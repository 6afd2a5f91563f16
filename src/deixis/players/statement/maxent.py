"""Maximum entropy on structures: counts of what a scene holds, crossed with patterns of words.

The model of Suhr et al. (ACL 2017, 2019) conjoins n-grams with counts. Here words for colors,
shapes, numbers and places are slots, without which two thousand examples teach next to nothing.
``maxent`` is told what pictures show; ``maxent:eye`` sees pixels.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.pictures.scene import Scene
from deixis.pictures.scenestore import SceneStore
from deixis.players.common.crossfit import deal
from deixis.players.common.saved import write_card
from deixis.players.statement.crossed import Crossed, cross
from deixis.players.statement.facts import facts
from deixis.players.statement.mentions import read
from deixis.players.statement.sights import TOLD, Sight, shown, sight
from deixis.replies import Replies
from deixis.stats.logistic import Logistic
from deixis.tasks.see import views as views_of
from deixis.tasks.task import Task
from deixis.trials import StatementView

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Choices:
    """What is not learnt.

    Attributes:
        least: trials in which a feature must fire to be kept.
        strengths: how much examples count against the penalty; one is chosen by folds.
        folds: of the training data.
    """

    least: int = 5
    strengths: tuple[float, ...] = (10.0, 30.0, 100.0)
    folds: int = 3


@dataclass(frozen=True)
class Features:
    """The features of a trained model.

    Attributes:
        patterns: their numbers.
        columns: numbers of the features kept, sorted, shape (d,).
        weights: rare features weigh more, shape (d,).
    """

    patterns: dict[str, int]
    columns: Ints
    weights: Floats

    @classmethod
    def learn(cls, patterns: dict[str, int], crossed: Crossed, least: int) -> Features:
        """Keep features that fire often enough, weighed by log(1 + n / frequency)."""
        columns, counts = crossed.frequencies()
        kept = counts >= min(least, counts.max(initial=0))
        weights = np.log(1 + len(crossed.signs) / counts[kept])
        return cls(patterns, columns[kept], weights)


class Maxent:
    """The trained model."""

    def __init__(
        self, store: SceneStore, features: Features, model: Logistic, sight: Sight = TOLD
    ) -> None:
        self.name = sight.of("maxent")
        self.store = store
        self.features = features
        self.model = model
        self.sight = sight
        content = model.weights.tobytes() + features.columns.tobytes() + sight.revision.encode()
        self.revision = hashlib.sha256(content).hexdigest()[:16]

    def at(self, task: Task) -> Maxent:
        """The same model looking at another task's pictures."""
        store = _scenes(task)
        if store is self.store:
            return self
        return Maxent(store, self.features, self.model, self.sight)

    def reply(self, views: Sequence[StatementView]) -> Replies:
        """Log-odds of true, against 0 for false."""
        known = self.features
        crossed = _crossed(views, shown(self.sight, self.store, views), known.patterns, learn=False)
        odds = self.model.odds(crossed.matrix(known.columns, known.weights))
        return Replies.scored(views, [(float(o), 0.0) for o in odds])

    def save(self, folder: Path) -> None:
        """Write features and weights; `load` reads them."""
        write_card(
            folder,
            player="maxent",
            kind="statement",
            bias=self.model.bias,
            sight=self.sight.name,
        )
        (folder / "patterns.json").write_text(json.dumps(list(self.features.patterns)), "utf-8")
        np.savez(
            folder / "maxent.npz",
            columns=self.features.columns,
            rarity=self.features.weights,
            weights=self.model.weights,
        )


class MaxentLearner:
    """Fits `Maxent`."""

    quick = True
    stochastic = False

    def __init__(
        self, argument: str = "", _: Task | None = None, *, choices: Choices | None = None
    ) -> None:
        """Say how it sees.

        Args:
            argument: of the player, see `sights.sight`; errors as there.
            choices: what is not learnt.
        """
        self.sight = sight("maxent", argument)
        self.name = self.sight.of("maxent")
        self.choices = choices or Choices()

    def fit(
        self, task: Task, *, dev: Task | None = None, seed: int = 0, folder: Path | None = None
    ) -> Maxent:
        """Learn from each trial as the task's condition shows it.

        The strength of the penalty is chosen by folds of the training data, which never divide a
        set; `dev` is not looked at, and nothing depends on `seed`.
        """
        store, seen = _scenes(task), views_of(task)
        patterns: dict[str, int] = {}
        scenes = shown(self.sight, store, seen)
        crossed = _crossed(seen, scenes, patterns, learn=True)
        features = Features.learn(patterns, crossed, self.choices.least)
        table = crossed.matrix(features.columns, features.weights)
        labels = np.array([t.label for t in task.trials])
        model = Logistic.fit(table, labels, strength=self._strength(task, table, labels))
        return Maxent(store, features, model, self.sight)

    def _strength(self, task: Task, table: Any, labels: NDArray[np.bool_]) -> float:
        """The strength with the best likelihood on held-out folds."""
        dealt = deal(task, self.choices.folds, 0)
        if len(dealt) < 2 or len(self.choices.strengths) < 2:
            return self.choices.strengths[0]
        fold_of = {cluster: number for number, fold in enumerate(dealt) for cluster in fold}
        fold = np.array([fold_of[t.clusters[0][1]] for t in task.trials])
        losses = np.zeros(len(self.choices.strengths))
        for number in range(len(dealt)):
            out, model = fold == number, None
            for i, strength in enumerate(self.choices.strengths):
                model = Logistic.fit(
                    table[~out], labels[~out], strength=strength, start=model, tolerance=1e-3
                )
                margins = np.where(labels[out], 1, -1) * model.odds(table[out])
                losses[i] += np.logaddexp(0, -margins).sum()
        return self.choices.strengths[int(losses.argmin())]

    @staticmethod
    def load(folder: Path, task: Task) -> Maxent:
        """Read a saved model."""
        card = json.loads((folder / "player.json").read_text("utf-8"))
        names = json.loads((folder / "patterns.json").read_text("utf-8"))
        with np.load(folder / "maxent.npz") as held:
            arrays = dict(held)
        features = Features(
            {name: i for i, name in enumerate(names)}, arrays["columns"], arrays["rarity"]
        )
        model = Logistic(arrays["weights"], card["bias"])
        return Maxent(_scenes(task), features, model, sight("maxent", card["sight"]))


def _crossed(
    views: Sequence[StatementView], seen: Sequence[Scene], patterns: dict[str, int], *, learn: bool
) -> Crossed:
    sentences: dict[str, int] = {}
    scenes: dict[Scene, int] = {}
    sentence = [sentences.setdefault(v.sentence, len(sentences)) for v in views]
    scene = [scenes.setdefault(s, len(scenes)) for s in seen]
    return cross(
        [read(s) for s in sentences],
        np.array(sentence),
        np.array(scene),
        facts(list(scenes)),
        patterns,
        learn=learn,
    )


def _scenes(task: Task) -> SceneStore:
    if not isinstance(task.store, SceneStore):
        raise BadInput(f"maxent reads scenes of boxes, and {task.name} has none")
    return task.store
