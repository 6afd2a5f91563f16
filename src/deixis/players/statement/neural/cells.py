"""Cells of pictures side by side, and where each of them is."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from deixis.players.statement.cnn import side_by_side

COORDINATES = 3
"""Across all boxes, across its own box, down."""


def coordinates(boxes: int, rows: int, columns: int) -> Tensor:
    """Where cells are, from -1 to 1, shape (COORDINATES, rows, boxes × columns).

    >>> coordinates(2, 1, 2)[1].tolist()
    [[-1.0, 1.0, -1.0, 1.0]]
    """
    whole = torch.linspace(-1, 1, boxes * columns).expand(rows, -1)
    own = torch.linspace(-1, 1, columns).repeat(boxes).expand(rows, -1)
    down = torch.linspace(-1, 1, rows)[:, None].expand(-1, boxes * columns)
    return torch.stack([whole, own, down])


def salience(boxes: Tensor) -> Tensor:
    """The last channel of pictures side by side, shape (n, 1, rows, all columns).

    Where it says that there is nothing, there is nothing to remember either: else the maximum
    over cells is that of the many empty ones, and no gradient finds the few others.
    """
    return side_by_side(boxes[:, :, -1:], 0)


class Stem(nn.Module):
    """Convolutions over pictures side by side, with the coordinates of cells.

    Attributes:
        strided: whether each layer halves the picture, as for raw pixels.
    """

    def __init__(
        self,
        channels: int,
        width: int,
        layers: int,
        *,
        strided: bool,
        activation: type[nn.Module],
        kernel: int = 3,
    ) -> None:
        super().__init__()
        self.strided = strided
        made: list[nn.Module] = []
        for number in range(layers):
            inputs = channels + COORDINATES if number == 0 else width
            made += [
                nn.Conv2d(inputs, width, kernel, 2 if strided else 1, kernel // 2),
                activation(),
            ]
        self.layers = nn.Sequential(*made)

    def forward(self, boxes: Tensor) -> Tensor:
        """Of shape (n, boxes, channels, rows, columns): shape (n, width, rows, all columns)."""
        joined = side_by_side(boxes, 0)
        if self.strided:
            joined = joined / 127.5 - 1
        _, count, _, rows, columns = boxes.shape
        where = coordinates(count, rows, columns).to(joined).expand(len(boxes), -1, -1, -1)
        found: Tensor = self.layers(torch.cat([joined, where], dim=1))
        return found
