"""The worlds boxes, strips and towers: what is promised of their statements."""

from __future__ import annotations

from collections import Counter

import pytest

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.pictures.scene import Scene, is_tower
from deixis.pictures.scenestore import SceneStore
from deixis.players.statement.grammar import grammar
from deixis.players.statement.majority import Majority
from deixis.replies import Replies
from deixis.seeds import draw
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.text.grammar import parse
from deixis.worlds.boxes import FALSE, TRUE, boxes, strips, towers
from deixis.worlds.scenes.meaning import evaluate
from deixis.worlds.scenes.sentences import MAKERS
from deixis.worlds.scenes.usual import written

PHENOMENA = {
    "hard cardinality",
    "soft cardinality",
    "existential quantifier",
    "universal quantifier",
    "coordination",
    "coreference",
    "spatial relation",
    "comparison",
    "negation",
}
"""Names of NLVR2's annotated development sentences."""


@pytest.fixture(scope="module", params=["boxes", "strips", "towers"])
def made(request: pytest.FixtureRequest) -> Dataset:
    return load(request.param, sentences=50)


def scene(world: Dataset, record) -> Scene:
    assert isinstance(world.store, SceneStore)
    return sum((world.store.scene(p) for p in record.pictures[0] if p), ())


def test_labels_are_the_meaning_of_the_sentence(made: Dataset) -> None:
    layouts = made.extras["layouts"]
    for record in made.records.values():
        assert evaluate(layouts[record.sentence], scene(made, record)) == record.label


@pytest.mark.parametrize("what", ["group", "pair"])
def test_neither_input_alone_tells_the_label(made: Dataset, what: str) -> None:
    """Each sentence is true of two of its four pairs; each pair stands with one true sentence."""
    labels: dict[str, list[bool]] = {}
    for record in made.records.values():
        labels.setdefault(getattr(record, what), []).append(record.label)
    each = {"group": (4, 2), "pair": (2, 1)}[what]
    assert len(labels) == 200 / each[0]
    assert {(len(v), sum(v)) for v in labels.values()} == {each}


@pytest.mark.parametrize("channel", ["sentence", "image"])
def test_who_ignores_an_input_is_right_in_half(made: Dataset, channel: str) -> None:
    """A player that answers by what it is shown, whatever it may be, and is shown one input."""
    task = make(made)

    def answer(view) -> bool:
        return bool(draw(0, view.sentence, view.left, view.right).integers(2))

    if made.name == "boxes" or channel == "sentence":
        shown = task.do(f"{channel}=drop")
        replies = Replies.scored(views(shown), [(answer(v), 0.5) for v in views(shown)])
        assert score(shown, replies).credit.mean() == 0.5
    majority = Majority().fit(task)
    assert score(task, majority.reply(views(task))).credit.mean() == 0.5


def test_every_phenomenon_occurs(made: Dataset) -> None:
    if made.name == "towers":
        assert set(made.extras["subsets"]) == {"scattered", "stacked"}
        return
    assert set(made.extras["subsets"]) == PHENOMENA
    assert set().union(*made.extras["subsets"].values()) == set(made.records)


def test_splits_share_no_sentence_and_no_picture(made: Dataset) -> None:
    for what in ("sentence", "pictures"):
        seen = Counter()
        for split in made.splits:
            seen.update({getattr(r, what) for r in made.select(split).records.values()})
        assert set(seen.values()) == {1}


def test_other_splits_of_other_seeds_share_no_sentence() -> None:
    splits: dict[str, set[str]] = {}
    for seed in range(3):
        for record in boxes(sentences=100, kinds=("existence",), seed=seed).records.values():
            splits.setdefault(record.sentence, set()).add(record.split)
    assert {len(s) for s in splits.values()} == {1}
    assert set().union(*splits.values()) == {"train", "dev", "test"}


def test_the_grammar_reads_all_of_it_as_it_is_meant(made: Dataset) -> None:
    layouts = made.extras["layouts"]
    assert {s: parse(s) for s in layouts} == layouts
    task = make(made)
    assert score(task, grammar("", task).reply(views(task))).credit.mean() == 1


def test_the_same_seed_makes_the_same_world() -> None:
    one, same, other = (boxes(sentences=4, seed=s) for s in (1, 1, 2))
    assert one.records == same.records
    assert one.fingerprint == same.fingerprint != other.fingerprint


@pytest.mark.parametrize(("side", "channel"), [("left", "right"), ("right", "left")])
def test_information_is_in_one_picture_if_so_wished(side: str, channel: str) -> None:
    """A reader who is shown another right picture misses nothing of what is said of the left."""
    world = boxes(sentences=16, **{"left": 0.0, "right": 0.0, side: 1.0})
    task = make(world)
    reader = grammar("", task)
    assert score(task, reader.reply(views(task.do(f"{channel}=shuffle")))).credit.mean() == 1
    assert score(task, reader.reply(views(task.do(f"{side}=shuffle")))).credit.mean() < 0.75


def test_information_is_in_the_sentence_if_so_wished() -> None:
    told = boxes(sentences=12, told=1.0)
    for record in told.records.values():
        assert record.sentence.startswith(TRUE if record.label else FALSE)
    groups = {(r.group, r.label) for r in told.records.values()}
    assert len(groups) == 12, "one label for all pairs of a sentence"
    pairs = {(r.pair, r.label) for r in told.records.values()}
    assert len(pairs) == 48, "and both for each pair"


def test_sentences_that_tell_are_a_subset_of_their_own() -> None:
    made = boxes(sentences=12, told=0.5)
    unbalanced = {r.id for r in made.records.values() if r.sentence.startswith((TRUE, FALSE))}
    assert 0 < len(unbalanced) < 48
    assert set(made.extras["subsets"]["unbalanced"]) == unbalanced
    assert set(made.extras["subsets"]["balanced"]) == set(made.records) - unbalanced


@pytest.mark.parametrize("kind", MAKERS)
def test_one_kind_alone(kind: str) -> None:
    world = boxes(sentences=2, kinds=(kind,))
    assert len(world.records) == 8


@pytest.mark.parametrize(
    "options",
    [
        {"sentences": 0},
        {"sentences": 3},
        {"kinds": ("frob",)},
        {"kinds": ()},
        {"told": 2.0},
        {"left": 0.8, "right": 0.8},
        {"left": -0.1},
    ],
)
def test_options_out_of_range(options: dict) -> None:
    with pytest.raises(BadInput, match="boxes"):
        boxes(**options)


def test_half_of_the_towers_are_stacks() -> None:
    world = towers(sentences=40, kinds=("stacked",))
    assert all(is_tower(scene(world, r)) for r in world.records.values())
    heights = {len(box) for r in world.records.values() for box in scene(world, r)}
    assert heights == {1, 2, 3, 4}
    assert towers(sentences=2, kinds=("existence",)).counts["pictures"] == 4
    with pytest.raises(BadInput, match="towers: expected a share"):
        towers(told=2)
    with pytest.raises(BadInput, match="of the kinds existence"):
        strips(sentences=2, kinds=("stacked",))


def test_people_s_ways_are_all_understood() -> None:
    generator = draw(0, "ways")
    for pattern in ("scattered", "stacked"):
        sentences = {written(generator, pattern) for _ in range(400)}
        assert [s for s in sentences if parse(s) is None] == []


def test_strips_out_of_range() -> None:
    with pytest.raises(BadInput, match="strips: expected a share"):
        strips(told=-1)
