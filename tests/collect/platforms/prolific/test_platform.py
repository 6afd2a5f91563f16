"""Who arrives from Prolific, what they take back, and what a study is there."""

from __future__ import annotations

import json

import pytest
from tests.collect.platforms.rig import on_prolific

from deixis.collect.platforms.platform import Leaving
from deixis.collect.platforms.prolific.platform import Prolific
from deixis.collect.study import OUTCOMES
from deixis.collect.trial import Refused

LINK = {"PROLIFIC_PID": "5f1e", "STUDY_ID": "study1", "SESSION_ID": "sub1"}


def platform(**over: object) -> Prolific:
    return Prolific.model_validate({"name": "prolific", "study": "study1"} | over)


def test_the_three_ids_of_a_link() -> None:
    arrival = platform().arrival(LINK | {"more": "kept out"})
    assert (arrival.person, arrival.study, arrival.session) == ("5f1e", "study1", "sub1")
    assert arrival.captured == {}


@pytest.mark.parametrize("name", LINK)
@pytest.mark.parametrize("value", ["", "  ", "{{%PROLIFIC_PID%}}", "a b c d", "x" * 65])
def test_a_link_without_ids_is_refused(name: str, value: str) -> None:
    with pytest.raises(Refused, match="open the study from Prolific"):
        platform().arrival(LINK | {name: value})


def test_links_of_other_studies_are_refused() -> None:
    with pytest.raises(Refused, match="another study"):
        platform().arrival(LINK | {"STUDY_ID": "study2"})
    assert platform(study="").arrival(LINK | {"STUDY_ID": "study2"}).study == "study2"


def leaving(outcome: str, secret: str = "s") -> Leaving:
    return Leaving(outcome, "w", "sub1", {}, secret)


def test_every_outcome_has_a_code_of_its_own() -> None:
    codes = {o: platform().completion(leaving(o)).code for o in OUTCOMES}
    assert len(set(codes.values())) == len(OUTCOMES)
    assert codes != {o: platform().completion(leaving(o, "other")).code for o in OUTCOMES}
    given = platform(codes={"completed": "C0DE"}).completion(leaving("completed"))
    assert given.url == "https://app.prolific.com/submissions/complete?cc=C0DE"


def test_the_study_that_prolific_is_asked_to_make() -> None:
    wanted = {"countries": ["US"], "fluent": ["English"], "approval_rate": 98}
    study = on_prolific("http://x/", eligibility=wanted)
    made = platform(approve="automatic").draft(study, "s", "https://e.org/study/games", 8)
    assert made["reward"] == 150
    assert made["total_available_places"] == 8
    assert made["external_study_url"].startswith(
        "https://e.org/study/games?PROLIFIC_PID={{%PROLIFIC_PID%}}"
    )
    codes = {c["code_type"]: c for c in made["completion_codes"]}
    assert codes["COMPLETED"]["code"] == platform().code("completed", "s")
    assert codes["COMPLETED"]["actions"] == [{"action": "AUTOMATICALLY_APPROVE"}]
    assert codes["NO_CONSENT"]["actions"] == [{"action": "MANUALLY_REVIEW"}]
    assert [f["filter_id"] for f in made["filters"]] == [
        "current-country-of-residence",
        "fluent-languages",
        "approval_rate",
    ]
    assert json.loads(json.dumps(made)) == made
    plain = platform(places=3).draft(on_prolific("http://x/"), "s", "https://e.org", 8)
    assert (plain["filters"], plain["total_available_places"]) == ([], 3)
