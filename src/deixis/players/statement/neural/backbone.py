"""Features of a ResNet, as the papers have them: any of transformers, by folder or hub name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import torch
from transformers import ResNetModel

from deixis.dataset import Store
from deixis.players.common.neural import pretrained
from deixis.players.common.neural.batches import Batches
from deixis.players.common.neural.transforms import Transform, from_config
from deixis.players.statement.neural.looks import Array, Shape
from deixis.trials import Picture

IMAGENET = Transform(
    "square", 224, resample=2, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225)
)


class Backbone:
    """The feature maps of one stage of a ResNet, each picture on its own.

    The papers join both pictures of a pair to one before they resize it; here each keeps its
    shape, padded to a square, and the maps stand side by side.
    """

    salient = False

    def __init__(self, checkpoint: pretrained.Checkpoint, stage: int, side: int) -> None:
        """Look through a ResNet.

        Args:
            checkpoint: from `pretrained.find`.
            stage: from 1 to 4; conv4 is 3, res5 is 4.
            side: of the picture that it gets, in pixels.
        """
        self.checkpoint, self.stage, self.side = checkpoint, stage, side
        self.batches = Batches("auto")
        self.revision = f"{checkpoint.revision} {stage} {side}"

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "model"}

    @staticmethod
    def find(argument: str, stage: int, side: int) -> Backbone:
        """The ResNet of a folder or hub name.

        Raises:
            BadInput: there is none, or it is of another architecture.
        """
        return Backbone(pretrained.find(argument, "--eye", ["resnet"]), stage, side)

    @cached_property
    def model(self) -> Any:
        """The network, opened on first use."""
        return pretrained.load_model(self.checkpoint, ResNetModel)

    def shape(self, _: Store) -> Shape:
        """See `Looks`."""
        config: Any = self.checkpoint.config
        cells = self.side // 2 ** (self.stage + 1)
        return (1, int(config["hidden_sizes"][self.stage - 1]), cells, cells)

    def __call__(self, store: Store, pictures: Sequence[Picture]) -> Array:
        """See `Looks`; half precision."""
        config = self.checkpoint.json("preprocessor_config.json")
        transform = from_config(config, IMAGENET, str(self.checkpoint.folder))

        def encode(some: list[Picture]) -> torch.Tensor:
            pixels = np.stack([store.pixels(p, self.side) for p in some])
            values = transform.normalised(torch.from_numpy(pixels))
            found: torch.Tensor = self.model(values, output_hidden_states=True).hidden_states
            return found[self.stage].flatten(1).half()

        with torch.inference_mode():
            return torch.cat(list(self.batches(encode, pictures))).numpy()
