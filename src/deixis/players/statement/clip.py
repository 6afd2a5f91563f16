"""A pair head on two towers: frozen vectors of sentence, left and right, and an MLP on them.

``clip:FOLDER_OR_HUB_NAME`` and ``siglip:…``. Towers match one text with one picture; what the
head adds is what NLVR2 asks, a judgement of both pictures together.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from deixis.dataset import Store
from deixis.encodings import Cache, encode
from deixis.errors import BadInput
from deixis.players.common.neural import pretrained
from deixis.players.common.neural.towers import (
    CLIP,
    SIGLIP,
    Family,
    TowerEncoder,
    kept_towers,
    transform_of,
)
from deixis.players.common.saved import CARD
from deixis.players.reference.options import cache_of, whole
from deixis.players.statement.heads.judge import JudgeLearner, Judging, both
from deixis.players.statement.neural.net import mlp
from deixis.tasks.task import Task
from deixis.training import weights
from deixis.training.randomness import seeded
from deixis.training.recipe import Adam, Recipe
from deixis.trials import StatementView

RECIPE = Recipe(epochs=60, optimiser=Adam(lr=1e-3, weight_decay=1e-4), patience=10, clip_norm=5.0)
HIDDEN = 256
BATCH = 64
WEIGHTS = "head.safetensors"


class PairHead(nn.Module):
    """From vectors of a sentence and two pictures to log-odds."""

    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.size = size
        self.answer = mlp([6 * size, hidden, 1])

    def forward(self, text: Tensor, left: Tensor, right: Tensor) -> Tensor:
        """Log-odds of true, shape (n,), of vectors of shape (n, size), each of unit length.

        They get in as they are, and multiplied: how well the sentence fits each picture, and in
        what the pictures are alike.
        """
        parts = [text, left, right, text * left, text * right, left * right]
        # Numbers of a unit vector are of the size 1 / √d, products of 1 / d: all are brought to 1.
        scaled = [p * self.size ** (0.5 if i < 3 else 1.0) for i, p in enumerate(parts)]
        odds: Tensor = self.answer(torch.cat(scaled, dim=1))[:, 0]
        return odds


@dataclass(frozen=True)
class TowerJudge:
    """A head on vectors that are computed once.

    Attributes:
        module: the head.
        encoder: the towers.
        cache: of vectors.
        card: what is kept of it.
    """

    module: PairHead
    encoder: TowerEncoder
    cache: Cache
    card: dict[str, Any]

    @property
    def revision(self) -> str:
        """Of the towers."""
        return self.encoder.revision

    def at(self, store: Store) -> TowerJudge:
        """See `Judge`."""
        return replace(self, encoder=self.encoder.at(store))

    def odds(self, views: Sequence[StatementView]) -> Tensor:
        """See `Judge`."""
        by = f"{self.encoder.name}@{self.encoder.revision}"
        texts, text_of = encode(
            [v.sentence for v in views],
            key=str,
            by=f"{by} texts",
            encoder=self.encoder.texts,
            cache=self.cache,
        )
        pictures, picture_of = encode(
            [p for v in views for p in both(v)],
            key=lambda p: p.key,
            by=f"{by} pictures",
            encoder=self.encoder.pictures,
            cache=self.cache,
        )
        device = next(self.module.parameters()).device
        text = nn.functional.normalize(torch.tensor(texts[text_of]), dim=1).to(device)
        pair = torch.tensor(pictures[picture_of]).reshape(len(views), 2, -1).to(device)
        odds: Tensor = self.module(text, pair[:, 0], pair[:, 1])
        return odds

    def write(self, folder: Path) -> None:
        """See `Judge`; the towers stay where they are."""
        weights.write(folder / WEIGHTS, self.module.state_dict())


@dataclass(frozen=True)
class Opening:
    """Makes a judge with a new head."""

    encoder: TowerEncoder
    cache: Cache
    card: dict[str, Any]
    hidden: int

    def __call__(self, task: Task, seed: int) -> TowerJudge:
        """A head whose weights are drawn by the seed."""
        towers = self.encoder.at(task.store)
        size = towers.texts([task.trials[0].sentence]).shape[1]
        with seeded(seed, "weights"):
            head = PairHead(size, self.hidden)
        card = self.card | {"size": size, "hidden": self.hidden}
        return TowerJudge(head, towers, self.cache, card)


class HeadBuilder:
    """Builds learners of one family."""

    def __init__(self, family: Family) -> None:
        self.family = family

    def __call__(
        self,
        argument: str,
        task: Task,
        *,
        batch: str = "auto",
        device: str = "auto",
        precision: str = "float32",
        cache: str = "",
        hidden: str = "",
        epochs: str = "",
    ) -> JudgeLearner:
        """Build it.

        Args:
            argument: a folder, or a name on the hub.
            task: what will be played.
            batch: inputs encoded at a time: a number, or ``auto``.
            device: where towers and head run.
            precision: of the towers.
            cache: a folder for vectors, ``none``, or nothing for the user's cache.
            hidden: size of the head's hidden layer.
            epochs: at most so many.

        Raises:
            BadInput: there is no such checkpoint, or an option is wrong.
        """
        encoder = self._encoder(argument, task, batch, device, precision)
        card = {"player": self.family.player, "towers": argument, "precision": precision}
        opening = Opening(encoder, cache_of(cache), card, whole("hidden", hidden) or HIDDEN)
        recipe = replace(RECIPE, device=device, epochs=whole("epochs", epochs) or RECIPE.epochs)
        return JudgeLearner(f"{self.family.player}:{argument}", opening, recipe, BATCH)

    def _encoder(
        self, argument: str, task: Task, batch: str, device: str, precision: str
    ) -> TowerEncoder:
        player = self.family.player
        checkpoint = pretrained.find(argument, player, list(self.family.models))
        return TowerEncoder(
            f"{player}:{argument}",
            kept_towers(checkpoint, self.family, None),
            task.store,
            transform=transform_of(checkpoint, self.family),
            batch=batch,
            device=device,
            precision=precision,
        )

    def load(self, folder: Path, task: Task) -> Judging:
        """Read a kept head; its towers are where they were.

        Raises:
            BadInput: the head is not one of these towers.
        """
        card = json.loads((folder / CARD).read_text("utf-8"))
        encoder = self._encoder(card["towers"], task, "auto", "auto", card["precision"])
        head = PairHead(card["size"], card["hidden"])
        tensors, _ = weights.read(folder / WEIGHTS)
        weights.load(head, tensors, folder / WEIGHTS)
        size = encoder.texts(["a"]).shape[1]
        if size != card["size"]:
            raise BadInput(
                f"{folder / CARD}: a head on vectors of {card['size']} numbers, "
                f"{card['towers']} makes {size}"
            )
        kept = {n: card[n] for n in ("player", "towers", "precision", "size", "hidden")}
        judge = TowerJudge(head, encoder, cache_of(""), kept)
        return Judging(encoder.name, judge, card["batch"])


clip = HeadBuilder(CLIP)
siglip = HeadBuilder(SIGLIP)
