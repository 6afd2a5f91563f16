"""Numbers that describe a group of a tangram's pieces within its figure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from deixis.pictures.paint import mask
from deixis.pictures.tangram import TYPES, Tangram

Floats = NDArray[np.float64]

_PIXELS = 16


def group_features(figure: Tangram, pieces: Sequence[int]) -> tuple[Floats, Floats]:
    """Describe some of the pieces; all seven describe the figure itself.

    Args:
        figure: the tangram.
        pieces: ids, at least one.

    Returns:
        Measurements, shape (45,): types and number of pieces, area, place and extent in the figure,
        directions of edges, spread; and coverage of the group's own bounding box, blurred, shape
        (256,), 0 to 1.
    """
    outlines = [figure.unit[i] for i in pieces]
    whole = np.vstack(list(figure.unit.values()))
    frame = (whole.min(axis=0), whole.max(axis=0))
    return _measurements(figure, pieces, outlines, frame), _coverage(outlines)


def _measurements(
    figure: Tangram, pieces: Sequence[int], outlines: list[Floats], frame: tuple[Floats, Floats]
) -> Floats:
    points = np.vstack(outlines)
    low, high = points.min(axis=0), points.max(axis=0)
    extent, size = high - low, np.maximum(frame[1] - frame[0], 1e-6)
    types = {p.id: TYPES.index(p.type) for p in figure.pieces}
    areas = {p.id: p.area for p in figure.pieces}
    counts = np.bincount([types[i] for i in pieces], minlength=5).astype(np.float64)
    n = len(outlines)
    share = sum(areas[i] for i in pieces) / sum(areas.values())
    weights = np.array([areas[i] for i in pieces])
    centre = weights @ np.array([o.mean(axis=0) for o in outlines]) / weights.sum()
    place = 2 * (centre - frame[0]) / size - 1
    gaps = (low - frame[0], frame[1] - high)
    spread = np.cov(points.T, bias=True)
    return np.concatenate(
        [
            counts,
            counts > 0,
            [n / 3, n == 1, n == 2, n == 3, n >= 4, n == 7],
            [share * 3, np.sqrt(share) * 2],
            centre * 2 - 1,
            place,
            np.abs(place),
            *(g * 2 for g in gaps),
            *(g < 0.02 for g in gaps),
            extent * 2,
            [np.log((extent[0] + 0.03) / (extent[1] + 0.03))],
            _directions(outlines) * 2,
            np.array([spread[0, 0], spread[0, 1], spread[1, 1]]) * 8,
            size,
            [np.log(size[0] / size[1])],
        ]
    ).astype(np.float64)


def _directions(outlines: list[Floats]) -> Floats:
    """Second and fourth circular moments of edge directions, weighted by length, shape (4,)."""
    edges = np.vstack([np.roll(o, -1, axis=0) - o for o in outlines])
    lengths, angles = np.hypot(*edges.T), np.arctan2(edges[:, 1], edges[:, 0])
    moments = [f(m * angles) @ lengths for m in (2, 4) for f in (np.cos, np.sin)]
    return np.array(moments, dtype=np.float64) / float(lengths.sum())


def _coverage(outlines: list[Floats]) -> Floats:
    points = np.vstack(outlines)
    low, extent = points.min(axis=0), np.ptp(points, axis=0)
    side = max(float(extent.max()), 1e-6)
    shift = (side - extent) / 2
    drawn = mask([(o - low + shift) / side for o in outlines], _PIXELS)
    return np.asarray(gaussian_filter(drawn.astype(np.float64), 1.3)).ravel()
