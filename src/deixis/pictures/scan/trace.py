"""From a scan to a tangram of true pieces, or the reasons why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy import ndimage
from scipy.optimize import linear_sum_assignment

from deixis.pictures.scan.fit import Placed, Region, place, refine
from deixis.pictures.scan.ink import Gray, Ink, read_ink
from deixis.pictures.scan.shapes import SET
from deixis.pictures.scan.sharpen import Sharp, sharpen
from deixis.pictures.scan.upright import Bend, moved, seen_from_above
from deixis.pictures.tangram import Floats, Tangram, tangram

INSETS = (0.03, 0.05, 0.07, 0.09, 0.11, 0.13, 0.15, 0.17, 0.19, 0.21, 0.23)
"""How far pieces are shrunk until they come apart, as fractions of the side."""

SAMPLE = 150
"""Pixels of a piece that are looked at."""

LONGEST = 1200
"""Larger scans are reduced to so many pixels."""

MARGIN = 0.001
"""A hole may be a piece if pieces would fit only so much worse: a sum of squared gaps, in sides."""

OFF, OUTSIDE, TWICE, UNSURE = 0.04, 0.01, 0.04, 0.003
"""The most that is accepted: distance of lines from an edge, as a fraction of the square's side;
share of the figure that no piece covers, or of pieces outside of it; share that two pieces cover;
standard error of a corner, as a fraction of the figure's side: errors are up to five times that."""

AGAIN = 0.03
"""Pieces are chosen again where the side turns out to be another by so much: there were holes."""

BENT, TURNS = 0.008, 3
"""A scan is turned to be seen from above, up to so many times, where points are off by more than
this fraction of the figure's extent."""

SEEN = 0.4
"""Share of the places on each edge near which a line must be seen."""


@dataclass(frozen=True)
class Traced:
    """What was made of a scan.

    Attributes:
        figure: seven true pieces with ids 1 to 7; None if none could be laid.
        corners: of each piece by id, in pixels of the scan.
        residual: typical distance of each piece's worst edge from its line by id, as a fraction of
            the side of the square piece.
        outside: share of the figure that no piece covers, or of pieces outside the figure, where
            they differ by more than the width of a line.
        twice: share of the figure that two pieces cover.
        reasons: why it is not accepted; none if it is.
        bend: what is left of a view from an angle.
    """

    figure: Tangram | None
    corners: dict[int, Floats]
    residual: dict[int, float]
    outside: float
    twice: float
    reasons: tuple[str, ...]
    bend: Bend | None = None

    @property
    def accepted(self) -> bool:
        """Whether it can be used without a look."""
        return not self.reasons

    def told(self) -> dict[str, Any]:
        """As JSON says it."""
        return {
            "accepted": self.accepted,
            "reasons": list(self.reasons),
            "residual": {str(i): r for i, r in self.residual.items()},
            "outside": self.outside,
            "twice": self.twice,
        }


def trace(gray: Gray, name: str) -> Traced:
    """Find the seven pieces of a scan, and lay true ones on them.

    The figure may be turned at will; its pieces may be filled with ink, with light lines between
    them, or outlined in ink; ink may also be light on dark paper. Lines may have gaps, so long as
    these are shorter than about a third of the side of the square piece.

    Args:
        gray: shape (height, width).
        name: of the tangram.

    Returns:
        The pieces, and whether they can be trusted.

    Raises:
        BadInput: nothing stands out from the paper.
    """
    shrink = max(1, -(-max(gray.shape) // LONGEST))
    small = np.asarray(Image.fromarray(gray).reduce(shrink)) if shrink > 1 else gray
    made, turned = _flat(small, name), np.eye(3)
    for _ in range(TURNS):
        if made.bend is None or made.bend.size < BENT:
            break
        above = seen_from_above(small, made.bend.matrix @ turned)
        if above is None:
            break
        made, turned = _flat(above[0], name), above[1]
    back = np.asarray(np.linalg.inv(turned), np.float64)
    corners = {i: moved(c, back) * shrink + (shrink - 1) / 2 for i, c in made.corners.items()}
    return replace(made, corners=corners)


def _flat(gray: Gray, name: str) -> Traced:
    """Lay the pieces on a scan as if it were seen from above."""
    ink = read_ink(gray, name)
    best: Traced | None = None
    for inset in INSETS:
        regions = _regions(ink, inset * ink.side)
        if not 7 <= len(regions) <= (12 if ink.drawn else 7):
            continue
        made = _lay(ink, regions, name)
        if best is None or _rank(made) < _rank(best):
            best = made
        if best.accepted:
            break
    return best or Traced(None, {}, {}, 1.0, 0.0, ("seven pieces do not come apart",))


def _rank(traced: Traced) -> tuple[int, float]:
    return len(traced.reasons), max(traced.residual.values()) + traced.outside + traced.twice


def _regions(ink: Ink, inset: float) -> list[Region]:
    """What pieces come apart into when they are shrunk, without what is too small."""
    labels, n = ndimage.label(ink.depth > inset)
    # The smallest true piece that is left: a small triangle, shrunk.
    left = max(1 - (inset + 0.04 * ink.side) / (0.293 * ink.side), 0.1)
    least = 0.25 * 0.5 * (ink.side * left) ** 2
    sizes = np.bincount(labels.ravel(), minlength=n + 1)
    found = []
    for number, where in enumerate(ndimage.find_objects(labels), start=1):
        if sizes[number] < least:
            continue
        rows, columns = np.nonzero(labels[where] == number)
        depth = ink.depth[where][rows, columns]
        points = np.column_stack([columns + where[1].start, rows + where[0].start]).astype(float)
        # Near the edge is where the shape shows; deep inside says nothing of corners.
        rim = np.flatnonzero(depth < inset + max(2.5, 0.06 * ink.side))
        kept = rim[np.linspace(0, len(rim) - 1, min(SAMPLE, len(rim))).astype(int)]
        # Depth is measured to the middle of the next pixel outside, half a pixel too far.
        found.append(Region(points[kept], depth[kept] - 0.5, points.mean(axis=0)))
    return found


def _lay(ink: Ink, regions: Sequence[Region], name: str) -> Traced:
    """Lay the seven pieces on regions: which on which, where, and how well."""
    costs, which, placed = _chosen(regions, ink.side, 0.02 * ink.side)
    fitted, side, seam = refine([regions[k] for k in which], placed, ink.side, 0.02 * ink.side)
    if abs(side / ink.side - 1) > AGAIN:
        costs, which, placed = _chosen(regions, side, seam)
        fitted, side, seam = refine([regions[k] for k in which], placed, side, seam)
    sharp = sharpen(ink, fitted, side)
    side = sharp.side
    corners = {i: p.corners(side) for i, p in enumerate(sharp.placed, start=1)}
    holes = [k for k in range(len(regions)) if k not in which]
    outside, twice = _covered(
        ink, corners, abs(seam) + 0.03 * side, [regions[k].middle for k in holes]
    )
    residual = {i: float(off / side) for i, off in enumerate(sharp.off, start=1)}
    reasons = _reasons(residual, sharp, outside, twice)
    if holes and _margin((costs / side) ** 2, which, holes) < MARGIN:
        reasons = (*reasons, "a hole has the shape of a piece")
    if sharp.bend is not None and sharp.bend.size >= BENT:
        reasons = (*reasons, f"it is seen from an angle ({sharp.bend.size:.1%})")
    return Traced(_figure(corners, name), corners, residual, outside, twice, reasons, sharp.bend)


def _chosen(
    regions: Sequence[Region], side: float, seam: float
) -> tuple[Floats, NDArray[np.int64], list[Placed]]:
    """Which region each piece lies on, and how; with what each would be off on each, in pixels."""
    tried = {p: [place(r, p, side, seam) for r in regions] for p in sorted(set(SET))}
    costs = np.array([[off for off, _ in tried[piece]] for piece in SET])
    # Two that are off by a lot are worse than four by a little.
    which = linear_sum_assignment(costs**2)[1]
    return costs, which, [tried[piece][k][1] for piece, k in zip(SET, which, strict=True)]


def _margin(costs: Floats, which: NDArray[np.int64], holes: Sequence[int]) -> float:
    """How much worse the best choice is in which one of the holes is a piece."""
    best = float(costs[np.arange(len(costs)), which].sum())
    worse = []
    for hole in holes:
        for row in range(len(costs)):
            rest = np.delete(np.delete(costs, row, axis=0), hole, axis=1)
            rows, columns = linear_sum_assignment(rest)
            worse.append(costs[row, hole] + rest[rows, columns].sum())
    return float(min(worse)) - best


def _covered(
    ink: Ink, corners: dict[int, Floats], within: float, holes: Sequence[Floats]
) -> tuple[float, float]:
    """Shares of the figure: covered wrongly, farther than `within` pixels off; covered twice.

    In a drawing, what lines enclose may be no piece; such holes, by their middles, need no cover.
    """
    height, width = ink.figure.shape
    count = np.zeros((height, width), np.uint8)
    for outline in corners.values():
        layer = Image.new("L", (width, height))
        ImageDraw.Draw(layer).polygon(outline.ravel().tolist(), fill=1)
        count += np.asarray(layer)
    covered = count > 0
    missed = ink.figure & (ndimage.distance_transform_edt(~covered) > within)
    beyond = covered & (ndimage.distance_transform_edt(~ink.figure) > within)
    labels, _ = ndimage.label(missed)
    for x, y in holes:
        label = labels[round(y), round(x)]
        missed &= (labels != label) | (label == 0)
    total = float(ink.figure.sum())
    return float((missed.sum() + beyond.sum()) / total), float((count > 1).sum() / total)


def _reasons(
    residual: dict[int, float], sharp: Sharp, outside: float, twice: float
) -> tuple[str, ...]:
    found = [f"piece {i} does not fit ({r:.3f})" for i, r in residual.items() if r > OFF]
    unseen = [i for i, share in enumerate(sharp.seen, start=1) if share < SEEN]
    found += [f"an edge of piece {i} is not seen" for i in unseen]
    whole = np.ptp(np.vstack([p.corners(sharp.side) for p in sharp.placed]), axis=0).max()
    if sharp.unsure > UNSURE * whole:
        found.append(f"places are not sure (±{sharp.unsure / whole:.1%})")
    if outside > OUTSIDE:
        found.append(f"pieces and figure differ by {outside:.1%}")
    if twice > TWICE:
        found.append(f"pieces lie on each other ({twice:.1%})")
    return tuple(found)


def _figure(corners: dict[int, Floats], name: str) -> Tangram:
    """The tangram on a canvas that just holds it, as the published files are."""
    points = np.vstack(list(corners.values()))
    low = points.min(axis=0)
    width, height = np.ptp(points, axis=0)
    outlines = {i: [(float(x), float(y)) for x, y in c - low] for i, c in corners.items()}
    return tangram(name, outlines, float(width), float(height))
