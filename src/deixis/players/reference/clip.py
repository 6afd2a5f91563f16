"""The players ``clip`` and ``siglip``: two towers, as they are or fine-tuned on contexts."""

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
from deixis.players.common.neural.kept import Kept
from deixis.players.common.neural.mounted import drawn
from deixis.players.common.neural.towers import (
    CLIP,
    SIGLIP,
    Family,
    TowerEncoder,
    Towers,
    kept_towers,
    open_towers,
    transform_of,
)
from deixis.players.common.pairs import DualPlayer
from deixis.players.common.saved import CARD, write_card
from deixis.players.protocols import Learner, Player
from deixis.players.reference.lessons import Context
from deixis.players.reference.options import (
    Pretrained,
    cache_of,
    fine_tuned,
    positive,
    running,
    whole,
)
from deixis.players.reference.tuning import Tuning
from deixis.tasks.task import Task
from deixis.training import weights


class TowerPlayer(DualPlayer):
    """Plays reference games with two towers."""

    encoder: TowerEncoder

    def save(self, folder: Path) -> None:
        """Write a checkpoint with a card; the checkpoint alone is one of transformers."""
        self.encoder.module.save(folder)
        player = self.name.partition(":")[0]
        write_card(folder, player=player, kind="reference", canvas=self.encoder.canvas)


@dataclass(frozen=True)
class TowerMatcher:
    """Towers in training.

    Attributes:
        module: the towers.
        name: of the player.
        store: of pictures.
        canvas: side at which the store draws them.
        device: where the player runs.
    """

    module: Towers
    name: str
    store: Store
    canvas: int
    device: str = "auto"

    def blocks(self, contexts: Sequence[Context]) -> Tensor:
        """See `Matcher`; a text or picture that stands several times is encoded once."""
        lessons = [one for context in contexts for one in context]
        texts: dict[str, int] = {}
        rows = [texts.setdefault(str(one.text), len(texts)) for one in lessons]
        pictures = {one.picture.key: one.picture for one in lessons}
        places = {key: i for i, key in enumerate(pictures)}
        columns = [places[one.picture.key] for one in lessons]
        pixels = drawn(self.store, list(pictures.values()), self.canvas, self.module.transform)
        shape = (len(contexts), len(contexts[0]), -1)
        left = self.module.texts(list(texts))[rows].reshape(shape)
        right = self.module.pictures(pixels)[columns].reshape(shape)
        return self.module.log_scale.exp() * left @ right.transpose(1, 2)

    def player(self, revision: str | None = None) -> TowerPlayer:
        """See `Matcher`."""
        kept = Kept(revision or weights.fingerprint(self.module.state_dict()), model=self.module)
        encoder = TowerEncoder(
            self.name,
            kept,
            self.store,
            transform=self.module.transform,
            canvas=self.canvas,
            device=self.device,
        )
        return TowerPlayer(encoder)


@dataclass(frozen=True)
class Opening:
    """Makes a matcher anew from a checkpoint, for each training; a plain value."""

    checkpoint: pretrained.Checkpoint
    family: Family
    name: str
    tuning: Tuning

    def __call__(self, task: Task, _: int) -> TowerMatcher:
        """The pre-trained towers; nothing is drawn, so the seed changes nothing here."""
        towers = open_towers(self.checkpoint, self.family, self.tuning.scale)
        canvas = self.tuning.canvas or towers.transform.side
        return TowerMatcher(towers, self.name, task.store, canvas, device=self.tuning.recipe.device)


class TowerBuilder:
    """Builds players of one family: ``clip:FOLDER_OR_HUB_NAME``."""

    def __init__(self, family: Family) -> None:
        self.family = family

    def __call__(
        self,
        argument: str,
        task: Task,
        *,
        cache: str = "",
        scale: str = "",
        **options: Unpack[Pretrained],
    ) -> Player | Learner:
        """Build it.

        Args:
            argument: a folder, or a name on the hub.
            task: what will be played.
            cache: a folder for vectors, ``none``, or nothing for the user's cache.
            scale: what cosines are multiplied by; the checkpoint's own by default.
            options: those that pre-trained listeners share.

        Raises:
            BadInput: there is no such checkpoint, or an option is wrong.
        """
        player = self.family.player
        name = f"{player}:{argument}"
        checkpoint = pretrained.find(argument, player, list(self.family.models))
        learner = fine_tuned(name, partial(Opening, checkpoint, self.family, name), options)
        if learner is not None:
            return learner
        encoder = TowerEncoder(
            name,
            kept_towers(checkpoint, self.family, positive("scale", scale)),
            task.store,
            transform=transform_of(checkpoint, self.family),
            canvas=whole("canvas", options.get("canvas", "")),
            **running(options),
        )
        return TowerPlayer(encoder, cache_of(cache))

    def load(self, folder: Path, task: Task) -> Player:
        """Read a saved player."""
        card = json.loads((folder / CARD).read_text("utf-8"))
        made = self(str(folder), task, canvas=str(card["canvas"]))
        assert isinstance(made, TowerPlayer)  # nothing is to be tuned
        return made


clip = TowerBuilder(CLIP)
siglip = TowerBuilder(SIGLIP)
