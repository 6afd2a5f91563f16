"""The study file: consent, survey, quiz, practice, trials, debrief; caps, eligibility, pay."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    field_validator,
    model_validator,
)

from deixis.collect.lines import Place, line_of
from deixis.errors import BadInput
from deixis.reading import read_text

Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$")]
Text = Annotated[str, Field(min_length=1, max_length=20_000)]

OUTCOMES = (
    "completed",
    "no_consent",
    "not_eligible",
    "failed_quiz",
    "full",
    "withdrawn",
    "returned",
)
"""How a session can end; each has a completion code of its own."""


class Model(BaseModel):
    """Base of everything in a study file: unknown fields are errors, nothing changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Phase(Model):
    """A stretch of a study.

    Attributes:
        name: unique in the study.
        type: of its trials; of several types each item gets one after the other.
        use: trials written here (own), or those of the pool, for practice or in earnest.
        title: shown above its trials.
        trials: stimuli of the phase's own.
        feedback: whether people are told at once how they did.
        once: whether a person who comes again skips it.
    """

    name: Slug
    type: str | tuple[str, ...]
    use: Literal["own", "practice", "pool"] = "own"
    title: str = ""
    trials: tuple[dict[str, Any], ...] = ()
    feedback: bool = False
    once: bool = False

    @property
    def types(self) -> tuple[str, ...]:
        """Its types as a tuple."""
        return (self.type,) if isinstance(self.type, str) else self.type

    @model_validator(mode="after")
    def _whole(self) -> Phase:
        if (self.use == "own") != bool(self.trials):
            raise ValueError(f"phase {self.name}: trials are written down if and only if use = own")
        return self


class Eligibility(Model):
    """Who may take part.

    Attributes:
        countries: where people live, by the survey question `country` and by the platform.
        fluent: languages, of which one must be among those of the survey question `languages`.
        approval_rate: percent, asked of the platform.
        not_in: studies whose participants may not take part.
        approved_in: studies in all of which a visit of theirs was approved by a reviewer.
    """

    countries: tuple[str, ...] = ()
    fluent: tuple[str, ...] = ()
    approval_rate: int = Field(default=0, ge=0, le=100)
    not_in: tuple[Slug, ...] = ()
    approved_in: tuple[Slug, ...] = ()


class Caps(Model):
    """How much there may be.

    Attributes:
        people: sessions that are under way or completed.
        per_person: items that one person may work on, over all visits.
        visits: how often a person may come.
        per_visit: items of one visit, where the pool hands them out one by one.
        minutes: how long a place is kept for somebody who says nothing.
    """

    people: int | None = Field(default=None, ge=1)
    per_person: int = Field(default=200, ge=1)
    visits: int = Field(default=1, ge=1)
    per_visit: int = Field(default=1, ge=1)
    minutes: float = Field(default=60, gt=0)


class Pay(Model):
    """What people get, in units of the currency.

    Attributes:
        currency: as ISO 4217 writes it.
        reward: for a completed session.
        per_item: for each item done.
        per_right: bonus for each right choice among the pool's trials.
        screened: for people who turn out not to be eligible, or fail the quiz.
        waited: instead of the reward, for waiting in vain for somebody to talk to.
        round_full: bonus of a round where enough of the sentences read by hand keep to the rules.
        round_small: where fewer do, but not too few; see `deixis.collect.items.workers.bonus`.
        fee: what the platform takes on top, as a fraction.
    """

    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")] = "USD"
    reward: Decimal = Field(default=Decimal(0), ge=0)
    per_item: Decimal = Field(default=Decimal(0), ge=0)
    per_right: Decimal = Field(default=Decimal(0), ge=0)
    screened: Decimal = Field(default=Decimal(0), ge=0)
    waited: Decimal = Field(default=Decimal(0), ge=0)
    round_full: Decimal = Field(default=Decimal(0), ge=0)
    round_small: Decimal = Field(default=Decimal(0), ge=0)
    fee: float = Field(default=0.0, ge=0)

    @field_validator(
        "reward",
        "per_item",
        "per_right",
        "screened",
        "waited",
        "round_full",
        "round_small",
        mode="before",
    )
    @classmethod
    def _exact(cls, value: Any) -> Any:
        return str(value) if isinstance(value, float) else value


class Study(Model):
    """A study as its file says it.

    Attributes:
        name: in addresses and exports.
        version: to be raised whenever anything changes.
        title: for people.
        summary: one or two sentences for people, before they decide.
        minutes: how long it takes.
        language: of its texts, as in HTML.
        contact: whom people may write to.
        phases: in order.
        pool: what is handed out: its ``kind`` and that kind's own options.
        eligibility: who may take part.
        caps: how much.
        pay: how much for it.
        platform: where people come from: its ``name`` and that platform's own options.
        debrief: what people read in the end, by outcome.
    """

    name: Slug
    version: int = Field(ge=1)
    title: Text
    summary: Text
    minutes: float = Field(gt=0)
    language: str = "en"
    contact: str = ""
    phases: tuple[Phase, ...] = Field(alias="phase", min_length=1)
    pool: dict[str, Any] = {}
    eligibility: Eligibility = Eligibility()
    caps: Caps = Caps()
    pay: Pay = Pay()
    platform: dict[str, Any] = {"name": "local"}
    debrief: dict[Literal[OUTCOMES], Text] = {}  # type: ignore[valid-type]
    _file: str = PrivateAttr("")
    _text: str = PrivateAttr("")

    @model_validator(mode="after")
    def _phases(self) -> Study:
        names = [p.name for p in self.phases]
        if len(set(names)) < len(names):
            raise ValueError("two phases have the same name")
        pooled = [p for p in self.phases if p.use != "own"]
        if pooled and not self.pool:
            raise ValueError(f"phase {pooled[0].name} uses the pool, but there is no [pool]")
        if sum(p.use == "pool" for p in self.phases) > 1:
            raise ValueError("more than one phase uses the pool")
        return self

    @contextmanager
    def at(self, *place: str | int) -> Iterator[None]:
        """Whatever is wrong within is told with the file, and the line of a place in it.

        Raises:
            BadInput: something is.
        """
        with _told(self._file or self.name, self._text, place):
            yield

    @property
    def hash(self) -> str:
        """16 hex digits over everything it says; comments and layout do not count."""
        text = json.dumps(self.model_dump(mode="json", by_alias=True), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def load_study(where: str | Path) -> Study:
    """Read a study from a file, or one of ours by name.

    Args:
        where: a path that ends in ``.toml``, or a name from `built_in`.

    Raises:
        BadInput: there is no such study, or something in it is wrong.
    """
    path = Path(where)
    if path.suffix != ".toml":
        if str(where) not in built_in():
            known = ", ".join(built_in())
            raise BadInput(f"there is no study {str(where)!r} (known: {known}, or a file .toml)")
        text = (_folder() / f"{where}.toml").read_text("utf-8")
    else:
        text = read_text(path)
    return parse_study(text, str(where))


def parse_study(text: str, where: str) -> Study:
    """Read a study from the text of its file.

    Raises:
        BadInput: something in it is wrong; the message names the line and the field.
    """
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{where}: no TOML: {error}") from None
    with _told(where, text):
        study = Study.model_validate(given)
    study._file, study._text = where, text
    return study


@contextmanager
def _told(where: str, text: str, place: Sequence[str | int] = ()) -> Iterator[None]:
    """What is wrong at a place or below it is one sentence with the file and the line."""
    try:
        yield
    except ValidationError as error:
        inner, message = _first(error)
        place = (*place, *inner)
        message = f"{'.'.join(map(str, place))}: {message}" if place else message
    except BadInput as error:
        message = str(error)
    else:
        return
    line = line_of(text, place)
    raise BadInput(f"{where}:{line}: {message}" if line else f"{where}: {message}")


def first_fault(error: ValidationError) -> str:
    """The first thing that is wrong, as one phrase."""
    place, message = _first(error)
    return f"{'.'.join(map(str, place))}: {message}" if place else message


def _first(error: ValidationError) -> tuple[Place, str]:
    """Where the first fault is, and what; a misspelt field comes before the one that it hides."""
    faults = sorted(error.errors(), key=lambda fault: fault["type"] != "extra_forbidden")
    said = faults[0]["msg"].removeprefix("Value error, ")
    unknown = faults[0]["type"] == "extra_forbidden"
    return faults[0]["loc"], "there is no such field" if unknown else said


def built_in() -> list[str]:
    """Names of the studies that come with the package."""
    return sorted(p.name.removesuffix(".toml") for p in _folder().iterdir() if p.suffix == ".toml")


def _folder() -> Path:
    return Path(str(resources.files("deixis.collect"))) / "studies"
