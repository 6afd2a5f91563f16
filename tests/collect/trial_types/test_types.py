"""Every trial type: what the browser gets, what is refused, what answers are worth."""

from __future__ import annotations

import json
from typing import Any

import pytest

from deixis import registry
from deixis.collect.plan import Plan, Step
from deixis.collect.study import built_in, load_study
from deixis.collect.trial import Profile, Refused, TrialType
from deixis.collect.trial_types.choose_target import CHOOSE_TARGET, Choice, Game, Text
from deixis.collect.trial_types.consent import CONSENT, Consent, Decision
from deixis.collect.trial_types.describe_whole import DESCRIBE_WHOLE, Whole, Words
from deixis.collect.trial_types.quiz import QUIZ, Chosen, Quiz
from deixis.collect.trial_types.survey import SURVEY, Answered, Survey
from deixis.seeds import draw


def test_every_type_has_its_module_beside_it() -> None:
    for name in registry.names("collect.trial_types"):
        kind: TrialType[Any, Any] = registry.find("collect.trial_types", name)
        assert kind.name == name
        assert "export function mount" in kind.module.read_text("utf-8")


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    return [Plan(load_study(name)) for name in built_in()]


def test_what_is_simulated_stands(plans: list[Plan]) -> None:
    for plan in plans:
        for phase in plan.study.phases:
            assert plan.pool is not None
            unit = plan.pool.units[0]
            for name, key in plan.keys(phase, unit.key, "s")[:6]:
                stimulus = plan.stimulus(Step(phase.name, name, key, unit.arm, "s"), {})
                kind = plan.types[name]
                for seed in range(20):
                    profile = Profile(skill=seed / 20)
                    response = kind.simulate(stimulus, draw(seed, name), profile)
                    again = kind.response.model_validate(response.model_dump(mode="json"))
                    kind.check(stimulus, again)
                    json.dumps(dict(kind.score(stimulus, again).detail))
                    assert kind.acts(stimulus, again)


GAME = Game(
    texts=(Text(whole="swan"),),
    drawings=({"pieces": []},) * 3,
    tokens=("aaa", "bbb", "ccc"),
    order=(2, 0, 1),
    answer=0,
)


def test_a_game_tells_nothing_of_its_answer() -> None:
    page = CHOOSE_TARGET.page(GAME, lambda *_: {})
    assert set(page) == {"texts", "drawings", "tokens"}
    changed = GAME.model_copy(update={"answer": 1, "order": (0, 1, 2), "catch": True})
    assert CHOOSE_TARGET.page(changed, lambda *_: {}) == page


def test_choices() -> None:
    right, wrong = (Choice(token=t, ms=5000) for t in ("bbb", "aaa"))
    assert CHOOSE_TARGET.score(GAME, right).right is True
    scored = CHOOSE_TARGET.score(GAME, wrong)
    assert (scored.right, scored.detail["choice"], scored.detail["seconds"]) == (False, 2, 5)
    assert CHOOSE_TARGET.feedback(GAME, wrong) == {"right": False, "target": "bbb"}
    assert CHOOSE_TARGET.score(GAME, Choice(token="bbb", ms=2000)).flags == ("quicker than 2 s",)
    catch = GAME.model_copy(update={"catch": True})
    assert CHOOSE_TARGET.score(catch, wrong).flags == ("failed the catch trial",)
    with pytest.raises(Refused, match="none of the candidates"):
        CHOOSE_TARGET.check(GAME, Choice(token="ddd", ms=1))


def test_a_no_ends_the_session() -> None:
    consent = Consent(text="?")
    assert CONSENT.score(consent, Decision(agrees=False)).end == "no_consent"
    assert CONSENT.score(consent, Decision(agrees=True)).end is None


def test_descriptions_are_kept_as_typed_and_in_normal_form() -> None:
    whole = Whole(drawing={})
    DESCRIBE_WHOLE.check(whole, Words(text=" le\u0301zard "))
    assert DESCRIBE_WHOLE.score(whole, Words(text=" Le\u0301zard ")).detail == {
        "text": "L\u00e9zard"
    }
    with pytest.raises(Refused):
        DESCRIBE_WHOLE.check(whole, Words(text=" - "))


QUESTIONS = Quiz.model_validate(
    {
        "needed": 0.5,
        "questions": [
            {"id": "a", "text": "A?", "options": ["x", "y"], "answer": 1, "why": "because"},
            {"id": "b", "text": "B?", "options": ["x", "y", "z"], "answer": 2, "why": "so"},
        ],
    }
)


def test_a_quiz_never_shows_what_is_right() -> None:
    page = QUIZ.page(QUESTIONS, lambda *_: {})
    assert {key for q in page["questions"] for key in q} == {"id", "text", "options", "pictures"}
    assert "because" not in json.dumps(page)


def test_a_quiz_is_passed_by_the_share_that_is_needed() -> None:
    half = QUIZ.score(QUESTIONS, Chosen(answers={"a": 1, "b": 0}))
    assert (half.value, half.right, half.end) == (0.5, True, None)
    none = QUIZ.score(QUESTIONS, Chosen(answers={"a": 0, "b": 0}))
    assert (none.value, none.end, none.attempts) == (0, "failed_quiz", 2)
    told = QUIZ.feedback(QUESTIONS, Chosen(answers={"a": 0, "b": 2}))
    assert told == {"wrong": [{"text": "A?", "why": "because"}]}


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"a": 1}, "Please answer: B"),
        ({"a": 5, "b": 0}, "no option 5"),
        ({"a": 1, "b": 1, "c": 1}, "not asked"),
    ],
)
def test_quiz_answers_that_cannot_stand(answers: dict[str, int], said: str) -> None:
    with pytest.raises(Refused, match=said):
        QUIZ.check(QUESTIONS, Chosen(answers=answers))


AB = ["a", "b"]
FORM = Survey.model_validate(
    {
        "questions": [
            {"id": "one", "kind": "choice", "text": "One?", "options": ["a", "b"]},
            {"id": "free", "kind": "choice", "text": "Or?", "options": ["a", "b"], "other": True},
            {
                "id": "many",
                "kind": "several",
                "text": "Many?",
                "options": ["a", "b"],
                "optional": True,
            },
            {"id": "age", "kind": "number", "text": "Age?", "low": "18", "high": "99"},
            {"id": "how", "kind": "scale", "text": "How?"},
            {"id": "tongues", "kind": "languages", "text": "Tongues?"},
            {"id": "words", "kind": "text", "text": "Words?", "optional": True},
        ]
    }
)
GOOD = {
    "one": "a",
    "free": "neither",
    "age": 30,
    "how": 5,
    "tongues": [{"language": "Русский", "level": 3}],
}


def test_a_survey_that_is_filled_in() -> None:
    SURVEY.check(FORM, Answered(answers=GOOD))
    scored = SURVEY.score(FORM, Answered(answers=GOOD | {"words": " e\u0301 "}))
    assert scored.detail["answers"]["words"] == "é"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"one": None}, "Please answer: One"),
        ({"one": "c"}, "one of the options: One"),
        ({"one": 3}, "one of the options"),
        ({"many": "a"}, "some of the options"),
        ({"many": ["a", "c"]}, "one of the options: Many"),
        ({"age": 17}, "from 18 to 99"),
        ({"age": "30"}, "a number"),
        ({"age": True}, "a number"),
        ({"age": float("nan")}, "a number"),
        ({"age": 10**400}, "a number"),
        ({"how": 6}, "1 to 5"),
        ({"how": True}, "1 to 5"),
        ({"tongues": "x"}, "list languages"),
        ({"tongues": [{"language": "x"}]}, "level from 1 to 5"),
        ({"tongues": [{"language": "x", "level": None}]}, "1 to 5"),
        ({"tongues": [{"language": " ", "level": 1}]}, "name each language"),
        ({"words": "x" * 5001}, "at most 5000"),
        ({"words": "\x00"}, r"U\+0000"),
        ({"height": 3}, "no question 'height'"),
    ],
)
def test_surveys_that_cannot_stand(change: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused, match=said):
        SURVEY.check(FORM, Answered(answers=GOOD | change))
