"""Any matcher of a text with a picture as a judge of pairs: ``threshold:MATCHER``.

``threshold:clip:FOLDER``, ``threshold:vilt:FOLDER`` or any other player of reference games that
gives scores. The sentence is scored with each picture; two scores become one by what fits the
training best (their mean, the lower, the higher, left or right), and what is above a threshold,
chosen there too, is true.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis import registry
from deixis.errors import BadInput
from deixis.players.common.saved import CARD, write_card
from deixis.players.protocols import Bound, Player
from deixis.players.statement.heads.judge import both
from deixis.progress import Progress, quiet
from deixis.replies import Replies
from deixis.tasks.see import views as views_of
from deixis.tasks.task import Task
from deixis.trials import Description, ReferenceView, StatementView

Floats = NDArray[np.float64]

POOLINGS: Mapping[str, Callable[[Floats], Floats]] = {
    "mean": lambda s: s.mean(1),
    "lower": lambda s: s.min(1),
    "higher": lambda s: s.max(1),
    "left": lambda s: s[:, 0],
    "right": lambda s: s[:, 1],
}
"""From scores of left and right, shape (n, 2), to one, shape (n,)."""


def best_threshold(scores: Floats, labels: NDArray[np.bool_]) -> tuple[float, float]:
    """The threshold above which true is right most often, and how often that is.

    Halfway between two scores; minus infinity says always true. Ties go to the lower threshold.

    Args:
        scores: shape (n,).
        labels: shape (n,).

    >>> best_threshold(np.array([0.1, 0.4, 0.6]), np.array([False, True, True]))
    (0.25, 1.0)
    """
    order = np.argsort(scores, kind="stable")
    sorted_scores, sorted_labels = scores[order], labels[order]
    # right[i]: with the i lowest called false
    falses = np.concatenate([[0], np.cumsum(~sorted_labels)])
    trues = np.concatenate([[0], np.cumsum(sorted_labels)])
    right = falses + trues[-1] - trues
    cuts = np.concatenate([[-np.inf], (sorted_scores[:-1] + sorted_scores[1:]) / 2, [np.inf]])
    # no cut between equal scores
    between = np.concatenate([[True], np.diff(sorted_scores) > 0, [True]])
    right = np.where(between, right, -1)
    place = int(right.argmax())
    return float(cuts[place]), float(right[place] / len(scores))


class Thresholded:
    """A matcher with what was chosen for it.

    Attributes:
        matcher: as it is written.
        pooling: a name of `POOLINGS`.
        threshold: of the pooled score.
    """

    def __init__(self, player: Player, matcher: str, pooling: str, threshold: float) -> None:
        self.player = player
        self.matcher, self.pooling, self.threshold = matcher, pooling, threshold
        self.name = f"threshold:{matcher}"
        self.revision = f"{player.revision} {pooling} {threshold!r}"

    def at(self, task: Task) -> Thresholded:
        """The same judge looking at another task's pictures."""
        player = self.player.at(task) if isinstance(self.player, Bound) else self.player
        return Thresholded(player, self.matcher, self.pooling, self.threshold)

    def reply(self, views: Sequence[StatementView]) -> Replies:
        """How far the pooled score is above the threshold, against 0 for false."""
        pooled = POOLINGS[self.pooling](scores_of(self.player, views, self.name))
        over = np.clip(pooled - self.threshold, -1e30, 1e30)
        return Replies.scored(views, [(float(o), 0.0) for o in over])

    def save(self, folder: Path) -> None:
        """Write a card; the matcher stays where it is."""
        write_card(
            folder,
            player="threshold",
            kind="statement",
            matcher=self.matcher,
            pooling=self.pooling,
            threshold=self.threshold,
        )


def scores_of(player: Player, views: Sequence[StatementView], name: str) -> Floats:
    """Scores of each sentence with left and right, shape (n, 2).

    Raises:
        BadInput: the matcher chooses, and gives no scores.
    """
    asked = [ReferenceView(v.id, (Description(v.sentence),), both(v)) for v in views]
    scores = player.reply(asked).scores
    if scores is None:
        raise BadInput(f"{name}: expected a player that scores each picture, this one chooses")
    return np.asarray(scores, np.float64)[:, :2]


@dataclass
class ThresholdLearner:
    """Chooses how scores are pooled, and the threshold, on training data.

    Attributes:
        matcher: as it is written.
        player: the matcher.
        progress: told of what is done.
    """

    matcher: str
    player: Player
    quick: bool = False
    stochastic: bool = False
    progress: Progress = field(default=quiet, repr=False)

    @property
    def name(self) -> str:
        """As the user named it."""
        return f"threshold:{self.matcher}"

    def fit(
        self, task: Task, *, dev: Task | None = None, seed: int = 0, folder: Path | None = None
    ) -> Thresholded:
        """See `Learner`; there is nothing to draw and nothing to stop."""
        player = self.player.at(task) if isinstance(self.player, Bound) else self.player
        scores = scores_of(player, views_of(task), self.name)
        labels = np.array([t.label for t in task.trials])
        found = {n: best_threshold(pool(scores), labels) for n, pool in POOLINGS.items()}
        pooling = max(found, key=lambda n: found[n][1])
        return Thresholded(player, self.matcher, pooling, found[pooling][0])


class ThresholdBuilder:
    """Builds ``threshold:MATCHER[:ARGUMENT]``."""

    def __call__(self, argument: str, task: Task) -> ThresholdLearner:
        """Build it.

        Raises:
            BadInput: there is no such player of reference games, or it has to be trained.
        """
        return ThresholdLearner(argument, _matcher(argument, task))

    def load(self, folder: Path, task: Task) -> Thresholded:
        """Read a kept choice; the matcher is where it was."""
        card: dict[str, Any] = json.loads((folder / CARD).read_text("utf-8"))
        made = _matcher(card["matcher"], task)
        return Thresholded(made, card["matcher"], card["pooling"], float(card["threshold"]))


def _matcher(written: str, task: Task) -> Player:
    name, _, argument = written.partition(":")
    if not name:
        raise BadInput("threshold: expected threshold:MATCHER, such as threshold:clip:FOLDER")
    builder = registry.find("players", name, "reference")
    made = builder(argument, task)
    if not hasattr(made, "reply"):
        raise BadInput(f"threshold:{written}: it has to be trained on reference games first")
    player: Player = made
    return player


threshold = ThresholdBuilder()
