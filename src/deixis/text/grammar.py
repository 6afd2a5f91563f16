"""A small grammar of statements about boxes: from a sentence to its layout.

It reads the worlds `boxes` and `strips` completely, and of NLVR what is written in the usual ways;
``docs/statements.md`` says how much. Words that are misspelt are taken for the nearest word known.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from deixis.text.layout import Layout
from deixis.text.phrases import BOXED, END, Phrases, Unread, in_image
from deixis.text.spelling import COLORS, tokens


@lru_cache(maxsize=100_000)
def parse(sentence: str) -> Layout | None:
    """The layout of a sentence; None where the grammar does not reach.

    >>> str(parse("There is exactly one tower with a black block at the top."))
    'boxes[exactly one](exist_in(filter[uppermost](find[black object])))'
    >>> parse("What a pity!") is None
    True
    """
    reader = _Sentence(tokens(sentence))
    try:
        layout = reader.sentence()
    except Unread:
        return None
    return layout if reader.done else None


class _Sentence(Phrases):
    """Reads whole sentences."""

    def sentence(self) -> Layout:
        self.takes("clearly ,", "supposedly ,")
        if self.takes("there is", "there are"):
            return self.there()
        if self.takes("no", "none of the", "none of"):
            return self.denied()
        if self.takes("each", "every", "all"):
            return self.every()
        if self.takes("left image", "the left image", "right image", "the right image"):
            return self.image(self.words[self.place - 2])
        if self.takes("the top", "the base", "the bottom"):
            return self.end(END[self.words[self.place - 1]])
        return self.about(self.quantity() or "a")

    def there(self) -> Layout:
        """What follows "there is"."""
        if self.takes("no"):
            return self.denied()
        word = self.more_or_fewer()
        if word:
            return self.compared(word)
        first = self.about(self.quantity() or "a")
        joined = self.takes("and", "or")
        if not joined:
            return first
        other = self.about(self.quantity() or "a")
        if in_image(other.inputs[0]):
            tail = other.inputs[0]
            first = replace(first, inputs=(replace(tail, inputs=first.inputs),))
        return Layout("both" if joined == "and" else "either", "", (first, other))

    def about(self, quantity: str) -> Layout:
        """So many boxes with something, or so many things."""
        if self.is_box():
            made = self.contents()
        else:
            made = None
            things = self.things()
            self.takes("is", "are")
            things = self.placed(things)
        if made is None:
            if self.takes("in each box", "in each tower", "in every box", "in each"):
                self.takes(*BOXED)
                return Layout("boxes", "each", (self.counted(quantity, things, "_in"),))
            if self.condition is None:
                return self.counted(quantity, things)
            made = Layout("exist_in", "", (things,))
        if self.condition is not None:
            made = Layout("both_in", "", (made, self.condition))
        return Layout("boxes", quantity, (made,))

    def denied(self) -> Layout:
        """No box with two circles: what is denied is two or more."""
        self.plain = "at least"
        return Layout("not", "", (self.about("a"),))

    def every(self) -> Layout:
        """Each box contains …; every circle is yellow."""
        self.takes("of the", "of", "the")
        if self.is_box():
            made = self.contents()
            return Layout("boxes", "each", (made,))
        things = self.noun()
        things = self.side(things) or things
        self.needs("is", "are")
        color = self.takes(*COLORS)
        meant = Layout("find", color) if color else self.placed(things)
        return Layout("all", "", (things, meant))

    def end(self, order: str) -> Layout:
        """The top of a tower with four blocks is yellow."""
        self.needs("of")
        quantity = self.quantity() or "a"
        if not self.is_box():
            raise Unread
        inside = None if self.sees("is", "are") else self.contents()
        self.needs("is", "are")
        colored = Layout("find", f"{self.needs(*COLORS)} object")
        made = Layout("exist_in", "", (Layout("filter", order, (colored,)),))
        for more in (inside, self.condition):
            made = made if more is None else Layout("both_in", "", (made, more))
        return Layout("boxes", quantity, (made,))

    def more_or_fewer(self) -> str:
        if self.sees("more than", "fewer than", "less than"):
            return ""
        return "fewer" if (word := self.takes("more", "fewer", "less")) == "less" else word

    def compared(self, word: str) -> Layout:
        """More circles than squares."""
        one = self.things()
        self.needs("than")
        other = self.things()
        if in_image(other):
            one = replace(other, inputs=(one,))
        return Layout(word, "", (one, other))

    def image(self, side: str) -> Layout:
        """The left image contains two circles, or more circles than the right image."""
        self.needs("contains", "contain", "has")
        word = self.more_or_fewer()
        if not word:
            quantity = self.quantity() or "a"
            return self.counted(quantity, Layout("filter", f"{side} image", (self.things(),)))
        things = self.noun()
        self.needs("than the")
        sides = side, self.needs("left", "right")
        self.takes("image")
        return Layout(word, "", tuple(Layout("filter", f"{s} image", (things,)) for s in sides))
