"""What an operator gets besides the value that it changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from deixis.errors import BadInput
from deixis.seeds import draw
from deixis.text.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Given:
    """The surroundings of one value.

    Attributes:
        argument: the operator's argument, as written.
        seed: the operator seed.
        place: names this value among all: trial, channel, position or round.
        donor: gives the same value of another trial, deranged by content; where a relation is
            named, of one between which and this trial it holds.
        partner: gives the same value of a distractor of this trial.
        vocabulary: gives the words of this channel over all trials.
        other: gives what another source, by its name, has in this value's place.
        round: the round of a dialog that the value belongs to; 0 is the caption's.
        relations: names that `donor` knows.
    """

    argument: str
    seed: int
    place: tuple[str, ...]
    donor: Callable[..., Any]
    partner: Callable[[], Any]
    vocabulary: Callable[[], Vocabulary]
    other: Callable[[str], Any] = lambda name: None
    round: int = 0
    relations: tuple[str, ...] = ()

    @classmethod
    def alone(cls, argument: str, seed: int, place: tuple[str, ...]) -> Given:
        """What an operator gets that changes no value of a view: nothing is lent to it."""
        return cls(argument, seed, place, lambda: None, lambda: None, lambda: Vocabulary.of(()))

    def generator(self, *what: object) -> np.random.Generator:
        """Random numbers for this value; for `what` instead, where something is named."""
        return draw(self.seed, *(what or self.place))

    def number(self, name: str, low: float, high: float) -> float:
        """The first part of the argument as a number.

        Raises:
            BadInput: it is none, or out of range.
        """
        text = self.argument.split(":")[0]
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise BadInput(f"expected {name} from {low:g} to {high:g}, got {text!r}")
        return value

    def count(self, name: str, most: int) -> int:
        """The whole argument as an integer from 0 to `most`.

        Raises:
            BadInput: it is none.
        """
        if not self.argument.isdecimal() or int(self.argument) > most:
            raise BadInput(f"expected {name} from 0 to {most}, got {self.argument!r}")
        return int(self.argument)

    def options(self, *allowed: str) -> list[str]:
        """The parts of the argument, but for a number in front; each is one of `allowed`.

        An operator that allows none takes no argument at all.

        Raises:
            BadInput: a part is none of them.
        """
        if self.argument and not allowed:
            raise BadInput(f"expected no argument, got {self.argument!r}")
        first, *parts = self.argument.split(":")
        parts = [p for p in parts if p] if _numeric(first) else [p for p in (first, *parts) if p]
        for part in parts:
            if part not in allowed:
                raise BadInput(f"expected one of {', '.join(allowed)}, got {part!r}")
        return parts


Operator: TypeAlias = Callable[[Any, Given], Any]


def _numeric(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
