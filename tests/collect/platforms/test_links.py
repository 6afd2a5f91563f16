"""Links of panels, of SONA, and of nobody: who arrives, and what people take back."""

from __future__ import annotations

import pytest
from tests.collect.small import games

from deixis.collect.platforms.generic import Generic, Local, signed_code
from deixis.collect.platforms.platform import LENGTH, Leaving
from deixis.collect.platforms.sona import Sona
from deixis.collect.running import make_platform
from deixis.collect.study import OUTCOMES
from deixis.collect.trial import Refused
from deixis.errors import BadInput


def leaving(outcome: str = "completed", session: str = "s 1") -> Leaving:
    return Leaving(outcome, "worker", session, {}, "secret")


def panel(**over: object) -> Generic:
    return Generic.model_validate({"name": "generic"} | over)


def test_nobody_says_who_it_is() -> None:
    assert Local().arrival({"id": "x"}).person == ""
    assert Local().completion(leaving()).code == ""


def test_a_panel_s_parameters() -> None:
    made = panel(person="pid", session="sid", keep=("wave", "absent"))
    arrival = made.arrival({"pid": " 7 ", "sid": "v2", "wave": "3" * 999, "other": "x"})
    assert (arrival.person, arrival.session) == ("7", "v2")
    assert arrival.captured == {"wave": "3" * LENGTH}
    with pytest.raises(Refused, match="participant number"):
        made.arrival({"sid": "v2"})
    assert panel(required=False).arrival({}).person == ""


def test_a_panel_s_codes_say_the_outcome_and_cannot_be_forged() -> None:
    codes = {o: panel().completion(leaving(o)).code for o in OUTCOMES}
    assert len({code[:4] for code in codes.values()}) == len(OUTCOMES)
    assert len({code[5:] for code in codes.values()}) == len(OUTCOMES)
    assert signed_code(leaving(session="other")) != codes["completed"]
    assert panel(codes={"completed": "OK"}).completion(leaving()).code == "OK"


def test_the_way_back_to_a_panel() -> None:
    made = panel(redirect="https://panel.example/end?c={code}&s={session}&o={outcome}")
    url = made.completion(leaving(session="a&b=c/..")).url
    assert url.startswith("https://panel.example/end?c=DONE-")
    assert url.endswith("&s=a%26b%3Dc%2F..&o=completed")
    with pytest.raises(BadInput, match=r"platform\.redirect"):
        make_platform(games(platform={"name": "generic", "redirect": "javascript:alert(1)"}))


def test_credit_at_sona() -> None:
    given = {"name": "sona", "site": "https://x.sona-systems.com", "experiment": "12"}
    made = Sona.model_validate(given | {"credit_token": "abc"})
    arrival = made.arrival({"id": "4711"})
    assert (arrival.person, arrival.study, arrival.session) == ("4711", "12", "4711")
    done = made.completion(leaving(session="4711")).url
    assert done == (
        "https://x.sona-systems.com/webstudy_credit.aspx?"
        "experiment_id=12&credit_token=abc&survey_code=4711"
    )
    gone = made.completion(leaving("withdrawn", "4711"))
    assert "credit" not in gone.url + gone.label
    with pytest.raises(Refused, match="survey code"):
        made.arrival({"id": " "})
