"""Delexicalised sentences: what they mention, and around it patterns of slots.

Words for colors, shapes, sizes, numbers, things, boxes and places become slots, so that what is
learnt about "two yellow circles at the top" holds for "three black squares in a corner".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from deixis.players.statement.facts import ANY, PLACES, filter_code

_WORD = re.compile(r"[a-z]+|\d+")

NUMBERS = {
    **{w: i for i, w in enumerate("zero one two three four five six seven eight nine ten".split())},
    **{str(i): i for i in range(13)},
    "single": 1,
}
COLORS = {"black": 1, "yellow": 2, "blue": 3}
SHAPES = {"square": 1, "circle": 2, "triangle": 3}
SIZES = {"small": 1, "medium": 2, "big": 3, "large": 3}
THINGS = frozenset("item object block thing shape element figure".split())
BOXES = frozenset("box tower stack image".split())
HUES = frozenset("color colour".split())
ARTICLES = frozenset(("a", "an"))
NONE = frozenset(("no", "none", "without", "zero"))

TOUCH = frozenset("touching touch attached attach".split())
AT_WALLS = {
    "top": "at the top",
    "roof": "at the top",
    "bottom": "at the bottom",
    "base": "at the bottom",
    "left": "at the left",
    "right": "at the right",
    "corner": "in a corner",
    "wall": "at a wall",
    "edge": "at a wall",
    "side": "at a wall",
    "other": "touching another",
    "another": "touching another",
}
"""Places of things that touch something."""

IN_ORDER = {
    "top": "uppermost",
    "roof": "uppermost",
    "base": "lowest",
    "bottom": "lowest",
    "second": "second from the bottom",
    "middle": "in the middle",
}
"""Places of things that touch nothing."""

CUES = frozenset(
    """each every all both any only exactly least most more less than not no same different
    touching touch edge wall corner side base bottom top roof below under beneath above over on
    between second third middle closely tower stacked attached which of and or other none color
    colour number as with has there contain together at nearly multiple many height
    """.split()
)
"""Words with which everything that a sentence mentions is paired."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A word, or what stands for it.

    Attributes:
        text: the slot's name, or the word.
        kind: ``number``, ``color``, ``shape``, ``size``, ``thing``, ``box``, ``hue`` or ``word``.
        value: of a number, or the code of a color, shape or size.
    """

    text: str
    kind: str = "word"
    value: int = 0


@dataclass(frozen=True, slots=True)
class Mention:
    """Something that a sentence asks to be counted.

    Attributes:
        filter: of things, see `facts.filter_code`.
        number: that they are compared with; -1 for none.
        place: position in `facts.PLACES`; -1 for none.
        off: whether what is *not* at the place is meant.
        contexts: patterns around the mention.
    """

    filter: int
    number: int
    place: int
    off: bool
    contexts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Two kinds of things that a sentence mentions one after the other.

    Attributes:
        first: filter of the first, sizes left open (a code below 16).
        second: of the second.
        contexts: patterns around them.
    """

    first: int
    second: int
    contexts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sized:
    """A number of things, or of colors, in the box that a mentioned thing is in.

    Attributes:
        mention: of the thing.
        number: how many.
        hues: whether colors are counted.
        contexts: patterns around the number.
    """

    mention: Mention
    number: int
    hues: bool
    contexts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """All that is taken from a sentence.

    Attributes:
        negated: whether it says that there is none of what it describes; then it is read as
            saying that there is one, and what speaks for it speaks against it.
    """

    mentions: tuple[Mention, ...]
    related: tuple[Related, ...]
    sized: tuple[Sized, ...]
    contexts: tuple[str, ...]
    negated: bool


@lru_cache(maxsize=100_000)
def read(sentence: str) -> Reading:
    """Take a sentence apart."""
    slots = tuple(slots_of(sentence))
    texts = [s.text for s in slots]
    negated = texts[:3] in (["there", "is", "no"], ["there", "are", "no"]) or texts[:1] == ["no"]
    if negated:
        first = texts.index("no")
        slots = (*slots[:first], Slot("A", "number", 1), *slots[first + 1 :])
    cues = tuple(sorted({s.text for s in slots} & CUES))
    phrases = _phrases(slots)
    numbers = _numbers(slots, cues)
    bare = _bare(slots, phrases, cues)
    return Reading(
        mentions=(*(m for _, m in numbers), *bare),
        related=tuple(_related(slots, phrases, cues)),
        sized=tuple(_sized(slots, numbers, cues)),
        contexts=tuple(_grams(slots)),
        negated=negated,
    )


def slots_of(sentence: str) -> list[Slot]:
    """The sentence with its content replaced.

    >>> [s.text for s in slots_of("There are 2 yellow blocks in a grey square")]
    ['there', 'are', 'N', 'C', 'O', 'in', 'A', 'B']
    """
    made: list[Slot] = []
    for word in _WORD.findall(sentence.lower().replace("atleast", "at least")):
        slot = _slot(word)
        if made and made[-1].text in ("grey", "gray"):
            made[-1] = Slot("B", "box")
            if slot.kind in ("shape", "box"):
                continue
        made.append(slot)
    return made


def _slot(word: str) -> Slot:
    stem = word[:-2] if word.endswith("xes") else word.rstrip("s") if len(word) > 3 else word
    if word in NUMBERS:
        return Slot("N", "number", NUMBERS[word])
    if word in ARTICLES:
        return Slot("A", "number", 1)
    if word in NONE:
        return Slot("no", "number", 0)
    for text, kind, values in (
        ("C", "color", COLORS),
        ("S", "shape", SHAPES),
        ("Z", "size", SIZES),
    ):
        if stem in values:
            return Slot(text, kind, values[stem])
    for text, kind, words in (("O", "thing", THINGS), ("B", "box", BOXES), ("K", "hue", HUES)):
        if stem in words:
            return Slot(text, kind)
    return Slot(stem if stem in CUES else word)


def _after(slots: tuple[Slot, ...], start: int, reach: int = 7) -> tuple[int, str]:
    """The filter that follows a place, and the kind of noun that comes first."""
    found = {"color": ANY, "shape": ANY, "size": ANY}
    head = ""
    for slot in slots[start : start + reach]:
        if slot.kind == "number" and slot.text != "A" and (head or any(found.values())):
            break
        if slot.text in ("and", "or") and any(found.values()):
            break
        if slot.kind in found and not found[slot.kind]:
            found[slot.kind] = slot.value
        if not head and slot.kind in ("shape", "thing", "box", "hue"):
            head = {"box": "B", "hue": "K"}.get(slot.kind, "O")
    return filter_code(found["color"], found["shape"], found["size"]), head


def _place(slots: tuple[Slot, ...], start: int) -> tuple[int, bool]:
    """The place that is named next after a slot, else last before it; and whether it is negated."""
    touching = any(s.text in TOUCH for s in slots)
    names = AT_WALLS if touching else IN_ORDER
    places = [i for i, s in enumerate(slots) if s.text in names]
    if not places:
        return -1, False
    chosen = next((i for i in places if i >= start), places[-1])
    negated = touching and any(s.text == "not" for s in slots[max(chosen - 5, 0) : chosen])
    return PLACES.index(names[slots[chosen].text]), negated


def _numbers(slots: tuple[Slot, ...], cues: tuple[str, ...]) -> list[tuple[int, Mention]]:
    """Mentions of numbers, with where they stand."""
    made = []
    for i, slot in enumerate(slots):
        if slot.kind != "number":
            continue
        code, head = _after(slots, i + 1)
        own, around = f"{slot.text}{head}", _around(slots, i, i + 1)
        contexts = [own, *(f"{own}|{g}" for g in around), *(f"{own}+{cue}" for cue in cues)]
        contexts += [f"#{head}|{g}" for g in around]
        made.append((i, Mention(code, slot.value, *_place(slots, i), tuple(contexts))))
    return made


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Slots that together name one kind of thing: from `start` up to `stop`."""

    start: int
    stop: int
    filter: int


def _phrases(slots: tuple[Slot, ...]) -> list[_Phrase]:
    """Runs of color, shape and size words."""
    made = []
    i = 0
    while i < len(slots):
        j, found = i, {"color": ANY, "shape": ANY, "size": ANY}
        while j < len(slots) and slots[j].kind in found and not found[slots[j].kind]:
            found[slots[j].kind] = slots[j].value
            j += 1
        if j > i:
            code = filter_code(found["color"], found["shape"], found["size"])
            made.append(_Phrase(i, j, code))
        i = max(j, i + 1)
    return made


def _bare(slots: tuple[Slot, ...], phrases: list[_Phrase], cues: tuple[str, ...]) -> list[Mention]:
    made = []
    for phrase in phrases:
        own = "".join(s.text for s in slots[phrase.start : phrase.stop])
        contexts = [f"/{own}", *(f"/{g}" for g in _around(slots, phrase.start, phrase.stop))]
        contexts += [f"/+{cue}" for cue in cues]
        made.append(Mention(phrase.filter, -1, *_place(slots, phrase.stop), tuple(contexts)))
    return made


def _related(
    slots: tuple[Slot, ...], phrases: list[_Phrase], cues: tuple[str, ...]
) -> Iterator[Related]:
    for one, other in pairwise(phrases):
        between = slots[one.stop : other.start]
        contexts = ["&", "&" + " ".join(s.text for s in between), *(f"&+{cue}" for cue in cues)]
        contexts += [f"&{s.text}" for s in between if s.kind == "word"]
        yield Related(one.filter // 4, other.filter // 4, tuple(contexts))


def _sized(
    slots: tuple[Slot, ...], numbers: list[tuple[int, Mention]], cues: tuple[str, ...]
) -> Iterator[Sized]:
    """Every number of plain things or colors with every other mention."""
    for i, mention in numbers:
        _, head = _after(slots, i + 1)
        if mention.filter or head not in ("O", "K") or slots[i].text == "A":
            continue
        own = f"@{head}"
        contexts = [own, *(f"{own}|{g}" for g in _around(slots, i, i + 1))]
        contexts += [f"{own}+{cue}" for cue in cues]
        for j, other in numbers:
            if j != i:
                yield Sized(other, mention.number, head == "K", tuple(contexts))


def _around(slots: tuple[Slot, ...], start: int, stop: int) -> list[str]:
    """Patterns of up to three slots before and after slots `start` to `stop`."""
    texts = ["<", "<", "<", *(s.text for s in slots), ">", ">", ">"]
    left, right = texts[start : start + 3], texts[stop + 3 : stop + 6]
    made = []
    for k in range(1, 4):
        made.append(" ".join(left[3 - k :]) + " _")
        made.append("_ " + " ".join(right[:k]))
    made.append(f"{left[2]} _ {right[0]}")
    made.append(f"{left[1]} {left[2]} _ {right[0]} {right[1]}")
    return made


def _grams(slots: tuple[Slot, ...]) -> list[str]:
    """Single slots and pairs, each once."""
    texts = ["<", *(s.text for s in slots), ">"]
    return list(dict.fromkeys([*texts, *(f"{a} {b}" for a, b in pairwise(texts))]))
