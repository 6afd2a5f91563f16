"""ViLT for pairs: the text read with each picture, both results joined (Kim et al., ICML 2021).

``vilt:FOLDER_OR_HUB_NAME``. A checkpoint with a head for two pictures plays as it is; any other
gets a new head and a third kind of token, for the second picture, and is fine-tuned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import ViltConfig, ViltForImagesAndTextClassification

from deixis.dataset import Store
from deixis.errors import BadInput
from deixis.players.common.neural import pretrained
from deixis.players.common.neural.devices import device_of
from deixis.players.common.neural.joint import Joint, transform_of
from deixis.players.common.neural.mounted import drawn
from deixis.players.common.neural.pretrained import Checkpoint
from deixis.players.common.neural.tokens import Tokens
from deixis.players.reference.options import whole
from deixis.players.statement.heads.judge import JudgeLearner, Judging, both
from deixis.seeds import digest
from deixis.tasks.task import Task
from deixis.training.randomness import seeded
from deixis.training.recipe import Adam, Cosine, Recipe
from deixis.trials import StatementView

RECIPE = Recipe(
    epochs=10,
    optimiser=Adam(
        lr=1e-4,
        weight_decay=0.01,
        decoupled=True,
        undecayed=("bias", "LayerNorm", "layernorm"),
    ),
    schedule=Cosine(warmup=0.1),
    patience=3,
)
"""The published optimiser, warm-up and number of epochs; its decay is linear, ours a cosine."""

BATCH = 32
KINDS = 3
"""Kinds of tokens: of words, of the left picture, of the right one."""


class PairJoint(Joint):
    """ViLT with a head that judges a text and two pictures."""

    def judges(self, texts: Sequence[str], left: Tensor, right: Tensor) -> Tensor:
        """Log-odds of true, shape (n,), of embedded pictures, shape (n, patches, d)."""
        embedded = torch.stack([left, right], dim=1)
        # One number for each patch, in the shape of a mask of pixels.
        there = torch.ones((*embedded.shape[:3], 1), dtype=torch.long, device=self.device)
        found = self.model(
            **self.tokens(texts, self.device), image_embeds=embedded, pixel_mask=there
        )
        odds: Tensor = found.logits[:, 1] - found.logits[:, 0]
        return odds


def has_head(checkpoint: Checkpoint) -> bool:
    """Whether the checkpoint judges pairs already."""
    return checkpoint.config.get("num_images") == 2 and bool(
        pretrained.tensors(checkpoint, ("classifier.0.weight",))
    )


def open_pair(checkpoint: Checkpoint, seed: int = 0) -> PairJoint:
    """Load ViLT with a head for pairs; a new one, drawn by the seed, where it has none.

    Raises:
        BadInput: the checkpoint is broken, or its parts do not fit each other.
    """
    model: Any
    if has_head(checkpoint):
        model = pretrained.load_model(checkpoint, ViltForImagesAndTextClassification)
    else:
        model = _with_new_head(checkpoint, seed)
    config = model.config
    tokenizer = pretrained.load_tokenizer(checkpoint, config.vocab_size)
    tokens = Tokens(tokenizer, config.max_position_embeddings)
    return PairJoint(model, tokens, transform_of(checkpoint))


def _with_new_head(checkpoint: Checkpoint, seed: int) -> Any:
    """The second picture's kind of token begins as a copy of the first's, as is usual."""
    written = dict(checkpoint.config) | {"num_images": 2, "modality_type_vocab_size": KINDS}
    written |= {"num_labels": 2}
    for labels in ("id2label", "label2id"):
        written.pop(labels, None)
    with seeded(seed, "weights"):
        model: Any = ViltForImagesAndTextClassification(ViltConfig.from_dict(written))
    wanted = {f"vilt.{n}" for n in model.vilt.state_dict()}
    held = pretrained.tensors(checkpoint, sorted(wanted))
    lacking = sorted(wanted - set(held))
    if lacking:
        raise BadInput(
            f"{checkpoint.folder}: weights of another architecture: {lacking[0]} is missing"
        )
    kinds = "vilt.embeddings.token_type_embeddings.weight"
    held[kinds] = torch.cat([held[kinds][:2], held[kinds][1:2]])
    model.load_state_dict(held, strict=False)
    return model.eval()


@dataclass(frozen=True)
class JointJudge:
    """Judges with ViLT; attributes as in `Judge`, and the store it looks at."""

    module: PairJoint
    store: Store
    revision: str
    card: dict[str, Any]

    def at(self, store: Store) -> JointJudge:
        """See `Judge`."""
        return replace(self, store=store)

    def odds(self, views: Sequence[StatementView]) -> Tensor:
        """See `Judge`; each picture of the batch is embedded once."""
        pairs = [both(v) for v in views]
        pictures = {p.key: p for pair in pairs for p in pair}
        places = {key: i for i, key in enumerate(pictures)}
        transform = self.module.transform
        pixels = drawn(self.store, list(pictures.values()), transform.side, transform)
        embedded = self.module.pictures(pixels)
        left, right = ([places[pair[side].key] for pair in pairs] for side in (0, 1))
        return self.module.judges([v.sentence for v in views], embedded[left], embedded[right])

    def write(self, folder: Path) -> None:
        """See `Judge`; a checkpoint that transformers reads."""
        self.module.save(folder)


@dataclass(frozen=True)
class Opening:
    """Makes a judge anew from a checkpoint, for each training."""

    checkpoint: Checkpoint

    def __call__(self, task: Task, seed: int) -> JointJudge:
        """The pre-trained model; a new head is drawn by the seed."""
        module = open_pair(self.checkpoint, seed)
        revision = f"{digest(self.checkpoint.revision, module.transform):016x}"
        return JointJudge(module, task.store, revision, {"player": "vilt"})


class PairBuilder:
    """Builds ``vilt:FOLDER_OR_HUB_NAME``."""

    def __call__(
        self,
        argument: str,
        task: Task,
        *,
        device: str = "auto",
        tune: str = "",
        epochs: str = "",
    ) -> JudgeLearner | Judging:
        """Build it.

        Args:
            argument: a folder, or a name on the hub.
            task: what will be played.
            device: where it runs.
            tune: ``yes`` to fine-tune a checkpoint that judges pairs already.
            epochs: at most so many.

        Raises:
            BadInput: there is no such checkpoint, or an option is wrong.
        """
        checkpoint = pretrained.find(argument, "vilt", ["vilt"])
        if tune not in ("", "yes"):
            raise BadInput(f"--tune: expected yes or nothing, got {tune!r}")
        name, opening = f"vilt:{argument}", Opening(checkpoint)
        if has_head(checkpoint) and not tune:
            judge = opening(task, 0)
            judge.module.to(device_of(device))
            return Judging(name, judge, BATCH)
        recipe = replace(RECIPE, device=device, epochs=whole("epochs", epochs) or RECIPE.epochs)
        return JudgeLearner(name, opening, recipe, BATCH)

    def load(self, folder: Path, task: Task) -> Judging:
        """Read a kept player."""
        made = self(str(folder), task)
        assert isinstance(made, Judging)  # it was kept with its head
        return made


vilt = PairBuilder()
