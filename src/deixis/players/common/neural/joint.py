"""ViLT: one transformer that reads a text and a picture together and says how well they match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import interpolate
from transformers import ViltForImageAndTextRetrieval

from deixis.errors import BadInput
from deixis.players.common.neural import pretrained
from deixis.players.common.neural.kept import Kept
from deixis.players.common.neural.mounted import Mounted, drawn
from deixis.players.common.neural.pretrained import Checkpoint
from deixis.players.common.neural.tokens import Tokens
from deixis.players.common.neural.transforms import HALF, Transform, from_config
from deixis.trials import Description, Picture

Floats = NDArray[np.float32]

TRANSFORM = Transform("ratio", 384, mean=HALF, std=HALF, divisor=32)
"""ViLT's own, where a checkpoint does not say otherwise."""

_RANK = ("rank_output.weight", "rank_output.bias")
_MATCH = ("itm_score.fc.weight", "itm_score.fc.bias")


class Joint(nn.Module):
    """ViLT with a head that ranks, and what prepares its inputs."""

    model: Any

    def __init__(self, model: Any, tokens: Tokens, transform: Transform) -> None:
        super().__init__()
        self.model = model
        self.tokens = tokens
        self.transform = transform

    @property
    def device(self) -> torch.device:
        """Where it is."""
        found: torch.device = self.model.device
        return found

    def pictures(self, pixels: NDArray[np.uint8]) -> Tensor:
        """Embedded patches, shape (n, 1 + patches, d), of pixels, shape (n, side, side, 3).

        The same as in transformers, which puts the patches of every picture in a random order
        (they carry their places, so it changes no more than rounding); here they stay in order.
        """
        own = self.model.vilt.embeddings
        values = self.transform.normalised(torch.from_numpy(pixels).to(self.device))
        cells = own.patch_embeddings(values)  # which takes any number format
        side = own.patch_embeddings.image_size[0] // own.patch_embeddings.patch_size[0]
        places = own.position_embeddings[:, 1:].transpose(1, 2).unflatten(2, (side, side))
        places = interpolate(places, cells.shape[2:], mode="bilinear", align_corners=True)
        first = own.cls_token + own.position_embeddings[:, :1]
        rest = (cells + places).flatten(2).transpose(1, 2)
        embedded: Tensor = own.dropout(torch.cat([first.expand(len(cells), -1, -1), rest], dim=1))
        return embedded

    def matches(self, texts: Sequence[str], embedded: Tensor) -> Tensor:
        """How well each text matches the picture at its place, shape (n,)."""
        there = torch.ones(embedded.shape[:2], dtype=torch.long, device=self.device)
        found = self.model(
            **self.tokens(texts, self.device), image_embeds=embedded, pixel_mask=there
        )
        logits: Tensor = found.logits[:, 0]
        return logits

    def save(self, folder: Path) -> None:
        """Write a checkpoint that transformers and `open_joint` read."""
        pretrained.save(folder, self.model, self.tokens.tokenizer, self.transform)


def open_joint(checkpoint: Checkpoint) -> Joint:
    """Load ViLT with a head that ranks.

    A checkpoint without one, but with the head of its pre-training that tells whether text and
    picture match, gets the row for a match (as in KiloGram's released code).

    Raises:
        BadInput: the checkpoint is broken, has neither head, or its parts do not fit each other.
    """
    model: Any = pretrained.load_model(checkpoint, ViltForImageAndTextRetrieval, may_lack=_RANK)
    held = pretrained.tensors(checkpoint, (*_RANK, *_MATCH))
    if not set(_RANK) <= set(held):
        if not set(_MATCH) <= set(held):
            raise BadInput(
                f"{checkpoint.folder}: weights of another architecture: neither rank_output nor "
                "itm_score is there, so nothing says whether text and picture match"
            )
        with torch.no_grad():
            model.rank_output.weight.copy_(held[_MATCH[0]][1:2])
            model.rank_output.bias.copy_(held[_MATCH[1]][1:2])
    transform = transform_of(checkpoint)
    config = model.config
    if transform.side % config.patch_size:
        raise BadInput(
            f"{checkpoint.folder}: wrong picture size: preprocessor_config.json makes pictures of "
            f"{transform.side} pixels, the model takes multiples of {config.patch_size}"
        )
    tokenizer = pretrained.load_tokenizer(checkpoint, config.vocab_size)
    return Joint(model, Tokens(tokenizer, config.max_position_embeddings), transform)


def transform_of(checkpoint: Checkpoint) -> Transform:
    """How the checkpoint wants its pictures."""
    file = "preprocessor_config.json"
    return from_config(checkpoint.json(file), TRANSFORM, str(checkpoint.folder / file))


class JointScorer(Mounted[Joint]):
    """Scores texts with a store's pictures."""

    def pairs(self, texts: Sequence[Description], pictures: Sequence[Picture]) -> Floats:
        """The score of each text with the picture at its place, shape (n,)."""
        joint = self.module
        written = [str(t) for t in texts]
        scores = np.zeros(len(texts), np.float32)

        def score(some: list[int]) -> Tensor:
            rows: dict[str, int] = {}
            places = [rows.setdefault(pictures[i].key, len(rows)) for i in some]
            distinct = {pictures[i].key: pictures[i] for i in some}
            pixels = drawn(self.store, list(distinct.values()), self.canvas, self.transform)
            embedded = joint.pictures(pixels)[places]
            return joint.matches([written[i] for i in some], embedded).float()

        with torch.inference_mode():
            for bucket in joint.tokens.buckets(written):
                made = list(self.batches(score, bucket.tolist()))
                scores[bucket] = torch.cat(made).cpu().numpy()
        return scores


def kept_joint(checkpoint: Checkpoint) -> Kept[Joint]:
    """ViLT of a checkpoint, opened on use."""
    return Kept(checkpoint.revision, opener=partial(open_joint, checkpoint))
