"""From outcomes to contrasts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from deixis.audit.infer import (
    NOT_USED,
    UNDECIDED,
    USED,
    Contrast,
    infer,
    judge,
    tabulate,
)
from deixis.audit.rows import CHANCE, Row, gaps
from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.replies import STATUSES
from deixis.seeds import Seeds, draw
from deixis.stats.tests import holm, mcnemar
from deixis.units import MEASURES

ACCURACY = MEASURES["accuracy"]
RATIO = Row(
    "perceptual", "a", {"": 1.0, "a=shuffle": -1.0}, form="model-normalised", over={"": 1.0}
)


def outcomes(credit: object, clusters: object = None, workers: object = None) -> Outcomes:
    values = np.asarray(credit, np.float64)
    n = len(values)
    ids = np.array([f"t{i:04}" for i in range(n)])
    blank = np.full(n, "")
    return Outcomes(
        ids=ids,
        items=ids,
        clusters=ids if clusters is None else np.asarray(clusters, str),
        workers=blank if workers is None else np.asarray(workers, str),
        raters=blank,
        groups=blank,
        strata=blank,
        status=np.zeros(n, np.uint8),
        credit=values,
        guess=np.full(n, 0.1),
        rank=np.where(values == 1, 1.0, 5.0),
        ties=np.ones(n, np.int64),
        sizes=np.full(n, 10),
        probability=np.full(n, np.nan),
        choice=np.where(values == 1, 0, 3),
        rounds=np.zeros(n, np.int64),
        condition="",
        seeds=Seeds(),
    )


def test_a_gap_of_single_items_is_tested_by_mcnemar() -> None:
    base, other = np.ones(40), np.r_[np.zeros(9), np.ones(31)]
    (found,) = infer(
        gaps(["a=drop"]),
        ACCURACY,
        {"": (outcomes(base),), "a=drop": (outcomes(other),)},
        margin=0.01,
    )
    assert found.value == pytest.approx(9 / 40)
    assert found.p == mcnemar(base, other)
    assert found.changed == pytest.approx(9 / 40)
    assert found.verdict == USED


def test_clusters_are_tested_by_sign_flips() -> None:
    generator = draw(0, "test")
    clusters = np.repeat(np.arange(40), 5).astype(str)
    base = generator.random(200) < 0.8
    other = generator.random(200) < 0.4
    played = {"": (outcomes(base, clusters),), "a=drop": (outcomes(other, clusters),)}
    (found,) = infer(gaps(["a=drop"]), ACCURACY, played, margin=0.01)
    assert 0 < found.p < 0.01
    assert found.low < found.value < found.high
    assert found.mde == pytest.approx(2.8016 * found.error, rel=1e-3)


def test_gaps_are_adjusted_together_and_nothing_else_is() -> None:
    generator = draw(1, "test")
    played = {c: (outcomes(generator.random(60) < 0.5),) for c in ("", "a=drop", "b=drop")}
    asked = [*gaps(["a=drop", "b=drop"]), Row("prior", "text", {"a=drop": 1.0, CHANCE: -1.0})]
    one, two, prior = infer(asked, ACCURACY, played, margin=0.01)
    assert [one.p_holm, two.p_holm] == holm(np.array([one.p, two.p])).tolist()
    assert math.isnan(prior.p_holm)


def test_no_interval_below_ten_clusters() -> None:
    clusters = np.repeat(np.arange(9), 10).astype(str)
    played = {
        "": (outcomes(np.ones(90), clusters),),
        "a=drop": (outcomes(np.zeros(90), clusters),),
    }
    (found,) = infer(gaps(["a=drop"]), ACCURACY, played, margin=0.01)
    assert math.isnan(found.low)
    assert math.isnan(found.p)
    assert found.verdict == UNDECIDED
    assert "clusters" in found.note


def test_shared_annotators_widen_the_interval() -> None:
    generator = draw(2, "test")
    workers = np.tile(np.arange(10), 40).astype(str)
    clusters = np.repeat(np.arange(40), 10).astype(str)
    shift = generator.standard_normal(10)[np.tile(np.arange(10), 40)] > 0
    other = np.where(shift, 1.0, (generator.random(400) < 0.5).astype(float))
    base = outcomes(generator.random(400) < 0.5, clusters)

    def width(o: Outcomes, b: Outcomes) -> float:
        (found,) = infer(gaps(["a=drop"]), ACCURACY, {"": (b,), "a=drop": (o,)}, margin=0.01)
        return found.high - found.low

    alone = width(outcomes(other, clusters), base)
    shared = width(outcomes(other, clusters, workers), replace(base, workers=workers))
    assert shared > 1.5 * alone


def test_replicates_are_averaged_within_units() -> None:
    a, b = outcomes(np.r_[np.ones(20), np.zeros(20)]), outcomes(np.ones(40))
    table = tabulate(ACCURACY, {"": (a, b)})
    assert table.values[:, 0].tolist() == [1.0] * 20 + [0.5] * 20
    assert table.means[:, 0].tolist() == [0.5, 1.0]
    (found,) = infer(
        [Row("prior", "x", {"": 1.0, CHANCE: -1.0})], ACCURACY, {"": (a, b)}, margin=0.01
    )
    assert found.between == pytest.approx(np.std([0.5, 1.0], ddof=1))
    assert found.monte_carlo == pytest.approx(found.between / math.sqrt(2))


def test_training_runs_add_their_variance() -> None:
    generator = draw(3, "test")
    runs = tuple(outcomes(generator.random(300) < rate) for rate in (0.5, 0.7, 0.9))
    played = {"": runs, "a=drop": tuple(outcomes(np.full(300, 0.1)) for _ in range(3))}
    (items,) = infer(gaps(["a=drop"]), ACCURACY, played, margin=0.01)
    (training,) = infer(gaps(["a=drop"]), ACCURACY, played, margin=0.01, population="training")
    assert training.error > 2 * items.error
    assert training.high - training.low > 5 * (items.high - items.low)
    single = {c: o[:1] for c, o in played.items()}
    with pytest.raises(BadInput, match="two training runs"):
        infer(gaps(["a=drop"]), ACCURACY, single, margin=0.01, population="training")


def test_a_sign_that_hangs_on_unread_replies_is_undecided() -> None:
    base = outcomes(np.r_[np.ones(60), np.zeros(40)])
    credit = np.r_[np.ones(50), np.full(50, 0.1)]
    status = np.r_[np.zeros(50), np.full(50, STATUSES.index("unreadable"))].astype(np.uint8)
    other = replace(outcomes(credit), status=status)
    (found,) = infer(gaps(["a=drop"]), ACCURACY, {"": (base,), "a=drop": (other,)}, margin=0.01)
    assert (found.low_credit, found.high_credit) == pytest.approx((0.1, -0.4))
    assert found.verdict == UNDECIDED
    assert "unread" in found.note


def test_ratios_and_their_absence() -> None:
    generator = draw(4, "test")
    base, other = generator.random(200) < 0.8, generator.random(200) < 0.4
    rows = [
        Row(
            "perceptual", "a", {"": 1.0, "a=shuffle": -1.0}, form="model-normalised", over={"": 1.0}
        )
    ]
    played = {"": (outcomes(base),), "a=shuffle": (outcomes(other),)}
    (found,) = infer(rows, ACCURACY, played, margin=0.01)
    assert found.value == pytest.approx((base.mean() - other.mean()) / base.mean())
    assert found.low < found.value < found.high
    assert found.verdict == ""
    noise = {"": (outcomes(np.r_[np.ones(20), -np.ones(20)]),), "a=shuffle": played["a=shuffle"]}
    noise["a=shuffle"] = (outcomes(np.zeros(40)),)
    (nothing,) = infer(rows, ACCURACY, noise, margin=0.01)
    assert math.isnan(nothing.value)
    assert "no ratio" in nothing.note


def test_a_ratio_has_the_spread_of_the_bootstrapped_ratio() -> None:
    generator = draw(5, "test")
    base = (generator.random(400) < 0.6).astype(float)
    other = base * (generator.random(400) < 0.5)
    rows = [
        Row(
            "perceptual", "a", {"": 1.0, "a=shuffle": -1.0}, form="model-normalised", over={"": 1.0}
        )
    ]
    played = {"": (outcomes(base),), "a=shuffle": (outcomes(other),)}
    (found,) = infer(rows, ACCURACY, played, margin=0.01)
    picks = generator.integers(0, 400, (4000, 400))
    ratios = (base[picks].mean(1) - other[picks].mean(1)) / base[picks].mean(1)
    low, high = np.quantile(ratios, [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.01)


@pytest.mark.parametrize(
    ("value", "low", "high", "inner", "p", "verdict"),
    [
        (0.2, 0.1, 0.3, (0.12, 0.28), 0.001, USED),
        (-0.2, -0.3, -0.1, (-0.28, -0.12), 0.001, USED),
        (0.001, -0.004, 0.006, (-0.003, 0.005), 0.6, NOT_USED),
        (0.004, 0.001, 0.007, (0.002, 0.006), 0.001, NOT_USED),
        (0.02, -0.01, 0.05, (-0.005, 0.045), 0.2, UNDECIDED),
        (0.2, 0.1, 0.3, (0.12, 0.28), 0.06, UNDECIDED),
    ],
)
def test_verdicts(
    value: float, low: float, high: float, inner: tuple[float, float], p: float, verdict: str
) -> None:
    contrast = Contrast(
        "gap", "a", value, low, high, 0.01, p=p, p_holm=p, mde=0.03,
        low_credit=value, high_credit=value,
    )  # fmt: skip
    found = judge(contrast, inner, 0.01, 40)
    assert found.verdict == verdict
    assert (found.more_clusters > 0) == (verdict == UNDECIDED)
    if verdict == UNDECIDED:
        assert found.more_clusters == 40 * (9 - 1)
