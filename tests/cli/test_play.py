from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

FEW = ("--limit", 60)
HERE = ("play", "figures:test", "--player", "constant", "--limit", "5")


def test_constant_and_oracle_on_real_data(deixis, data: Path) -> None:
    constant = deixis("play", "kilogram:dense", "--data", data, "--player", "constant", "--json")
    oracle = deixis("play", "kilogram:dense", "--data", data, "--player", "oracle", "--json")
    assert (constant.status, constant.err, constant.json["accuracy"]) == (0, "", 0.1)
    assert oracle.json["accuracy"] == 1.0
    assert constant.json["n"] == 3971
    assert constant.out.count("\n") == 1


def test_the_published_contexts_with_a_player_trained_elsewhere(deixis, data: Path) -> None:
    said = deixis(
        "play", "kilogram:val", "--contexts", "published", "--text", "parts", "--color",
        "--player", "linear", "--train-on", "kilogram:dense", "--data", data, "--json",
    ).json  # fmt: skip
    assert said["accuracy"] >= 0.42
    assert (said["n"], said["clusters"], said["condition"]) == (2360, 236, "")


def test_presets_and_interventions_make_the_base_condition(deixis) -> None:
    said = deixis("play", "figures:test", "--player", "constant", *FEW, "--text", "whole",
                  "--black", "--do", "whole=words:0.5,shape=noise", "--do", "whole=blank",
                  "--json").json  # fmt: skip
    assert said["condition"] == ("parts=drop,color=drop,whole=words:0.5,shape=noise,whole=blank")


def test_task_options(deixis) -> None:
    said = deixis("play", "figures:test", "--player", "constant", "--k", 4, "--contexts", "random",
                  "--per-target", 2, "--context-seed", 7, "--template", "published", *FEW,
                  "--json").json  # fmt: skip
    assert said["accuracy"] == 0.25
    assert said["seeds"]["contexts"] == 7
    assert said["n"] == 60


def test_both_directions_are_named_apart(deixis) -> None:
    forward = deixis("play", "figures:test", "--player", "oracle", *FEW, "--json").json
    back = deixis("play", "figures:test", "--player", "oracle", *FEW,
                  "--direction", "picture-to-text", "--json").json  # fmt: skip
    assert forward["accuracy"] == back["accuracy_picture_to_text"] == 1
    assert "accuracy" not in back
    assert "accuracy_picture_to_text" not in forward


def test_a_learner_is_cross_fitted_without_a_training_task(deixis) -> None:
    said = deixis("play", "figures", "--player", "linear", "--limit", 150, "--json").json
    assert said["player"] == "linear"
    assert said["accuracy"] > 0.2


def test_a_table_for_people(deixis) -> None:
    shown = deixis("play", "figures:test", "--player", "planted:whole=0.5", *FEW, "--black")
    assert shown.status == 0
    assert "planted on figures:test under color=drop" in shown.out
    assert "60.0" in shown.out
    assert "60 trials in 18 clusters" in shown.out
    assert re.search(r"dropped \d+: no context of this size with as many parts", shown.out)
    assert shown.err == ""


def test_few_clusters_have_no_interval(deixis) -> None:
    shown = deixis("play", "figures:test", "--player", "constant", "--limit", 3)
    assert "│ 10.0 │             – │" in shown.out
    said = deixis("play", "figures:test", "--player", "constant", "--limit", 3, "--json").json
    assert said["ci_low"] is None


def test_statuses_are_told(deixis, tmp_path: Path) -> None:
    ids = deixis_ids(deixis)
    (tmp_path / "a.csv").write_text(
        "id,choice,status\n" + "".join(f"{i},,refused\n" for i in ids[:2])
        + "".join(f"{i},0,\n" for i in ids[2:])
    )  # fmt: skip
    shown = deixis("play", "figures:test", "--limit", 5, "--player", f"replay:{tmp_path}/a.csv")
    assert "; 2 refused" in shown.out


def deixis_ids(deixis) -> list[str]:
    from deixis.sources import load
    from deixis.tasks.make import make

    return [t.id for t in make(load("figures:test")).limit(5).trials]


def test_a_run_is_kept_and_asked_for_again(deixis, refused, tmp_path: Path) -> None:
    run = tmp_path / "run"
    first = deixis(*HERE, "--out", run, "--json")
    spec = json.loads((run / "run.json").read_text())
    assert spec["source"] == "figures:test"
    assert spec["player"] == "constant"
    assert len(list((run / "cells").iterdir())) == 1
    assert deixis(*HERE, "--out", run, "--json").json == first.json
    assert deixis("play", run, "--json").json == first.json
    said = refused("play", "figures:test", "--player", "oracle", "--limit", 5, "--out", run)
    assert said == (
        f"{run}: holds another run: player is constant there, oracle now; name another folder"
    )
    said = refused("play", "figures:train", "--player", "constant", "--limit", 5, "--out", run)
    assert "another run: source is figures:test there, figures:train now" in said
    said = refused(*HERE, "--black", "--out", run)
    assert "another run: condition is " in said


def test_a_worlds_options_are_kept_with_the_run(deixis, refused, tmp_path: Path) -> None:
    run = tmp_path / "run"
    small = ["play", "figures,variants=2:test", "--player", "constant", "--out", run, "--json"]
    first = deixis(*small).json
    assert json.loads((run / "run.json").read_text())["source"] == "figures,variants=2:test"
    assert deixis("play", run, "--json").json == first
    assert first["fingerprint"] != deixis(*HERE, "--json").json["fingerprint"]
    said = refused("play", "figures,variants=3:test", *small[2:])
    assert "source is figures,variants=2:test there, figures,variants=3:test now" in said


ERRORS = {
    "no such source": (["play", "figurs"], "no source 'figurs'; did you mean 'figures'"),
    "a folder": (["play", "/"], "/ is a folder, not the name of a dataset"),
    "no such split": (["play", "figures:dev"], "figures has no split 'dev' (known: all, train"),
    "a split that is spelt wrongly": (["play", "figures:tset"], "; did you mean 'test'?"),
    "no splits at all": (["play", "figures:"], "is no source: expected NAME"),
    "no such folder": (["play", "kilogram", "--data", "/nowhere"], "there is no folder /nowhere"),
    "a folder without data": (["play", "kilogram", "--data", "/proc/self/fd"], "no kilogram data"),
    "no such player": ([*HERE[:3], "orcale"], "no player 'orcale'; did you mean 'oracle'"),
    "no such option": ([*HERE, "--size", "3"], "--size is no option of the player 'constant'"),
    "no such channel": ([*HERE, "--do", "depth=drop"], "no channel 'depth' (known: whole, parts"),
    "no such operator": ([*HERE, "--do", "whole=rotate"], "takes no operator 'rotate'"),
    "a channel that is spelt wrongly": ([*HERE, "--do", "colour=drop"], "did you mean 'color'?"),
    "an operator that is spelt wrongly": ([*HERE, "--do", "color=dorp"], "did you mean 'drop'?"),
    "no intervention": ([*HERE, "--do", "whole"], "'whole' is no intervention: expected CHANNEL"),
    "no such reader": ([*HERE, "--do", "whole/me=drop"], "there is no reader 'me'"),
    "no rounds": ([*HERE, "--do", "whole=drop@2"], "whole has no rounds"),
    "a wrong argument": ([*HERE, "--do", "whole=words:2"], "expected a probability from 0 to 1"),
    "an argument too many": ([*HERE, "--do", "whole=drop:2"], "expected no argument, got '2'"),
    "no such contexts": ([*HERE, "--contexts", "odd"], "no 'odd' contexts"),
    "contexts that are spelt wrongly": ([*HERE, "--contexts", "randon"], "did you mean 'random'?"),
    "no published contexts": ([*HERE, "--contexts", "published"], "known for no split here"),
    "too few candidates": ([*HERE, "--k", "1"], "at least 2 candidates"),
    "too many candidates": ([*HERE, "--k", "99"], "no context of 99 can be filled"),
    "no such template": ([*HERE, "--template", "odd"], "no template 'odd'"),
    "no such direction": ([*HERE, "--direction", "odd"], "no direction 'odd'"),
    "no such text": ([*HERE, "--text", "caption"], "--text caption is no option of reference"),
    "no trials": ([*HERE[:-1], "0"], "--limit: expected at least 1, got 0"),
    "no replicates": ([*HERE, "--seeds", "0"], "--seeds: expected at least 1, got 0"),
    "no such engine": ([*HERE, "--engine", "cloud"], "no engine 'cloud': expected local or"),
    "no training": ([*HERE, "--train-on", "figures:train"], "'constant' does not train"),
    "training on the test": (
        ["play", "figures:test", "--player", "linear", "--train-on", "figures:test"],
        "to train and test on them all the same, say --allow-overlap records",
    ),
    "training on what is not there": (
        ["play", "figures:test", "--player", "linear", "--train-on", "figures:dev"],
        "figures has no split 'dev'",
    ),
    "no such file": ([*HERE[:3], "replay:no.csv"], "there is no file no.csv"),
    "a folder as file": ([*HERE[:3], "replay:."], ". is a folder; expected a file"),
    "no file named": ([*HERE[:3], "replay"], "expected the file of replies, as replay:FILE"),
    "no saved player": ([*HERE[:3], "saved:nowhere"], "no player.json there"),
    "no function": ([*HERE[:3], "call:nothing"], "expected call:MODULE:FUNCTION"),
    "a wrong plant": ([*HERE[:3], "planted:whole"], "expected CHANNEL=WEIGHT"),
}


@pytest.mark.parametrize("case", ERRORS)
def test_every_mistake_is_one_sentence(refused, case: str) -> None:
    arguments, why = ERRORS[case]
    said = refused(*arguments)
    assert why in said
    assert "Traceback" not in said


def test_folders_that_are_no_runs(refused, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    assert "holds notes.txt but no run" in refused(*HERE, "--out", tmp_path)
    (tmp_path / "run.json").write_text("{}")
    assert "does not say how the run was asked for" in refused("play", tmp_path)
