"""The player ``vilt``: text and picture read together, as it is or fine-tuned on contexts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Unpack

from torch import Tensor

from deixis.dataset import Store
from deixis.players.common.neural import pretrained
from deixis.players.common.neural.joint import (
    Joint,
    JointScorer,
    kept_joint,
    open_joint,
    transform_of,
)
from deixis.players.common.neural.kept import Kept
from deixis.players.common.neural.mounted import drawn
from deixis.players.common.pairs import PairPlayer
from deixis.players.common.saved import CARD, write_card
from deixis.players.protocols import Learner, Player
from deixis.players.reference.lessons import Context
from deixis.players.reference.options import Pretrained, fine_tuned, running, whole
from deixis.players.reference.tuning import Tuning
from deixis.tasks.task import Task
from deixis.training import weights

PAIRS = 4096
"""Pairs handed to the scorer at a time; it cuts them into batches that fit the memory."""


class JointPlayer(PairPlayer):
    """Plays reference games with a model that reads text and picture together."""

    scorer: JointScorer

    def save(self, folder: Path) -> None:
        """Write a checkpoint with a card; the checkpoint alone is one of transformers."""
        self.scorer.module.save(folder)
        write_card(folder, player="vilt", kind="reference", canvas=self.scorer.canvas)


@dataclass(frozen=True)
class JointMatcher:
    """ViLT in training; attributes as in `clip.TowerMatcher`."""

    module: Joint
    name: str
    store: Store
    canvas: int
    device: str = "auto"

    def blocks(self, contexts: Sequence[Context]) -> Tensor:
        """See `Matcher`; all k × k pairs of each context, each picture embedded once."""
        pictures = {one.picture.key: one.picture for c in contexts for one in c}
        places = {key: i for i, key in enumerate(pictures)}
        pixels = drawn(self.store, list(pictures.values()), self.canvas, self.module.transform)
        pairs = [(str(a.text), places[b.picture.key]) for c in contexts for a in c for b in c]
        embedded = self.module.pictures(pixels)[[place for _, place in pairs]]
        logits = self.module.matches([text for text, _ in pairs], embedded)
        k = len(contexts[0])
        return logits.reshape(len(contexts), k, k)

    def player(self, revision: str | None = None) -> JointPlayer:
        """See `Matcher`."""
        kept = Kept(revision or weights.fingerprint(self.module.state_dict()), model=self.module)
        scorer = JointScorer(
            self.name,
            kept,
            self.store,
            transform=self.module.transform,
            canvas=self.canvas,
            device=self.device,
        )
        return JointPlayer(scorer, PAIRS)


@dataclass(frozen=True)
class Opening:
    """Makes a matcher anew from a checkpoint, for each training; a plain value."""

    checkpoint: pretrained.Checkpoint
    name: str
    tuning: Tuning

    def __call__(self, task: Task, _: int) -> JointMatcher:
        """The pre-trained model; nothing is drawn, so the seed changes nothing here."""
        joint = open_joint(self.checkpoint)
        canvas = self.tuning.canvas or joint.transform.side
        return JointMatcher(joint, self.name, task.store, canvas, device=self.tuning.recipe.device)


class JointBuilder:
    """Builds ``vilt:FOLDER_OR_HUB_NAME``."""

    def __call__(
        self,
        argument: str,
        task: Task,
        **options: Unpack[Pretrained],
    ) -> Player | Learner:
        """Build it; arguments and errors as in `clip.TowerBuilder`."""
        name = f"vilt:{argument}"
        checkpoint = pretrained.find(argument, "vilt", ["vilt"])
        learner = fine_tuned(name, partial(Opening, checkpoint, name), options)
        if learner is not None:
            return learner
        scorer = JointScorer(
            name,
            kept_joint(checkpoint),
            task.store,
            transform=transform_of(checkpoint),
            canvas=whole("canvas", options.get("canvas", "")),
            **running(options),
        )
        return JointPlayer(scorer, PAIRS)

    def load(self, folder: Path, task: Task) -> Player:
        """Read a saved player."""
        card = json.loads((folder / CARD).read_text("utf-8"))
        made = self(str(folder), task, canvas=str(card["canvas"]))
        assert isinstance(made, JointPlayer)  # nothing is to be tuned
        return made


vilt = JointBuilder()
