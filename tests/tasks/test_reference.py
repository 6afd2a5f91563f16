from __future__ import annotations

from collections import Counter
from dataclasses import fields, is_dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.seeds import Seeds
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.reference import REFERENCE, different
from deixis.tasks.task import Task
from deixis.text.templates import render


def test_counts_of_controlled_contexts(kilogram: Dataset) -> None:
    """Targets whose part count has no ten tangrams and ten texts are dropped and counted."""
    made = {s: make(kilogram.select(s), s) for s in ("dev", "dense", "dense10", "val")}
    assert {s: len(t) for s, t in made.items()} == {
        "dev": 1243,
        "dense": 3971,
        "dense10": 738,
        "val": 236,
    }
    assert {s: sum(t.dropped.values()) for s, t in made.items()} == {
        "dev": 7,
        "dense": 0,
        "dense10": 3,
        "val": 0,
    }


def test_random_contexts_keep_every_target(kilogram: Dataset) -> None:
    task = make(kilogram.select("dev"), "dev", contexts="random")
    assert len(task) == 1250
    assert not task.dropped
    assert all(len({p.source for p in t.pictures}) == 10 for t in task.trials)
    counts = [len({len(x.parts) for x in t.texts}) for t in task.trials]
    assert max(counts) > 3, "nothing else is controlled"


def test_controlled_contexts(dense: Task) -> None:
    for trial in dense.trials:
        assert len({p.source for p in trial.pictures}) == 10
        assert len({t.whole for t in trial.texts}) == 10
        assert len({len(t.parts) for t in trial.texts}) == 1
        assert trial.answer == 0
        assert trial.id == trial.item
        assert trial.clusters[0] == ("tangram", trial.pictures[0].source)


@pytest.fixture(scope="module")
def published(kilogram: Dataset) -> Task:
    return make(kilogram.select("val"), "kilogram:val", contexts="published")


def test_published_contexts_are_as_published(kilogram: Dataset, published: Task) -> None:
    assert len(published) == 2360
    assert set(Counter(t.item for t in published.trials).values()) == {10}
    parts = Counter(len(t.texts[0].parts) for t in published.trials)
    assert parts == {2: 570, 3: 820, 4: 580, 5: 280, 6: 110}
    rows = kilogram.extras["contexts"]["val"]
    for trial, row in zip(published.trials, rows, strict=True):
        assert [f"{t.whole}#{'#'.join(t.parts)}" for t in trial.texts] == [text for _, text in row]
        assert [p.source for p in trial.pictures] == [i.rpartition("_")[0] for i, _ in row]
        assert len({p.source for p in trial.pictures}) == 10
        assert len({t.whole for t in trial.texts}) == 10
        assert len({len(t.parts) for t in trial.texts}) == 1


def test_published_pictures_are_painted_in_the_order_of_the_published_text(
    kilogram: Dataset, published: Task
) -> None:
    for trial in published.trials[::50]:
        for text, picture in zip(trial.texts, trial.pictures, strict=True):
            annotation = kilogram.records[f"{picture.source}_0"]
            for piece, position in enumerate(picture.paint):
                assert text.parts[position] == annotation.parts[annotation.pieces[piece]]


def test_published_contexts_of_another_split(kilogram: Dataset) -> None:
    with pytest.raises(BadInput, match=r"published contexts: known for kilogram:val"):
        make(kilogram.select("dense"), contexts="published")


def test_published_texts_must_be_what_the_annotation_says(kilogram: Dataset) -> None:
    val = kilogram.select("val")
    rows = {"val": [[(i, "something else") for i, _ in val.extras["contexts"]["val"][0]]]}
    with pytest.raises(BadInput, match=r"'something else' is not what page1-1_0 says"):
        make(replace(val, extras={"contexts": rows}), contexts="published")


def test_a_world_without_published_contexts(world: Dataset) -> None:
    with pytest.raises(BadInput, match=r"published contexts: known for no split here"):
        make(world, contexts="published")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"contexts": "odd"}, "no 'odd' contexts .known: controlled, published, random, subsets"),
        ({"template": "odd"}, "no template 'odd' .known: plain, published"),
        ({"direction": "odd"}, "no direction 'odd' .known: text-to-picture, picture-to-text.$"),
        ({"k": 1}, "at least 2 candidates and 1 context, got 1 and 1"),
        ({"per_target": 0}, "at least 2 candidates and 1 context, got 10 and 0"),
        ({"k": 300}, "figures: no context of 300 can be filled"),
        ({"pool": "all"}, "--pool is no option of reference tasks"),
        ({"presets": ["text=caption"]}, "--text caption is no option of reference tasks"),
    ],
)
def test_options_that_cannot_be_met(world: Dataset, options: dict, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        make(world, **options)


def test_several_contexts_for_each_target(world: Dataset) -> None:
    task = make(world, per_target=3, k=4)
    assert len(task) == 3 * len(make(world, k=4))
    first = [t for t in task.trials if t.item == task.trials[0].item]
    assert [t.id.rpartition("/")[2] for t in first] == ["0", "1", "2"]
    assert len({tuple(p.source for p in t.pictures) for t in first}) == 3


SMALL = load("figures", variants=1)


@settings(max_examples=20)
@given(st.randoms())
def test_the_order_of_records_changes_no_trial(random) -> None:
    world = SMALL
    shuffled = list(world.records.items())
    random.shuffle(shuffled)
    one = {t.id: t for t in make(world, k=5).trials}
    other = {t.id: t for t in make(replace(world, records=dict(shuffled)), k=5).trials}
    assert one == other


def test_the_contexts_seed_moves_contexts_and_the_order_of_parts(world: Dataset) -> None:
    one, other = (make(world, seeds=Seeds(contexts=s)) for s in (0, 1))
    pairs = list(zip(one.trials, other.trials, strict=True))
    assert sum(a.pictures != b.pictures for a, b in pairs) > 0.95 * len(pairs)
    assert any(a.texts[0].parts != b.texts[0].parts for a, b in pairs)
    assert make(world, seeds=Seeds(order=5, operator=5, training=5)).trials == one.trials


def test_families_never_meet(world: Dataset) -> None:
    for trial in make(world).trials:
        assert len({p.source.rpartition("-")[0] for p in trial.pictures}) == 10


def test_the_other_direction_has_the_same_contexts(world: Dataset) -> None:
    forward, back = make(world), make(world, direction="picture-to-text")
    assert forward.about.measures == ("accuracy",)
    assert back.about.measures == ("accuracy_picture_to_text",)
    for a, b in zip(forward.trials, back.trials, strict=True):
        assert (a.texts, a.pictures, a.clusters) == (b.texts, b.pictures, b.clusters)
        assert len(a.view().texts) == len(b.view().pictures) == 1


def test_templates(world: Dataset) -> None:
    for name in ("plain", "published"):
        text = make(world, template=name).trials[0].texts[0]
        assert str(text) == render(name, text.whole, text.parts)


def test_what_may_lend_its_values(dense: Task) -> None:
    trial = dense.trials[0]
    assert not different(trial, trial)
    assert not different(trial, replace(trial, clusters=(("tangram", "other"),)))
    for other in dense.trials[1:400]:
        shared = {p.source for p in trial.pictures} & {p.source for p in other.pictures}
        if different(trial, other):
            assert not shared
            assert trial.texts[0].whole != other.texts[0].whole


def test_channels_are_disjoint_and_aliases_name_atoms() -> None:
    atoms = [c for c in REFERENCE.channels.values() if not c.atoms]
    assert [c.name for c in atoms] == ["whole", "parts", "color", "shape"]
    assert REFERENCE.channels["image"].atoms == ("color", "shape")


def test_writing_one_channel_leaves_the_others(dense: Task) -> None:
    lender = dense.trials[1].view()
    for direction in ("text-to-picture", "picture-to-text"):
        view = replace(dense.trials[0], direction=direction).view()
        other = replace(dense.trials[1], direction=direction).view()
        for channel in REFERENCE.channels.values():
            assert channel.put(view, channel.get(view)) == view
            if channel.kind in ("text", "names"):
                changed = channel.put(view, channel.get(other))
                assert channel.contents(changed) == channel.contents(other)
                for rest in REFERENCE.channels.values():
                    if rest.name != channel.name:
                        assert rest.contents(changed) == rest.contents(view)
    assert is_dataclass(lender)
    assert [f.name for f in fields(lender)] == ["id", "texts", "pictures"]
