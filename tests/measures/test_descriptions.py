from __future__ import annotations

import pytest

from deixis.dataset import Annotation, Dataset
from deixis.measures.descriptions import described, descriptions
from deixis.measures.section import Options

KNOWN = {
    "dense": {
        "whole": (2.067, 1.551), "part": (1.240, 0.637), "parts": (3.452, 1.309),
        "pieces": (2.028, 1.279), "vocabulary": (1406, 1434, 2139),
        "histogram": [77, 985, 1176, 941, 467, 241, 84],
    },
    "dense10": {
        "whole": (2.420, 1.712), "part": (1.294, 0.730), "parts": (3.876, 1.327),
        "pieces": (1.806, 1.096), "vocabulary": (636, 651, 1004),
        "histogram": [3, 109, 207, 203, 125, 65, 29],
    },
    "dev": {
        "whole": (2.346, 1.596), "part": (1.313, 0.808), "parts": (3.604, 1.281),
        "vocabulary": (887, 936, 1399), "histogram": [7, 271, 353, 333, 179, 79, 28],
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def found(kilogram: Dataset):
    return descriptions(kilogram, Options()).fields["descriptions"]


@pytest.mark.parametrize("split", list(KNOWN))
def test_published_recipes(found, split: str) -> None:
    one, known = found[split], KNOWN[split]
    for name, got in (
        ("whole", one["whole_length"]["word characters"]),
        ("part", one["part_length"]["word characters"]),
        ("parts", one["parts"]),
        ("pieces", one["pieces"]),
    ):
        if name in known:
            assert (got["mean"], got["sd"]) == pytest.approx(known[name], abs=5e-4), name
    assert tuple(one["vocabulary"].values()) == known["vocabulary"]
    assert list(one["parts_histogram"].values()) == known["histogram"]


def test_the_rest_of_dense(found) -> None:
    one = found["dense"]
    assert one["annotations"] == 3971
    assert round(one["per_picture"]["mean"], 2) == 53.66
    assert (one["workers"]["n"], one["workers"]["max"]) == (228, 74)
    assert one["whole_length"]["word characters"]["max"] == 12
    assert one["whole_length"]["whitespace"]["mean"] == pytest.approx(2.058, abs=5e-4)
    assert one["part_length"]["whitespace"]["mean"] == pytest.approx(1.223, abs=5e-4)
    assert one["seconds"]["median"] == pytest.approx(21.8, abs=0.05)
    assert round(one["seconds"]["max"]) == 433
    assert (one["actions"]["actions"], one["actions"]["undone"]) == (14_282, 560)
    assert (round(one["actions"]["mean"], 2), one["actions"]["max"]) == (3.60, 14)
    assert one["oddities"] == {
        "a part is UNKNOWN": 111, "one part only": 77, "the only part repeats the whole": 68,
        "the whole has no word that counts": 1, "a part name holds and": 12,
        "a part name holds a comma": 4,
    }  # fmt: skip
    assert found["dense10"]["workers"]["n"] == 170


def test_what_dev_does_not_tell(found) -> None:
    assert found["dev"]["pieces"] is None
    assert found["dev"]["seconds"] is None
    assert found["dev"]["actions"] is None
    assert found["dev"]["workers"] is None


def test_names_count_once_in_an_annotation() -> None:
    one = described([Annotation("1", "p", "a dog", ("leg", "leg", "a tail"), (0, 0, 2))])
    assert one["parts"]["mean"] == 2
    assert one["part_length"]["word characters"]["mean"] == 1.5


def test_the_world_of_figures(world: Dataset) -> None:
    made = descriptions(world, Options())
    assert set(made.fields["descriptions"]) == set(world.splits)
    assert "vocabulary of both" in [row[0] for row in made.tables[0].rows]
