"""What a platform is: who arrives, and what people take home."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

PARAMETERS = 20
"""Most parameters of a link that are kept."""

LENGTH = 200
"""Characters of a parameter that are kept."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """Somebody who followed a link.

    Attributes:
        person: the platform's id of the person; empty if nobody says who it is.
        study: the platform's id of the study.
        session: the platform's id of this visit.
        captured: other parameters that the study wants to keep.
    """

    person: str = ""
    study: str = ""
    session: str = ""
    captured: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Completion:
    """What somebody gets in the end.

    Attributes:
        code: to be copied, or empty.
        url: where to go, or empty.
        label: of the link.
    """

    code: str = ""
    url: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Leaving:
    """Who is done, and how.

    Attributes:
        outcome: one of `deixis.collect.study.OUTCOMES`.
        worker: name in the study.
        session: the platform's id of the visit.
        captured: parameters that came with the link.
        secret: the study's key, to sign codes with.
    """

    outcome: str
    worker: str
    session: str
    captured: Mapping[str, str]
    secret: str


class Platform(Protocol):
    """A place where people are found; made from the study's ``[platform]``."""

    @property
    def name(self) -> str:
        """As study files write it."""

    def arrival(self, parameters: Mapping[str, str]) -> Arrival:
        """Read the parameters of the link.

        Raises:
            Refused: the link lacks what the platform always gives.
        """

    def completion(self, leaving: Leaving) -> Completion:
        """What to give somebody who is done; called after everything is committed only."""
