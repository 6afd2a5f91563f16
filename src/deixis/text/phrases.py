"""Phrases of statements about boxes: numbers, things and where they are, what is in a box."""

from __future__ import annotations

from collections.abc import Sequence

from deixis.text.layout import Layout
from deixis.text.spelling import BOXES, COLORS, NUMERALS, SHAPES, SIZES, THINGS

OBJECT = Layout("find", "object")

_PLURAL = tuple(f"{t}{s}" for t in THINGS for s in ("s", ""))
_SHAPES = tuple(f"{t}{s}" for t in SHAPES for s in ("s", ""))
BOXED: tuple[str, ...] = ("grey squares", "grey square", "grey boxes", "grey box", "grey", "boxes")
BOXED += tuple(f"{b}{s}" for b in BOXES for s in ("s", ""))
_HUES = tuple(f"{d}color{s}" for d in ("different ", "") for s in ("s", ""))
_HAS = ("with", "has", "have", "having", "contains", "contain", "containing")
_WALLS = {"base": "bottom", "bottom": "bottom", "top": "top", "roof": "top"}
_WALLS |= {"left": "left", "right": "right"}
END = {"top": "uppermost", "roof": "uppermost", "base": "lowest", "bottom": "lowest"}
END |= {"second": "second", "middle": "between"}
_RELATIONS = {
    "above": "above",
    "over": "above",
    "on top of": "on",
    "on the top of": "on",
    "on": "on",
}
_RELATIONS |= dict.fromkeys(("below", "under", "beneath"), "below")
_RELATIONS |= {"to the left of": "left of", "to the right of": "right of"}
_MANNERS = {"exactly": "exactly", "only": "exactly", "just": "exactly", "at least": "at least"}
_MANNERS |= {"at most": "at most", "more than": "more than"}
_MANNERS |= {"fewer than": "fewer than", "less than": "fewer than"}


class Unread(Exception):
    """The sentence is not of this grammar."""


class Phrases:
    """Reads tokens from left to right; each method takes what it understands.

    Attributes:
        words: the tokens.
        place: of the next one.
        plain: what a number without "exactly" or "at least" means.
        condition: what else holds of the box in which the things are that are being read.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        self.place = 0
        self.plain = "exactly"
        self.condition: Layout | None = None

    @property
    def done(self) -> bool:
        """Whether all is read."""
        return self.place == len(self.words)

    def sees(self, *phrases: str) -> str:
        """The first of the phrases that stands here; nothing is taken."""
        for phrase in phrases:
            wanted = phrase.split()
            if self.words[self.place : self.place + len(wanted)] == wanted:
                return phrase
        return ""

    def takes(self, *phrases: str) -> str:
        """The first of the phrases that stands here, taken."""
        found = self.sees(*phrases)
        self.place += len(found.split())
        return found

    def needs(self, *phrases: str) -> str:
        """The same; unread where none stands here."""
        found = self.takes(*phrases)
        if not found:
            raise Unread
        return found

    def is_box(self) -> bool:
        """Whether a box is named here; its name is taken, with what stands before it."""
        start = self.place
        self.takes("of the", "of", "the")
        self.takes("two", "three", "2", "3")
        color = self.takes(*COLORS)
        number = NUMERALS.get(self.sees(*NUMERALS)) if not color else None
        if number:
            self.place += 1
            if not self.takes("blocks", "block"):
                number = None
        if not self.takes(*BOXED):
            self.place = start
            return False
        if color:
            self.condition = Layout("all_in", "", (OBJECT, Layout("find", f"{color} object")))
        elif number:
            self.condition = Layout("count_in", f"exactly {number}", (OBJECT,))
        return True

    def contents(self) -> Layout:
        """Everything that is in a box, joined."""
        self.takes(",")
        self.takes("that", "which", "where")
        if not self.takes(*_HAS) and self.condition is not None and self.done:
            made, self.condition = self.condition, None
            return made
        if self.takes("same color", "the same color"):
            return Layout("colors_in", "exactly one", (OBJECT,))
        made = self.content()
        while self.takes(", and", "and", ",", *_HAS, "of which", "but"):
            self.takes("it has", *_HAS)
            made = Layout("both_in", "", (made, self.content()))
        return made

    def content(self) -> Layout:
        """One thing that is in a box: two yellow circles, only blue items, four colors."""
        start = self.place
        if self.takes("only", "all", "just") and self.sees(*COLORS):
            return Layout("all_in", "", (OBJECT, self.things()))
        self.place = start
        if self.takes("items of only", "items of"):
            return self.of_colors(OBJECT, "a")
        if self.takes("no"):
            return Layout("not_in", "", (Layout("exist_in", "", (self.things(),)),))
        self.takes("all")
        quantity = self.quantity() or "a"
        if self.takes(*_HUES):
            return Layout("colors_in", self.exact(quantity), (OBJECT,))
        things = self.things()
        return (
            self.of_colors(things, quantity)
            if self.takes("of only", "of all", "of")
            else (self.counted(quantity, things, "_in"))
        )

    def of_colors(self, things: Layout, quantity: str) -> Layout:
        """Things of the same color, of two different colors, of black and yellow color."""
        count = self.counted(quantity, things, "_in")
        if self.takes("same color", "the same color"):
            hues = Layout("colors_in", "exactly one", (things,))
        elif self.sees(*COLORS):
            colors = [self.takes(*COLORS)]
            while self.takes("and", "or", ","):
                colors.append(self.needs(*COLORS))
            self.needs(*_HUES)
            meant = Layout("find", f"{colors[0]} object")
            for color in colors[1:]:
                meant = Layout("or", "", (meant, Layout("find", f"{color} object")))
            hues = Layout("all_in", "", (OBJECT, meant))
        else:
            number = self.exact(self.quantity() or "a")
            self.needs(*_HUES)
            hues = Layout("colors_in", number, (things,))
        return Layout("both_in", "", (count, hues))

    def things(self) -> Layout:
        """Things with their places and relations."""
        return self.placed(self.noun())

    def noun(self) -> Layout:
        """A noun with its adjectives: small yellow circles, black or blue items."""
        self.takes("of the", "the", "a", "an", "as")
        size, color = self.takes(*SIZES), self.takes(*COLORS)
        start = self.place
        other = self.takes(*COLORS) if color and self.takes("and", "or") else ""
        if other and self.sees(*_PLURAL, *_SHAPES):
            noun = (self.takes(*_SHAPES) or (self.takes(*_PLURAL) and "object")).rstrip("s")
            both = (Layout("find", f"{c} {noun}") for c in (color, other))
            return Layout("or", "", tuple(both))
        self.place = start
        shape = self.takes(*_SHAPES).rstrip("s")
        thing = self.takes(*_PLURAL)
        if not (shape or thing or color):
            raise Unread
        words = (SIZES.get(size, ""), color, shape or "object")
        return Layout("find", " ".join(w for w in words if w))

    def placed(self, things: Layout) -> Layout:
        """Things with everything that is said of where they are."""
        made: Layout | None = things
        while made is not None:
            things, made = made, self.place_of(made)
        return things

    def place_of(self, things: Layout) -> Layout | None:
        """Things with one place, relation or color that is said of them; None for none."""
        start = self.place
        self.takes(", and it is", "and it is", ", which is", "stacked together")
        self.takes("that is", "which is", "that are", "which are", "is", "are")
        negated = bool(self.takes("not"))
        color = self.takes(*COLORS) if start != self.place else ""
        if color:
            made: Layout | None = Layout("and", "", (things, Layout("find", f"{color} object")))
        else:
            made = self.at_wall(things) or self.side(things)
            made = made or self.related(things) or self.in_order(things)
        if made is None:
            self.place = start
            return None
        return Layout("except", "", (things, made)) if negated else made

    def at_wall(self, things: Layout) -> Layout | None:
        """Touching the right wall, a corner, any edge."""
        if not self.takes("touching", "touches", "touch", "attached to"):
            return None
        self.takes("the", "a", "an", "any", "at least one", "one", "its")
        side = self.takes(*_WALLS)
        self.takes("box")
        if self.takes("corner", "corners"):
            place = "corner"
        else:
            named = self.takes("wall", "walls", "edge", "edges", "side", "base", "bottom")
            if not (side or named):
                return None
            place = f"{_WALLS.get(side or named, 'any')} wall"
        start = self.place
        if not (self.takes("of a", "of the", "in a", "of") and self.takes(*BOXED)):
            self.place = start
        return Layout("filter", place, (things,))

    def in_order(self, things: Layout) -> Layout | None:
        """At the top, on top, as the base of a tower with four blocks."""
        start = self.place
        order = ""
        if self.takes("at the", "at", "as the", "as a", "as", "on the", "on", "in the"):
            order = self.takes(*END)
        if not order:
            self.place = start
            return None
        here = self.place
        if not (self.takes("of") and (self.quantity(), self.is_box())[1]):
            self.place = here
        elif self.takes(*_HAS, "that has", "which has"):
            self.condition = self.contents()
        return Layout("filter", END[order], (things,))

    def side(self, things: Layout) -> Layout | None:
        """In the left image."""
        for side in ("left", "middle", "right"):
            for box in ("image", "box"):
                if self.takes(f"in the {side} {box}"):
                    return Layout("filter", f"{side} {box}", (things,))
        return None

    def related(self, things: Layout) -> Layout | None:
        """Above a black square, to the left of a circle."""
        start = self.place
        relation = self.takes(*_RELATIONS)
        if relation:
            self.quantity()
            try:
                other = Layout("transform", _RELATIONS[relation], (self.things(),))
                return Layout("and", "", (things, other))
            except Unread:
                self.place = start
        return None

    def quantity(self) -> str | None:
        """At least two, exactly one, two; ``a`` for articles; None where there is none."""
        start = self.place
        manner = self.takes(*_MANNERS)
        article = self.takes("a", "an") or (not manner and self.takes("the", "some", "any"))
        number = NUMERALS.get(self.sees(*NUMERALS))
        sized = self.words[self.place + 1 : self.place + 3]
        if number and not (article and sized[1:] and sized[1] in BOXES):
            self.place += 1
            return f"{_MANNERS[manner]} {number}" if manner else number
        if manner and not article:
            self.place = start
            return None
        return "a" if article else None

    def exact(self, quantity: str) -> str:
        """A quantity that a count can be held against."""
        if quantity == "a":
            return "at least one"
        return quantity if " " in quantity else f"{self.plain} {quantity}"

    def counted(self, quantity: str, things: Layout, suffix: str = "") -> Layout:
        """So many things: of all, or in each box."""
        if quantity in ("a", "at least one"):
            return Layout(f"exist{suffix}", "", (things,))
        return Layout(f"count{suffix}", self.exact(quantity), (things,))


def in_image(layout: Layout) -> bool:
    """Whether it is about one picture or box only."""
    return layout.module == "filter" and layout.words.endswith(("image", "box"))
