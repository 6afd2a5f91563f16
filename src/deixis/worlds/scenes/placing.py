"""Random scenes, and small changes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from deixis.pictures.scene import COLORS, SHAPES, SIDE, SIZES, Scene, Thing

MOST = 6
"""Things in a box, at most."""

HEIGHTS = (80, 59, 38, 17)
"""Where blocks of a stack are, the lowest first."""

_TRIES = 40
_AT_WALL = 0.25
"""How often a thing is put at a wall on purpose."""

Generator = np.random.Generator


def random_scene(generator: Generator, boxes: int, liked: tuple[str, ...] = ()) -> Scene:
    """Boxes with one to six things each.

    Args:
        generator: of the draws.
        boxes: how many.
        liked: colors and shapes that are drawn more often.
    """
    made = []
    for _ in range(boxes):
        box: list[Thing] = []
        for _ in range(int(generator.integers(1, MOST + 1))):
            thing = put(generator, box, liked)
            if thing is not None:
                box.append(thing)
        made.append(tuple(sorted(box)))
    return tuple(made)


def put(generator: Generator, box: list[Thing], liked: tuple[str, ...] = ()) -> Thing | None:
    """A new thing that overlaps no other of its box; None where no place was found."""
    size = int(generator.choice(SIZES, p=(0.3, 0.45, 0.25)))
    shape, color = _pick(generator, SHAPES, liked), _pick(generator, tuple(COLORS), liked)
    for _ in range(_TRIES):
        x, y = (int(v) for v in generator.integers(0, SIDE - size + 1, 2))
        if generator.random() < _AT_WALL:
            wall = (SIDE - size) * int(generator.integers(2))
            x, y = (wall, y) if generator.random() < 0.5 else (x, wall)
        thing = Thing(y, x, size, shape, color)
        if not any(overlap(thing, other) for other in box):
            return thing
    return None


def overlap(one: Thing, other: Thing) -> bool:
    """Whether two things would touch each other."""
    across = one.x <= other.x + other.size and other.x <= one.x + one.size
    return across and one.y <= other.y + other.size and other.y <= one.y + one.size


def changed(generator: Generator, scene: Scene, liked: tuple[str, ...] = ()) -> Scene:
    """The scene with one thing added, removed, or of another color, shape, size, place or box."""
    boxes = [list(b) for b in scene]
    number = int(generator.integers(len(boxes)))
    _CHANGES[int(generator.integers(len(_CHANGES)))](generator, boxes, number, liked)
    return tuple(tuple(sorted(b)) for b in boxes)


def random_stacks(generator: Generator, boxes: int, _: tuple[str, ...] = ()) -> Scene:
    """Boxes with one to four blocks each, one on the other, as in NLVR's towers."""
    heights = generator.integers(1, len(HEIGHTS) + 1, boxes)
    return tuple(_stack(generator.choice(list(COLORS), h).tolist()) for h in heights)


def restacked(generator: Generator, scene: Scene, _: tuple[str, ...] = ()) -> Scene:
    """The stacks with one block more or less on top of one, or one in another color."""
    boxes = [[t.color for t in reversed(b)] for b in scene]
    box = boxes[int(generator.integers(len(boxes)))]
    change, color = int(generator.integers(4)), str(generator.choice(list(COLORS)))
    if change == 0 and len(box) < len(HEIGHTS):
        box.append(color)
    elif change == 1 and len(box) > 1:
        box.pop()
    else:
        box[int(generator.integers(len(box)))] = color
    return tuple(map(_stack, boxes))


def _stack(colors: Sequence[str]) -> tuple[Thing, ...]:
    """Blocks of colors, the lowest first."""
    return tuple(
        sorted(Thing(y, 40, 20, "square", c) for y, c in zip(HEIGHTS, colors, strict=False))
    )


Boxes = list[list[Thing]]


def _add(generator: Generator, boxes: Boxes, number: int, liked: tuple[str, ...]) -> None:
    thing = put(generator, boxes[number], liked) if len(boxes[number]) < MOST else None
    if thing is not None:
        boxes[number].append(thing)


def _remove(generator: Generator, boxes: Boxes, number: int, _: tuple[str, ...]) -> None:
    if len(boxes[number]) > 1:
        boxes[number].pop(int(generator.integers(len(boxes[number]))))


def _replace(generator: Generator, boxes: Boxes, number: int, liked: tuple[str, ...]) -> None:
    """Another thing at another place."""
    if boxes[number]:
        boxes[number].pop(int(generator.integers(len(boxes[number]))))
        _add(generator, boxes, number, liked)


def _repaint(generator: Generator, boxes: Boxes, number: int, liked: tuple[str, ...]) -> None:
    """Another color or shape at the same place."""
    box = boxes[number]
    if box:
        place = int(generator.integers(len(box)))
        old = box[place]
        shape, color = old.shape, old.color
        if generator.random() < 0.5:
            shape = _pick(generator, SHAPES, liked)
        else:
            color = _pick(generator, tuple(COLORS), liked)
        box[place] = Thing(old.y, old.x, old.size, shape, color)


def _carry(generator: Generator, boxes: Boxes, number: int, _: tuple[str, ...]) -> None:
    """A thing moves to another place, or to another box."""
    if not boxes[number]:
        return
    place = int(generator.integers(len(boxes[number])))
    to = int(generator.integers(len(boxes)))
    if to != number and (len(boxes[number]) == 1 or len(boxes[to]) == MOST):
        return
    old = boxes[number].pop(place)
    new = put(generator, boxes[to])
    if new is None:
        boxes[number].append(old)
        return
    fits = Thing(
        min(new.y, SIDE - old.size), min(new.x, SIDE - old.size), old.size, old.shape, old.color
    )
    if any(overlap(fits, other) for other in boxes[to]):
        boxes[number].append(old)
    else:
        boxes[to].append(fits)


_CHANGES: tuple[Callable[[Generator, Boxes, int, tuple[str, ...]], None], ...] = (
    _add,
    _remove,
    _replace,
    _repaint,
    _repaint,
    _carry,
)


def _pick(generator: Generator, names: tuple[str, ...], liked: tuple[str, ...]) -> str:
    own = [n for n in names if n in liked]
    among = own if own and generator.random() < 0.5 else names
    return str(among[int(generator.integers(len(among)))])
