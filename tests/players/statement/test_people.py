"""People: the published figures, own sentences, circular labels."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deixis.cli import main
from deixis.dataset import Dataset, Judgment, Statement
from deixis.errors import BadInput
from deixis.outcomes import Outcomes, score
from deixis.pictures.scenestore import SceneStore
from deixis.players.statement.people import People, people, replies_to
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task
from deixis.units import by_rater, consistency


def judged(*votes: tuple[str, bool | None], role: str = "eval", writer: str = "w") -> Statement:
    said = tuple(Judgment(worker, vote, role) for worker, vote in votes)
    pictures = (("p", ""),)
    return Statement("1-0", "x", True, pictures, "dev", "1", "1-0", writer=writer, judgments=said)


def tiny(*records: Statement) -> Task:
    named = {f"1-{i}": replace(r, id=f"1-{i}") for i, r in enumerate(records)}
    store = SceneStore({"p": ((), (), ())})
    return make(Dataset("tiny", "statement", {"dev": tuple(named)}, named, store))


def outcomes(task: Task, argument: str = "") -> Outcomes:
    return score(task, people(argument, task).reply(views(task)))


@pytest.mark.parametrize(
    ("source", "mean", "deviation", "counted", "raters", "replies"),
    [
        ("nlvr2:dev", 96.278, 2.134, 51, 97, 26599),
        ("nlvr2:test1", 96.361, 2.889, 52, 98, 26569),
        ("nlvr:dev", 94.572, 3.495, 10, 10, 4945),
        ("nlvr:test", 95.428, 3.401, 10, 10, 4950),
    ],
)
def test_published_figures(
    data: Path,
    capsys: pytest.CaptureFixture[str],
    source: str,
    mean: float,
    deviation: float,
    counted: int,
    raters: int,
    replies: int,
) -> None:
    arguments = ["--data", str(data), "--player", "people:published", "--json"]
    assert main(["play", source, *arguments]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["human_mean"] == pytest.approx(mean, abs=5e-4)
    assert said["human_std"] == pytest.approx(deviation, abs=5e-4)
    assert said["raters"] == {"n": raters, "counted": counted, "least": 100}
    assert sum(said["statuses"].values()) == replies


def test_each_rater_of_nlvr(data: Path) -> None:
    task = make(load("nlvr:dev", data))
    found = by_rater(outcomes(task, "published").filled(0))
    expected = {"r0": (899, 98.0), "r1": (818, 97.80), "r2": (528, 87.50), "r3": (510, 92.16)}
    expected |= {"r4": (444, 97.75), "r5": (252, 93.65), "r6": (466, 95.06), "r7": (389, 95.12)}
    expected |= {"r8": (185, 98.38), "r9": (454, 90.31)}
    assert found.names.tolist() == sorted(expected)
    assert found.replies.tolist() == [expected[n][0] for n in sorted(expected)]
    assert 100 * found.accuracy == pytest.approx(
        [expected[n][1] for n in sorted(expected)], abs=5e-3
    )


def test_in_the_release_no_single_vote_decides(data: Path) -> None:
    task = make(load("nlvr:dev+test", data))
    assert (outcomes(task).credit == outcomes(task, "published").credit).all()


def test_a_vote_that_decides_counts_half() -> None:
    record = judged(("a", True), ("b", True), ("c", True), ("d", False), ("e", False))
    found = outcomes(tiny(record))
    assert dict(zip(found.raters, found.credit, strict=True)) == {
        "a": 0.5,
        "b": 0.5,
        "c": 0.5,
        "d": 0.0,
        "e": 0.0,
    }
    assert outcomes(tiny(record), "published").credit.tolist() == [1, 1, 1, 0, 0]


def test_held_against_the_others_coin_flips_are_at_chance() -> None:
    """All 32 ways in which five may vote: the circular way would give 68.75 %."""
    records = []
    for code in range(32):
        votes = [bool(code >> i & 1) for i in range(5)]
        record = judged(*((f"r{i}", v) for i, v in enumerate(votes)))
        records.append(replace(record, label=sum(votes) >= 3))
    task = tiny(*records)
    assert outcomes(task).credit.mean() == pytest.approx(0.5)
    assert outcomes(task, "published").credit.mean() == pytest.approx(0.6875)


def test_nobody_is_asked_about_his_own_sentence() -> None:
    record = judged(("w", True), ("x", False), role="extra")
    assert [r.rater for r in replies_to(record)] == ["x"]


def test_the_first_validation_is_no_reply() -> None:
    record = judged(("x", True), role="validation")
    with pytest.raises(BadInput, match="nobody judged 1-0"):
        People(tiny(record))


def test_nonsense_is_a_refusal() -> None:
    found = outcomes(tiny(judged(("a", None), ("b", True))), "published")
    assert found.statuses == {"ok": 1, "refused": 1}
    assert found.raw is not None
    assert found.raw.tolist() == ["nonsense", "true"]
    assert found.credit.tolist() == [0.5, 1.0]
    assert found.filled(0).credit.tolist() == [0.0, 1.0]


def test_consistency_of_several_raters_is_that_of_raters_drawn_anew() -> None:
    one = judged(("a", True), ("b", False), role="extra")
    other = judged(("a", True), ("c", True), role="extra")
    assert consistency(outcomes(tiny(one, other))).values.tolist() == [0.5]


def test_raters_with_few_replies_are_left_out_of_the_mean() -> None:
    found = by_rater(outcomes(tiny(judged(("a", True), ("b", False), role="extra"))))
    assert found.mean(1) == (0.5, 0.5, 2)
    assert np.isnan(found.mean(100)[0])


def test_people_reply_to_the_unaltered_task_only(data: Path) -> None:
    task = tiny(judged(("a", True)))
    with pytest.raises(BadInput, match="under no intervention"):
        people("", task).at(task.do("sentence=drop"))
    with pytest.raises(BadInput, match="expected nothing or 'published'"):
        people("all", task)
