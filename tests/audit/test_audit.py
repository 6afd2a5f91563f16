"""Whole audits of players whose reliance is known."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np
import pytest

from deixis.audit.audit import Audit, Spec, audit
from deixis.audit.infer import NOT_USED, USED
from deixis.errors import BadInput
from deixis.players.common.call import Call
from deixis.players.common.constant import Constant
from deixis.players.common.pairs import DualPlayer
from deixis.players.common.planted import Planted, planted
from deixis.players.protocols import Player
from deixis.runs.play import play
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.task import Task
from deixis.trials import Picture, ReferenceView, StatementView
from deixis.worlds.boxes import FALSE, TRUE

QUICK = {"resamples": 500}


@pytest.fixture(scope="module")
def task() -> Task:
    return make(load("figures", variants=8))


def audited(task: Task, player: Player, spec: Spec = Spec(resamples=500), **more: object) -> Audit:  # noqa: B008
    return audit(task, partial(play, task, player), spec, **more)  # type: ignore[arg-type]


def test_planted_reliance_is_recovered(task: Task) -> None:
    player = planted("whole=0.3,parts=0.2,parts*color=0.1", task)
    found = audited(task, player, Spec(shapley=True, resamples=500))
    gaps = {c.of: c for c in found.of("gap")}
    n = len(task)
    assert gaps["whole=drop"].value == pytest.approx(0.3, abs=2 / n)
    assert gaps["parts=drop"].value == pytest.approx(0.3, abs=2 / n)
    assert gaps["color=drop"].value == pytest.approx(0.1, abs=2 / n)
    assert gaps["shape=drop"].value == pytest.approx(0, abs=2 / n)
    verdicts = [gaps[f"{c}=drop"].verdict for c in ("whole", "parts", "color", "shape")]
    assert verdicts == [USED, USED, USED, NOT_USED]
    shares = {c.of: c.value for c in found.of("shapley")}
    assert shares["whole"] == pytest.approx(0.3, abs=2 / n)
    assert shares["parts"] == pytest.approx(0.25, abs=2 / n)
    assert shares["color"] == pytest.approx(0.05, abs=2 / n)
    assert sum(shares.values()) == pytest.approx(found.all - found.none, abs=1e-12)
    together = {c.of: c.value for c in found.of("interaction")}
    assert together["parts*color"] == pytest.approx(-0.1, abs=3 / n)
    assert together["whole*parts"] == pytest.approx(0, abs=3 / n)
    assert found.sham == 0


def test_a_constant_player_uses_nothing(task: Task) -> None:
    found = audited(task, Constant())
    assert found.all == pytest.approx(task.chance)
    assert found.none == pytest.approx(task.chance)
    assert {c.verdict for c in found.of("gap")} == {NOT_USED}
    assert all(c.value == 0 for c in found.of("gap"))


def test_a_player_of_one_channel_uses_that_channel(task: Task) -> None:
    found = audited(task, planted("color=0.5", task))
    assert [c.verdict for c in found.of("gap")] == [NOT_USED, NOT_USED, USED, NOT_USED]


def test_a_player_at_random_is_found_out_by_the_sham(task: Task) -> None:
    generator = np.random.default_rng(0)
    found = audited(task, Call(lambda view: generator.random(view.k)))
    assert any("sham" in w for w in found.warnings)


def test_doses_and_altered_trials(task: Task) -> None:
    spec = Spec(do=("whole=words:0.5", "color=drop"), resamples=200)
    words, color = audited(task, planted("whole=0.4", task), spec).of("gap")
    assert words.dose is not None
    assert words.altered is not None
    assert 0.3 < words.dose["trials"] < 0.95
    assert words.dose["tokens"] > 0
    assert words.value == pytest.approx(words.dose["trials"] * words.altered["value"], rel=0.02)
    assert words.altered["value"] == pytest.approx(0.4, abs=0.05)
    assert color.dose is not None
    assert color.dose["tokens"] == 0


def test_an_intervention_that_alters_nothing_is_said() -> None:
    task = make(load("figures", variants=2), presets=["black"])
    found = audited(task, Constant(), Spec(do=("parts=drop", "image=shuffle"), resamples=100))
    assert not any("altered nothing" in w for w in found.warnings)
    none = audited(task.do("parts=drop"), Constant(), Spec(do=("parts=blank",), resamples=100))
    assert "parts=blank altered nothing" in none.warnings


def test_few_clusters_are_warned_of(task: Task) -> None:
    few = [t for t in task.trials if t.clusters[0][1] in {"swan", "duck", "cat", "dog"}]
    small = dataclasses.replace(task, trials=tuple(few))
    found = audited(small, planted("whole=0.3", small), Spec(do=("whole=drop",), resamples=100))
    assert any("too few" in w for w in found.warnings)
    assert math.isnan(found.of("gap")[0].low)


def test_nothing_is_left_to_take_away(task: Task) -> None:
    bare = task.do("image=blank", "whole=drop", "parts=drop")
    with pytest.raises(BadInput, match="no channel to take away"):
        audited(bare, Constant())
    with pytest.raises(BadInput, match="more than 0 points"):
        audited(task, Constant(), Spec(margin=0.0))
    with pytest.raises(BadInput, match="expected more than 0 points, got nan"):
        audited(task, Constant(), Spec(margin=math.nan))


def test_relied_on_needed_and_redundant(task: Task) -> None:
    """A player that learns to do without a channel relied on it without needing it."""

    def retrain(condition: str) -> object:
        lacking = {"whole=drop": {frozenset({"parts"}): 0.4}, "parts=drop": {}}
        reliance = lacking.get(condition, {frozenset({"whole"}): 0.4})
        return play(task, Planted(task, reliance), [condition])

    full = Planted(task, {frozenset({"whole"}): 0.4, frozenset({"parts"}): 0.2})
    found = audited(task, full, Spec(resamples=200), retrain=retrain)
    needed = {c.of: c.value for c in found.of("needed")}
    redundant = {c.of: c.value for c in found.of("redundant")}
    assert needed["whole"] == pytest.approx(0.2, abs=0.01)
    assert redundant["whole"] == pytest.approx(0.2, abs=0.01)
    assert needed["parts"] == pytest.approx(0.6, abs=0.01)
    for gap in found.of("gap"):
        channel = gap.of.partition("=")[0]
        assert gap.value == pytest.approx(needed[channel] + redundant[channel], abs=1e-9)


def test_it_is_trained_again_only_for_what_is_asked(task: Task) -> None:
    trained = []

    def retrain(condition: str) -> object:
        trained.append(condition)
        return play(task, Constant(), [condition])

    asked = Spec(do=("parts=rotate", "color=drop"), resamples=100)
    found = audited(task, Constant(), asked, retrain=retrain)
    assert trained == ["color=drop"]
    assert [c.of for c in found.of("needed")] == ["color"]


def test_gain_and_leakage(task: Task) -> None:
    player = Planted(task, {frozenset({"whole"}): 0.2, frozenset({"shape"}): 0.3})
    blind = partial(play, task, planted("whole=0.05", task))
    found = audited(task, player, Spec(resamples=200), text_only=blind)
    (gain,), (leakage,) = found.of("gain"), found.of("leakage")
    assert gain.value == pytest.approx(0.3, abs=0.01)
    assert leakage.value == pytest.approx(0.15, abs=0.01)


def test_shapley_values_flag_a_sign_that_turns(task: Task) -> None:
    """Parts help this player against blanked ones, and hurt it against dropped ones."""

    def choose(view: ReferenceView) -> int:
        names = view.texts[0].parts
        at = [i for i, p in enumerate(view.pictures) if p.source == answer[view.id]]
        right = at[0] if at else 0  # pictures may be blank
        blanked = names and all(set(n) <= {"_", " "} for n in names)
        return (right + 1) % view.k if blanked or (names and right % 2) else right

    answer = {t.view().id: t.pictures[t.answer].source for t in task.trials}
    found = audited(task, Call(choose), Spec(do=("parts=drop",), shapley=True, resamples=100))
    parts = next(c for c in found.of("shapley") if c.of == "parts")
    assert parts.absent == "drop"
    assert parts.value < 0 < parts.blank["value"]  # type: ignore[index]
    assert "sign depends" in parts.note
    assert len(found.of("shapley")) == 4


class Counting:
    """A dual encoder that counts what it is given."""

    name, revision = "counting", "1"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def texts(self, texts: Sequence[str]) -> np.ndarray:
        self.seen += texts
        return np.array([[len(t), 1.0] for t in texts])

    def pictures(self, pictures: Sequence[Picture]) -> np.ndarray:
        self.seen += [p.key for p in pictures]
        return np.array([[1.0, int(p.key, 16) % 97] for p in pictures])


def test_sixteen_coalitions_encode_nothing_twice() -> None:
    task = make(load("figures", variants=2))
    encoder = Counting()
    audited(task, DualPlayer(encoder), Spec(shapley=True, resamples=50))
    assert len(encoder.seen) == len(set(encoder.seen))
    assert len(encoder.seen) > 2 * len(task)


def test_sixty_four_coalitions_encode_nothing_twice() -> None:
    """Each of four channels present, dropped or another trial's: 64 of the 81 ways."""
    task = make(load("figures", variants=1))
    ways = list(product((None, "drop", "shuffle"), repeat=4))[1:65]
    channels = ("whole", "parts", "color", "shape")
    conditions = [
        ",".join(f"{c}={op}" for c, op in zip(channels, way, strict=True) if op) for way in ways
    ]
    encoder = Counting()
    run = play(task, DualPlayer(encoder), conditions)
    assert len(run.outcomes) == 65
    assert len(encoder.seen) == len(set(encoder.seen))


def test_subsets_under_every_condition_that_is_asked_for() -> None:
    """A reader of what is told alone knows unbalanced sentences, and guesses the balanced ones."""
    task = make(load("boxes", sentences=12, told=0.5))

    def choose(view: StatementView) -> tuple[float, float]:
        told = [float(view.sentence.startswith(word)) for word in (TRUE, FALSE)]
        return told[0], told[1]

    spec = Spec(("image=blank", "sentence=blank"), resamples=500)
    found = audited(task, Call(choose), spec).conditions
    left = {c["do"]: {n: s["accuracy"] for n, s in c["subsets"].items()} for c in found}
    for condition, unbalanced in (("", 1.0), ("image=blank", 1.0), ("sentence=blank", 0.5)):
        assert left[condition]["unbalanced"] == unbalanced
        assert left[condition]["balanced"] == 0.5
    assert not any(left[c] for c in left if c.startswith("sentence=shuffle")), "nobody asked"


def test_json_is_complete(task: Task) -> None:
    said = audited(task, planted("whole=0.3", task)).json()
    assert said["schema"] == "deixis/audit/1"
    assert {"conditions", "contrasts", "none", "all", "sham", "statuses", "seeds"} <= set(said)
    gap = next(c for c in said["contrasts"] if c["kind"] == "gap")
    assert {
        "of",
        "value",
        "low",
        "high",
        "p",
        "p_holm",
        "mde",
        "verdict",
        "changed",
        "dose",
    } <= set(gap)
