"""Train and play whatever gives the log-odds of a statement: one learner, one player."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, Self

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from deixis.dataset import Store
from deixis.players.common.saved import write_card
from deixis.players.statement.neural.baseline import divide, share_right
from deixis.progress import Progress, quiet
from deixis.replies import Replies
from deixis.seeds import digest
from deixis.tasks.see import views as views_of
from deixis.tasks.statement import NOTHING
from deixis.tasks.task import Task
from deixis.training import weights
from deixis.training.batches import Batch, shuffled
from deixis.training.loop import Fitted, fit
from deixis.training.recipe import Recipe
from deixis.trials import BLANK, Picture, StatementView


class Judge(Protocol):
    """Gives log-odds of statements, and holds what is learnt for it."""

    @property
    def module(self) -> nn.Module:
        """All that is learnt."""

    @property
    def revision(self) -> str:
        """Of everything but that."""

    @property
    def card(self) -> Mapping[str, Any]:
        """What is kept of how it was made."""

    def odds(self, views: Sequence[StatementView]) -> Tensor:
        """Log-odds of true, shape (n,)."""

    def at(self, store: Store) -> Self:
        """The same judge looking at another store's pictures."""

    def write(self, folder: Path) -> None:
        """Write what has to be read back besides the card."""


class Judging:
    """Plays statements."""

    def __init__(self, name: str, judge: Judge, batch: int) -> None:
        self.name = name
        self.judge = judge
        self.batch = batch
        judge.module.eval()
        self.revision = (
            f"{digest(weights.fingerprint(judge.module.state_dict()), judge.revision):016x}"
        )

    def at(self, task: Task) -> Judging:
        """The same player looking at another task's pictures."""
        other = object.__new__(Judging)
        other.__dict__.update(self.__dict__ | {"judge": self.judge.at(task.store)})
        return other

    def reply(self, views: Sequence[StatementView]) -> Replies:
        """Log-odds of true, against 0 for false."""
        return Replies.scored(views, [(o, 0.0) for o in odds_of(self.judge, views, self.batch)])

    def save(self, folder: Path) -> None:
        """Write weights and card."""
        write_card(folder, kind="statement", batch=self.batch, **self.judge.card)
        self.judge.write(folder)


def odds_of(judge: Judge, views: Sequence[StatementView], batch: int) -> list[float]:
    """Log-odds of true of each view, some at a time."""
    made: list[float] = []
    with torch.inference_mode():
        for start in range(0, len(views), batch):
            made += judge.odds(views[start : start + batch]).float().cpu().tolist()
    return made


@dataclass
class JudgeLearner:
    """Trains a judge on labels, stopped by a dev task or by clusters held out.

    Attributes:
        name: as the user named it.
        opening: makes the judge, from a task and the training seed.
        recipe: of the loop.
        batch: statements in a batch.
        progress: told of batches.
        fitted: what became of the last training.
    """

    name: str
    opening: Callable[[Task, int], Judge]
    recipe: Recipe
    batch: int
    quick: bool = False
    stochastic: bool = True
    progress: Progress = field(default=quiet, repr=False)
    fitted: Fitted | None = field(default=None, repr=False)

    def fit(
        self, task: Task, *, dev: Task | None = None, seed: int = 0, folder: Path | None = None
    ) -> Judging:
        """See `Learner`."""
        if dev is None:
            task, dev = divide(task, seed)
        judge = self.opening(task, seed)
        stopping = judge.at(dev.store)
        lessons = [(v, t.label) for v, t in zip(views_of(task), task.trials, strict=True)]
        seen, labels = views_of(dev), [t.label for t in dev.trials]

        def step(batch: Batch[tuple[StatementView, bool]]) -> Tensor:
            wanted = torch.tensor([float(label) for _, label in batch.items])
            odds = judge.odds([view for view, _ in batch.items])
            return binary_cross_entropy_with_logits(odds, wanted.to(odds))

        def dev_accuracy() -> float:
            return share_right(odds_of(stopping, seen, self.batch), labels)

        self.fitted = fit(
            judge.module,
            shuffled(lessons, self.batch, seed=seed, name=lambda lesson: lesson[0].id),
            step,
            replace(self.recipe, seed=seed),
            score=dev_accuracy,
            folder=folder,
            about=f"{self.name} on {task.name} {task.dataset.fingerprint} {task.condition}",
            progress=self.progress,
            name=f"training {self.name} on {task.name}",
        )
        return Judging(self.name, judge, self.batch)


def both(view: StatementView) -> tuple[Picture, Picture]:
    """Left and right; an empty canvas where there is one picture only."""
    return view.left, BLANK if view.right == NOTHING else view.right
