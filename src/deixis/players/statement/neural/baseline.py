"""A learner of any model of statements: pictures once, stages, early stopping, keeping."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from deixis.dataset import Store
from deixis.encodings import Cache, Memory
from deixis.errors import BadInput
from deixis.pictures.scenestore import SceneStore
from deixis.players.common.neural.devices import device_of
from deixis.players.common.saved import CARD, write_card
from deixis.players.statement.neural.inputs import Epoch, Parser, Table
from deixis.players.statement.neural.looks import Looks
from deixis.players.statement.neural.net import ANSWERS, Net, Preset, Setting
from deixis.players.statement.neural.sentences import Words
from deixis.progress import Progress, quiet
from deixis.replies import Replies
from deixis.seeds import digest
from deixis.tasks.see import views as views_of
from deixis.tasks.task import Task
from deixis.training import weights
from deixis.training.loop import fit
from deixis.training.randomness import seeded
from deixis.trials import StatementView

WEIGHTS = "weights.safetensors"
_HELD_OUT = 0.1
"""Share of the clusters that is stopped by where no dev task is given."""


@dataclass(frozen=True)
class Senses:
    """How statements become numbers.

    Attributes:
        looks: of pictures.
        words: of sentences.
        parser: of layouts, where the model needs them.
        cache: of what pictures look like.
    """

    looks: Looks
    words: Words
    parser: Parser | None = None
    cache: Cache = field(default_factory=Memory)

    def table(
        self, views: Sequence[StatementView], store: Store, labels: Sequence[bool] | None = None
    ) -> Table:
        """Views as rows.

        What need not be kept on disk is kept with the pictures, for all who look the same way.
        """
        cache = self.cache
        if isinstance(cache, Memory) and isinstance(store, SceneStore):
            cache = store.derived("features", Memory)
        return Table(views, store, self.looks, self.words, cache, parser=self.parser, labels=labels)

    def lesson(self, task: Task) -> Table:
        """A task's trials as its condition shows them, with their labels."""
        return self.table(views_of(task), task.store, [t.label for t in task.trials])


class Trained:
    """A trained model that plays."""

    def __init__(
        self, name: str, net: Net, senses: Senses, store: Store, card: Mapping[str, Any]
    ) -> None:
        self.name = name
        self.net = net.eval()
        self.senses = senses
        self.store = store
        self.card = card
        held = weights.fingerprint(net.state_dict())
        self.revision = f"{digest(held, senses.looks.revision, senses.words):016x}"

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"senses": replace(self.senses, cache=Memory())}

    def at(self, task: Task) -> Trained:
        """The same model looking at another task's pictures."""
        other = object.__new__(Trained)
        other.__dict__.update(self.__dict__ | {"store": task.store})
        return other

    def reply(self, views: Sequence[StatementView]) -> Replies:
        """Log-odds of true, against 0 for false."""
        table = self.senses.table(views, self.store)
        odds = predictions(self.net, table, int(self.card["batch"]))
        return Replies.scored(views, [(o, 0.0) for o in odds])

    def save(self, folder: Path) -> None:
        """Write weights and card; `Baseline.load` reads them."""
        write_card(folder, kind="statement", **self.card)
        weights.write(folder / WEIGHTS, self.net.state_dict())


def predictions(net: Net, table: Table, batch: int) -> list[float]:
    """Log-odds of true of each row, with the model as it stands."""
    device = next(net.parameters()).device
    made: list[float] = []
    with torch.inference_mode():
        for start in range(0, len(table), batch):
            part = table.batch(range(start, min(start + batch, len(table))))
            made += net(part.to(device)).float().cpu().tolist()
    return made


def share_right(odds: Sequence[float], labels: Sequence[bool]) -> float:
    """Share of log-odds that are right; those of 0 are half right.

    >>> share_right([2.0, -1.0, 0.0, 3.0], [True, False, True, False])
    0.625
    """
    right = [0.5 if o == 0 else float((o > 0) == y) for o, y in zip(odds, labels, strict=True)]
    return sum(right) / len(right)


def divide(task: Task, seed: int) -> tuple[Task, Task]:
    """A task to learn from and one to stop by, of other clusters.

    Raises:
        BadInput: there are fewer than two clusters.
    """
    clusters = sorted(
        {t.clusters[0][1] for t in task.trials}, key=lambda c: digest(seed, "stop", c)
    )
    out = set(clusters[: max(1, round(_HELD_OUT * len(clusters)))])
    if len(out) == len(clusters):
        raise BadInput(
            f"{task.name}: too few {task.cluster}s to learn from some and stop by others"
        )
    return (
        task.only({t.item for t in task.trials if t.clusters[0][1] not in out}),
        task.only({t.item for t in task.trials if t.clusters[0][1] in out}),
    )


@dataclass
class Learning:
    """A learner of one model.

    Attributes:
        name: as the user named it.
        preset: of the model.
        senses: makes, for the tasks that are learnt from, how they become numbers.
        card: what is kept of how it was made.
        stages: of the training.
        before: tasks to learn from first, one after the other.
        start: the weights to begin with; None for drawn ones.
        vectors: a file of word vectors.
        device: where it is trained.
        progress: told of batches.
    """

    name: str
    preset: Preset
    senses: Any
    card: Mapping[str, Any]
    stages: Sequence[str] = (ANSWERS,)
    before: Sequence[Task] = ()
    start: Mapping[str, Tensor] | None = field(default=None, repr=False)
    vectors: Path | None = None
    device: str = "auto"
    quick: bool = False
    stochastic: bool = True
    progress: Progress = field(default=quiet, repr=False)

    def fit(
        self, task: Task, *, dev: Task | None = None, seed: int = 0, folder: Path | None = None
    ) -> Trained:
        """Train on a task as its condition shows it, stopped by a dev task or by clusters held out.

        Where there is something to learn from before, it is learnt first.
        """
        if self.before:
            return self.taught(task, seed=seed, folder=folder).fit(
                task, dev=dev, seed=seed, folder=folder
            )
        device_of(self.device)
        if dev is None:
            task, dev = divide(task, seed)
        senses: Senses = self.senses([task])
        net, setting = self._begun(senses, task, seed)
        self._stages(net, senses, task, dev, seed, folder)
        card = {**self.card, "words": senses.words.known, "spelt": senses.words.spelt}
        card |= {"shape": setting.shape, "batch": self.preset.batch, "width": self._width(net)}
        return Trained(self.name, net.cpu(), senses, task.store, card)

    def taught(self, task: Task, *, seed: int = 0, folder: Path | None = None) -> Learning:
        """This learner with its first lessons learnt; all its trainings on the task begin there.

        All stages are run on each of them, one after the other. Words are those of the lessons and
        of the task.
        """
        if not self.before:
            return self
        device_of(self.device)
        senses: Senses = self.senses([*self.before, task])
        net, _ = self._begun(senses, task, seed)
        for number, lesson in enumerate(self.before):
            own = folder and folder / "before" / str(number)
            self._stages(net, senses, *divide(lesson, seed), seed, own)
        return replace(self, before=(), senses=lambda _: senses, start=net.cpu().state_dict())

    def _begun(self, senses: Senses, task: Task, seed: int) -> tuple[Net, Setting]:
        """The model before training, and what it was made for."""
        with seeded(seed, "weights"):
            shape = senses.lesson(task.limit(1)).shape
            setting = Setting(senses.words, shape, senses.looks.salient, self.vectors)
            net = self.preset.make(setting)
        if self.start is not None:
            net.load_state_dict(self.start)
        return net, setting

    def _width(self, net: Net) -> int:
        """Of word vectors that came from a file."""
        tables = (m for m in net.modules() if isinstance(m, nn.Embedding))
        return next(tables).embedding_dim if self.vectors else 0

    def _stages(
        self,
        net: Net,
        senses: Senses,
        task: Task,
        dev: Task,
        seed: int,
        folder: Path | None,
    ) -> None:
        name = f"{self.name} on {task.name}"
        table, stop = senses.lesson(task), senses.lesson(dev)
        labels = [t.label for t in dev.trials]
        items = f"{digest(*(t.item for t in task.trials)):x}"
        about = f"{name} {task.dataset.fingerprint} {items} {task.condition} {self.card}"
        for stage in self.stages:
            recipe = replace(self.preset.stages[stage], seed=seed, device=self.device)
            begun = weights.fingerprint(net.state_dict())
            fit(
                net,
                lambda epoch: Epoch(table, self.preset.batch, seed, epoch),
                lambda batch, stage=stage: net.loss(batch.to(_device(net)), stage),  # type: ignore[misc]
                recipe,
                score=lambda: share_right(predictions(net, stop, self.preset.batch), labels),
                folder=folder and folder / stage,
                about=f"{about} {begun}",
                progress=self.progress,
                name=f"training {name}, {stage}" if len(self.stages) > 1 else f"training {name}",
            )


def _device(net: Net) -> torch.device:
    return next(net.parameters()).device


def read_card(folder: Path) -> dict[str, Any]:
    """The card of a kept model."""
    card: dict[str, Any] = json.loads((folder / CARD).read_text("utf-8"))
    return card
