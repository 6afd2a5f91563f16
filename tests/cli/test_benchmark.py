"""An audit of somebody's own benchmark as it is typed: every intervention, with a known truth.

The player looks at the color in the middle of a picture: gone, grey, noisy or lent pictures, and
options in other places, do to it what can be reckoned beforehand.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.conftest import Ended

Run = Callable[..., Ended]
COLORS = {"red": (220, 20, 20), "green": (20, 160, 40), "blue": (20, 40, 220)}
N = 90

TOML = """
kind = "multiple-choice"
rows = "rows.csv"
pictures = "pictures"
[columns]
id = "id"
text = "question"
pictures = "picture"
options = ["A", "B", "C"]
answer = "answer"
cluster = "picture"
[paraphrases]
polite = "asked.csv"
"""

PLAYER = '''
import numpy as np
from deixis.sources import load

COLORS = {"red": (220, 20, 20), "green": (20, 160, 40), "blue": (20, 40, 220)}
STORE = load("mine.toml").store


def color(view):
    if not view.images:
        return None
    pixels = STORE.pixels(view.images[0], 16)
    if pixels.std(axis=(0, 1)).max() > 20 or pixels.reshape(-1, 3).std(axis=1).max() < 9:
        return None  # noise, or nothing but grey
    middle = pixels[8, 8].astype(int)
    return min(COLORS, key=lambda name: np.abs(middle - COLORS[name]).sum())


def looks(view):
    """Chooses the color that it sees, where the question asks for one; else the first option."""
    seen = color(view)
    if "color" not in view.prompt.lower() or seen not in view.options:
        return 0
    return view.options.index(seen)


def first(view):
    return 0


def reads(view):
    """Knows the answer to one question in three from its words."""
    number = int("".join(c for c in view.prompt if c.isdecimal()) or 1)
    right = list(COLORS)[number // 10 % 3]
    return [float(number % 3 == 0 and option == right) for option in view.options]
'''


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ninety questions about plain pictures, in the folder one works in."""
    (tmp_path / "pictures").mkdir()
    rows, reworded = ["id,question,A,B,C,answer,picture"], ["id,text"]
    for i in range(N):
        name = list(COLORS)[i // 10 % 3]
        pixels = np.full((20, 20, 3), COLORS[name], np.uint8)
        pixels[0, 0] = i
        Image.fromarray(pixels).save(tmp_path / f"pictures/{i}.png")
        rows.append(f"q{i},What color has no. {i}?,red,green,blue,{name},{i}.png")
        reworded.append(f"q{i},Tell me the color of no. {i} please.")
    (tmp_path / "rows.csv").write_text("\n".join(rows), "utf-8")
    (tmp_path / "asked.csv").write_text("\n".join(reworded), "utf-8")
    (tmp_path / "mine.toml").write_text(TOML, "utf-8")
    (tmp_path / "mine_players.py").write_text(PLAYER, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "mine_players", raising=False)
    return tmp_path / "mine.toml"


def accuracies(said: dict[str, Any]) -> dict[str, float]:
    return {c["do"]: c["measures"]["accuracy"] for c in said["conditions"]}


def test_every_intervention(bench: Path, deixis: Run) -> None:
    chance = (
        "image=drop", "image=grey", "image=noise", "image=blank", "image=mean",
        "prompt=drop", "prompt=drop,image=drop",
    )  # fmt: skip
    whole = (
        "image=shuffle:same-answer", "order=reverse", "order=rotate:1", "order=written",
        "prompt=from:polite",
    )  # fmt: skip
    gone = ("image=shuffle:other-answer",)
    asked = [a for one in (*chance, *whole, *gone) for a in ("--do", one)]
    ended = deixis("audit", "mine.toml", "--player", "call:mine_players:looks", *asked, "--json")
    assert ended.status == 0, ended.err
    said = ended.json
    found = accuracies(said)
    assert found[""] == 1
    # A plain picture is its own mean: nothing is taken from it.
    assert found["image=mean"] == 1
    for condition in set(chance) - {"image=mean"}:
        assert found[condition] == pytest.approx(1 / 3, abs=0.12), condition
    assert {c: found[c] for c in whole} == dict.fromkeys(whole, 1.0)
    assert {c: found[c] for c in gone} == dict.fromkeys(gone, 0.0)
    verdicts = {c["of"]: c["verdict"] for c in said["contrasts"] if c["kind"] == "gap"}
    assert {verdicts[c] for c in (*set(chance) - {"image=mean"}, *gone)} == {"used"}
    assert {verdicts[c] for c in whole} == {"not used"}
    doses = {c["do"]: c["dose"] for c in said["conditions"]}
    assert doses["prompt=from:polite"]["trials"] == 1


@pytest.mark.parametrize(
    ("text", "kept"), [("options", "options only"), ("question", "question only")]
)
def test_options_only_and_question_only_as_the_base(
    bench: Path, deixis: Run, text: str, kept: str
) -> None:
    command = ("play", "mine.toml", "--player", "call:mine_players:looks", "--text", text)
    said = deixis(*command, "--json").json
    assert said["accuracy"] == pytest.approx(1 / 3, abs=0.12), kept
    assert "image=drop" in said["condition"]


def test_a_love_of_the_first_place_shows(bench: Path, deixis: Run) -> None:
    """The right option stands first for a third of the items, whatever is done to the order."""
    asked = ("--do", "order=written", "--do", "order=reverse")
    said = deixis("audit", "mine.toml", "--player", "call:mine_players:first", *asked, "--json")
    changed = {c["of"]: c["changed"] for c in said.json["contrasts"] if c["kind"] == "gap"}
    assert changed["order=reverse"] > 0.5
    assert accuracies(said.json)["order=written"] == pytest.approx(1 / 3)


def test_gain_and_leakage_against_a_text_only_model(bench: Path, deixis: Run) -> None:
    """Gain: what pictures add to the model. Leakage: what it knows beyond one of texts alone."""
    base = ("audit", "mine.toml", "--do", "image=drop", "--json")
    said = deixis(
        *base, "--player", "call:mine_players:looks", "--text-only", "call:mine_players:reads"
    ).json
    found = {c["kind"]: c["value"] for c in said["contrasts"]}
    without, known = accuracies(said)["image=drop"], 1 / 3 + 2 / 3 * 1 / 3
    assert found["gain"] == pytest.approx(1 - without)
    assert found["leakage"] == pytest.approx(without - known)
    turned = deixis(
        *base, "--player", "call:mine_players:reads", "--text-only", "call:mine_players:first"
    ).json
    found = {c["kind"]: c["value"] for c in turned["contrasts"]}
    assert found["gain"] == 0
    assert found["leakage"] > 0.1
