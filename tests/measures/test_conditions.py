from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from deixis.dataset import Dataset, Statement
from deixis.errors import BadInput
from deixis.measures.conditions import conditions, effects, kept, over
from deixis.measures.judged import Judged, judged
from deixis.measures.labels import FALSE, TRUE, labels
from deixis.measures.section import Options

QUICK = Options(resamples=200)


@pytest.fixture(autouse=True)
def few_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mixtures have tests of their own."""
    monkeypatch.setattr("deixis.measures.mixture.STARTS", 2)
    monkeypatch.setattr("deixis.measures.mixture.STEPS", 60)


def people(
    seed: int = 0,
    *,
    workers: int = 40,
    items: int = 60,
    effect: float = 1.0,
    tired: float = 0.0,
    quick: float = 0.0,
) -> list[Judged]:
    """Judgments with a planted effect of condition, of the trial's number, and of time."""
    rng = np.random.default_rng(seed)
    ease, skill = rng.normal(0, 0.5, items), rng.normal(0, 0.5, workers)
    made = []
    for w in range(workers):
        condition = "color" if w % 2 else "black"
        for trial, i in enumerate(rng.permutation(items)[:30], start=1):
            seconds = float(np.exp(rng.normal(1.8, 0.3)))
            odds = 0.5 + effect * (w % 2) + ease[i] + skill[w] - tired * trial / 10
            odds += quick * (np.log2(seconds) - 2.6)
            made.append(
                Judged(f"{w}-{i}", f"w{w:02}", f"i{i}", condition,
                       bool(rng.random() < 1 / (1 + np.exp(-odds))), trial=trial, seconds=seconds)
            )  # fmt: skip
    return made


def test_planted_effects_are_found() -> None:
    found = effects(people(effect=1.0), "black")["conditions"]["color"]
    low, high = found["interval"]
    assert low < 1.0 < high
    assert low > 0
    assert found["p_holm"] < 0.01
    none = effects(people(effect=0.0), "black")["conditions"]["color"]
    assert none["p"] > 0.05


def test_planted_change_over_trials_and_times() -> None:
    tired = over(people(tired=0.6), "trial")
    assert tired["interval"][0] < -0.6 < tired["interval"][1] < 0
    assert [b["n"] for b in tired["bins"]] == [240] * 5
    assert tired["bins"][0]["accuracy"] > tired["bins"][-1]["accuracy"]
    slow = over(people(quick=1.0), "seconds")
    assert slow["interval"][0] > 0
    assert slow["per"] == "doubling of the time"
    assert over(people(), "trial")["p"] > 0.05


def test_exclusions_are_named_counted_and_shown_without() -> None:
    rows = [
        *people(workers=4),
        Judged("c1", "w00", "catch", "black", False, catch=True),
        Judged("c2", "w01", "catch", "color", True, catch=True),
        Judged("soon", "w01", "new", "color", False, seconds=1.5),
        Judged("gone", "w02", "new", "black", False, void="its claim was rejected"),
    ]
    soon = sum(j.seconds <= 2 for j in rows[:-4] if j.worker != "w00") + 1
    found = kept(rows)
    assert found.left_out == {
        "of a worker who failed a catch trial": 30,
        "made within 2 s": soon,
        "a catch trial itself": 2,
        "its claim was rejected": 1,
    }
    assert found.workers["a catch trial itself"] == 2
    said = conditions(dataset(rows), QUICK)
    both = said.fields["people_by_condition"]
    assert both["kept"]["judgments"] == 120 - 30 - soon + 1
    assert both["everybody"]["judgments"] == 121
    assert both["kept"]["workers"] == 3
    assert any("30 judgments, of a worker who failed" in note for note in said.notes)


def dataset(rows: list) -> Dataset:
    splits: dict[str, list[str]] = {}
    for one in rows:
        splits.setdefault(getattr(one, "condition", "all"), []).append(one.id)
    return Dataset(
        "people", "people", {s: tuple(i) for s, i in splits.items()}, {r.id: r for r in rows},
        None,  # type: ignore[arg-type]
    )  # fmt: skip


def test_the_whole_section() -> None:
    said = conditions(dataset(people()), Options(resamples=200, reference="color"))
    one = said.fields["people_by_condition"]["kept"]["conditions"]
    low, high = one["black"]["difference_interval"]
    assert low < one["black"]["difference"] < high < 0
    assert "difference" not in one["color"]
    assert {f.name for f in said.figures} == {"over-trial", "over-seconds"}
    fitted = said.fields["mixtures_by_condition"]["color"]["gaussian"]
    assert [m["components"] for m in fitted] == [1, 2, 3, 4, 5]
    with pytest.raises(BadInput, match="no condition 'red'"):
        conditions(dataset(people()), Options(reference="red"))


def test_where_all_are_right_nothing_is_infinite() -> None:
    rows = [j for j in people() if j.condition == "color"]
    sure = [Judged(f"s{j.id}", j.worker, j.item, "sure", True, trial=j.trial) for j in rows]
    found = effects([*people(), *sure], "black")
    assert found["steady"] == ["sure"]
    assert set(found["conditions"]) == {"color"}
    assert "all right" in " ".join(conditions(dataset([*people(), *sure]), QUICK).notes)
    assert "reference" in effects([*people(), *sure], "sure")["undefined"]
    assert effects(rows, "color")["undefined"] == "there is no other condition to compare"
    low, high = conditions(dataset(sure), QUICK).fields["people_by_condition"]["kept"][
        "conditions"
    ]["sure"]["interval"]
    assert low < high == 1.0


def test_nothing_known_of_time() -> None:
    rows = [Judged(str(i), f"w{i % 5}", f"i{i}", "a", i % 3 > 0) for i in range(30)]
    assert "not known" in over(rows, "trial")["undefined"]
    assert "not known" in over(rows, "seconds")["undefined"]
    assert conditions(dataset([]), QUICK).tables == ()
    caught = [Judged("1", "w", "i", "a", False, catch=True)]
    assert "no judgment is left" in conditions(dataset(caught), QUICK).notes[0]


def test_labels_of_nlvr2(nlvr2: Dataset) -> None:
    said = labels(nlvr2.select("dev"), Options(resamples=20)).fields["people_by_label"]
    by_label = said["conditions"]
    assert by_label[TRUE]["n"] + by_label[FALSE]["n"] == 26_599
    assert said["logit"]["conditions"][TRUE]["odds_ratio"] > 1
    silent = Statement("1", "", True, (), "", "", "")
    assert labels(dataset([silent]), QUICK).fields == {}


def test_the_command(deixis, refused, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    lines = ["worker,item,condition,correct,trial,seconds"]
    lines += [
        f"{j.worker},{j.item},{j.condition},{int(j.right)},{j.trial},{j.seconds}" for j in people()
    ]
    path.write_text("\n".join(lines))
    said = deixis("measure", path, "--json", "--resamples", 50, "--reference", "black").json
    assert said["task"] == "people"
    assert said["people_by_condition"]["kept"]["logit"]["conditions"]["color"]["log_odds"] > 0
    assert judged(path).fingerprint == said["fingerprint"]
    printed = deixis("measure", path, "--resamples", 50).out
    assert "odds ratio" in printed
    assert "no file" in refused("measure", tmp_path / "none.csv")
