"""Facts about scenes as one table of small integers: what maximum entropy models look at.

Everything is computed for all scenes at once, from flat arrays of their things.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deixis.pictures.scene import COLORS, SHAPES, SIDE, SIZES, Scene

Ints = NDArray[np.int64]

ANY = 0
"""Code of a color, shape or size that is not asked for."""

BOXES = 3
"""Boxes looked at; a scene with fewer has empty ones behind."""

_COLOR = {name: i for i, name in enumerate(COLORS, start=1)}
_SHAPE = {name: i for i, name in enumerate(SHAPES, start=1)}
_SIZE = {size: i for i, size in enumerate(SIZES, start=1)}
_CLOSE = 3
"""Pixels within which two things touch each other."""

FILTERS = 4**3
"""Colors × shapes × sizes, each with `ANY`."""


def filter_code(color: int = ANY, shape: int = ANY, size: int = ANY) -> int:
    """The filter of things of this color, shape and size."""
    return (color * 4 + shape) * 4 + size


@dataclass(frozen=True)
class Facts:
    """Counts for n scenes.

    Attributes:
        counts: per filter and statistic, shape (n, FILTERS, len(STATISTICS)).
        inside: things per filter in each box, shape (n, FILTERS, BOXES).
        placed: of these, things at each place, shape (n, len(PLACES), FILTERS, BOXES).
        kinds: distinct colors and shapes in each box, shape (n, 2, BOXES).
        pairs: per two filters without sizes, shape (n, 16, 16, len(PAIRS)).
        whole: facts of no filter, shape (n, len(WHOLE)).
    """

    counts: NDArray[np.int16]
    inside: NDArray[np.int8]
    placed: NDArray[np.int8]
    kinds: NDArray[np.int8]
    pairs: NDArray[np.int8]
    whole: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.whole)


PLACES = (
    "at a wall",
    "at the top",
    "at the left",
    "at the bottom",
    "at the right",
    "in a corner",
    "uppermost",
    "lowest",
    "second from the top",
    "second from the bottom",
    "in the middle",
    "touching another",
)
"""Where things can be: at walls of their box, in its order from above, or at other things."""

STATISTICS = (
    "things",
    "boxes with any",
    "boxes with nothing else",
    "most in a box",
    "fewest in a box",
    "others",
    "boxes with two or more",
    "boxes with one exactly",
    "most others in a box",
    "things not at a wall",
    "boxes with all at a wall",
    *(f"things {p}" for p in PLACES),
    *(f"boxes with one {p}" for p in PLACES),
)

PAIRS = ("directly above", "above", "in one box", "top and base", "touching", "only these two")

WHOLE = (
    "things",
    "most in a box",
    "fewest in a box",
    "boxes of one color",
    "boxes of two colors",
    "boxes of three colors",
    "boxes of one shape",
    "same tops",
    "same bases",
    "boxes with top like base",
    "boxes of one thing",
    "boxes of two things",
    "boxes of three things",
    "boxes of four things",
    "boxes as full as another",
    "boxes with two of one kind",
    "two alike, one above the other",
    "same second from the bottom",
)


@dataclass(frozen=True)
class _Things:
    """All things of all scenes, one after the other, each array of shape (m,)."""

    scene: Ints
    box: Ints
    color: Ints
    shape: Ints
    size: Ints
    x: Ints
    y: Ints
    side: Ints

    @property
    def cell(self) -> Ints:
        """The box's number over all scenes."""
        return self.scene * BOXES + self.box

    def filters(self, *, sized: bool) -> Ints:
        """Codes of the filters that each thing passes, shape (m, 8), or (m, 4) without sizes."""
        zero = np.zeros_like(self.color)
        kinds = [
            (c * 4 + s) * 4 + z if sized else c * 4 + s
            for c in (zero, self.color)
            for s in (zero, self.shape)
            for z in ((zero, self.size) if sized else (zero,))
        ]
        return np.stack(kinds, axis=1)


def facts(scenes: Sequence[Scene]) -> Facts:
    """Look at scenes; what stands in boxes beyond the third is not seen."""
    things, n = _flat(scenes), len(scenes)
    rank, rank_below = _ranks(things), _ranks(things, from_below=True)
    inside = _inside(things, np.ones(len(things.x), bool), n)
    where = _places(things, rank, rank_below)
    placed = np.stack([_inside(things, where[p], n) for p in PLACES], axis=1)
    kinds = np.stack(
        [
            sum((inside[:, filter_code(color=c)] > 0).astype(int) for c in range(1, 4)),
            sum((inside[:, filter_code(shape=s)] > 0).astype(int) for s in range(1, 4)),
        ],
        axis=1,
    )
    return Facts(
        counts=_counts(inside, placed),
        inside=inside.astype(np.int8),
        placed=placed.astype(np.int8),
        kinds=kinds.astype(np.int8),
        pairs=_pairs(things, rank, rank_below, inside, n),
        whole=_whole(things, inside, kinds, rank, rank_below, n),
    )


def _places(things: _Things, rank: Ints, rank_below: Ints) -> dict[str, NDArray[np.bool_]]:
    """Which things are at each place, arrays of shape (m,)."""
    walls = {
        "at the top": things.y == 0,
        "at the left": things.x == 0,
        "at the bottom": things.y + things.side == SIDE,
        "at the right": things.x + things.side == SIDE,
    }
    touched = sum(w.astype(int) for w in walls.values())
    return {
        "at a wall": touched > 0,
        **walls,
        "in a corner": touched > 1,
        "uppermost": rank == 0,
        "lowest": rank_below == 0,
        "second from the top": rank == 1,
        "second from the bottom": rank_below == 1,
        "in the middle": (rank > 0) & (rank_below > 0),
        "touching another": _touching(things),
    }


def _flat(scenes: Sequence[Scene]) -> _Things:
    rows = [
        (i, b, _COLOR[t.color], _SHAPE[t.shape], _SIZE[t.size], t.x, t.y, t.size)
        for i, boxes in enumerate(scenes)
        for b, box in enumerate(boxes[:BOXES])
        for t in box
    ]
    return _Things(*np.array(rows, np.int64).reshape(-1, 8).T)


def _ranks(things: _Things, *, from_below: bool = False) -> Ints:
    """How many things of the same box stand higher (or lower), shape (m,)."""
    height = -(things.y + things.side) if from_below else things.y
    order = np.lexsort((things.x, height, things.cell))
    cells = things.cell[order]
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    first = np.repeat(starts, np.diff(starts, append=len(cells)))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order)) - first
    return ranks


def _inside(things: _Things, kept: NDArray[np.bool_], n: int) -> Ints:
    """Things of each filter in each box, shape (n, FILTERS, BOXES)."""
    filters = things.filters(sized=True)[kept]
    codes = (things.scene[kept, None] * FILTERS + filters) * BOXES + things.box[kept, None]
    counted = np.bincount(codes.ravel(), minlength=n * FILTERS * BOXES)
    return counted.reshape(n, FILTERS, BOXES)


def _counts(inside: Ints, placed: Ints) -> NDArray[np.int16]:
    """Every statistic of every filter, shape (n, FILTERS, len(STATISTICS))."""
    everything = inside[:, :1]
    at_wall = placed[:, PLACES.index("at a wall")]
    columns = [
        inside.sum(2),
        (inside > 0).sum(2),
        ((inside == everything) & (inside > 0)).sum(2),
        inside.max(2),
        inside.min(2),
        (everything - inside).sum(2),
        (inside >= 2).sum(2),
        (inside == 1).sum(2),
        (everything - inside).max(2),
        (inside - at_wall).sum(2),
        ((at_wall == inside) & (inside > 0)).sum(2),
        *placed.sum(3).swapaxes(0, 1),
        *(placed > 0).sum(3).swapaxes(0, 1),
    ]
    return np.stack(columns, axis=2).astype(np.int16)


def _neighbours(things: _Things) -> tuple[Ints, Ints]:
    """Every ordered pair of two things of one box: positions of the first and of the second."""
    order = np.argsort(things.cell, kind="stable")
    starts = np.flatnonzero(np.diff(things.cell[order], prepend=-1))
    sizes = np.diff(starts, append=len(order))
    # For each thing the size of its box, and where its box begins.
    size, start = np.repeat(sizes, sizes), np.repeat(starts, sizes)
    first = np.repeat(np.arange(len(order)), size)
    second = np.arange(len(first)) - np.repeat(np.cumsum(size) - size, size)
    second += np.repeat(start, size)
    apart = first != second
    return order[first[apart]], order[second[apart]]


def _close(things: _Things, a: Ints, b: Ints) -> NDArray[np.bool_]:
    """Whether two things touch, or nearly."""
    gaps = [
        np.maximum(p[a] - (p[b] + things.side[b]), p[b] - (p[a] + things.side[a]))
        for p in (things.x, things.y)
    ]
    return np.asarray((gaps[0] < _CLOSE) & (gaps[1] < _CLOSE))


def _touching(things: _Things) -> NDArray[np.bool_]:
    a, b = _neighbours(things)
    touching = np.zeros(len(things.x), bool)
    touching[a[_close(things, a, b)]] = True
    return touching


def _pairs(things: _Things, rank: Ints, rank_below: Ints, inside: Ints, n: int) -> NDArray[np.int8]:
    """What holds between things of two filters, sizes left open."""
    a, b = _neighbours(things)
    kinds = things.filters(sized=False)
    above = things.y[a] + things.side[a] <= things.y[b] + things.side[b] // 2
    over = np.abs(things.x[a] - things.x[b]) < np.maximum(things.side[a], things.side[b])
    chosen = {
        "directly above": above & over & (rank[b] - rank[a] == 1),
        "above": above,
        "in one box": np.ones(len(a), bool),
        "top and base": (rank[a] == 0) & (rank_below[b] == 0),
        "touching": _close(things, a, b),
    }
    made = np.zeros((n, 16, 16, len(PAIRS)), np.int64)
    for place, name in enumerate(PAIRS[:-1]):
        kept = chosen[name]
        codes = (things.scene[a[kept], None, None] * 16 + kinds[a[kept], :, None]) * 16
        codes = codes + kinds[b[kept], None, :]
        counted = np.bincount(codes.ravel(), minlength=n * 256)
        made[..., place] = counted.reshape(n, 16, 16)
    flat = inside[:, ::4]
    both = flat[:, :, None] + flat[:, None, :]
    full = flat[:, :1, None]
    present = (flat[:, :, None] > 0) & (flat[:, None, :] > 0)
    made[..., -1] = ((both == full) & present).sum(3)
    return np.minimum(made, 9).astype(np.int8)


def _colors_at(things: _Things, rank: Ints, place: int, n: int) -> NDArray[np.int16]:
    """The color of the thing of that rank in each box, 0 where there is none."""
    made = np.zeros(n * BOXES, np.int16)
    kept = rank == place
    made[things.cell[kept]] = things.color[kept]
    return made.reshape(n, BOXES)


def _whole(
    things: _Things, inside: Ints, kinds: Ints, rank: Ints, rank_below: Ints, n: int
) -> NDArray[np.int16]:
    everything = inside[:, 0]
    colors, shapes = kinds[:, 0], kinds[:, 1]
    combined = [filter_code(c, s) for c in range(1, 4) for s in range(1, 4)]
    tops, bases = _colors_at(things, rank, 0, n), _colors_at(things, rank_below, 0, n)
    a, b = _neighbours(things)
    alike = (things.color[a] == things.color[b]) & (rank[b] - rank[a] == 1)
    as_full = (everything[:, :, None] == everything[:, None, :]).sum(2)
    columns = {
        "things": everything.sum(1),
        "most in a box": everything.max(1),
        "fewest in a box": everything.min(1),
        "boxes of one color": (colors == 1).sum(1),
        "boxes of two colors": (colors == 2).sum(1),
        "boxes of three colors": (colors == 3).sum(1),
        "boxes of one shape": (shapes == 1).sum(1),
        "same tops": _most_alike(tops),
        "same bases": _most_alike(bases),
        "boxes with top like base": ((tops == bases) & (everything > 1)).sum(1),
        **{
            f"boxes of {w}": (everything == k).sum(1)
            for k, w in enumerate(("one thing", "two things", "three things", "four things"), 1)
        },
        "boxes as full as another": (as_full > 1).sum(1),
        "boxes with two of one kind": (inside[:, combined].max(1) > 1).sum(1),
        "two alike, one above the other": np.bincount(things.scene[a[alike]], minlength=n),
        "same second from the bottom": _most_alike(_colors_at(things, rank_below, 1, n)),
    }
    return np.stack([columns[w] for w in WHOLE], axis=1).astype(np.int16)


def _most_alike(colors: NDArray[np.int16]) -> Ints:
    """How many boxes share the most frequent of these colors, shape (n,)."""
    return np.asarray(np.stack([(colors == c).sum(1) for c in range(1, 4)]).max(0))
