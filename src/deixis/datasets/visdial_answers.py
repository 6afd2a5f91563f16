"""VisDial's rounds with a hundred answers to choose from, of which people gave one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from deixis.dataset import Dataset
from deixis.datasets.visdial import visdial
from deixis.datasets.visdial_file import Options

Offered = tuple[tuple[str, ...], int]
"""The options of a round, and the position of the human answer."""


def visdial_answers(root: Path, *, features: Path | None = None) -> Dataset:
    """Load VisDial for answerers: the same records and splits as `visdial`.

    The extras hold ``options``, by record and round, from 1: texts and the position of the human
    answer; and ``dense``, by record, the judged round and a relevance for each of its options.

    Args:
        root: the folder, or one above it.
        features: a file with a vector of each picture, see `deixis.datasets.features`.

    Raises:
        BadInput: a file is missing or broken, or lacks the vector of a picture.
    """
    held = visdial(root, features=features)
    options = dict(pair for one in held.extras["options"].values() for pair in _offered(one))
    dense = held.extras["dense"]
    return replace(
        held,
        name="visdial-answers",
        kind="answering",
        extras={"options": options, "dense": dense, **({"form": "dense"} if dense else {})},
    )


def _offered(options: Options) -> Iterator[tuple[tuple[str, int], Offered]]:
    for name, row in options.rows.items():
        for number, right in enumerate(options.right[row].tolist(), start=1):
            if right >= 0:
                places = [p for p in options.choices[row, number - 1].tolist() if p >= 0]
                yield (name, number), (tuple(options.answers[p] for p in places), right)
