"""Questions about a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, JsonValue, model_validator

from deixis.collect.study import Model, Slug
from deixis.collect.trial import Act, Pictures, Profile, Refused, Score, TrialType
from deixis.collect.trial_types.texts import check_plain, normal

LONGEST = 5_000


class Question(Model):
    """One question.

    Attributes:
        id: names the answer; `country` and `languages` are compared with the study's eligibility.
        kind: one of several options, several of them, a text, a number, a scale of 1 to 5, or
            languages, each with how well it is spoken.
        text: the question.
        options: what to choose from; suggestions for languages.
        other: whether another answer may be written.
        optional: whether it may be left open.
        low: what 1 means on a scale; the least number.
        high: what 5 means on a scale; the largest number.
    """

    id: Slug
    kind: Literal["choice", "several", "text", "number", "scale", "languages"]
    text: str = Field(min_length=1)
    options: tuple[str, ...] = ()
    other: bool = False
    optional: bool = False
    low: str = ""
    high: str = ""

    @model_validator(mode="after")
    def _options(self) -> Question:
        if self.kind in ("choice", "several") and len(self.options) < 2:
            raise ValueError(f"question {self.id}: expected at least two options")
        return self


class Survey(Model):
    """Questions with a line above them."""

    intro: str = ""
    questions: tuple[Question, ...] = Field(min_length=1)
    button: str = "Continue"


Answers = Annotated[dict[str, JsonValue], Field(max_length=100)]


class Answered(Model):
    """An answer for each question by its id: a text, a number, or a list."""

    answers: Answers


class SurveyType(TrialType[Survey, Answered]):
    """A form; what must be answered is marked, and said when it is not."""

    name = "survey"
    stimulus = Survey
    response = Answered

    def page(self, stimulus: Survey, pictures: Pictures) -> dict[str, Any]:
        """Everything."""
        return stimulus.model_dump()

    def check(self, stimulus: Survey, response: Answered) -> None:
        """Every question that is not optional, each by its kind, and no others."""
        known = {q.id: q for q in stimulus.questions}
        for name in response.answers:
            if name not in known:
                raise Refused(f"There is no question {name!r}.")
        for question in stimulus.questions:
            given = response.answers.get(question.id)
            if given in (None, "", []):
                if not question.optional:
                    raise Refused(f"Please answer: {question.text}")
            else:
                _CHECKS[question.kind](question, given)

    def score(self, stimulus: Survey, response: Answered) -> Score:
        """Texts in normal form."""
        return Score({"answers": {k: _normal(v) for k, v in response.answers.items()}})

    def simulate(self, stimulus: Survey, rng: np.random.Generator, profile: Profile) -> Answered:
        """Any allowed answer to each question."""
        return Answered(answers={q.id: _simulated(q, rng) for q in stimulus.questions})

    def acts(self, stimulus: Survey, response: Answered) -> list[Act]:
        """Fill in field by field, then send."""
        made: list[Act] = []
        for question in stimulus.questions:
            given = response.answers.get(question.id)
            if given is not None:
                made += _acts(question, given)
        return [*made, Act("click", "[data-continue]")]


def _choice(question: Question, given: JsonValue) -> None:
    if not isinstance(given, str) or (given not in question.options and not question.other):
        raise Refused(f"Please choose one of the options: {question.text}")
    _text(question, given)


def _several(question: Question, given: JsonValue) -> None:
    if not isinstance(given, list) or len(given) > 100:
        raise Refused(f"Please choose some of the options: {question.text}")
    for one in given:
        _choice(question, one)


def _text(question: Question, given: JsonValue) -> None:
    if not isinstance(given, str) or len(given) > LONGEST:
        raise Refused(f"Please write at most {LONGEST} characters: {question.text}")
    check_plain(given, "The answer")


def _number(question: Question, given: JsonValue) -> None:
    low, high = float(question.low or "-inf"), float(question.high or "inf")
    number = isinstance(given, (int, float)) and not isinstance(given, bool) and abs(given) < 1e15
    if not number or not low <= given <= high:  # type: ignore[operator]
        limits = f" from {question.low} to {question.high}" if question.low else ""
        raise Refused(f"Please give a number{limits}: {question.text}")


def _scale(question: Question, given: JsonValue) -> None:
    if given not in (1, 2, 3, 4, 5) or isinstance(given, bool):
        raise Refused(f"Please choose 1 to 5: {question.text}")


def _languages(question: Question, given: JsonValue) -> None:
    if not isinstance(given, list) or len(given) > 50:
        raise Refused(f"Please list languages: {question.text}")
    for one in given:
        if not isinstance(one, Mapping) or set(one) != {"language", "level"}:
            raise Refused(f"Each language needs a level from 1 to 5: {question.text}")
        _text(question, one["language"])
        _scale(question, one["level"])
        if not normal(str(one["language"])):
            raise Refused(f"Please name each language: {question.text}")


_CHECKS = {
    "choice": _choice,
    "several": _several,
    "text": _text,
    "number": _number,
    "scale": _scale,
    "languages": _languages,
}


def _normal(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return normal(value)
    if isinstance(value, list):
        return [_normal(v) for v in value]
    if isinstance(value, dict):
        return {k: _normal(v) for k, v in value.items()}
    return value


def _simulated(question: Question, rng: np.random.Generator) -> JsonValue:
    if question.kind == "choice":
        return str(rng.choice(question.options))
    if question.kind == "several":
        return [o for o in question.options if rng.random() < 0.5] or [question.options[0]]
    if question.kind == "number":
        low, high = int(question.low or 0), int(question.high or 100)
        return int(rng.integers(low, high + 1))
    if question.kind == "scale":
        return int(rng.integers(1, 6))
    if question.kind == "languages":
        names = question.options or ("English", "Deutsch")
        chosen = names[: int(rng.integers(1, min(len(names), 3) + 1))]
        return [{"language": n, "level": int(rng.integers(1, 6))} for n in chosen]
    return str(rng.choice(["nothing to add", "fine so far", "très bien"]))


def _acts(question: Question, given: JsonValue) -> list[Act]:
    field = f"[data-question='{question.id}']"
    if question.kind in ("choice", "several"):
        values = given if isinstance(given, list) else [given]
        places = [question.options.index(str(v)) for v in values]
        return [Act("click", f"{field} label:nth-of-type({p + 1})") for p in places]
    if question.kind == "scale":
        return [Act("click", f"{field} label:nth-of-type({given})")]
    if question.kind == "languages":
        assert isinstance(given, list)
        made: list[Act] = []
        for number, one in enumerate(given):
            assert isinstance(one, dict)
            row = f"{field} [data-row='{number}']"
            made += [Act("click", f"{field} [data-more]")] if number else []
            made.append(Act("fill", f"{row} input", str(one["language"])))
            made.append(Act("select", f"{row} select", str(one["level"])))
        return made
    return [Act("fill", f"{field} input, {field} textarea", str(given))]


SURVEY = SurveyType()
