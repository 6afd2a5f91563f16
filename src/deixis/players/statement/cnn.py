"""IMAGE: a convolutional network that sees the pictures and reads nothing (Suhr et al. 2017)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from deixis.pictures.scene import BAR
from deixis.players.statement.neural.builder import Baseline
from deixis.players.statement.neural.inputs import Inputs
from deixis.players.statement.neural.net import ANSWERS, Net, Preset, Setting, mlp
from deixis.players.statement.rnn import NLVR, SMALL


@dataclass(frozen=True)
class Cnn:
    """Sizes; builds the model.

    Attributes:
        hidden: of the layers behind what is seen.
    """

    hidden: tuple[int, ...]

    def __call__(self, setting: Setting) -> Net:
        """The model for a setting."""
        return CnnNet(self, setting)


class CnnNet(Net):
    """What is seen of all boxes, then an MLP."""

    def __init__(self, sizes: Cnn, setting: Setting) -> None:
        super().__init__()
        self.look = look(setting)
        self.answer = mlp([self.look.size, *sizes.hidden, 1])

    def forward(self, inputs: Inputs) -> Tensor:
        """Log-odds of true, shape (n,)."""
        odds: Tensor = self.answer(self.look(inputs.boxes))[:, 0]
        return odds


class Strips(nn.Module):
    """The network of NLVR's paper on raw pixels: kernels 8, 4, 2, strides 4, 2, 2, 32 channels.

    Its last layer is pooled to 3 × 10 cells, whatever the picture's size: the paper's flattened
    size is that, and how it got there is not known.

    Attributes:
        size: of what comes out.
    """

    size = 32 * 3 * 10

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for inputs, kernel, stride in ((3, 8, 4), (32, 4, 2), (32, 2, 2)):
            convolution = nn.Conv2d(inputs, 32, kernel, stride)
            nn.init.normal_(convolution.weight, std=0.01)
            nn.init.zeros_(convolution.bias)  # type: ignore[arg-type]
            layers += [convolution, nn.ReLU()]
        self.layers = nn.Sequential(*layers, nn.AdaptiveMaxPool2d((3, 10)), nn.Flatten())

    def forward(self, boxes: Tensor) -> Tensor:
        """Of pixels from 0 to 255, shape (n, pictures, 3, rows, columns): shape (n, size)."""
        found: Tensor = self.layers(side_by_side(boxes, BAR) / 127.5 - 1)
        return found


class Features(nn.Module):
    """Features of an eye, box by box: which occur in a box, and how much of them there is.

    Attributes:
        size: of what comes out.
    """

    def __init__(self, boxes: int, channels: int, width: int = 64) -> None:
        super().__init__()
        self.mix = nn.Sequential(nn.Conv2d(channels, width, 1), nn.ReLU())
        self.size = boxes * width * 2

    def forward(self, boxes: Tensor) -> Tensor:
        """Of features, shape (n, boxes, channels, rows, columns): shape (n, size)."""
        cells = self.mix(boxes.flatten(0, 1)).flatten(2)
        most, mean = cells.amax(2), cells.mean(2)
        return torch.cat([most, mean], dim=1).reshape(len(boxes), -1)


def look(setting: Setting) -> Strips | Features:
    """What looks at pictures of that shape: raw pixels have three channels."""
    boxes, channels, *_ = setting.shape
    return Strips() if channels == 3 else Features(boxes, channels)


def side_by_side(boxes: Tensor, bar: int) -> Tensor:
    """Pictures joined to one, shape (n, channels, rows, all columns), with a grey bar between."""
    padded = pad(boxes, (0, bar), value=128.0)
    joined = padded.permute(0, 2, 3, 1, 4).flatten(3)
    return joined[..., : joined.shape[-1] - bar]


cnn = Baseline(
    "cnn",
    {
        "small": Preset(Cnn((128,)), "eye", {ANSWERS: SMALL}),
        "paper-nlvr": Preset(Cnn((256, 128)), "pixels", {ANSWERS: NLVR}, 128),
    },
)
