"""The chat player against a server with every fault."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.players.chat.conftest import color_of, colored, says, sees
from tests.players.chat.fake import Fake, options

from deixis.audit.audit import Spec, audit
from deixis.dataset import Dataset, Statement
from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.pictures.store import ArrayStore
from deixis.players.chat.options import chat
from deixis.players.chat.player import Chat
from deixis.runs.play import play
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task

Make = Callable[..., Chat]


def test_scores_are_log_probabilities(player: Make, task: Task, fake: Fake) -> None:
    made = player(task)
    replies = made.reply(views(task))
    outcomes = score(task, replies)
    assert outcomes.credit.tolist() == [1] * 9
    assert np.allclose(outcomes.probability, 0.9)
    assert replies.graded
    assert len(fake.questions) == 9
    body = fake.questions[0].body
    assert (body["model"], body["temperature"], body["top_logprobs"]) == ("fake", 0, 20)
    assert fake.questions[0].pictures[0].shape == (128, 128, 3)
    assert made.shared.account.tested.startswith("4 pictures in order, small print")
    assert made.shared.account.models == {"fake-1 f1": 11}


def test_the_same_words_with_and_without_pictures(player: Make, task: Task, fake: Fake) -> None:
    made = player(task)
    bare = task.do("image=drop")
    with_pictures, without = made.reply(views(task)), made.at(bare).reply(views(bare))
    texts = [a.text for a in fake.questions]
    assert sorted(set(texts[:9])) == sorted(set(texts[9:]))
    assert {len(a.pictures) for a in fake.questions[9:]} == {0}
    assert isinstance(fake.questions[-1].body["messages"][0]["content"], str)
    assert score(task, with_pictures).credit.mean() == 1
    assert score(bare, without).credit.mean() < 1


def test_nothing_is_paid_for_twice(player: Make, task: Task, fake: Fake, tmp_path: Path) -> None:
    first = player(task)
    first.keep(tmp_path)
    one = first.reply(views(task))
    first.close()
    again = player(task)
    again.keep(tmp_path)
    asked = len(fake.requests)
    two = again.reply(views(task))
    assert len(fake.requests) == asked
    assert one.scores is not None
    assert two.scores is not None
    assert np.array_equal(one.scores, two.scores)
    assert (one.raw, again.shared.account.known) == (two.raw, 9)
    other = player(task, revision="2")
    other.keep(tmp_path)
    other.reply(views(task))
    assert len(fake.questions) == 18


def test_equal_questions_are_asked_once(player: Make, fake: Fake) -> None:
    blind = colored().do("image=drop,order=written")
    player(blind).reply(views(blind))
    assert len(fake.questions) == 1


def test_a_failure_keeps_what_was_paid(
    player: Make, task: Task, fake: Fake, tmp_path: Path
) -> None:
    fake.failures = [200] * 6 + [401]
    made = player(task, concurrency="1")
    made.keep(tmp_path)
    with pytest.raises(BadInput, match="status 401: fault 401"):
        made.reply(views(task))
    made.close()
    # Two of the six were the self-test's.
    # The next may have been on its way.
    assert len((tmp_path / "replies.cache").read_text().splitlines()) in (4, 5)
    again = player(task)
    again.keep(tmp_path)
    again.reply(views(task))
    assert len(fake.questions) == 9


def test_replies_on_their_way_are_waited_for(player: Make, fake: Fake, tmp_path: Path) -> None:
    task = colored().do("image=drop")
    fake.hold = threading.Event()
    fake.failures = [403]
    made = player(task, concurrency="3")
    made.keep(tmp_path)
    threading.Timer(0.2, fake.hold.set).start()
    with pytest.raises(BadInput, match="status 403"):
        made.reply(views(task))
    kept = (tmp_path / "replies.cache").read_text().splitlines()
    assert len(kept) == len(fake.questions) >= 1


@pytest.mark.parametrize("failures", [[429, 500, 503], [0], [1, 2], [529, 408]])
def test_tries_again(player: Make, task: Task, fake: Fake, failures: list[int]) -> None:
    fake.failures = list(failures)
    outcomes = score(task, player(task, self_test="none").reply(views(task)))
    assert outcomes.credit.mean() == 1
    assert len(fake.questions) == 9


@pytest.mark.parametrize(("status", "said"), [(1, "no chat completion"), (500, "status 500")])
def test_gives_up(player: Make, task: Task, fake: Fake, status: int, said: str) -> None:
    fake.failures = [status] * 99
    with pytest.raises(BadInput, match=f"gave up after 3 tries: .*{said}.*run the same again"):
        player(task, retries="2", self_test="none", concurrency="1").reply(views(task))


def test_no_server(player: Make, task: Task, fake: Fake) -> None:
    fake.url = "http://127.0.0.1:9/v1"
    with pytest.raises(BadInput, match=r"gave up after 2 tries: ConnectionRefusedError"):
        player(task, retries="1").reply(views(task))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("permute", "the server permutes pictures"),
        ("drop", "the server drops pictures"),
        ("shrink", "the server shrinks pictures"),
        ("blind", "drops pictures, or the model sees none"),
    ],
)
def test_a_server_that_alters_pictures_is_found_before_anything_is_paid(
    player: Make, task: Task, fake: Fake, fault: str, said: str
) -> None:
    fake.faults = {fault}
    made = player(task)
    with pytest.raises(BadInput, match=said):
        made.reply(views(task))
    assert not fake.questions
    assert len(made.shared.cache) == 0


def test_the_self_test_can_be_lighter_or_left_out(player: Make, task: Task, fake: Fake) -> None:
    fake.faults = {"shrink"}
    light = player(task, self_test="order")
    light.reply(views(task))
    assert light.shared.account.tested == "4 pictures in order"
    none = player(task, self_test="none", revision="x")
    none.reply(views(task))
    assert none.shared.account.tested == "left out"
    bare = task.do("image=drop")
    texts = player(bare)
    texts.reply(views(bare))
    assert texts.shared.account.tested == "not needed"


def test_choices_where_there_are_no_log_probabilities(player: Make, task: Task, fake: Fake) -> None:
    fake.logprobs = False
    replies = player(task).reply(views(task))
    assert not replies.graded
    assert score(task, replies).credit.mean() == 1
    with pytest.raises(BadInput, match="gives no log-probabilities"):
        player(task, scores="logprobs").reply(views(task))


def test_every_status_has_its_name(player: Make, task: Task, fake: Fake) -> None:
    said = {"red": "Well, that is hard to say", "green": "B", "blue": "B"}
    fake.answer, fake.logprobs = lambda asked: said[color_of(asked.pictures[0])], False
    fake.refuse = lambda asked: color_of(asked.pictures[0]) == "blue"
    replies = player(task).reply(views(task))
    assert score(task, replies).statuses == {"ok": 3, "unreadable": 3, "refused": 3}
    fake.finish, fake.refuse = "length", lambda asked: False
    cut = score(task, player(task, revision="2", self_test="none").reply(views(task)))
    assert cut.statuses == {"length": 9}
    fake.failures = [400] * 9
    filtered = player(task, revision="3", self_test="none").reply(views(task))
    assert score(task, filtered).statuses == {"refused": 9}


def test_a_reply_cut_off_with_log_probabilities_counts(
    player: Make, task: Task, fake: Fake
) -> None:
    fake.finish = "length"
    assert score(task, player(task, max_tokens="1").reply(views(task))).statuses == {"ok": 9}


def test_cyclic_orders_undo_a_love_of_the_first(player: Make, task: Task, fake: Fake) -> None:
    fake.answer, fake.logprobs = lambda asked: "A", False
    made = player(task, orders="cyclic", self_test="none")
    outcomes = score(task, made.reply(views(task)))
    assert outcomes.ties.tolist() == [3] * 9
    assert outcomes.credit.mean() == pytest.approx(1 / 3)
    assert made.shared.account.positions == {3: [27, 0, 0]}
    fake.answer = sees
    honest = player(task, orders="cyclic", self_test="none", revision="2")
    assert score(task, honest.reply(views(task))).credit.mean() == 1
    assert honest.shared.account.positions == {3: [9, 9, 9]}


def test_samples_are_votes(player: Make, task: Task, fake: Fake) -> None:
    fake.logprobs = False
    fake.answer = lambda asked: "A" if asked.body["seed"] == 1 else says(asked)
    replies = player(task, samples="4", self_test="none").reply(views(task))
    assert replies.scores is not None
    assert set(np.unique(replies.scores)) == {0, 0.25, 0.75, 1}
    assert score(task, replies).credit.mean() == 1
    assert {a.body["temperature"] for a in fake.questions} == {1}


def test_prices_and_budget(player: Make, task: Task) -> None:
    made = player(task, price_in="10", price_out="100", budget="0.008", concurrency="1")
    with pytest.raises(BadInput, match=r"budget of 0.008 is spent after 7 requests"):
        made.reply(views(task))
    assert made.shared.account.cost == pytest.approx(7 * (100 * 10 + 2 * 100) / 1e6)
    assert "cost 0.0084" in str(made.shared.account)


def test_the_key_goes_as_bearer_and_nowhere_else(
    player: Make, task: Task, fake: Fake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MY_KEY", "secret-1")
    made = player(task, key_env="MY_KEY", system="Be brief.", body='{"max_tokens": null, "n": 1}')
    made.keep(tmp_path)
    made.reply(views(task))
    made.close()
    assert {h["authorization"] for h in fake.headers} == {"Bearer secret-1"}
    assert "secret" not in (tmp_path / "replies.cache").read_text()
    body = fake.questions[0].body
    assert "max_tokens" not in body
    assert (body["n"], body["messages"][0]) == (1, {"role": "system", "content": "Be brief."})


def pairs(n: int = 4) -> Task:
    """Statements about two pictures."""
    sides = [(s, i) for i in range(n) for s in (0, 1)]
    arrays = {f"{s}{i}": np.full((9, 9, 3), 40 * i + 9 * s, np.uint8) for s, i in sides}
    shown = [(f"0{i}", f"1{i}") for i in range(n)]
    records = {
        f"s{i}": Statement(f"s{i}", f"number {i}", True, (shown[i],), "all", f"{i}", f"{i}")
        for i in range(n)
    }
    return make(Dataset("pairs", "statement", {}, records, ArrayStore(arrays)))


def test_statements_see_left_and_right(player: Make, fake: Fake) -> None:
    task = pairs()
    fake.logprobs = False
    fake.answer = lambda asked: next(n for n, t in options(asked).items() if t == "true")
    outcomes = score(task, player(task).reply(views(task)))
    assert outcomes.choice.tolist() == [0] * 4
    assert [len(a.pictures) for a in fake.questions] == [2] * 4
    assert "left:" in fake.questions[0].text
    player(task, layout="sheet").reply(views(task))
    assert [len(a.pictures) for a in fake.questions[4:]] == [1] * 4


def test_reference_games_on_sheets_and_apart(player: Make, games: Task, fake: Fake) -> None:
    task = games.limit(3)
    fake.answer = lambda asked: {n: (i + 1) / 55 for i, n in enumerate("ABCDEFGHIJ")}
    apart = player(task).reply(views(task))
    assert apart.scores is not None
    assert np.allclose(np.exp(apart.scores[0]), np.arange(1, 11) / 55)
    assert {len(a.pictures) for a in fake.questions} == {10}
    before = len(fake.questions)
    player(task, layout="sheet").reply(views(task))
    assert {len(a.pictures) for a in fake.questions[before:]} == {1}


def test_guessing_games_after_every_round(player: Make, fake: Fake) -> None:
    task = make(load("rooms"), pool="hard:4").limit(3)
    fake.answer = lambda asked: {n: 0.25 + 0.01 * i for i, n in enumerate("ABCD")}
    fake.refuse = lambda asked: "Question:" not in asked.text
    outcomes = score(task, player(task).reply(views(task)))
    rounds = 1 + max(len(t.dialog.turns) for t in task.trials)
    assert len(outcomes) == 3 * rounds
    assert outcomes.statuses == {"ok": 3 * (rounds - 1), "refused": 3}
    assert outcomes.at(rounds - 1).rank.tolist() == [4 - t.answer for t in task.trials]
    whole = make(load("rooms"))
    with pytest.raises(BadInput, match=r"at most 64 options.*--pool hard:10"):
        player(whole).reply(views(whole.limit(1)))


def test_an_audit_finds_what_the_model_looks_at(player: Make) -> None:
    task = colored(36)
    spec = Spec(do=("image=drop", "image=grey", "prompt=drop"))
    found = audit(task, partial(play, task, player(task)), spec)
    values = {c.of: c.value for c in found.of("gap")}
    assert values["image=drop"] > 0.5
    assert values["prompt=drop"] == 0


def test_from_the_command_line(deixis: Callable[..., Any], fake: Fake, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("q,a\nis it raining?,true\nis it dry?,false\n")
    (tmp_path / "t.toml").write_text(
        'kind = "true-false"\nrows = "t.csv"\n[columns]\ntext = "q"\nanswer = "a"\n'
    )
    fake.logprobs = False
    arguments = ("play", tmp_path / "t.toml", "--player", f"chat:fake@{fake.url}", "--json")
    ended = deixis(*arguments, "--out", tmp_path / "run", "--orders", "cyclic")
    assert ended.status == 0
    assert "chat:fake: 4 requests and 0 known from before" in ended.err
    account = json.loads((tmp_path / "run/account.json").read_text())
    assert account["positions"] == {"2": [4, 0]}
    again = deixis(*arguments, "--orders", "cyclic")
    assert again.json["accuracy"] == ended.json["accuracy"] == 0.5


MISTAKES = [
    ({"layout": "grid"}, "--layout: expected separate or sheet, got 'grid'"),
    ({"samples": "0"}, "--samples: expected a whole number of 1 or more"),
    ({"temperature": "hot"}, "--temperature: expected a number"),
    ({"body": "{"}, "--body: no JSON"),
    ({"body": "[]"}, "--body: expected an object"),
    ({"budget": "1"}, "--budget: needs --price-in"),
    ({"self_test": "no"}, "--self-test: expected full or order or none"),
]


@pytest.mark.parametrize(("given", "said"), MISTAKES)
def test_mistakes(player: Make, task: Task, given: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput) as refused:
        player(task, **given)
    assert said in str(refused.value)


def test_a_server_has_to_be_named(task: Task) -> None:
    with pytest.raises(BadInput, match="expected chat:MODEL with --base-url"):
        chat("m", task)
    with pytest.raises(BadInput, match="expected chat:MODEL"):
        chat("@http://x/v1", task)


def test_no_option_of_two_types(player: Make, task: Task) -> None:
    view = views(task)[0]
    mixed = view.__class__(view.id, "?", (), ("a", view.images[0]))
    with pytest.raises(BadInput, match="some options are texts and some are pictures"):
        player(task).reply([mixed])


def test_several_pictures_on_a_sheet(player: Make, task: Task, fake: Fake) -> None:
    view = views(task)[0]
    several = view.__class__(view.id, "?", (*view.images, *views(task)[1].images), ("a", "b"))
    player(task, layout="sheet").reply([several])
    assert [len(a.pictures) for a in fake.questions] == [1]
