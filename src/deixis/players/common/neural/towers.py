"""CLIP and SigLIP: a tower for texts and a tower for pictures, scored by dot products."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import normalize

from deixis.errors import BadInput
from deixis.players.common.neural import pretrained
from deixis.players.common.neural.kept import Kept
from deixis.players.common.neural.mounted import Mounted, drawn
from deixis.players.common.neural.pretrained import Checkpoint
from deixis.players.common.neural.tokens import Tokens
from deixis.players.common.neural.transforms import (
    CLIP_MEAN,
    CLIP_STD,
    HALF,
    Transform,
    from_config,
    patches,
)
from deixis.seeds import digest
from deixis.trials import Picture

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Family:
    """What differs between models with two towers.

    Attributes:
        player: the name of the player.
        models: class of transformers for each ``model_type``.
        transforms: what holds where a checkpoint does not say how pictures are prepared.
        padded: whether texts are padded to the limit and have no mask.
    """

    player: str
    models: Mapping[str, str]
    transforms: Mapping[str, Transform]
    padded: bool


CLIP = Family(
    "clip",
    {"clip": "CLIPModel"},
    {"clip": Transform("shortest", 224, crop=224, mean=CLIP_MEAN, std=CLIP_STD)},
    padded=False,
)

SIGLIP = Family(
    "siglip",
    {"siglip": "SiglipModel", "siglip2": "Siglip2Model"},
    {
        "siglip": Transform("square", 224, mean=HALF, std=HALF),
        "siglip2": Transform("patches", 256, resample=2, mean=HALF, std=HALF, divisor=16, most=256),
    },
    padded=True,
)


class Towers(nn.Module):
    """Both towers, what prepares their inputs, and the scale of their scores.

    Attributes:
        model: of transformers.
        log_scale: logarithm of what cosines are multiplied by.
    """

    model: Any

    def __init__(self, model: Any, tokens: Tokens, transform: Transform, scale: float) -> None:
        super().__init__()
        self.model = model
        self.tokens = tokens
        self.transform = transform
        self.log_scale = nn.Parameter(torch.tensor(math.log(scale)))
        for replaced in ("logit_scale", "logit_bias"):
            if hasattr(model, replaced):
                getattr(model, replaced).requires_grad_(False)

    @property
    def device(self) -> torch.device:
        """Where it is."""
        return self.log_scale.device

    def texts(self, texts: Sequence[str]) -> Tensor:
        """Vectors of unit length, shape (n, d)."""
        found = self.model.get_text_features(**self.tokens(texts, self.device))
        return unit(found.pooler_output)

    def pictures(self, pixels: NDArray[np.uint8]) -> Tensor:
        """Vectors of unit length, shape (n, d), of resized pixels, shape (n, side, side, 3)."""
        values = self.transform.normalised(torch.from_numpy(pixels).to(self.device))
        values = values.to(self.log_scale.dtype)
        given: dict[str, Tensor] = {"pixel_values": values}
        if self.transform.manner == "patches":
            cells, there, shapes = patches(values, self.transform.divisor, self.transform.most)
            given = {
                "pixel_values": cells,
                "pixel_attention_mask": there,
                "spatial_shapes": shapes,
            }
        return unit(self.model.get_image_features(**given).pooler_output)

    def save(self, folder: Path) -> None:
        """Write a checkpoint that transformers and `open_towers` read; the scale goes with it."""
        with torch.no_grad():
            self.model.logit_scale.copy_(self.log_scale.reshape(self.model.logit_scale.shape))
        pretrained.save(folder, self.model, self.tokens.tokenizer, self.transform)


def unit(vectors: Tensor) -> Tensor:
    """Vectors of length 1, shape (n, d)."""
    return normalize(vectors, dim=-1)


def open_towers(checkpoint: Checkpoint, family: Family, scale: float | None = None) -> Towers:
    """Load both towers.

    Args:
        checkpoint: from `pretrained.find`.
        family: of models.
        scale: of cosines; None is the checkpoint's own.

    Raises:
        BadInput: the checkpoint is broken, or its parts do not fit each other.
    """
    kind = checkpoint.config["model_type"]
    model: Any = pretrained.load_model(checkpoint, getattr(transformers, family.models[kind]))
    config = model.config
    transform = transform_of(checkpoint, family)
    _fits(checkpoint, transform, config.vision_config)
    tokenizer = pretrained.load_tokenizer(checkpoint, config.text_config.vocab_size)
    tokens = Tokens(tokenizer, config.text_config.max_position_embeddings, padded=family.padded)
    if scale is None:
        scale = float(model.logit_scale.detach().exp())
    return Towers(model, tokens, transform, scale)


def transform_of(checkpoint: Checkpoint, family: Family) -> Transform:
    """How the checkpoint wants its pictures."""
    file = "preprocessor_config.json"
    default = family.transforms[checkpoint.config["model_type"]]
    return from_config(checkpoint.json(file), default, str(checkpoint.folder / file))


def _fits(checkpoint: Checkpoint, transform: Transform, vision: Any) -> None:
    taken = getattr(vision, "image_size", transform.side)
    if transform.manner != "patches" and transform.side != taken:
        raise BadInput(
            f"{checkpoint.folder}: wrong picture size: preprocessor_config.json makes pictures of "
            f"{transform.side} pixels, the model takes {taken}"
        )
    if transform.manner == "patches" and transform.divisor != vision.patch_size:
        raise BadInput(
            f"{checkpoint.folder}: wrong patch size: preprocessor_config.json makes patches of "
            f"{transform.divisor} pixels, the model takes {vision.patch_size}"
        )


class TowerEncoder(Mounted[Towers]):
    """A dual encoder of texts and of a store's pictures; their dot product is the logit."""

    def texts(self, texts: Sequence[str]) -> Floats:
        """Vectors times the scale, shape (n, d)."""
        towers = self.module
        made: list[Floats] = [np.zeros(0, np.float32)] * len(texts)
        with torch.inference_mode():
            scale = towers.log_scale.float().exp()
            for bucket in towers.tokens.buckets(texts):
                parts = self.batches(towers.texts, [texts[i] for i in bucket])
                vectors = torch.cat([scale * p.float() for p in parts]).cpu().numpy()
                for i, vector in zip(bucket.tolist(), vectors, strict=True):
                    made[i] = vector
        return np.array(made)

    def pictures(self, pictures: Sequence[Picture]) -> Floats:
        """Vectors of unit length, shape (n, d)."""
        towers = self.module

        def encode(some: list[Picture]) -> Tensor:
            return towers.pictures(drawn(self.store, some, self.canvas, self.transform)).float()

        with torch.inference_mode():
            return torch.cat(list(self.batches(encode, pictures))).cpu().numpy()


def kept_towers(checkpoint: Checkpoint, family: Family, scale: float | None) -> Kept[Towers]:
    """Towers of a checkpoint, opened on use."""
    revision = f"{digest(checkpoint.revision, scale):016x}"
    return Kept(revision, opener=partial(open_towers, checkpoint, family, scale))
