"""The facts of `deixis.players.statement.facts`, one scene and one thing at a time."""

from __future__ import annotations

from itertools import permutations, product

from deixis.pictures.scene import COLORS, SHAPES, SIZES, Scene, Thing
from deixis.players.statement.facts import BOXES, PLACES, filter_code

FILTERS = [
    (filter_code(c, s, z), color, shape, size)
    for (c, color), (s, shape), (z, size) in product(
        enumerate([None, *COLORS]), enumerate([None, *SHAPES]), enumerate([None, *SIZES])
    )
]


def passes(thing: Thing, color: str | None, shape: str | None, size: int | None) -> bool:
    return (
        (color is None or thing.color == color)
        and (shape is None or thing.shape == shape)
        and (size is None or thing.size == size)
    )


def close(a: Thing, b: Thing) -> bool:
    across = max(a.x - b.x - b.size, b.x - a.x - a.size)
    down = max(a.y - b.y - b.size, b.y - a.y - a.size)
    return across < 3 and down < 3


def places(thing: Thing, box: tuple[Thing, ...]) -> set[str]:
    from_above = sorted(box, key=lambda t: (t.y, t.x))
    from_below = sorted(box, key=lambda t: (-(t.y + t.size), t.x))
    above, below = from_above.index(thing), from_below.index(thing)
    found = {f"at the {w}" for w in thing.walls}
    found |= {"at a wall"} if thing.walls else set()
    found |= {"in a corner"} if len(thing.walls) > 1 else set()
    found |= {"uppermost"} if above == 0 else set()
    found |= {"lowest"} if below == 0 else set()
    found |= {"second from the top"} if above == 1 else set()
    found |= {"second from the bottom"} if below == 1 else set()
    found |= {"in the middle"} if above and below else set()
    found |= {"touching another"} if any(close(thing, o) for o in box if o != thing) else set()
    return found


def statistics(scene: Scene, color: str | None, shape: str | None, size: int | None) -> list[int]:
    boxes = [*scene, *[()] * (BOXES - len(scene))]
    mine = [[t for t in b if passes(t, color, shape, size)] for b in boxes]
    inside = [len(m) for m in mine]
    others = [len(b) - k for b, k in zip(boxes, inside, strict=True)]
    at = {
        p: [sum(p in places(t, b) for t in m) for m, b in zip(mine, boxes, strict=True)]
        for p in PLACES
    }
    wall = at["at a wall"]
    return [
        sum(inside),
        sum(k > 0 for k in inside),
        sum(k > 0 and o == 0 for k, o in zip(inside, others, strict=True)),
        max(inside),
        min(inside),
        sum(others),
        sum(k >= 2 for k in inside),
        sum(k == 1 for k in inside),
        max(others),
        sum(inside) - sum(wall),
        sum(k > 0 and k == w for k, w in zip(inside, wall, strict=True)),
        *(sum(at[p]) for p in PLACES),
        *(sum(k > 0 for k in at[p]) for p in PLACES),
    ]


def counts(scene: Scene) -> list[list[int]]:
    """Every statistic of every filter."""
    return [statistics(scene, *what) for _, *what in FILTERS]  # type: ignore[arg-type]


def pairs(
    scene: Scene, one: tuple[str | None, str | None], other: tuple[str | None, str | None]
) -> list[int]:
    """What holds between things of two kinds (color and shape)."""
    made = [0] * 6
    for box in scene:
        from_above = sorted(box, key=lambda t: (t.y, t.x))
        from_below = sorted(box, key=lambda t: (-(t.y + t.size), t.x))
        mine = [t for t in box if passes(t, *one, None)]
        theirs = [t for t in box if passes(t, *other, None)]
        made[5] += bool(mine) and bool(theirs) and len(mine) + len(theirs) == len(box)
        for a, b in permutations(box, 2):
            if not (passes(a, *one, None) and passes(b, *other, None)):
                continue
            above = a.y + a.size <= b.y + b.size // 2
            over = abs(a.x - b.x) < max(a.size, b.size)
            next_ = from_above.index(b) - from_above.index(a) == 1
            made[0] += above and over and next_
            made[1] += above
            made[2] += 1
            made[3] += from_above[0] == a and from_below[0] == b
            made[4] += close(a, b)
    return [min(m, 9) for m in made]
