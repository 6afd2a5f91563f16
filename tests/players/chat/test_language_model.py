"""End to end: a real small language model, served locally, audited from the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import pytest
from tests.conftest import Ended
from tests.players.chat.language_model import LanguageModel, served

from deixis.players.chat.wording import word
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import see

Run = Callable[..., Ended]
FACTS = {"the sky": "blue", "the grass": "green", "the rose": "red", "a cherry": "red",
         "the sea": "blue", "a frog": "green"}  # fmt: skip
COLORS = ("red", "green", "blue")
TOML = """
kind = "multiple-choice"
rows = "rows.csv"
[columns]
id = "id"
text = "question"
options = ["A", "B", "C"]
answer = "answer"
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty questions, each thing asked about five times."""
    folder = tmp_path_factory.mktemp("facts")
    rows = ["id,question,A,B,C,answer"]
    for i in range(30):
        thing, color = list(FACTS.items())[i % 6]
        options = COLORS[i % 3 :] + COLORS[: i % 3]
        letter = "ABC"[options.index(color)]
        rows.append(f"q{i},What color is {thing} ?,{','.join(options)},{letter}")
    (folder / "rows.csv").write_text("\n".join(rows), "utf-8")
    (folder / "facts.toml").write_text(TOML, "utf-8")
    return folder / "facts.toml"


@pytest.fixture(scope="module")
def url(source: Path) -> Iterator[str]:
    """The model that has learnt those facts, in every order of the options."""
    task = make(load(str(source)), "facts")
    seen = {see(task, t).prompt: see(task, t) for t in task.trials}
    pairs = []
    for view in seen.values():
        right = FACTS[view.prompt.removeprefix("What color is ").removesuffix(" ?")]
        for order in permutations(range(3)):
            ask = word(view, order, "separate")
            pairs.append(("\n".join(map(str, ask.parts)), ask.labels[ask.texts.index(right)]))
    model = LanguageModel([q for q, _ in pairs])
    assert model.learn(pairs, 100) < 0.05
    with served(model) as address:
        yield address


def test_an_audit_of_a_language_model(deixis: Run, source: Path, url: str, tmp_path: Path) -> None:
    command = ("audit", source, "--player", "chat:tiny", "--base-url", url, "--out", tmp_path / "r")
    asked = ("--do", "prompt=drop", "--do", "order=reverse", "--orders", "cyclic", "--json")
    ended = deixis(*command, *asked)
    said = ended.json
    assert said["all"] == 1
    gaps = {c["of"]: c for c in said["contrasts"] if c["kind"] == "gap"}
    assert gaps["prompt=drop"]["value"] > 0.3
    assert gaps["prompt=drop"]["verdict"] == "used"
    assert gaps["order=reverse"]["value"] == 0
    assert (said["n"], said["statuses"]) == (30, {"ok": 30})
    account = json.loads((tmp_path / "r/account.json").read_text())
    assert account["tokens_out"] == account["asked"]  # one letter each
    # A question is asked once, however many items ask it: of six things in six orders, in six
    # orders without the thing, and once with nothing at all.
    assert (account["asked"], account["models"]) == (43, {"tiny": 43})
    again = deixis(*command, *asked)
    assert again.json == said
    assert "0 requests and" in again.err


def test_the_positions_are_printed(deixis: Run, source: Path, url: str) -> None:
    command = ("play", source, "--player", f"chat:tiny@{url}", "--orders", "cyclic", "--json")
    ended = deixis(*command)
    table = ended.err.splitlines()[1:]
    assert table[0].split() == ["chosen", "of", "1", "2", "3", "evenly"]
    assert table[1].split() == ["3", "33%", "33%", "33%", "33%"]
    bare = deixis(*command, "--do", "prompt=drop")
    row = bare.err.splitlines()[2]
    shares = [int(v) for v in re.findall(r"(\d+)%", row)]
    assert shares[:3] != [33, 33, 33]  # without the question it is not the color that decides


def test_what_is_kept_of_each_reply(deixis: Run, source: Path, url: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    deixis("play", source, "--player", f"chat:tiny@{url}", "--out", out, "--json")
    replies = [json.loads(line) for line in (out / "replies.cache").read_text().splitlines()]
    assert len(replies) == len({r["key"] for r in replies})
    for row in replies:
        top = dict(row["reply"]["top"])
        assert row["reply"]["text"] in "ABC"
        assert max(top, key=lambda t: top[t]) == row["reply"]["text"]
        assert len(top) == 20
        assert row["reply"]["finish"] == "stop"


def test_a_reply_that_is_cut_off(deixis: Run, source: Path, url: str) -> None:
    """Without log-probabilities a reply that did not end is no choice, and has its own name."""
    command = ("play", source, "--player", f"chat:tiny@{url}", "--scores", "choice", "--json")
    assert deixis(*command).json["statuses"] == {"ok": 30}
    cut = deixis(*command, "--max-tokens", "1").json
    assert cut["statuses"] == {"length": 30}
    assert cut["accuracy"] == pytest.approx(1 / 3)
