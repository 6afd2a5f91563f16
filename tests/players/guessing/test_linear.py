"""The linear guesser: numbers on VisPro, folds, saving, processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deixis.cli import main
from deixis.errors import BadInput
from deixis.players.guessing.linear import LinearLearner, inverse_frequency, weighted
from deixis.players.protocols import Saveable
from deixis.runs.play import play
from deixis.runs.prepare import prepare
from deixis.runs.summary import measured
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.task import Task
from deixis.text.bags import Bags


def ranks(task: Task, **how: Any) -> list[float]:
    run = play(task, prepare(LinearLearner(), task, **how))
    values = measured(["percentile_rank"], run.base)[0]["percentile_rank"]
    assert isinstance(values, list)
    return values


@pytest.mark.parametrize(
    ("text", "sketch"),
    [
        ("answers", 62.2),
        pytest.param("caption", 78.7, marks=pytest.mark.long),
        pytest.param("dialog", 76.3, marks=pytest.mark.long),
        pytest.param("questions", 75.8, marks=pytest.mark.long),
    ],
)
def test_percentile_ranks_near_the_first_sketch(text: str, sketch: float, data: Path) -> None:
    """Standard error of each figure: about 0.8."""
    task = make(load("vispro", data), presets=[f"text={text}"])
    assert ranks(task)[-1] == pytest.approx(sketch, abs=1.6)


def test_the_dialog_adds_little_to_the_caption(data: Path) -> None:
    made = ranks(make(load("vispro", data)))
    assert made[0] == pytest.approx(78.7, abs=1.6)
    assert made[10] == pytest.approx(78.5, abs=2.4)
    assert abs(made[10] - made[0]) < 2


def test_what_the_dialog_adds_shows_in_predictions_far_from_the_mean(data: Path) -> None:
    """Near the mean picture all that tells targets apart is how few objects they have."""
    task = make(load("vispro:val+test", data))
    run = play(task, prepare(LinearLearner(stretch="10"), task))
    made = measured(["percentile_rank"], run.base)[0]["percentile_rank"]
    assert made[0] > 90  # type: ignore[index]
    assert made[10] > made[0] + 1.5  # type: ignore[index,operator]


def test_another_dialog_s_text_is_chance(data: Path) -> None:
    task = make(load("vispro:val", data))
    run = play(
        task,
        prepare(LinearLearner(), task),
        ["caption=shuffle,question=shuffle,answer=shuffle"],
    )
    values, intervals = measured(["percentile_rank"], next(iter(list(run.outcomes.values())[1:])))
    low, high = intervals["percentile_rank"][10]
    assert low < 50 < high
    assert values["percentile_rank"][10] == pytest.approx(50.1, abs=2.6)  # type: ignore[index]


def test_training_and_test_of_other_splits(data: Path) -> None:
    train, test = make(load("vispro:val", data)), make(load("vispro:test", data))
    assert ranks(test, train=train)[0] > 70


def test_it_can_be_kept(data: Path, tmp_path: Path) -> None:
    train, test = make(load("vispro:val", data)), make(load("vispro:test", data)).limit(80)
    player = LinearLearner().fit(train)
    guesser = player.guesser  # type: ignore[attr-defined]
    assert isinstance(guesser, Saveable)
    guesser.save(tmp_path)
    again = LinearLearner.load(tmp_path, test)
    assert again.revision == player.revision
    first, second = (play(test, p).base[0].rank for p in (player.at(test), again))  # type: ignore[attr-defined]
    assert first.tolist() == second.tolist()
    with pytest.raises(BadInput, match="predicts vectors of length 79"):
        LinearLearner.load(tmp_path, make(_narrow(data)))


def _narrow(data: Path) -> Any:
    from dataclasses import replace

    from deixis.pictures.vectors import VectorStore

    whole = load("vispro:val", data)
    names = [c.picture for c in whole.records.values()]
    return replace(whole, store=VectorStore(names, np.zeros((len(names), 3), np.float32)))


def test_hard_pools_are_harder(data: Path) -> None:
    near, far = (
        play(t, prepare(LinearLearner(), t)).base[0].at(0)
        for t in (make(load("vispro:val", data), pool=p) for p in ("hard:50", "all"))
    )
    assert (near.sizes == 50).all()
    share = [float(np.mean((o.sizes - o.rank) / (o.sizes - 1))) for o in (near, far)]
    assert share[0] < share[1] - 0.1


def test_without_vectors_it_says_what_to_do(data: Path) -> None:
    with pytest.raises(BadInput, match="linear needs a vector of each picture"):
        LinearLearner().fit(make(load("chatir:human", data)))
    with pytest.raises(BadInput, match="linear takes no argument"):
        LinearLearner("big")
    with pytest.raises(BadInput, match="--stretch: expected a number above 0"):
        LinearLearner(stretch="0")


def test_weights_of_words() -> None:
    counts = Bags(["a", "b", "c"])([["a a b"], ["a"], ["c"]])
    idf = inverse_frequency(counts)
    assert idf.tolist() == pytest.approx([1 + np.log(4 / 3), 0, 0])
    rows = weighted(counts, idf).toarray()
    assert rows.tolist() == pytest.approx(np.array([[1.0, 0, 0], [1.0, 0, 0], [0, 0, 0]]))


def test_the_command_on_one_process_and_on_two(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["play", "vispro:val", "--data", str(data), "--player", "linear", "--json"]
    printed = []
    for engine in ("local", "process:2"):
        assert main([*arguments, "--text", "caption", "--engine", engine]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    said = json.loads(printed[0])
    assert said["n"] == said["clusters"] == 500
    assert len(said["percentile_rank"]) == 11
    assert len(set(said["percentile_rank"])) == 1
    assert said["pool"]["size"] == 500
    assert said["ci_low"] == said["intervals"]["percentile_rank"][10][0]


def test_the_table(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["vispro:val", "--data", str(data), "--pool", "first:60"]
    assert main(["play", *arguments, "--player", "linear"]) == 0
    assert "round 10" in capsys.readouterr().out
    assert main(["audit", *arguments, "--player", "linear", "--do", "caption=drop"]) == 0
    out = capsys.readouterr().out
    assert "percentile rank after the caption and each round" in out
    assert "sham" not in out


def test_options_that_do_not_fit(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = ["--data", str(data), "--player", "constant"]
    assert main(["play", "vispro", *common, "--features", "f.h5"]) == 2
    assert "--features is no option of vispro" in capsys.readouterr().err
    assert main(["play", "vispro", *common, "--k", "3"]) == 2
    assert "--k is no option of guessing tasks" in capsys.readouterr().err
    assert main(["play", "vispro", *common, "--text", "whole"]) == 2
    assert "--text whole is no option of guessing tasks" in capsys.readouterr().err
