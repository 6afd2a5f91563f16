"""Do pieces overlap, and what do they make together? All pieces are convex."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from deixis.worlds.tangrams.placing import Outline

CLOSE = 1e-7
"""Lengths, in legs of a small triangle, below which two points are the same."""


def area(outline: Outline) -> float:
    """Area of a simple polygon; negative if its corners run clockwise.

    >>> area(np.array([0, 2, 2 + 1j, 1j]))
    2.0
    """
    return float((np.conj(outline) * np.roll(outline, -1)).imag.sum() / 2)


def overlap(one: Outline, other: Outline) -> float:
    """The area that two convex outlines share (Sutherland and Hodgman, CACM 1974).

    >>> square = np.array([0, 1, 1 + 1j, 1j])
    >>> overlap(square, square + 0.5), overlap(square, square + 1)
    (0.5, 0.0)
    """
    left = [complex(z) for z in _counterclockwise(one)]
    cutter = [complex(z) for z in _counterclockwise(other)]
    for start, end in zip(cutter, cutter[1:] + cutter[:1], strict=True):
        sides = [_cross(end - start, z - start) for z in left]
        kept: list[complex] = []
        for i, z in enumerate(left):
            before, now = sides[i - 1], sides[i]
            if (before < 0) != (now < 0):
                kept.append(left[i - 1] + before / (before - now) * (z - left[i - 1]))
            if now >= 0:
                kept.append(z)
        left = kept
    return area(np.array(left)) if left else 0.0


def clear(outlines: Iterable[Outline]) -> bool:
    """Whether no two pieces overlap; touching is allowed.

    Two convex outlines are apart if and only if an edge of one has the whole other on its outer
    side. All edges are tried against all corners at once.

    Args:
        outlines: counterclockwise.
    """
    corners = np.array([_four(o) for o in outlines])
    edges = np.roll(corners, -1, axis=1) - corners
    outward = -1j * edges / np.abs(edges)
    # heights[i, e, j, k]: how far corner k of j lies outside edge e of i
    across = corners[None, None] - corners[:, :, None, None]
    heights = (np.conj(outward)[:, :, None, None] * across).real
    gap = heights.min(axis=3).max(axis=1)
    apart = np.maximum(gap, gap.T) > -CLOSE
    return bool(apart[np.triu_indices(len(corners), 1)].all())


def union(outlines: Sequence[Outline]) -> Outline | None:
    """The convex polygon that pieces fill without a gap, counterclockwise; None if they do not.

    >>> square = np.array([0, 1, 1 + 1j, 1j])
    >>> np.abs(union([square, square + 1])).max().round(3), union([square, square + 2])
    (np.float64(2.236), None)
    """
    around = hull(np.concatenate(list(outlines)))
    filled = sum(abs(area(o)) for o in outlines)
    return around if abs(area(around) - filled) < CLOSE else None


def hull(points: NDArray[np.complex128]) -> Outline:
    """Corners of the convex hull, counterclockwise, none of them on a straight edge."""
    ordered = sorted((complex(z) for z in points), key=lambda z: (round(z.real, 6), z.imag))
    chains: list[list[complex]] = []
    for run in (ordered, ordered[::-1]):
        chain: list[complex] = []
        for z in run:
            while chain and abs(z - chain[-1]) < CLOSE:
                chain.pop()
            while len(chain) > 1 and _cross(chain[-1] - chain[-2], z - chain[-1]) < CLOSE:
                chain.pop()
            chain.append(z)
        chains.append(chain[:-1])
    return np.array(chains[0] + chains[1])


def _four(outline: Outline) -> Outline:
    """A triangle as a quadrilateral: the middle of its last edge is its fourth corner."""
    return outline if len(outline) == 4 else np.append(outline, (outline[2] + outline[0]) / 2)


def _counterclockwise(outline: Outline) -> Outline:
    return outline if area(outline) > 0 else outline[::-1]


def _cross(a: complex, b: complex) -> float:
    return a.real * b.imag - a.imag * b.real
