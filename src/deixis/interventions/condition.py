"""Interventions as they are written: ``CHANNEL[/READER]=OPERATOR[:ARGUMENT][@ROUND]``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from deixis.errors import BadInput, unknown

_FORM = re.compile(
    r"(?P<channel>[a-z_]+)(?:/(?P<reader>[a-z]+))?=(?P<operator>[a-z_]+)"
    r"(?::(?P<argument>[^@,]*))?(?:@(?P<since>\d+))?"
)

READERS = ("player", "questioner", "answerer", "guesser")


@dataclass(frozen=True, slots=True)
class Intervention:
    """One input, and what is put in its place.

    Attributes:
        channel: the input, an atom or an alias of the task.
        operator: the name of what is done to it.
        argument: the operator's own argument, as written.
        since: the first round it acts in (rounds count from 1, the caption is round 0); None is
            every round.
        reader: the one reader who gets the altered input; None is every reader.
    """

    channel: str
    operator: str
    argument: str = ""
    since: int | None = None
    reader: str | None = None

    @classmethod
    def parse(cls, text: str) -> Intervention:
        """Read the written form; `str` gives it back.

        Raises:
            BadInput: it is not of the form.

        >>> Intervention.parse("answer/guesser=words:0.8@5")
        Intervention(channel='answer', operator='words', argument='0.8', since=5, reader='guesser')
        >>> str(Intervention.parse("color=drop"))
        'color=drop'
        """
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise BadInput(
                f"{text!r} is no intervention: expected CHANNEL[/READER]=OPERATOR[:ARGUMENT]"
                "[@ROUND], such as color=drop or answer=words:0.8@5"
            )
        reader, since = match["reader"], match["since"]
        if reader is not None and reader not in READERS:
            raise unknown(f"{text!r}: there is no reader {reader!r}", reader, READERS)
        return cls(
            match["channel"],
            match["operator"],
            match["argument"] or "",
            None if since is None else int(since),
            reader,
        )

    def __str__(self) -> str:
        reader = f"/{self.reader}" if self.reader else ""
        argument = f":{self.argument}" if self.argument else ""
        since = "" if self.since is None else f"@{self.since}"
        return f"{self.channel}{reader}={self.operator}{argument}{since}"


Condition: TypeAlias = tuple[Intervention, ...]


def parse_condition(text: str) -> Condition:
    """Read interventions joined by commas into one condition.

    >>> [str(i) for i in parse_condition("parts=drop, color=drop")]
    ['parts=drop', 'color=drop']
    """
    return tuple(Intervention.parse(part) for part in text.split(","))


def show(condition: Condition) -> str:
    """The written form of a condition; empty for the unaltered one.

    >>> show(parse_condition("parts=drop, color=drop"))
    'parts=drop,color=drop'
    """
    return ",".join(map(str, condition))
