"""What a layout says of a scene: the truth that labels are made of."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from deixis.errors import BadInput
from deixis.pictures.scene import COLORS, SHAPES, Scene, Thing
from deixis.text.layout import Layout

Place = tuple[int, Thing]
"""A thing and the number of its box."""

Things = frozenset[Place]

SIZES = {"small": 10, "medium": 20, "big": 30}
GAP = 3
"""Pixels between one thing and another that it stands on, at most."""

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
PLURALS = {f"{s}s": s for s in (*SHAPES, "object")}
WALLS = ("top", "left", "bottom", "right")

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "exactly": operator.eq,
    "at least": operator.ge,
    "at most": operator.le,
    "more than": operator.gt,
    "fewer than": operator.lt,
}


def evaluate(layout: Layout, scene: Scene) -> bool:
    """Whether a layout is true of a scene.

    Args:
        layout: one that gives a truth.
        scene: its boxes; in a pair of pictures the left one's boxes come first.

    Raises:
        BadInput: a module reads words that it does not know.

    >>> scene = ((Thing(0, 0, 10, "circle", "blue"),), ())
    >>> evaluate(Layout.parse("boxes[exactly one](exist_in(find[blue]))"), scene)
    True
    """
    return bool(_run(layout, scene))


def above(one: Thing, other: Thing) -> bool:
    """Whether one thing is wholly higher than another."""
    return one.y + one.size <= other.y


def left_of(one: Thing, other: Thing) -> bool:
    """Whether one thing is wholly further left than another."""
    return one.x + one.size <= other.x


_RELATIONS: dict[str, Callable[[Thing, Thing], bool]] = {
    "above": above,
    "below": lambda one, other: above(other, one),
    "on": lambda one, other: above(one, other) and other.y - one.y - one.size <= GAP,
    "left of": left_of,
    "right of": lambda one, other: left_of(other, one),
}


def quantity(words: str) -> Callable[[int], bool]:
    """The test of a number that words name, such as ``at least two``; ``two`` alone is exact.

    Raises:
        BadInput: they name none.

    >>> [n for n in range(5) if quantity("at most two")(n)]
    [0, 1, 2]
    """
    manner, _, number = words.rpartition(" ")
    compare = _COMPARE.get(manner or "exactly")
    if compare is None or number not in NUMBERS:
        raise BadInput(f"{words!r} names no quantity, such as 'at least two'")
    bound = NUMBERS.index(number)
    return lambda n: compare(n, bound)


def _run(layout: Layout, scene: Scene) -> Any:
    given = [_run(i, scene) for i in layout.inputs]
    return _MODULES[layout.module](layout.words, scene, *given)


def _find(words: str, scene: Scene) -> Things:
    tests = [_is(w) for w in words.split()]
    return frozenset(
        (b, t) for b, box in enumerate(scene) for t in box if all(test(t) for test in tests)
    )


def _is(word: str) -> Callable[[Thing], bool]:
    word = PLURALS.get(word, word)
    if word in COLORS:
        return lambda t: t.color == word
    if word in SHAPES:
        return lambda t: t.shape == word
    if word in SIZES:
        return lambda t: t.size == SIZES[word]
    if word == "object":
        return lambda _: True
    raise BadInput(f"no thing is called {word!r}")


def _filter(words: str, scene: Scene, things: Things) -> Things:
    """Things of one box, at a wall, in a corner, or at a place in the order from above."""
    sides = {"left": 0, "middle": 1, "right": len(scene) - 1}
    side, _, noun = words.partition(" ")
    if noun in ("image", "box") and side in sides:
        return frozenset(p for p in things if p[0] == sides[side])
    if noun == "wall" and side in (*WALLS, "any"):
        return frozenset(p for p in things if (p[1].walls if side == "any" else side in p[1].walls))
    if words == "corner":
        return frozenset(p for p in things if len(p[1].walls) == 2)
    if words not in _ORDER:
        raise BadInput(f"{words!r} is no place")
    return frozenset(p for p in things if _ORDER[words](p[1], scene[p[0]]))


_ORDER: dict[str, Callable[[Thing, tuple[Thing, ...]], bool]] = {
    "uppermost": lambda t, box: t == box[0],
    "lowest": lambda t, box: t == _from_below(box)[0],
    "second": lambda t, box: len(box) > 1 and t == _from_below(box)[1],
    "between": lambda t, box: t not in (box[0], _from_below(box)[0]),
}


def _from_below(box: tuple[Thing, ...]) -> list[Thing]:
    return sorted(box, key=lambda t: (-(t.y + t.size), t.x))


def _transform(words: str, scene: Scene, things: Things) -> Things:
    """Things that stand so to one of these, in the same box."""
    if words not in _RELATIONS:
        raise BadInput(f"{words!r} is no relation (known: {', '.join(_RELATIONS)})")
    related = _RELATIONS[words]
    return frozenset(
        (b, t)
        for b, box in enumerate(scene)
        for t in box
        if any(c == b and related(t, o) for c, o in things)
    )


def _in(things: Things, box: int) -> int:
    return sum(b == box for b, _ in things)


def _some(words: str, _: Scene, boxes: list[bool]) -> bool:
    words = {"a": "at least one", "each": f"exactly {NUMBERS[len(boxes)]}"}.get(words, words)
    return quantity(words)(sum(boxes))


_MODULES: dict[str, Callable[..., Any]] = {
    "find": _find,
    "filter": _filter,
    "transform": _transform,
    "and": lambda _w, _s, a, b: a & b,
    "or": lambda _w, _s, a, b: a | b,
    "except": lambda _w, _s, a, b: a - b,
    "exist": lambda _w, _s, a: bool(a),
    "count": lambda w, _s, a: quantity(w)(len(a)),
    "exist_in": lambda _w, s, a: [_in(a, i) > 0 for i in range(len(s))],
    "count_in": lambda w, s, a: [quantity(w)(_in(a, i)) for i in range(len(s))],
    "all_in": lambda _w, s, a, b: [
        _in(a, i) > 0 and _in(a, i) == _in(a & b, i) for i in range(len(s))
    ],
    "colors_in": lambda w, s, a: [
        quantity(w)(len({t.color for b, t in a if b == i})) for i in range(len(s))
    ],
    "both_in": lambda _w, _s, a, b: [x and y for x, y in zip(a, b, strict=True)],
    "not_in": lambda _w, _s, a: [not x for x in a],
    "boxes": _some,
    "all": lambda _w, _s, a, b: bool(a) and a <= b,
    "more": lambda _w, _s, a, b: len(a) > len(b),
    "fewer": lambda _w, _s, a, b: len(a) < len(b),
    "equal": lambda _w, _s, a, b: len(a) == len(b),
    "both": lambda _w, _s, a, b: a and b,
    "either": lambda _w, _s, a, b: a or b,
    "not": lambda _w, _s, a: not a,
}
