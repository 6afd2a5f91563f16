"""Any detector of transformers, as something that counts things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import AutoModelForObjectDetection

from deixis.dataset import Store
from deixis.players.common.neural import pretrained
from deixis.players.common.neural.pretrained import Checkpoint
from deixis.players.common.neural.transforms import Transform, from_config
from deixis.players.statement.detections import LEAST_SCORE, Counts
from deixis.trials import Picture

KINDS: tuple[str, ...] = (
    "detr",
    "yolos",
    "conditional_detr",
    "deformable_detr",
    "table-transformer",
    "rt_detr",
)
KINDS += ("rt_detr_v2", "d_fine", "dab-detr", "lw_detr", "rf_detr")
"""The ``model_type`` of checkpoints that fit."""

TRANSFORM = Transform(
    "square", 640, resample=2, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225)
)
"""Where a checkpoint says nothing. Pictures are padded to a square, which moves no count."""


class Detector:
    """Looks at pixels."""

    def __init__(self, checkpoint: Checkpoint, least: float = LEAST_SCORE) -> None:
        self.checkpoint, self.least = checkpoint, least
        self.revision = f"{checkpoint.revision} {least}"
        self._known: dict[str, Counts] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "model"} | {"_known": {}}

    @classmethod
    def find(cls, written: str) -> Detector:
        """The detector of a folder or hub name.

        Raises:
            BadInput: there is none, or it is of another architecture.
        """
        return cls(pretrained.find(written, "maxent-detections", KINDS))

    @cached_property
    def model(self) -> Any:
        """The network, opened on first use."""
        return pretrained.load_model(self.checkpoint, AutoModelForObjectDetection)

    def counts(self, store: Store, pictures: Sequence[Picture]) -> list[Counts]:
        """See `detections.Detections`; each distinct picture is looked at once."""
        new = {p.key: p for p in pictures if p.key not in self._known}
        transform = self._transform()

        def look(some: list[Picture]) -> list[Counts]:
            pixels = np.stack([store.pixels(p, transform.size) for p in some])
            values = transform.normalised(torch.from_numpy(pixels))
            return found(self.model(values).logits, self.model.config.id2label, self.least)

        with torch.inference_mode():
            for start in range(0, len(new), 16):
                part = list(new.values())[start : start + 16]
                self._known.update(zip((p.key for p in part), look(part), strict=True))
        return [self._known[p.key] for p in pictures]

    def _transform(self) -> Transform:
        config = self.checkpoint.json("preprocessor_config.json")
        size = config.get("size")
        if isinstance(size, Mapping):
            side = size.get("shortest_edge", size.get("height", TRANSFORM.size))
            config = config | {"size": int(side)}
        where = str(self.checkpoint.folder)
        return from_config(config, TRANSFORM, where)


def found(logits: Tensor, names: Mapping[int, str], least: float) -> list[Counts]:
    """What is there, from logits of queries, shape (n, queries, classes).

    With one class more than there are names, the last says that there is nothing and the others
    share what is left (DETR); with as many, each class is a yes or no of its own.
    """
    if logits.shape[-1] == len(names) + 1:
        chances = logits.softmax(-1)[..., :-1]
    else:
        chances = logits.sigmoid()
    scores, kinds = chances.max(-1)
    return [
        Counter(names[k].lower() for s, k in zip(row, which, strict=True) if s >= least)
        for row, which in zip(scores.tolist(), kinds.tolist(), strict=True)
    ]
