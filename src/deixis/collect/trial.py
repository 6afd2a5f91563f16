"""What a trial type is: the plug-in behind every page of a study.

A type is one Python file and one ES module beside it. The Python file says what a stimulus and a
response look like, what the browser gets to see, what is refused, what an answer is worth, and how
a simulated person would answer; the module draws it.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import numpy as np
from sqlalchemy import Connection

from deixis.collect.study import Model
from deixis.trials import Paint

S = TypeVar("S", bound=Model)
R = TypeVar("R", bound=Model)

Pictures = Callable[[str, Paint | None], dict[str, Any]]
"""The drawing of a picture of the pool's store, by its source and paint."""


class Refused(Exception):
    """A response that cannot stand; one sentence for the person who gave it."""


@dataclass(frozen=True)
class Score:
    """What the server makes of a response.

    Attributes:
        detail: what it says in the program's terms: a choice, normalised text, parts.
        right: whether it is right, where that can be said.
        value: a number, such as the share of questions answered rightly.
        flags: what a reviewer may want to look at.
        end: the outcome with which the session ends here.
        attempts: how often it may be tried before that.
    """

    detail: Mapping[str, Any] = field(default_factory=dict)
    right: bool | None = None
    value: float | None = None
    flags: tuple[str, ...] = ()
    end: str | None = None
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class Profile:
    """A kind of simulated person.

    Attributes:
        name: of the kind.
        skill: how often what is known to be right is given, beyond guessing.
        seconds: typical time for one trial.
        leaves: chance to go away in each trial, for good.
        agrees: chance to consent.
    """

    name: str = "careful"
    skill: float = 0.9
    seconds: float = 8.0
    leaves: float = 0.0
    agrees: float = 1.0


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that a person does to a page.

    Attributes:
        do: click, fill a field, press a key, or choose an option of a list.
        where: a CSS selector.
        what: the text or the key.
    """

    do: Literal["click", "fill", "press", "select"]
    where: str
    what: str = ""


class TrialType(ABC, Generic[S, R]):
    """Base of trial types; stateless, one object each, found by name.

    Attributes:
        name: as study files write it.
        stimulus: what a trial is made of; it may hold the answer.
        response: what the browser sends.
    """

    name: str
    stimulus: type[S]
    response: type[R]

    @property
    def module(self) -> Path:
        """The ES module that draws it."""
        return Path(inspect.getfile(type(self))).with_suffix(".js")

    @abstractmethod
    def page(self, stimulus: S, pictures: Pictures) -> dict[str, Any]:
        """What the browser gets: nothing of the answer."""

    def facts(self, c: Connection, step: str) -> dict[str, Any]:
        """What the store says of a step, put into its stimulus before a final answer is checked."""
        return {}

    def check(self, stimulus: S, response: R) -> None:
        """Refuse a response that cannot stand.

        Raises:
            Refused: one sentence says why.
        """

    @abstractmethod
    def score(self, stimulus: S, response: R) -> Score:
        """What a checked response says, and what it is worth."""

    def feedback(self, stimulus: S, response: R) -> dict[str, Any]:
        """What the browser is told after the answer, where the phase gives feedback."""
        return {}

    @abstractmethod
    def simulate(self, stimulus: S, rng: np.random.Generator, profile: Profile) -> R:
        """What a simulated person answers."""

    @abstractmethod
    def acts(self, stimulus: S, response: R) -> list[Act]:
        """What a person does on the page to give this response."""
