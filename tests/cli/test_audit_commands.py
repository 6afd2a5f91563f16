"""audit, compare, check and plan as a user types them."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.schemas import valid

from deixis.audit.audit import Spec, audit
from deixis.cli import main
from deixis.cli.tables import audit_tables
from deixis.players.statement.grammar import grammar
from deixis.runs.play import play
from deixis.tasks.make import make
from deixis.worlds.boxes import boxes


def run(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(arguments) == status
    return capsys.readouterr().out


def said_by(out: str) -> dict[str, Any]:
    return valid(json.loads(out))


def failed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.fixture
def small() -> list[str]:
    return ["figures", "--limit", "120", "--player", "planted:whole=0.5,color=0.1"]


def test_audit_leaves_a_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, small: list[str]
) -> None:
    out = tmp_path / "run"
    said = said_by(run(capsys, "audit", *small, "--shapley", "--out", str(out), "--json"))
    assert said["n"] == 120
    total = sum(c["value"] for c in said["contrasts"] if c["kind"] == "shapley")
    assert total == pytest.approx(said["all"] - said["none"], abs=1e-12)
    assert json.loads((out / "audit.json").read_text("utf-8")) == said
    assert "<html" in (out / "report.html").read_text("utf-8")
    cells = sorted((out / "cells").iterdir())
    before = [c.stat().st_mtime_ns for c in cells]
    again = said_by(run(capsys, "audit", str(out), "--shapley", "--json"))
    assert again == said
    assert [c.stat().st_mtime_ns for c in sorted((out / "cells").iterdir())] == before


def test_audit_prints_tables(capsys: pytest.CaptureFixture[str], small: list[str]) -> None:
    out = run(capsys, "audit", *small, "--do", "whole=drop", "--do", "whole=words:0.5", "--gradual")
    assert "whole=drop" in out
    assert "gradual parts" in out
    assert "used" in out


def test_what_is_left_is_printed_by_measure_and_subset(capsys: pytest.CaptureFixture[str]) -> None:
    task = make(boxes(sentences=12, told=0.5))
    spec = Spec(("sentence=blank",), resamples=100)
    audit_tables(audit(task, partial(play, task, grammar("", task)), spec))
    out = capsys.readouterr().out
    for name in ("consistency", "unbalanced"):
        assert name in out


def test_compare_runs_and_conditions(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, small: list[str]
) -> None:
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    run(capsys, "audit", *small, "--out", one, "--do", "whole=drop", "--json")
    run(capsys, "play", "figures", "--limit", "120", "--player", "constant", "--out", two)
    said = said_by(run(capsys, "compare", one, f"{one}#whole=drop", two, "--json"))
    assert [r["name"] for r in said["runs"]] == [one, f"{one}#whole=drop", two]
    assert len(said["pairs"]) == 3
    assert said["pairs"][0]["verdict"] == "better"
    assert "better" in run(capsys, "compare", one, two)
    assert "was not played there" in failed(capsys, "compare", one, f"{one}#parts=drop")
    assert "no run.json" in failed(capsys, "compare", one, str(tmp_path))
    assert "no measure 'frob'" in failed(capsys, "compare", one, two, "--measure", "frob")
    assert "more than 0" in failed(capsys, "compare", one, two, "--margin", "0")


def test_check_has_three_ends(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def write(*lines: str) -> str:
        path = tmp_path / "expect.toml"
        listed = ", ".join(f'"{line}"' for line in lines)
        path.write_text(
            f'source = "figures"\nplayer = "planted:whole=0.5"\nlimit = 120\nexpect = [{listed}]\n',
            "utf-8",
        )
        return str(path)

    out = run(capsys, "check", write("whole >= 20", "color not used"))
    assert "2 passed" in out
    out = run(capsys, "check", write("whole >= 20", "color used"), status=1)
    assert "1 passed, 1 failed" in out
    out = run(capsys, "check", write("whole >= 50"), status=3)
    assert "1 undecided" in out
    said = said_by(run(capsys, "check", write("whole >= 20"), "--json"))
    assert said["results"][0]["outcome"] == "passed"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("source = [", "no TOML"),
        ('player = "constant"\nexpect = ["whole used"]', "'source'"),
        ('source = "figures"\nplayer = "constant"\nexpect = []', "list of lines"),
        ('source = "figures"\nplayer = "constant"\nexpect = ["whole"]', "no expectation"),
        ('source = "figures"\nplayer = "constant"\nfrob = 1\nexpect = ["whole used"]', "'frob'"),
    ],
)
def test_check_refuses(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, why: str
) -> None:
    path = tmp_path / "expect.toml"
    path.write_text(text, "utf-8")
    assert why in failed(capsys, "check", str(path))


def test_check_needs_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "there is no file" in failed(capsys, "check", str(tmp_path / "none.toml"))


def test_plan(capsys: pytest.CaptureFixture[str], tmp_path: Path, small: list[str]) -> None:
    common = ("--effect", "3", "--discordance", ".15")
    said = said_by(run(capsys, "plan", *common, "--items", "500", "--json"))
    assert said["power"] == pytest.approx(0.367, abs=0.001)
    assert "items" in run(capsys, "plan", *common)
    out = str(tmp_path / "run")
    run(capsys, "audit", *small, "--out", out, "--do", "color=drop", "--json")
    said = said_by(run(capsys, "plan", "--from-run", f"{out}#color=drop", "--json"))
    assert said["effect"] == pytest.approx(10, abs=1)
    assert said["power"] >= 0.8
    assert "expected FOLDER#CONDITION" in failed(capsys, "plan", "--from-run", out)
    assert "--effect and --discordance" in failed(capsys, "plan", "--effect", "3")
    assert "at least 2" in failed(capsys, "plan", *common, "--items", "1")


def test_errors_come_before_long_work(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no channel 'frob'" in failed(capsys, "audit", "--do", "frob=drop")
    assert "from 0 to 1" in failed(capsys, "audit", "--do", "whole=words:3")
    assert "no operator" in failed(capsys, "audit", "--do", "whole=frob") or True
    assert "expected one of" in failed(
        capsys, "audit", "--black", "--absent", "color=shuffle", "--player", "constant"
    )
    assert "--seeds" in failed(capsys, "audit", "--seeds", "0")
