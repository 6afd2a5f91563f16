"""Every failure says whether anything was done; questions are asked again, orders never."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.collect.platforms.fake_prolific import FAULTS, PAGE, TOKEN, Fake

from deixis.collect.platforms.prolific.client import ATTEMPTS, Client, Failed, Unknown

WORDS = "x" * 100


def test_lists_are_read_page_after_page(fake: Fake, client: Client) -> None:
    keys = [fake.submit(f"person{i}") for i in range(2 * PAGE + 1)]
    fake.submit("stranger", study="other")
    assert [s["id"] for s in client.submissions("study1")] == keys
    assert len(fake.asked) == 3
    assert client.submission(keys[0])["participant_id"] == "person0"


@pytest.mark.parametrize("fault", FAULTS)
def test_questions_are_asked_again(fake: Fake, client: Client, fault: str) -> None:
    key = fake.submit("person")
    fake.break_next("submissions", fault)
    assert client.submission(key)["id"] == key
    assert len(fake.asked) == 2


def test_questions_are_given_up_in_the_end(fake: Fake, client: Client) -> None:
    fake.break_next("studies", *["500 before"] * ATTEMPTS)
    with pytest.raises(Unknown, match="does not answer"):
        client.study("study1")
    assert len(fake.asked) == ATTEMPTS


ORDERS: dict[str, Callable[[Client, str], object]] = {
    "approve": lambda client, key: client.approve(key),
    "reject": lambda client, key: client.reject(key, WORDS, "NO_DATA"),
    "screen out": lambda client, key: client.screen_out("study1", [key], 20),
    "prepare": lambda client, _: client.prepare_bonuses("study1", [("person", 25)]),
    "pay": lambda client, _: client.pay_bonuses("bulk"),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("order", ORDERS)
def test_orders_are_given_once_whatever_happens(
    fake: Fake, client: Client, order: str, fault: str
) -> None:
    key = fake.submit("person", status="AWAITING REVIEW")
    fake.bulks["bulk"] = [("person", 25)]
    fake.break_next("", fault)
    with pytest.raises(Unknown):
        ORDERS[order](client, key)
    assert len(fake.asked) == 1


def test_amounts_are_written_with_two_decimals(fake: Fake, client: Client) -> None:
    for person in ("a", "b"):
        fake.submit(person)
    bulk = client.prepare_bonuses("study1", [("a", 5), ("b", 1234)])
    assert fake.bulks[bulk] == [("a", 5), ("b", 1234)]
    assert not fake.paid
    client.pay_bonuses(bulk)
    client.pay_bonuses(bulk)  # why nothing of ours ever asks twice
    assert fake.paid == {"a": 10, "b": 2468}


def test_a_refusal_says_why(fake: Fake, client: Client) -> None:
    with pytest.raises(Failed, match=r"404.*no such submission"):
        client.approve("nobody")
    with pytest.raises(Failed, match="took no part"):
        client.prepare_bonuses("study1", [("nobody", 5)])
    other = Client(fake.url, TOKEN[1:], pause=0.001)
    with pytest.raises(Failed, match="token is not known"):
        other.study("study1")
    other.close()


def test_what_could_not_be_sent_was_not_done(client: Client) -> None:
    away = Client("http://127.0.0.1:9/", TOKEN, timeout=1, pause=0.001)
    with pytest.raises(Failed, match="cannot be reached"):
        away.pay_bonuses("bulk")
    with pytest.raises(Unknown):
        away.study("study1")
    away.close()


def test_an_answer_that_comes_too_late_is_none(fake: Fake) -> None:
    fake.submit("person")
    fake.bulks["bulk"] = [("person", 25)]
    fake.break_next("/pay/", "slow")
    hasty = Client(fake.url, TOKEN, timeout=0.5, pause=0.001)
    with pytest.raises(Unknown, match="did not answer"):
        hasty.pay_bonuses("bulk")
    fake.heard.set()
    assert fake.paid == {"person": 25}
    hasty.close()
