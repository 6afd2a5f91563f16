"""Sentences about scenes with their meaning, by linguistic phenomenon.

Phenomena have the names under which NLVR2's development sentences are annotated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deixis.pictures.scene import COLORS, SHAPES
from deixis.text.layout import Layout
from deixis.worlds.scenes.meaning import NUMBERS, WALLS

Generator = np.random.Generator

EXISTENCE = "existential quantifier"
WHOLE, LEFT, RIGHT = "whole", "left", "right"
"""What a sentence speaks of: all boxes, or the left or right image alone."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and what it means.

    Attributes:
        text: as people read it.
        layout: its meaning.
        phenomena: names of what is to be understood.
    """

    text: str
    layout: Layout
    phenomena: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Noun:
    """A kind of thing: ``yellow circle``.

    Attributes:
        words: adjectives and noun, as `find` reads them.
    """

    words: str

    @property
    def one(self) -> str:
        """With its article."""
        return f"{'an' if self.words[0] in 'aeiou' else 'a'} {self.words}"

    @property
    def many(self) -> str:
        """In the plural."""
        return f"{self.words}s"

    @property
    def found(self) -> Layout:
        """Where these things are."""
        return Layout("find", self.words)

    @property
    def liked(self) -> tuple[str, ...]:
        """Its colors and shapes."""
        return tuple(w for w in self.words.split() if w in COLORS or w in SHAPES)


@dataclass(frozen=True, slots=True)
class Scope:
    """Which boxes a sentence speaks of.

    Attributes:
        side: whole, left or right.
        box: what a box is called: ``image`` or ``box``.
        boxes: how many there are.
    """

    side: str
    box: str
    boxes: int

    def within(self, things: Layout) -> Layout:
        """Those of the things that are spoken of."""
        return (
            things if self.side == WHOLE else Layout("filter", f"{self.side} {self.box}", (things,))
        )

    @property
    def tail(self) -> str:
        """Words behind a sentence."""
        return "" if self.side == WHOLE else f" in the {self.side} {self.box}"


Maker = Callable[[Generator, Scope], Sentence]


def existence(generator: Generator, scope: Scope) -> Sentence:
    """There is a yellow circle."""
    noun = _noun(generator)
    layout = Layout("exist", "", (scope.within(noun.found),))
    return Sentence(f"There is {noun.one}{scope.tail}.", layout, (EXISTENCE,))


def hard_cardinality(generator: Generator, scope: Scope) -> Sentence:
    """There are exactly two yellow circles."""
    return _counted(generator, scope, ("exactly",), "hard cardinality")


def soft_cardinality(generator: Generator, scope: Scope) -> Sentence:
    """There are at least two yellow circles."""
    return _counted(generator, scope, ("at least", "at most"), "soft cardinality")


def universal(generator: Generator, scope: Scope) -> Sentence:
    """Each image contains a yellow circle; every circle is yellow."""
    name = "universal quantifier"
    if scope.side == WHOLE and generator.random() < 0.5:
        noun = _noun(generator)
        layout = Layout("boxes", "each", (Layout("exist_in", "", (noun.found,)),))
        return Sentence(f"Each {scope.box} contains {noun.one}.", layout, (name,))
    shape, color = _pick(generator, (*SHAPES, "object")), _pick(generator, tuple(COLORS))
    inputs = (scope.within(Layout("find", shape)), Layout("find", color))
    return Sentence(f"Every {shape}{scope.tail} is {color}.", Layout("all", "", inputs), (name,))


def coordination(generator: Generator, scope: Scope) -> Sentence:
    """There is a yellow circle and a black square."""
    one, other = _two(generator)
    word, module = (("and", "both"), ("or", "either"))[int(generator.integers(2))]
    inputs = tuple(Layout("exist", "", (scope.within(n.found),)) for n in (one, other))
    text = f"There is {one.one} {word} {other.one}{scope.tail}."
    return Sentence(text, Layout(module, "", inputs), ("coordination", EXISTENCE))


def negation(generator: Generator, scope: Scope) -> Sentence:
    """There is no yellow circle; no image contains two yellow circles."""
    noun = _noun(generator)
    if scope.side == WHOLE and generator.random() < 0.5:
        number = NUMBERS[int(generator.integers(1, 3))]
        things = noun.one if number == "one" else f"{number} {noun.many}"
        inside = Layout("count_in", f"at least {number}", (noun.found,))
        if number == "one":
            inside = Layout("exist_in", "", (noun.found,))
        layout = Layout("not", "", (Layout("boxes", "a", (inside,)),))
        return Sentence(f"No {scope.box} contains {things}.", layout, ("negation",))
    layout = Layout("not", "", (Layout("exist", "", (scope.within(noun.found),)),))
    return Sentence(f"There is no {noun.words}{scope.tail}.", layout, ("negation",))


def comparison(generator: Generator, scope: Scope) -> Sentence:
    """There are more circles than squares; the left image contains more circles than the right."""
    word, module = _pick(generator, ("more", "fewer")), ""
    module = word
    if scope.side == WHOLE and scope.box == "image" and generator.random() < 0.5:
        noun = _noun(generator)
        inputs = tuple(Layout("filter", f"{s} {scope.box}", (noun.found,)) for s in (LEFT, RIGHT))
        text = f"The left image contains {word} {noun.many} than the right image."
        return Sentence(text, Layout(module, "", inputs), ("comparison", "spatial relation"))
    one, other = _two(generator)
    inputs = tuple(scope.within(n.found) for n in (one, other))
    text = f"There are {word} {one.many} than {other.many}{scope.tail}."
    return Sentence(text, Layout(module, "", inputs), ("comparison",))


def spatial(generator: Generator, scope: Scope) -> Sentence:
    """There is a yellow circle above a black square; a yellow circle touches the top wall."""
    name = "spatial relation"
    if generator.random() < 0.5:
        noun, wall = _noun(generator), _pick(generator, WALLS)
        placed = Layout("filter", f"{wall} wall", (scope.within(noun.found),))
        text = f"{noun.one.capitalize()}{scope.tail} touches the {wall} wall."
        return Sentence(text, Layout("exist", "", (placed,)), (name,))
    one, other = _two(generator)
    relation = _pick(generator, ("above", "below", "left of", "right of"))
    words = relation if " " not in relation else f"to the {relation}"
    there = Layout("transform", relation, (scope.within(other.found),))
    return Sentence(
        f"There is {one.one} {words} {other.one}{scope.tail}.",
        Layout("exist", "", (Layout("and", "", (one.found, there)),)),
        (name,),
    )


def coreference(generator: Generator, scope: Scope) -> Sentence:
    """There is a circle and it is above a black square; and it is yellow."""
    one, other = _two(generator)
    relation = _pick(generator, ("above", "below"))
    there = Layout("transform", relation, (other.found,))
    return Sentence(
        f"There is {one.one}{scope.tail}, and it is {relation} {other.one}.",
        Layout("exist", "", (Layout("and", "", (scope.within(one.found), there)),)),
        ("coreference", "spatial relation"),
    )


def boxed(generator: Generator, scope: Scope) -> Sentence:
    """Exactly one image contains at least two yellow circles; there is a box with two squares."""
    noun = _noun(generator)
    manner, number = _pick(generator, ("exactly", "at least")), int(generator.integers(1, 4))
    count = f"{manner} {NUMBERS[number]}"
    things = noun.words if number == 1 else noun.many
    inside = Layout("count_in", count, (noun.found,))
    if count == "at least one":
        inside = Layout("exist_in", "", (noun.found,))
    name = ("hard cardinality" if manner == "exactly" else "soft cardinality",)
    if generator.random() < 0.5 and scope.box == "box":
        text = f"There is a {scope.box} with {count} {things}."
        return Sentence(text, Layout("boxes", "a", (inside,)), name)
    many = int(generator.integers(1, scope.boxes))
    noun_of_boxes = scope.box if many == 1 else f"{scope.box}{'es' if scope.box == 'box' else 's'}"
    verb = "contains" if many == 1 else "contain"
    text = f"Exactly {NUMBERS[many]} {noun_of_boxes} {verb} {count} {things}."
    layout = Layout("boxes", f"exactly {NUMBERS[many]}", (inside,))
    return Sentence(text, layout, tuple(dict.fromkeys(("hard cardinality", *name))))


MAKERS: dict[str, Maker] = {
    "existence": existence,
    "hard": hard_cardinality,
    "soft": soft_cardinality,
    "universal": universal,
    "coordination": coordination,
    "negation": negation,
    "comparison": comparison,
    "spatial": spatial,
    "coreference": coreference,
    "boxed": boxed,
}
"""Kinds of sentences."""

OF_ALL = ("boxed",)
"""Kinds that speak of all boxes, whatever the scope."""


def _counted(
    generator: Generator, scope: Scope, manners: tuple[str, ...], phenomenon: str
) -> Sentence:
    noun, manner = _noun(generator), _pick(generator, manners)
    number = int(generator.integers(1, 5))
    words = f"{manner} {NUMBERS[number]}"
    layout = Layout("count", words, (scope.within(noun.found),))
    if words == "at least one":
        layout = Layout("exist", "", (scope.within(noun.found),))
    things, verb = (noun.words, "is") if number == 1 else (noun.many, "are")
    return Sentence(f"There {verb} {words} {things}{scope.tail}.", layout, (phenomenon,))


def _noun(generator: Generator) -> Noun:
    """A color, a shape, or both; now and then a size too."""
    draws = generator.random(3)
    color = _pick(generator, tuple(COLORS)) if draws[0] < 0.75 else ""
    shape = _pick(generator, SHAPES) if draws[1] < 0.75 or not color else "object"
    size = _pick(generator, ("small", "big")) if draws[2] < 0.1 else ""
    return Noun(" ".join(w for w in (size, color, shape) if w))


def _two(generator: Generator) -> tuple[Noun, Noun]:
    one = _noun(generator)
    while True:
        other = _noun(generator)
        if other != one:
            return one, other


def _pick(generator: Generator, names: tuple[str, ...]) -> str:
    return str(names[int(generator.integers(len(names)))])
