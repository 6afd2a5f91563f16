from __future__ import annotations

from pathlib import Path

import pytest

from deixis.dataset import Dataset, Judgment, Statement
from deixis.measures.people import people, performance
from deixis.measures.ratings import agreement, dissent
from deixis.measures.section import Options
from deixis.pictures.vectors import NameStore

QUICK = Options(resamples=20)


@pytest.mark.parametrize(
    ("split", "alpha", "with_writer", "kappa", "kappa_with"),
    [("dev", 0.8933, 0.9111, 0.8930, 0.9108), ("test1", 0.8953, 0.9128, 0.8954, 0.9128)],
)
def test_agreement_of_nlvr2(
    nlvr2: Dataset, split: str, alpha: float, with_writer: float, kappa: float, kappa_with: float
) -> None:
    said = agreement(nlvr2.select(split), QUICK).fields
    found = [
        said[name]
        for name in (
            "krippendorff_alpha", "krippendorff_alpha_with_writer", "fleiss_kappa",
            "fleiss_kappa_with_writer",
        )
    ]  # fmt: skip
    assert [round(v, 4) for v in found] == [alpha, with_writer, kappa, kappa_with]
    low, high = said["agreement"]["krippendorff_alpha"]["interval"]
    assert low < said["krippendorff_alpha"] < high


def test_both_splits_together(nlvr2: Dataset) -> None:
    said = agreement(nlvr2.select("dev", "test1"), Options(resamples=0)).fields
    assert round(said["krippendorff_alpha_with_writer"], 4) == 0.9119
    assert said["agreement"]["krippendorff_alpha"]["interval"] is None


def test_agreement_of_nlvr(nlvr: Dataset) -> None:
    """Nonsense is a third value."""
    for split, alpha, kappa in (("dev", 0.79946, 0.79942), ("test", 0.82459, 0.82456)):
        said = agreement(nlvr.select(split), QUICK).fields
        assert said["krippendorff_alpha"] == pytest.approx(alpha, abs=5e-6)
        assert said["fleiss_kappa"] == pytest.approx(kappa, abs=5e-6)
        assert "krippendorff_alpha_with_writer" not in said, "NLVR names no writers"


def test_what_the_rule_of_nlvr2_removes(nlvr2: Dataset) -> None:
    """Released sets are filtered already, but for one statement."""
    said = agreement(nlvr2.select("dev"), QUICK).fields["low_agreement"]
    assert said["removed"] == ["dev-88-1-0"]
    assert said["distribution"] == {
        "4 of 4": 5952, "3 of 4": 917, "0 of 4": 1, "3 of 3": 101, "2 of 3": 10, "2 of 2": 1,
    }  # fmt: skip
    assert said["alpha_after"] > said["alpha_before"]
    assert said["unanimous"] == pytest.approx(0.867, abs=5e-4)
    assert agreement(nlvr2.select("test1"), QUICK).fields["low_agreement"]["removed"] == []


@pytest.mark.parametrize(
    ("split", "mean", "std", "sample", "workers", "of", "micro"),
    [
        ("dev", 96.278, 2.134, 2.155, 51, 97, 96.541),
        ("test1", 96.361, 2.889, 2.917, 52, 98, 96.613),
    ],
)
def test_people_of_nlvr2(
    nlvr2: Dataset, split: str, mean: float, std: float, sample: float, workers: int, of: int,
    micro: float,
) -> None:  # fmt: skip
    said = people(nlvr2.select(split), QUICK).fields
    assert said["human_mean"] == pytest.approx(mean, abs=5e-4)
    assert said["human_std"] == pytest.approx(std, abs=5e-4)
    assert said["human_std_sample"] == pytest.approx(sample, abs=5e-4)
    assert (said["human_workers"], said["people"]["of"]) == (workers, of)
    assert said["human_micro"] == pytest.approx(micro, abs=5e-4)


def test_own_sentences_and_few_judgments_are_left_out_and_counted(nlvr2: Dataset) -> None:
    made = people(nlvr2.select("dev"), QUICK)
    said = made.fields["people"]
    assert said["judgments"] == 25_258
    assert said["left_out"] == {
        "on a sentence of one's own": 1216, "of a worker with fewer than 100": 26_599 - 25_258,
    }  # fmt: skip
    assert said["with_own"] == pytest.approx(96.293, abs=5e-4)
    shares = [100 * w["right"] / w["n"] for w in said["workers"].values()]
    assert (round(min(shares), 2), max(shares)) == (87.74, 100.0)
    assert "left out: 1,216 judgments on a sentence of one's own" in made.notes


def test_people_of_nlvr(nlvr: Dataset) -> None:
    for split, mean, sample, std in (("dev", 94.572, 3.684, 3.495), ("test", 95.428, 3.585, 3.401)):
        said = people(nlvr.select(split), QUICK).fields
        assert said["human_mean"] == pytest.approx(mean, abs=5e-4)
        assert said["human_std"] == pytest.approx(std, abs=5e-4)
        assert said["human_std_sample"] == pytest.approx(sample, abs=5e-4)
    rater = people(nlvr.select("dev"), QUICK).fields["people"]["workers"]["r2"]
    assert (rater["n"], round(100 * rater["right"] / rater["n"], 2)) == (528, 87.5)


def tiny(judgments: tuple[Judgment, ...]) -> Dataset:
    one = Statement("1", "a", True, (("l", "r"),), "dev", "s", "p", writer="w", judgments=judgments)
    return Dataset("tiny", "statement", {"dev": ("1",)}, {"1": one}, NameStore([], "tiny"))


def test_nobody_judged() -> None:
    said = agreement(tiny(()), QUICK)
    assert said.fields == {"krippendorff_alpha": None, "fleiss_kappa": None}
    assert "nobody but the writers judged" in said.notes[0]
    assert people(tiny(()), QUICK).fields["human_mean"] is None


def test_one_rater_is_said_to_be_too_few() -> None:
    dataset = tiny((Judgment("a", True, "eval"),))
    said = agreement(dataset, QUICK)
    assert said.fields["krippendorff_alpha"] is None
    assert "krippendorff alpha is undefined: no unit has two ratings" in said.notes
    made = people(dataset, QUICK)
    assert made.fields["human_mean"] is None
    assert made.fields["human_std_sample"] is None
    assert any("no worker has 100 judgments" in n for n in made.notes)


def test_all_judgments_equal() -> None:
    said = agreement(tiny((Judgment("a", True, "eval"), Judgment("b", True, "eval"))), QUICK)
    assert said.fields["krippendorff_alpha"] is None
    assert "krippendorff alpha is undefined: all ratings are equal" in said.notes
    assert said.tables[0].rows[0][1] == "–"


def test_own_judgments() -> None:
    dataset = tiny((Judgment("w", True, "extra"), Judgment("v", False, "extra")))
    records = list(dataset.records.values())
    assert performance(records, least=1).mean == 0
    assert performance(records, least=1, own=True).mean == 50
    assert performance(records, least=1, own=True).std(1) == pytest.approx(70.7107, abs=1e-4)
    assert dissent(records[0]) == (1, 2)


def test_as_command(deixis, data: Path) -> None:
    said = deixis("measure", "nlvr2:dev", "--data", data, "--resamples", 20, "--json", "--only",
                  "agreement", "--only", "people").json  # fmt: skip
    names = (
        "krippendorff_alpha", "krippendorff_alpha_with_writer", "fleiss_kappa", "human_mean",
        "human_std", "human_workers",
    )  # fmt: skip
    assert [round(said[n], 3) for n in names] == [0.893, 0.911, 0.893, 96.278, 2.134, 51]
    assert len(said["mixtures"]["binomial"]) == 5
