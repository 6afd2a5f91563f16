"""The log of steps leads to the names, exactly: here, on the page, and in KiloGram's loader."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deixis.collect.trial_types
from deixis.collect.trial import Profile, Refused
from deixis.collect.trial_types.annotate_parts import (
    ANNOTATE_PARTS,
    Example,
    Figure,
    Marks,
    Step,
    replay,
)
from deixis.dataset import Action
from deixis.datasets.kilogram import replay as kilogram_replay
from deixis.seeds import draw

FIGURE = Figure(
    drawing={},
    examples=(Example(parts=("head", "body", "tail"), pieces=(0, 1, 1, 0, 1, 1, 2)),),
)


def steps(*given: Any) -> list[Step]:
    made = []
    for one in given:
        do, name, pieces = one
        made.append(Step(do=do, name=name, pieces=pieces, ms=len(made)))
    return made


def test_a_name_again_joins_the_part() -> None:
    log = steps(("name", "leg", (1,)), ("name", " leg ", (2, 3)))
    named, namings = replay(log)
    assert named == {1: "leg", 2: "leg", 3: "leg"}
    assert [(n.pieces, n.final) for n in namings] == [((1,), False), ((2, 3, 1), True)]


def test_case_and_accents_tell_parts_apart_but_not_their_encoding() -> None:
    log = steps(("name", "Leg", (1,)), ("name", "leg", (2,)), ("name", "le\u0301g", (3,)))
    log += steps(("name", "l\u00e9g", (4,)))
    assert len(set(replay(log)[0].values())) == 3


def test_pieces_of_unknown_parts_form_one_group() -> None:
    log = steps(("unknown", "", (1,)), ("unknown", "", (2,)))
    assert replay(log)[0] == {1: "UNKNOWN", 2: "UNKNOWN"}


def test_a_part_taken_back_frees_its_pieces() -> None:
    log = steps(("name", "a", (1, 2)), ("remove", "a", ()), ("name", "b", (2,)))
    named, namings = replay(log)
    assert named == {2: "b"}
    assert [n.final for n in namings] == [False, True]


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ([("name", "a", ())], "not free"),
        ([("name", "a", (1, 1))], "not free"),
        ([("name", "a", (8,))], "not free"),
        ([("name", "a", (1,)), ("name", "b", (1,))], "not free"),
        ([("name", "?", (1,))], "letter or digit"),
        ([("remove", "a", ())], "takes back a part that is not there"),
        ([("name", "a", (1,)), ("remove", "a", (1,))], "takes back"),
    ],
)
def test_what_the_page_cannot_have_allowed(log: list[Any], said: str) -> None:
    with pytest.raises(Refused, match=said):
        replay(steps(*log))


def marks(*log: Any, **parts: str) -> Marks:
    named = {str(p): n for p, n in replay(steps(*log))[0].items()}
    return Marks(log=tuple(steps(*log)), parts=parts or named)


def test_all_pieces_must_be_named_and_agree_with_the_page() -> None:
    with pytest.raises(Refused, match="All seven pieces need a name; 2 have one"):
        ANNOTATE_PARTS.check(FIGURE, marks(("name", "a", (1, 2))))
    whole = ("name", "a", (1, 2, 3, 4, 5, 6, 7))
    ANNOTATE_PARTS.check(FIGURE, marks(whole))
    with pytest.raises(Refused, match="do not lead to the names on the page"):
        ANNOTATE_PARTS.check(FIGURE, Marks(log=tuple(steps(whole)), parts={"1": "b"}))


def test_hints_for_reviewers() -> None:
    one = ANNOTATE_PARTS.score(FIGURE, marks(("name", "head and tail", (1, 2, 3, 4, 5, 6, 7))))
    assert one.flags == ("a name holds “and”", "all pieces have one name")
    two = marks(("name", "head", (1,)), ("name", "band", (2, 3, 4, 5, 6, 7)))
    assert ANNOTATE_PARTS.score(FIGURE, two).flags == ()


@given(st.integers(0, 10_000), st.floats(0, 1))
@settings(max_examples=60)
def test_simulated_logs_replay_everywhere(seed: int, skill: float) -> None:
    """Ours, and KiloGram's replay of what we export, by all actions and by final ones only."""
    rng = draw(seed, "log")
    response = ANNOTATE_PARTS.simulate(FIGURE, rng, Profile(skill=skill))
    ANNOTATE_PARTS.check(FIGURE, response)
    named, namings = replay(response.log)
    actions = tuple(Action(n.index, n.name, n.pieces, n.final, "") for n in namings)
    assert kilogram_replay(actions) == named
    assert kilogram_replay(tuple(a for a in actions if a.final)) == named
    assert [n.ms for n in namings] == sorted(n.ms for n in namings)


JAVASCRIPT = """
const source = await import("node:fs").then((fs) => fs.readFileSync(process.argv[1], "utf8"));
const body = source.slice(source.indexOf("const COLORS"), source.indexOf("export function mount"));
const replay = new Function(body + "; return replay;")();
const logs = JSON.parse(await import("node:fs").then((fs) => fs.readFileSync(0, "utf8")));
console.log(JSON.stringify(logs.map((log) => {
  const named = {};
  for (const [name, group] of replay(log)) for (const p of group.pieces) named[p] = name;
  return named;
})));
"""


def test_the_page_replays_as_the_server_does() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    responses = [
        ANNOTATE_PARTS.simulate(FIGURE, draw(seed, "page"), Profile(skill=0.5))
        for seed in range(80)
    ]
    module = Path(deixis.collect.trial_types.__file__).with_name("annotate_parts.js")
    logs = json.dumps([r.model_dump(mode="json")["log"] for r in responses])
    said = subprocess.run(
        [node, "--input-type=module", "-e", JAVASCRIPT, str(module)],
        input=logs,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(said.stdout) == [r.parts for r in responses]
