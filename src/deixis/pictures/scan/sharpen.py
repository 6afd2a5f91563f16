"""Pieces laid to a fraction of a pixel: each edge lies in the middle of the line seen there.

The depth of ink says where pieces are, but hardly tells a larger piece from a narrower line. Across
each edge the scan's own levels do: where two pieces meet the edge is the middle of the light seam,
and in a drawing the middle of the inked line. Only at the rim of a filled figure is it unknown how
much of a piece the line has taken; that is one number for the whole figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.optimize import least_squares

from deixis.pictures.scan.fit import Placed
from deixis.pictures.scan.ink import Ink
from deixis.pictures.scan.shapes import SHAPES, rotation
from deixis.pictures.scan.upright import Bend, bend
from deixis.pictures.tangram import Floats

ALONG = np.linspace(0.12, 0.88, 24)
"""Places on each edge where the scan is looked at, as fractions of its length."""

REACH = (0.09, 0.06)
"""How far to either side, as fractions of the side of the square piece: at first, and again."""

STEP = 0.5
"""Pixels between two places across an edge."""

WIDER = 1.6
"""What is so many times as wide as most lines is no line, but the space between two pieces."""

NEAR = 0.025
"""A line lies near an edge, as a fraction of the side."""

BLEED = 0.5
"""At the rim a line has taken between nothing and half its width of a piece, give or take so many
pixels."""


@dataclass(frozen=True)
class Seen:
    """What was seen across edges, one row for each place.

    Attributes:
        piece: whose edge, as a place among the pieces, shape (n,).
        edge: which, shape (n,).
        points: where the line's middle is, or at the figure's rim where ink ends, shape (n, 2).
        rim: which are at the rim, shape (n,).
        width: of most lines, in pixels.
    """

    piece: NDArray[np.int64]
    edge: NDArray[np.int64]
    points: Floats
    rim: NDArray[np.bool_]
    width: float


@dataclass(frozen=True)
class Sharp:
    """Pieces, and how sure their places are.

    Attributes:
        placed: the pieces.
        side: of the square piece, in pixels.
        off: root mean square distance of the line from the edge that it suits least, in pixels, for
            each piece, shape (7,).
        seen: share of the places of the edge that is seen least at which a line is near, likewise.
        unsure: standard error of the corner that is least sure, in pixels.
        bend: by which the lines would lie best on the edges; None if that is not known.
    """

    placed: list[Placed]
    side: float
    off: Floats
    seen: Floats
    unsure: float
    bend: Bend | None = None


def sharpen(ink: Ink, placed: Sequence[Placed], side: float) -> Sharp:
    """Fit all pieces at once to the lines that are seen at their edges.

    Args:
        ink: the scan.
        placed: where its pieces are, about.
        side: of the square piece, about.
    """
    nothing = np.zeros(len(placed))
    made = Sharp(list(placed), side, nothing, nothing, np.inf)
    for reach in REACH:
        seen = look(ink, made.placed, made.side, max(reach * made.side, 4.0))
        if len(np.unique(seen.piece)) < len(placed):
            return replace(made, seen=nothing)
        made = fitted(seen, made.placed, made.side)
    return made


def look(ink: Ink, placed: Sequence[Placed], side: float, reach: float) -> Seen:
    """Look across every edge for its line."""
    starts, ways, normals, piece, edge = _edges(placed, side)
    n = len(starts)
    points = starts[:, None] + ALONG[None, :, None] * ways[:, None]
    across = np.arange(-reach, reach + STEP, STEP)
    at = points[:, :, None] + across[None, None, :, None] * normals[:, None, None]
    mark = 1 - ink.level if ink.drawn else ink.level
    rows = ndimage.map_coordinates(
        mark, at[..., ::-1].reshape(-1, 2).T, order=1, mode="nearest"
    ).reshape(n * len(ALONG), -1)
    middle, width = lines(rows, across)
    ends = width[np.isfinite(width)]
    common = float(np.median(ends)) if len(ends) else 0.0
    seam = np.isfinite(middle) & (width < WIDER * common)
    rim = np.isfinite(middle) & ~seam & (not ink.drawn)
    where = np.where(seam, middle, middle - np.where(np.isfinite(width), width, 0) / 2)
    kept = np.flatnonzero(seam | rim)
    found = points.reshape(-1, 2) + where[:, None] * np.repeat(normals, len(ALONG), axis=0)
    of = np.repeat(np.arange(n), len(ALONG))[kept]
    return Seen(piece[of], edge[of], found[kept], rim[kept], common)


def lines(rows: Floats, across: Floats) -> tuple[Floats, Floats]:
    """Where a line begins and ends in each row.

    Args:
        rows: levels from inside a piece outwards, the line's at 1, shape (n, m).
        across: the places of these, shape (m,).

    Returns:
        The middle and the width of the first line, shape (n,) each; where it does not end, where it
        begins, and a width of infinity; where there is none, NaN twice.
    """
    half = np.minimum(rows.max(axis=1), 1.0)[:, None] / 2
    above = rows >= half
    middle, width = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
    step = float(across[1] - across[0])
    for i in np.flatnonzero((half[:, 0] > 0.15) & ~above[:, 0]):
        row, level = rows[i], half[i, 0]
        a = int(np.argmax(above[i]))
        begin = across[a] - step * (row[a] - level) / (row[a] - row[a - 1])
        rest = ~above[i, a:]
        b = a + int(np.argmax(rest))
        if b == a:
            middle[i], width[i] = begin, np.inf
            continue
        end = across[b] - step * (level - row[b]) / (row[b - 1] - row[b])
        middle[i], width[i] = (begin + end) / 2, end - begin
    return middle, width


def fitted(seen: Seen, placed: Sequence[Placed], side: float) -> Sharp:
    """The pieces whose edges lie best on what was seen, by robust least squares."""
    start = np.array([side, 0.0, *(v for p in placed for v in (p.x, p.y, p.angle * side))])
    shapes = [SHAPES[p.shape] for p in placed]
    normals = np.array([shapes[p].normals[e] for p, e in zip(seen.piece, seen.edge, strict=True)])
    offsets = np.array([shapes[p].offsets[e] for p, e in zip(seen.piece, seen.edge, strict=True)])
    n, places = len(offsets), 2 + 3 * seen.piece

    def local(values: Floats) -> Floats:
        rows = values[2:].reshape(-1, 3)[seen.piece]
        apart = seen.points - rows[:, :2]
        angle = rows[:, 2] / side
        c, s = np.cos(angle), np.sin(angle)
        return np.column_stack(
            [c * apart[:, 0] + s * apart[:, 1], c * apart[:, 1] - s * apart[:, 0]]
        )

    def off(values: Floats) -> Floats:
        # The rim's number is held near 0 only where nothing else holds it.
        away = (normals * local(values)).sum(axis=1) - offsets * values[0] + seen.rim * values[1]
        return np.append(away, 1e-3 * values[1])

    def slopes(values: Floats) -> Floats:
        jacobian, here = np.zeros((n + 1, len(values))), local(values)
        angle = values[2:].reshape(-1, 3)[seen.piece, 2] / side
        c, s = np.cos(angle), np.sin(angle)
        rows = np.arange(n)
        jacobian[:n, 0], jacobian[:n, 1] = -offsets, seen.rim
        jacobian[rows, places] = -(normals[:, 0] * c - normals[:, 1] * s)
        jacobian[rows, places + 1] = -(normals[:, 0] * s + normals[:, 1] * c)
        turn = normals[:, 0] * here[:, 1] - normals[:, 1] * here[:, 0]
        jacobian[rows, places + 2] = turn / side
        jacobian[n, 1] = 1e-3
        return jacobian

    low, high = np.full(len(start), -np.inf), np.full(len(start), np.inf)
    low[1], high[1] = -BLEED, seen.width / 2 + BLEED
    found = least_squares(
        off, start, jac=slopes, bounds=(low, high), loss="soft_l1", f_scale=0.5, max_nfev=60
    )
    rows = found.x[2:].reshape(-1, 3)
    made = [
        replace(p, x=float(x), y=float(y), angle=float(a / side))
        for p, (x, y, a) in zip(placed, rows, strict=True)
    ]
    away = off(found.x)[:n]
    sharp = float(found.x[0])
    jacobian = slopes(found.x)
    unsure = _unsure(made, sharp, side, jacobian, away)
    turns = np.stack([rotation(p.angle) for p in made])[seen.piece]
    outward = np.einsum("nij,nj->ni", turns, normals)
    bent = bend(seen.points, outward, jacobian[:n], away)
    return Sharp(made, sharp, *_by_piece(seen, away, placed, NEAR * sharp), unsure, bent)


def _by_piece(
    seen: Seen, away: Floats, placed: Sequence[Placed], near: float
) -> tuple[Floats, Floats]:
    """Root mean square of what the worst edge of each piece is off; share that is least seen."""
    edges = max(len(SHAPES[p.shape].offsets) for p in placed)
    of = seen.piece * edges + seen.edge
    count = np.bincount(of, minlength=len(placed) * edges).reshape(-1, edges)
    squares = np.bincount(of, away**2, len(placed) * edges).reshape(-1, edges)
    there = np.arange(edges) < [[len(SHAPES[p.shape].offsets)] for p in placed]
    off = np.sqrt(squares / np.maximum(count, 1)).max(axis=1)
    found = np.bincount(of[np.abs(away) < near], minlength=len(placed) * edges).reshape(-1, edges)
    return off, np.where(there, found / len(ALONG), 1).min(axis=1)


def _unsure(
    placed: Sequence[Placed], side: float, unit: float, jacobian: Floats, away: Floats
) -> float:
    """Standard error of the least sure corner, by the curvature of the residual."""
    normal = jacobian.T @ jacobian
    spread = np.median(np.abs(away)) * 1.4826
    # An edge counts as one place: what disturbs a line disturbs it at length.
    each = spread**2 * len(ALONG)
    covariance = np.linalg.pinv(normal, rcond=1e-12, hermitian=True) * each
    worst = 0.0
    for k, p in enumerate(placed):
        own = [0, 2 + 3 * k, 3 + 3 * k, 4 + 3 * k]
        here = covariance[np.ix_(own, own)]
        turned = SHAPES[p.shape].corners @ rotation(p.angle).T
        for x, y in turned:
            moves = np.array([[x, 1, 0, -y * side / unit], [y, 0, 1, x * side / unit]])
            worst = max(worst, float(np.linalg.eigvalsh(moves @ here @ moves.T)[-1]))
    return float(np.sqrt(worst))


def _edges(
    placed: Sequence[Placed], side: float
) -> tuple[Floats, Floats, Floats, NDArray[np.int64], NDArray[np.int64]]:
    """Of every edge: a corner, the way to the next, the normal outward, whose it is, and which."""
    corners = [p.corners(side) for p in placed]
    ways = [np.roll(c, -1, axis=0) - c for c in corners]
    normals = [SHAPES[p.shape].normals @ rotation(p.angle).T for p in placed]
    sizes = [len(c) for c in corners]
    edges = np.concatenate([np.arange(n) for n in sizes])
    made = (np.vstack(corners), np.vstack(ways), np.vstack(normals))
    return *made, np.repeat(np.arange(len(placed)), sizes), edges
