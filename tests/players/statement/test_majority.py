"""The majority label, and the official numbers."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from deixis.cli import main
from deixis.errors import BadInput
from deixis.players.common.saved import saved
from deixis.players.statement.majority import Majority
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views

GOLDEN = {
    "nlvr2:dev": (0.5085935, 0.0386521),
    "nlvr2:test1": (0.5106933, 0.0421053),
    "nlvr:dev": (0.5530839, 0.0636704),
    "nlvr:test": (0.5616162, 0.1090226),
}
HASHED = {
    "nlvr2:dev": (0.5038671, 0.1085233),
    "nlvr2:test1": (0.4865796, 0.0952381),
    "nlvr:dev": (0.5247725, 0.1273408),
    "nlvr:test": (0.5111111, 0.0864662),
}
"""The predictor that says true iff the first byte of SHA-256(identifier) is odd."""


def play(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["play", *arguments, "--json"]) == 0
    said: dict[str, object] = json.loads(capsys.readouterr().out)
    return said


@pytest.mark.parametrize("source", GOLDEN)
def test_majority_is_what_the_official_scripts_say(
    source: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = play(capsys, source, "--data", str(data), "--player", "majority")
    assert (said["accuracy"], said["consistency"]) == pytest.approx(GOLDEN[source], abs=5e-8)
    assert said == said | {"task": "statement", "player": "majority"}


@pytest.mark.parametrize("source", HASHED)
def test_official_predictions(
    source: str, data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "predictions.csv"
    ids = load(source, data).records
    odd = {i: hashlib.sha256(i.encode()).digest()[0] % 2 == 1 for i in ids}
    path.write_text("".join(f"{i},{odd[i]}\n" for i in ids))
    said = play(capsys, source, "--data", str(data), "--player", f"replay:{path}")
    assert (said["accuracy"], said["consistency"]) == pytest.approx(HASHED[source], abs=5e-8)
    if source == "nlvr2:dev":
        subsets: dict[str, dict[str, float]] = said["subsets"]  # type: ignore[assignment]
        percents = {n: 100 * s["accuracy"] for n, s in subsets.items()}
        assert percents["balanced"] == pytest.approx(51.260870, abs=5e-7)
        assert percents["unbalanced"] == pytest.approx(49.971926, abs=5e-7)
        expected = {"cc ambiguity": 44.55, "comparison": 48.71, "coordination": 50.11}
        expected |= {"coreference": 47.75, "existential quantifier": 52.47, "negation": 51.09}
        expected |= {"hard cardinality": 50.91, "pp ambiguity": 51.55, "presupposition": 54.58}
        expected |= {"sbar ambiguity": 59.62, "soft cardinality": 51.37}
        expected |= {"spatial relation": 52.15, "universal quantifier": 49.48}
        assert {n: percents[n] for n in expected} == pytest.approx(expected, abs=0.005)


def test_every_drawing_counts(
    data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A prediction that is the same for all six drawings gives the same numbers."""
    path = tmp_path / "predictions.csv"
    records = load("nlvr:dev", data).records.values()
    path.write_text("".join(f"{left},true\n" for r in records for left, _ in r.pictures))
    options = ["--data", str(data), "--permutations", "all"]
    said = play(capsys, "nlvr:dev", *options, "--player", f"replay:{path}")
    assert said["n"] == 5934
    assert (said["accuracy"], said["consistency"]) == pytest.approx(GOLDEN["nlvr:dev"], abs=5e-8)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("{0},True\n", "trials are missing"),
        ("{0},True\n{1},True\n{0},True\n", "stands there twice"),
        ("{0},True\ndev-9999-0-0,True\n", "is no trial of"),
        (
            "{0},True\n{1},Maybe\n",
            r"predictions\.csv:2: expected a header with id, or True or False",
        ),
        ("{0},True,extra\n", r"predictions\.csv:1: expected a header"),
    ],
)
def test_faults_of_prediction_files_are_errors(
    data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, lines: str, expected: str
) -> None:
    path = tmp_path / "predictions.csv"
    ids = list(load("nlvr2:dev", data).records)
    path.write_text(lines.format(*ids[:2]))
    arguments = ["--data", str(data), "--player", f"replay:{path}"]
    assert main(["play", "nlvr2:dev", *arguments]) == 2
    said = capsys.readouterr().err
    assert re.search(expected, said), said


def test_it_learns_what_is_frequent(data: Path, tmp_path: Path) -> None:
    task = make(load("nlvr:dev", data))
    trained = Majority().fit(task)
    assert trained.reply(views(task)[:1]).scores.tolist() == [[1.0, 0.0]]  # type: ignore[union-attr]
    trained.save(tmp_path)
    assert saved(str(tmp_path), task).label == "true"
    assert Majority("false").fit(task).reply(views(task)[:1]).scores.tolist() == [[0.0, 1.0]]  # type: ignore[union-attr]
    with pytest.raises(BadInput, match="true or false"):
        Majority("maybe", task)
