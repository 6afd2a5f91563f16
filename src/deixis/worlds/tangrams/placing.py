"""A little language for laying tangrams by hand.

One line lays one piece: the part it belongs to, the piece, how far it is turned, and which of its
points lies on which point of a piece laid before::

    body  L 225
    neck  P 45  b>L.a       ~6
    tail  u 90  a>K.bc@.25  =.2

The pieces are ``S`` (square), ``P`` (parallelogram; ``Q`` is the same piece turned over), ``t`` and
``u`` (small triangles), ``M`` (medium) and ``L`` and ``K`` (large). Lengths are in legs of a small
triangle, so all seven together have an area of 8. Corners are ``a b c d``, counterclockwise; ``a``
is the right angle of a triangle. Unturned, ``a`` is at the lower left and ``ab`` runs to the right;
turns are in degrees, counterclockwise. ``bc`` is the middle of an edge, ``bc@.25`` a quarter of the
way from b to c. ``=.2`` lets a piece slide up to .2 along the edge that its point lies on, and
``~6`` lets it swing up to 6° about that point; whatever is laid on it goes along. So a piece never
loses touch with the one it is laid on.
"""

from __future__ import annotations

import cmath
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput

Outline = NDArray[np.complex128]
"""Corners of a piece as complex numbers, x + iy with y upwards, shape (3,) or (4,)."""

PIECES = "SPtuMLK"
"""The seven pieces; the i-th, counted from 1, has piece id i."""

KINDS = {"S": "S", "P": "P", "t": "t", "u": "t", "M": "M", "L": "L", "K": "L"}
"""Pieces of one kind are equal in shape."""

_R = math.sqrt(2)
_SMALL, _LARGE = [0, 1, 1j], [0, 2, 2j]
SHAPES: Mapping[str, Outline] = {
    name: np.array(corners, dtype=np.complex128)
    for name, corners in {
        "S": [0, 1, 1 + 1j, 1j],
        "P": [0, 1, 2 + 1j, 1 + 1j],
        "Q": [0, 1, 1j, -1 + 1j],
        "t": _SMALL,
        "u": _SMALL,
        "M": [0, _R, _R * 1j],
        "L": _LARGE,
        "K": _LARGE,
    }.items()
}
"""Each piece unturned, counterclockwise from corner a."""

_POINT = r"[a-d]{1,2}(?:@[\d.]+)?"
_LINE = re.compile(
    rf"(?P<part>[a-z]+\d?)\s+(?P<shape>[SPQtuMLK])\s+(?P<turned>[\d.]+)"
    rf"(?:\s+(?P<own>{_POINT})>(?P<on>[SPtuMLK])\.(?P<at>{_POINT}))?"
    r"(?:\s+=(?P<slide>[\d.]+))?(?:\s+~(?P<swing>[\d.]+))?"
)


@dataclass(frozen=True, slots=True)
class Spot:
    """A point of an outline: a corner, or `share` of the way from one corner to another."""

    start: int
    end: int
    share: float

    def of(self, outline: Outline, slide: float = 0.0) -> complex:
        """Where it is, moved by `slide` along its edge but never off it."""
        start, end = complex(outline[self.start]), complex(outline[self.end])
        share = self.share
        if slide and end != start:
            share = min(max(share + slide / abs(end - start), 0.0), 1.0)
        return start + share * (end - start)


@dataclass(frozen=True, slots=True)
class Placement:
    """One piece laid.

    Attributes:
        part: the part it belongs to; a digit tells apart two of one name (``leg1``, ``leg2``).
        piece: one of `PIECES`.
        shape: the same, but ``Q`` where the parallelogram is turned over.
        turned: degrees, counterclockwise.
        own: its point that lies on another piece.
        on: the piece that it lies on; empty for the first piece.
        at: the point of that piece.
        slide: the length that it may slide to either side.
        swing: the degrees that it may swing to either side.
    """

    part: str
    piece: str
    shape: str
    turned: float
    own: Spot
    on: str
    at: Spot
    slide: float
    swing: float


def parse(line: str) -> Placement:
    """Read one line of the language.

    >>> parse("neck P 45 b>L.a ~6").swing
    6.0

    Raises:
        BadInput: it is no such line.
    """
    found = _LINE.fullmatch(line.strip())
    if found is None:
        raise BadInput(f"not a placement: {line.strip()!r}")
    part, shape, turned, own, on, at, slide, swing = found.groups()
    return Placement(
        part=part,
        piece="P" if shape == "Q" else shape,
        shape=shape,
        turned=float(turned),
        own=_spot(own or "a"),
        on=on or "",
        at=_spot(at or "a"),
        slide=float(slide or 0),
        swing=float(swing or 0),
    )


def lay(
    placements: Sequence[Placement],
    slides: Mapping[str, float] | None = None,
    swings: Mapping[str, float] | None = None,
) -> dict[str, Outline]:
    """Outlines by piece, counterclockwise, in legs of a small triangle.

    Args:
        placements: the first anywhere, each other one on an earlier one.
        slides: by piece, how far its point moves along its edge.
        swings: by piece, extra degrees about its point.

    >>> lay([parse("body L 0"), parse("head S 0 a>L.b")])["S"].real.tolist()
    [2.0, 3.0, 3.0, 2.0]
    """
    slides, swings = slides or {}, swings or {}
    swung = {"": 0.0}
    laid: dict[str, Outline] = {}
    for one in placements:
        swung[one.piece] = swung[one.on] + swings.get(one.piece, 0.0)
        outline = SHAPES[one.shape] * unit(one.turned + swung[one.piece])
        if one.on:
            target = one.at.of(laid[one.on], slides.get(one.piece, 0.0))
            outline = outline + (target - one.own.of(outline))
        laid[one.piece] = outline
    return laid


def unit(degrees: float) -> complex:
    """The factor that turns by so many degrees, counterclockwise."""
    return cmath.rect(1.0, math.radians(degrees))


def _spot(text: str) -> Spot:
    corners, _, share = text.partition("@")
    start, end = "abcd".index(corners[0]), "abcd".index(corners[-1])
    return Spot(start, end, float(share) if share else 0.5 if start != end else 0.0)
