"""What two simulated people say about a room, and how much each of their texts tells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from deixis.errors import BadInput
from deixis.trials import Dialog, Turn
from deixis.worlds.interiors.attributes import ATTRIBUTES, IDLE, UNKNOWN, Attribute

Scene = tuple[int, ...]
"""The value, 0 or 1, of each attribute."""


@dataclass(frozen=True, slots=True)
class Shares:
    """How many attributes are told, and by what; each is one bit of a picture's sixteen.

    Attributes:
        caption: told by the caption.
        question: given away by questions, whose answers tell nothing.
        answer: asked for by questions that give nothing away, and told by their answers.
        echo: attributes of the caption that are asked for once more: answers that need no picture.
        rounds: of a dialog; those that are left over are idle.
    """

    caption: int = 2
    question: int = 1
    answer: int = 3
    echo: int = 1
    rounds: int = 10

    def __post_init__(self) -> None:
        """Check that it can be."""
        told = self.caption + self.question + self.answer
        asked = self.question + self.answer + self.echo
        if min(self.caption, self.question, self.answer, self.echo) < 0 or told > len(ATTRIBUTES):
            raise BadInput(f"rooms have {len(ATTRIBUTES)} attributes to tell, not {told}")
        if self.echo > self.caption:
            raise BadInput(f"rooms: {self.caption} attributes in the caption cannot echo more")
        if not asked <= self.rounds <= asked + len(IDLE):
            raise BadInput(
                f"rooms: expected {asked} to {asked + len(IDLE)} rounds for these shares, "
                f"got {self.rounds}"
            )

    def by(self, channel: str) -> tuple[Attribute, ...]:
        """The attributes that the caption, questions or answers tell."""
        starts = {"caption": 0, "answer": self.caption, "question": self.caption + self.answer}
        start = starts[channel]
        return ATTRIBUTES[start : start + getattr(self, channel)]

    def bits(self, present: Collection[str]) -> int:
        """How many bits some of the channels tell together.

        Answers tell nothing without their questions, and an echo is news without the caption only.

        >>> one = Shares(caption=2, question=1, answer=3, echo=1)
        >>> one.bits({"caption"}), one.bits({"question"}), one.bits({"answer"})
        (2, 1, 0)
        >>> one.bits({"question", "answer"}), one.bits({"caption", "question", "answer"})
        (5, 6)
        """
        told = self.caption * ("caption" in present) + self.question * ("question" in present)
        if {"question", "answer"} <= {*present}:
            told += self.answer + self.echo * ("caption" not in present)
        return told


def ideal(bits: int) -> float:
    """Mean percentile rank of a perfect guesser that has learnt so many bits.

    2 to the power of -bits of the other pictures fit as well; the target is in their middle.

    >>> ideal(0), ideal(2), ideal(3)
    (50.0, 87.5, 93.75)
    """
    return 100 - 50 * 2.0**-bits


def dialog(scene: Scene, shares: Shares, generator: np.random.Generator) -> Dialog:
    """A caption and rounds in a drawn order."""
    values = dict(zip((a.name for a in ATTRIBUTES), scene, strict=True))

    def asked(one: Attribute) -> Turn:
        return Turn(one.question, one.answers[values[one.name]])

    def presumed(one: Attribute) -> Turn:
        return Turn(one.presumed[values[one.name]], UNKNOWN)

    turns = [asked(a) for a in (*shares.by("answer"), *shares.by("caption")[: shares.echo])]
    turns += [presumed(a) for a in shares.by("question")]
    idle = generator.permutation(len(IDLE))[: shares.rounds - len(turns)]
    turns += [Turn(*IDLE[i]) for i in idle]
    order = generator.permutation(len(turns))
    told = [a.told[values[a.name]] for a in shares.by("caption")]
    return Dialog(caption(told), tuple(turns[i] for i in order))


def caption(told: Sequence[str]) -> str:
    """A caption that tells these phrases; the first is the room, if it tells anything.

    >>> caption(["a kitchen", "blue walls"]), caption(["a bedroom"]), caption([])
    ('a kitchen with blue walls', 'a bedroom', 'a room')
    >>> caption(["a kitchen", "blue walls", "an open door", "a lamp that is on"])
    'a kitchen with blue walls, an open door and a lamp that is on'
    """
    room, *others = told or ["a room"]
    if not others:
        return room
    *first, last = others
    return f"{room} with {', '.join(first)}{' and ' if first else ''}{last}"


def careless(made: Dialog, generator: np.random.Generator) -> tuple[str, ...]:
    """Answers of somebody who does not look: to each question an answer that it could have."""
    possible = {a.question: a.answers for a in ATTRIBUTES}
    return tuple(
        possible[t.question][int(generator.integers(2))] if t.question in possible else t.answer
        for t in made.turns
    )


def known(text: Dialog) -> dict[str, int]:
    """What a dialog tells: values of attributes by name, the latest word on each."""
    found = _told(text.caption)
    for turn in text.turns:
        said = _SAID.get((turn.question, turn.answer)) or _PRESUMED.get(turn.question)
        if said:
            found[said[0]] = said[1]
    return found


_SAID = {(a.question, word): (a.name, v) for a in ATTRIBUTES for v, word in enumerate(a.answers)}
_PRESUMED = {question: (a.name, v) for a in ATTRIBUTES for v, question in enumerate(a.presumed)}


def _told(text: str) -> dict[str, int]:
    return {a.name: v for a in ATTRIBUTES for v, phrase in enumerate(a.told) if phrase in text}
