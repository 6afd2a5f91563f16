"""Ink and paper: which pixels of a scan belong to pieces, and how deep inside they lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from deixis.errors import BadInput
from deixis.pictures.tangram import Floats

Mask = NDArray[np.bool_]
Gray = NDArray[np.uint8]

_LEVELS = 256


@dataclass(frozen=True)
class Ink:
    """A scan, taken apart.

    Attributes:
        figure: pixels of the figure, seams and all, shape (height, width).
        depth: distance of each pixel of a piece from the nearest that is none, same shape.
        side: side of the square piece, in pixels, by the figure's area.
        drawn: whether pieces are outlined instead of filled.
        level: paper at 1 and ink at 0, whatever the light, same shape.
    """

    figure: Mask
    depth: Floats
    side: float
    drawn: bool
    level: Floats


def read_ink(gray: Gray, where: str) -> Ink:
    """Take a scan apart.

    Args:
        gray: shape (height, width); paper may be lighter or darker than the ink.
        where: how errors name it.

    Raises:
        BadInput: nothing stands out from the paper.
    """
    level = _flat(ndimage.gaussian_filter(gray.astype(np.float64) / 255, 0.7), where)
    dark = level < 0.5
    filled = ndimage.binary_fill_holes(_clean(dark))
    drawn = bool(dark.sum() < 0.45 * filled.sum())
    if drawn:
        # Lines stand for edges: close their gaps, then what they enclose is the figure.
        closed = ndimage.binary_closing(np.pad(dark, 8), iterations=4)[8:-8, 8:-8]
        figure = ndimage.binary_fill_holes(closed)
        within = figure & ~dark
    else:
        figure, within = _filled(level)
    figure = _clean(figure)
    within &= figure
    if figure.sum() < 400:
        raise BadInput(f"{where}: nothing there that could be seven pieces")
    side = float(np.sqrt(figure.sum() / 8))
    within = _without_specks(within, side**2 / 250)
    depth = np.asarray(ndimage.distance_transform_edt(np.pad(within, 1)))[1:-1, 1:-1]
    return Ink(figure, depth, side, drawn, level)


def _filled(level: Floats) -> tuple[Mask, Mask]:
    """The figure and its pieces, where these are filled: seams are thin and light, however faint.

    A seam is lighter than what a line's width to either side of it is.
    """
    dark = level < 0.5
    rough = float(np.sqrt(max(dark.sum(), 1) / 8))
    reach = 2 * int(np.ceil(rough * 0.06)) + 1
    opened = ndimage.grey_closing(1 - level, size=(reach, reach))
    figure = opened > 0.5
    light = level - (1 - opened)
    seams = ndimage.binary_propagation(light > 0.4, mask=light > 0.22)
    return figure, figure & ~seams & (level < 0.62)


def _flat(level: Floats, where: str) -> Floats:
    """Paper at 1, ink at 0, whatever the light: a quadratic surface is fitted to the paper."""
    if np.ptp(level) < 0.1:
        raise BadInput(f"{where}: nothing stands out from the paper")
    border = np.concatenate([level[0], level[-1], level[:, 0], level[:, -1]])
    cut = _otsu(level)
    if np.median(border) < cut:
        level, cut = 1 - level, 1 - cut
    height, width = level.shape
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    basis = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    for _ in range(2):
        paper = level > cut
        step = max(1, int(paper.sum()) // 20_000)
        found, *_ = np.linalg.lstsq(basis[paper][::step], level[paper][::step], rcond=None)
        ground = np.maximum(basis @ found, 0.05)
        cut = _otsu(level / ground) * ground
    ratio = level / ground
    ink = ratio[level <= cut]
    if ink.size == 0 or np.median(ink) > 0.85:
        raise BadInput(f"{where}: nothing stands out from the paper")
    black = float(np.median(ink))
    return np.asarray((ratio - black) / (1 - black))


def _otsu(values: Floats) -> float:
    """The threshold that parts values best into two (Otsu, 1979)."""
    counts, edges = np.histogram(values, bins=_LEVELS)
    middles = (edges[:-1] + edges[1:]) / 2
    below = np.cumsum(counts)
    above = below[-1] - below
    total = np.cumsum(counts * middles)
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = total / below - (total[-1] - total) / above
    between = np.nan_to_num(below * above * gap**2)
    return float(edges[1 + int(np.argmax(between))])


def _clean(mask: Mask) -> Mask:
    """Without what is too small to be a piece."""
    return _without_specks(mask, mask.sum() / 200)


def _without_specks(mask: Mask, least: float) -> Mask:
    """Without components, and holes, of fewer pixels."""
    for _ in range(2):
        labels, n = ndimage.label(mask)
        sizes = np.bincount(labels.ravel(), minlength=n + 1)
        small = sizes < least
        small[0] = False
        mask = ~(mask & ~small[labels])
    return mask
