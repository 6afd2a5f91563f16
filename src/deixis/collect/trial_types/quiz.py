"""A short test before the work; the right answers stay on the server."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field, model_validator

from deixis.collect.study import Model, Slug
from deixis.collect.trial import Act, Pictures, Profile, Refused, Score, TrialType
from deixis.collect.trial_types.shown import Shown


class Item(Model):
    """One question with its right option, and why it is right."""

    id: Slug
    text: str = Field(min_length=1)
    options: tuple[str, ...] = Field(min_length=2)
    answer: int = Field(ge=0)
    why: str = ""
    pictures: tuple[Shown, ...] = ()

    @model_validator(mode="after")
    def _answer(self) -> Item:
        if self.answer >= len(self.options):
            raise ValueError(f"question {self.id}: there is no option {self.answer}")
        return self


class Quiz(Model):
    """Questions, the share that must be right, and how often one may try."""

    intro: str = ""
    questions: tuple[Item, ...] = Field(min_length=1)
    needed: float = Field(default=1.0, gt=0, le=1)
    attempts: int = Field(default=2, ge=1)
    button: str = "Check my answers"


class Chosen(Model):
    """The chosen option of each question, by its id."""

    answers: dict[str, int] = Field(max_length=100)


class QuizType(TrialType[Quiz, Chosen]):
    """Passed, or tried again, or ended with an outcome of its own."""

    name = "quiz"
    stimulus = Quiz
    response = Chosen

    def page(self, stimulus: Quiz, pictures: Pictures) -> dict[str, Any]:
        """Questions without what is right."""
        questions = [
            {
                "id": q.id,
                "text": q.text,
                "options": list(q.options),
                "pictures": [p.page(pictures) for p in q.pictures],
            }
            for q in stimulus.questions
        ]
        return {"intro": stimulus.intro, "questions": questions, "button": stimulus.button}

    def check(self, stimulus: Quiz, response: Chosen) -> None:
        """One option for each question."""
        for question in stimulus.questions:
            choice = response.answers.get(question.id)
            if choice is None:
                raise Refused(f"Please answer: {question.text}")
            if not 0 <= choice < len(question.options):
                raise Refused(f"There is no option {choice}: {question.text}")
        if len(response.answers) > len(stimulus.questions):
            raise Refused("There is an answer to a question that was not asked.")

    def score(self, stimulus: Quiz, response: Chosen) -> Score:
        """The share of right answers; below what is needed, the end or another try."""
        right = [q.id for q in stimulus.questions if response.answers[q.id] == q.answer]
        share = len(right) / len(stimulus.questions)
        passed = share >= stimulus.needed
        return Score(
            {"right": right, "answers": dict(response.answers)},
            right=passed,
            value=share,
            end=None if passed else "failed_quiz",
            attempts=stimulus.attempts,
        )

    def feedback(self, stimulus: Quiz, response: Chosen) -> dict[str, Any]:
        """Why the right answers are right, of questions answered wrongly."""
        wrong = [q for q in stimulus.questions if response.answers[q.id] != q.answer]
        return {"wrong": [{"text": q.text, "why": q.why} for q in wrong]}

    def simulate(self, stimulus: Quiz, rng: np.random.Generator, profile: Profile) -> Chosen:
        """Right as often as the profile is skilled, else any option."""
        answers = {
            q.id: q.answer if rng.random() < profile.skill else int(rng.integers(len(q.options)))
            for q in stimulus.questions
        }
        return Chosen(answers=answers)

    def acts(self, stimulus: Quiz, response: Chosen) -> list[Act]:
        """Choose an option for each question, then send."""
        made = [
            Act("click", f"[data-question='{name}'] label:nth-of-type({choice + 1})")
            for name, choice in response.answers.items()
        ]
        return [*made, Act("click", "[data-continue]")]


QUIZ = QuizType()
