"""Choice tasks: channels, donors, chance, orders, forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from deixis.audit.audit import Spec, audit
from deixis.dataset import Choice, Dataset
from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.pictures.store import ArrayStore
from deixis.players.common.call import Call
from deixis.players.common.constant import Constant
from deixis.players.common.oracle import Oracle
from deixis.players.common.planted import planted
from deixis.replies import Replies
from deixis.runs.play import play
from deixis.seeds import Seeds
from deixis.tasks.make import make
from deixis.tasks.see import dose, see, views
from deixis.tasks.task import Task
from deixis.trials import BLANK
from deixis.units import MEASURES

COLORS = ("red", "green", "blue")


def dataset(n: int = 24, **more: Any) -> Dataset:
    arrays = {f"p{i}": np.full((4, 5, 3), i, np.uint8) for i in range(n)}
    records = {
        f"q{i}": Choice(
            id=f"q{i}",
            prompt=f"which color, number {i}?",
            pictures=(f"p{i}",),
            options=COLORS,
            answer=i % 3,
            cluster=("picture", f"p{i}"),
            others={"polite": f"please, which color, number {i}?"},
            **more,
        )
        for i in range(n)
    }
    return Dataset("colors", "choice", {"all": tuple(records)}, records, ArrayStore(arrays))


@pytest.fixture
def task() -> Task:
    return make(dataset())


def winoground(n: int = 12) -> Task:
    arrays = {f"{i}{s}": np.full((2, 2, 3), 2 * i + s, np.uint8) for i in range(n) for s in (0, 1)}
    records = {}
    for i in range(n):
        pictures, texts = (f"{i}0", f"{i}1"), (f"a {i}", f"b {i}")
        both: list[tuple[str, int, Sequence[str], tuple[str, ...], str]] = []
        both += [("text", s, texts, (pictures[s],), "") for s in (0, 1)]
        both += [("image", s, pictures, (), texts[s]) for s in (0, 1)]
        for stratum, side, options, shown, prompt in both:
            name = f"{i}/{stratum}{side}"
            records[name] = Choice(
                name, prompt, shown, tuple(options), side, ("item", str(i)),
                pictured=stratum == "image", group=str(i), stratum=stratum,
            )  # fmt: skip
    made = Dataset("w", "choice", {}, records, ArrayStore(arrays), extras={"form": "winoground"})
    return make(made)


def test_trials_and_views(task: Task) -> None:
    trial = task.trials[4]
    assert (trial.answer, trial.group, trial.stratum) == (1, None, "1 pictures, 3 options")
    assert task.atoms == ("prompt", "image", "options")
    assert "order" in task.channels
    assert task.chance == pytest.approx(1 / 3)
    assert task.best_guess == pytest.approx(1 / 3)
    view = see(task, trial)
    assert sorted(view.options) == sorted(COLORS)
    assert view.options == tuple(COLORS[i] for i in task.order(4))
    assert not hasattr(view, "answer")


def test_best_guess_needs_one_set_of_labels() -> None:
    made = dataset(4)
    records = {k: replace(r, answer=0) for k, r in made.records.items()}
    assert make(replace(made, records=records)).best_guess == 1
    odd = {**records, "q0": replace(records["q0"], options=("red", "x", "y"))}
    assert make(replace(made, records=odd)).best_guess == pytest.approx(1 / 3)


def test_no_picture_is_none_at_all(task: Task) -> None:
    view = see(task.do("image=drop"), task.trials[0])
    assert view.images == ()
    assert see(task.do("image=blank"), task.trials[0]).images == (BLANK,)
    grey = see(task.do("image=grey"), task.trials[0]).images[0]
    assert (task.store.pixels(grey, 5)[1:3] == 128).all()
    assert dose(task.do("image=drop"), task, task.trials[0]).values == 1


def test_donor_pictures_of_the_same_and_of_another_answer(task: Task) -> None:
    for relation, same in (("same-answer", True), ("other-answer", False)):
        altered = task.do(f"image=shuffle:{relation}")
        for trial, view in zip(task.trials, views(altered), strict=True):
            lender = int(view.images[0].source[1:])
            assert lender != int(trial.id[1:])
            assert (lender % 3 == trial.answer) == same
    with pytest.raises(BadInput, match="expected one of same-answer, other-answer"):
        see(task.do("image=shuffle:other"), task.trials[0])
    few = make(dataset(3)).do("image=shuffle:same-answer")
    with pytest.raises(BadInput, match="no other trial of same answer differs enough from q"):
        see(few, few.trials[0])


def test_paraphrases(task: Task) -> None:
    altered = task.do("prompt=from:polite")
    assert see(altered, task.trials[3]).prompt == "please, which color, number 3?"
    with pytest.raises(BadInput, match=r"nobody named .rude. worded q0 anew \(known: polite\)"):
        see(task.do("prompt=from:rude"), task.trials[0])


@pytest.mark.parametrize("how", ["written", "reverse", "rotate:1", "shuffle"])
def test_orders_move_options_and_nothing_else(task: Task, how: str) -> None:
    altered = task.do(f"order={how}")
    moved = 0
    for i, (a, b) in enumerate(zip(views(task), views(altered), strict=True)):
        assert (a.prompt, a.images, sorted(a.options)) == (b.prompt, b.images, sorted(b.options))
        moved += a.options != b.options
        assert dose(altered, task, task.trials[i]).altered == (a.options != b.options)
    assert moved > 8
    if how == "written":
        assert {v.options for v in views(altered)} == {COLORS}
    oracle = score(altered, Oracle(altered).reply(views(altered)))
    assert oracle.credit.tolist() == [1] * len(task)


def test_order_is_no_input(task: Task) -> None:
    made = audit(task.do("order=written"), partial(play, task.do("order=written"), Constant()))
    assert set(made.absent) == {"prompt", "image", "options"}
    with pytest.raises(BadInput, match="order takes no operator 'drop'"):
        task.do("order=drop")


def test_a_first_place_lover_shows_by_order(task: Task) -> None:
    first = Call(lambda view: 0, "first")
    found = audit(task, partial(play, task, first), Spec(do=("order=written", "order=rotate:1")))
    assert found.conditions[1]["measures"]["accuracy"] == pytest.approx(1 / 3)


@pytest.mark.parametrize("preset", ["options", "question", "question+options"])
def test_presets(preset: str) -> None:
    base = make(dataset(), presets=[f"text={preset}"])
    view = see(base, base.trials[0])
    assert view.images == ()
    assert bool(view.prompt) == (preset != "options")
    assert set(view.options) == ({"_"} if preset == "question" else set(COLORS))


def test_constant_players_are_at_chance(task: Task) -> None:
    for made in (task, winoground()):
        outcomes = score(made, Constant().reply(views(made)))
        measure = MEASURES[made.about.measures[0]]
        assert measure.of(outcomes).values.mean() == pytest.approx(made.chance)
    assert winoground().chance == 1 / 16


def test_winoground_scores() -> None:
    task = winoground()
    assert task.about.measures == ("group_score", "text_score", "image_score", "accuracy")
    assert task.atoms == ("prompt", "image", "options", "candidates")
    # Right about captions always, about pictures for the first half of the items.
    right = [t.stratum == "text" or int(t.group) < 6 for t in task.trials]
    shown = views(task)
    choices = []
    for i, (trial, view) in enumerate(zip(task.trials, shown, strict=True)):
        place = task.order(i).tolist().index(trial.answer)
        choices.append(place if right[i] else 1 - place)
        assert view.k == 2
    outcomes = score(task, Replies.chosen(shown, choices))
    values = {m: float(MEASURES[m].of(outcomes).values.mean()) for m in task.about.measures}
    assert values == {
        "group_score": 0.5, "text_score": 1.0, "image_score": 0.5, "accuracy": 0.75}  # fmt: skip
    lent = see(task.do("candidates=shuffle"), task.trials[2])
    assert {p.source[:-1] for p in lent.options} != {"0"}


def test_audits_find_what_was_planted(task: Task) -> None:
    player = planted("image=0.4,prompt*options=0.2", task)
    found = audit(task, partial(play, task, player), Spec(shapley=True))
    values = {c.of: c.value for c in found.of("shapley")}
    assert values == pytest.approx({"image": 0.4, "prompt": 0.1, "options": 0.1}, abs=0.05)
    assert sum(values.values()) == pytest.approx(found.all - found.none)


def test_no_questions() -> None:
    with pytest.raises(BadInput, match="there are no questions"):
        make(replace(dataset(), records={}))


def test_groups_and_retrieval() -> None:
    made = dataset(6, group="all")
    grouped = make(replace(made, extras={"form": "groups"}))
    assert grouped.about.measures == ("accuracy", "consistency")
    assert {t.group for t in grouped.trials} == {"all"}
    pool = replace(made, extras={"form": "retrieval"})
    task = make(pool, seeds=Seeds(order=3))
    assert task.trials[0].group is None
    outcomes = score(task, Oracle(task).reply(views(task)))
    assert MEASURES["top_5"].of(outcomes).values.tolist() == [1] * 6
