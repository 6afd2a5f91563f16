from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deixis.dataset import Annotation, Dataset
from deixis.errors import BadInput
from deixis.measures.divergence import resampled_divergence, resamples, shares
from deixis.measures.naming import by_picture, measured, naming, part_stems, ranks
from deixis.measures.run import measure, write
from deixis.measures.section import Options
from deixis.pictures.vectors import NameStore

QUICK = Options(resamples=50)


@pytest.fixture(scope="module")
def dense(kilogram: Dataset):
    return naming(kilogram.select("dense", "dense10"), QUICK)


def test_every_published_value(kilogram: Dataset) -> None:
    """All of dense and dense10, to 1e-12."""
    for split in ("dense", "dense10"):
        published = kilogram.extras["measures"][split]
        groups = by_picture(kilogram.select(split).records.values())
        assert len(groups) == 74
        for picture, group in groups.items():
            values = measured(group).values
            for name, value in values.items():
                assert value == pytest.approx(published[name][picture], abs=1e-12)


def test_published_aggregates(dense) -> None:
    spread = dense.fields["naming"]
    assert spread["snd"]["mean"] == pytest.approx(0.92547, abs=5e-6)
    assert spread["snd"]["sd"] == pytest.approx(0.05838, abs=5e-6)
    assert spread["pnd"]["mean"] == pytest.approx(0.79009, abs=5e-6)
    assert spread["pnd"]["sd"] == pytest.approx(0.14607, abs=5e-6)
    assert spread["psa"]["mean"] == pytest.approx(5.09253, abs=5e-6)
    assert spread["psa"]["sd"] == pytest.approx(0.53117, abs=5e-6)


def test_published_correlations(dense) -> None:
    full = dense.fields["correlations_of_published"]["full"]
    rhos = [round(full[k]["rho"], 4) for k in ("snd_pnd", "pnd_psa", "psa_snd")]
    assert rhos == [0.5311, -0.1652, -0.2157]
    assert full["snd_pnd"]["n"] == 1016
    assert full["psa_snd"]["p"] == pytest.approx(3.7e-12, rel=0.02)
    own = [round(c["rho"], 3) for c in dense.fields["correlations"].values()]
    assert own == [0.674, 0.269, 0.112]


def test_rank_stability(dense) -> None:
    published = dense.fields["rank_stability_of_published"]["dense/dense10"]
    rhos = [round(published[name]["rho"], 4) for name in ("snd", "pnd", "psa")]
    assert rhos == [0.7817, 0.8687, 0.7624]
    # Two figures share their SND but for the last digit; published ranks tell them apart.
    own = dense.fields["rank_stability"]["dense/dense10"]
    assert own["snd"]["rho_tied"] == pytest.approx(published["snd"]["rho_tied"], abs=1e-12)
    assert own["pnd"]["rho"] == pytest.approx(published["pnd"]["rho"], abs=1e-12)
    assert any("dense with dense10" in row[0] for row in dense.tables[1].rows)


def test_texts_of_dev_that_are_not_those_published(kilogram: Dataset) -> None:
    made = naming(kilogram.select("dev"), Options(resamples=2))
    for name, gap in (("snd", 0.0133), ("pnd", 0.0255)):
        one = made.fields["published"]["dev"][name]
        assert (one["compared"], one["agree"], one["differ"]) == (125, 124, ["page5-107"])
        assert one["largest_gap"] == pytest.approx(gap, abs=5e-5)
    assert sum("page5-107" in note for note in made.notes) == 2
    assert any("PSA is undefined" in note for note in made.notes)
    assert all(row["psa"] is None for row in made.fields["tangrams"].values())


def test_the_published_bootstrap_is_biased_and_ours_is_not(kilogram: Dataset) -> None:
    """PND of page7-218 is 0.8953; the published centre is 0.8796, as copies agree with copies."""
    group = by_picture(kilogram.select("dense").records.values())["page7-218"]
    table = shares([part_stems(a) for a in group])
    counts = resamples(len(group), 1000, np.random.default_rng(1))
    assert resampled_divergence(table, counts, copies=True).mean() == pytest.approx(
        0.8796, abs=2e-3
    )
    assert resampled_divergence(table, counts).mean() == pytest.approx(0.8953, abs=2e-3)


def test_intervals_and_ranks(dense) -> None:
    for row in dense.fields["tangrams"].values():
        low, high = row["psa_interval"]
        assert low <= row["psa"] <= high
        low, high = row["snd_rank"]
        assert 1 <= low <= high <= 74


def test_each_picture_has_its_own_draw(kilogram: Dataset) -> None:
    """Measuring others beside it changes nothing for a picture."""
    groups = by_picture(kilogram.select("dense10").records.values())
    group = next(iter(groups.values()))
    first, again, other = measured(group, 20), measured(group, 20), measured(group, 20, seed=1)
    assert (first.drawn["snd"] == again.drawn["snd"]).all()
    assert not np.array_equal(first.drawn["psa"], other.drawn["psa"])


def tiny(*wholes: str) -> Dataset:
    records = {
        str(i): Annotation(str(i), "p", whole, ("part",), None) for i, whole in enumerate(wholes)
    }
    return Dataset("tiny", "reference", {"all": tuple(records)}, records, NameStore(["p"], "tiny"))


def test_one_annotation_is_said_to_be_too_few() -> None:
    made = naming(tiny("dog"), QUICK)
    assert made.fields["tangrams"]["p"] == {"n": 1, "snd": None, "pnd": None, "psa": None}
    assert made.fields["naming"]["snd"] == {"n": 0, "mean": None, "sd": None}
    assert any("have one annotation only" in note for note in made.notes)


def test_empty_descriptions_count_and_add_nothing() -> None:
    assert naming(tiny("", "", "dog"), QUICK).fields["tangrams"]["p"]["snd"] == pytest.approx(1 / 3)


def test_no_resamples_no_intervals() -> None:
    made = naming(tiny("dog", "cat"), Options(resamples=0))
    assert made.fields["tangrams"]["p"]["snd_interval"] is None
    assert ranks({}, "snd") == {}


def test_a_world_with_one_description_of_each_figure(world: Dataset) -> None:
    made = naming(world, QUICK)
    assert made.fields["naming"]["snd"] == {"n": 0, "mean": None, "sd": None}
    assert made.fields["published"] == {}
    assert not made.figures


def test_as_command(deixis, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "made"
    ended = deixis(
        "measure", "kilogram:dense10", "--data", data, "--resamples", 20, "--json", "--out", out,
        "--only", "naming",
    )  # fmt: skip
    said = ended.json
    assert said["schema"] == "deixis/measure/1"
    assert set(said["tangrams"]["page1-69"]) >= {"snd", "pnd", "psa"}
    assert said["tangrams"]["page1-69"]["psa"] == 7.0
    assert json.loads((out / "measure.json").read_text("utf-8")) == said
    assert {p.name for p in out.iterdir()} >= {"snd.svg", "psa-snd.svg", "measure.json"}


def test_files_do_not_depend_on_the_day(kilogram: Dataset, tmp_path: Path) -> None:
    found = measure(kilogram.select("dense10"), Options(resamples=5), ["naming"])
    for name in ("a", "b"):
        write(tmp_path / name, found)
    assert (tmp_path / "a/psa.svg").read_bytes() == (tmp_path / "b/psa.svg").read_bytes()


def test_mistakes(refused, kilogram: Dataset, data: Path) -> None:
    assert "no measure 'namin'; did you mean 'naming'?" in refused(
        "measure", "kilogram:val", "--data", data, "--only", "namin"
    )
    with pytest.raises(BadInput, match="--resamples: expected 0 or more, got -1"):
        measure(kilogram, Options(resamples=-1))
    with pytest.raises(BadInput, match="no record to measure"):
        measure(replace(kilogram, records={}), QUICK)
    with pytest.raises(BadInput, match="'naming' plays reference tasks, not choice tasks"):
        measure(replace(kilogram, kind="choice"), QUICK, ["naming"])


def test_two_measures_of_one_name(kilogram: Dataset) -> None:
    with pytest.raises(BadInput, match="two measures give 'correlations'"):
        measure(kilogram.select("val"), QUICK, ["naming", "naming"])
