"""The presets, and what may be written instead."""

from __future__ import annotations

from dataclasses import replace

from deixis.dataset import Dataset
from deixis.reproduce.kilogram.design import CONDITIONS, STATES, Design, Exam
from deixis.reproduce.kilogram.presets import BLACK, PRESETS, chosen
from deixis.reproduce.report import Asked


def written(**options: str) -> Design:
    return chosen(PRESETS["paper"], Asked(options=options))


def test_the_paper_is_as_published() -> None:
    """Real checkpoints, three runs, ten contexts for each target, its own scale before training."""
    paper = PRESETS["paper"]
    assert [e.spec for e in paper.entrants] == [
        "clip:openai/clip-vit-base-patch32",
        "vilt:dandelin/vilt-b32-mlm-itm",
    ]
    assert [e.trained["tune"] for e in paper.entrants] == ["clip-kilogram", "vilt-kilogram"]
    assert paper.entrants[0].untrained == {"scale": str(1 / 0.07), "canvas": "224"}
    assert all(e.states == STATES for e in paper.entrants)
    assert (paper.seeds, paper.k, paper.augment, paper.template) == (3, 10, "all", "published")
    assert [(t.split, t.contexts, t.per_target) for t in paper.tests] == [
        ("dev", "controlled", 10),
        ("heldout", "controlled", 10),
    ]


def test_the_tiny_one_shows_dev_only_in_black() -> None:
    """Its pieces cannot be told apart: the published texts come without a piece map."""
    by_name = {t.name: t for t in PRESETS["tiny"].tests}
    assert by_name["dev"].conditions == BLACK
    assert by_name["val"].conditions == by_name["dense"].conditions == tuple(CONDITIONS)
    assert by_name["dense"].folds == 2
    assert PRESETS["tiny"].entrants[2].states == STATES[1:]


def test_appendix_a8_and_the_corrected_validation() -> None:
    design = written(lessons="random", contexts="random")
    assert design.lessons == "random"
    assert [t.contexts for t in design.tests] == ["random", "random"]
    corrected = written(validation="disjoint")
    assert corrected.apart
    assert [e.trained["tune"] for e in corrected.entrants] == ["clip-corrected", "vilt-corrected"]
    assert not written(validation="shared").apart


def test_checkpoints_players_device_and_seeds() -> None:
    design = chosen(
        PRESETS["paper"],
        Asked(seeds=1, options={"players": "vilt", "vilt": "here", "device": "cpu"}),
    )
    (only,) = design.entrants
    assert only.spec == "vilt:here"
    assert only.untrained == {"canvas": "224", "device": "cpu"}
    assert only.trained == {"tune": "vilt-kilogram", "device": "cpu"}
    assert design.seeds == 1


def test_validation_records_or_pictures_stay_out_of_training(world: Dataset) -> None:
    """Upstream keeps the validation's own annotations out, and trains on their pictures."""
    ids = list(world.records)
    first = {r.picture: i for i, r in reversed(world.records.items())}
    val = tuple(first.values())[:5]
    dataset = replace(world, splits={"train": tuple(ids), "val": val})
    test = Exam("val", "val")
    shared = Design("figures", "train", "val", (test,), test, (), k=5)
    assert set(shared.training(dataset).dataset.records) == set(ids) - set(val)
    apart = replace(shared, apart=True).training(dataset).dataset.records
    pictures = {world.records[i].picture for i in val}
    assert set(apart) == {i for i in ids if world.records[i].picture not in pictures}
    assert replace(shared, validation=None).development(dataset) is None


def test_the_published_contexts_choose_the_best_epoch(kilogram: Dataset) -> None:
    design = replace(PRESETS["paper"], template="plain")
    development = design.development(kilogram)
    assert development is not None
    assert (development.name, len(development)) == ("kilogram:val", 2360)
