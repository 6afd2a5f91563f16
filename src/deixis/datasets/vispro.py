"""VisPro: dialogs about COCO pictures, with the classes of the objects in them (Yu et al., 2019).

The splits are ``val`` and ``test``, and ``train`` where the folder holds it. A picture is known by
the classes of its objects only: its vector has a 1 for each class that is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from deixis.dataset import Conversation, Dataset, Irregularity
from deixis.datasets.files import Folder, locate, parse_json
from deixis.errors import BadInput
from deixis.pictures.vectors import VectorStore
from deixis.trials import Dialog, Turn

LAYOUT = {
    s: (f"{s}.vispro.1.1.jsonlines", f"data/{s}.vispro.1.1.jsonlines")
    for s in ("train", "val", "test")
}
ROUNDS = 10
"""Rounds of a complete dialog."""


def vispro(root: Path) -> Dataset:
    """Load VisPro from its folder.

    Args:
        root: the folder, or one above it.

    Raises:
        BadInput: a file is missing or a line is not in VisPro's form.
    """
    folder = locate(root, "vispro", LAYOUT, ["val", "test", "train"])
    records: dict[str, Conversation] = {}
    classes: dict[str, frozenset[int]] = {}
    splits: dict[str, tuple[str, ...]] = {}
    found: dict[str, list[str]] = {}
    for split in LAYOUT:
        if folder.find(split) is None:
            continue
        ids = []
        for where, line in _lines(folder, split):
            one, seen, odd = _read(where, line)
            if one.id in records:
                raise BadInput(f"{where}: there is another dialog about {one.id}")
            records[one.id], classes[one.picture] = one, seen
            ids.append(one.id)
            for what in odd:
                found.setdefault(what, []).append(one.id)
        splits[split] = tuple(ids)
    return Dataset(
        name="vispro",
        kind="guessing",
        splits=splits,
        records=records,
        store=class_vectors(classes),
        irregularities=tuple(
            Irregularity(what, tuple(ids), folder.path.name) for what, ids in found.items()
        ),
        fingerprint=folder.fingerprint,
        counts=_counts(records, classes),
    )


def class_vectors(classes: Mapping[str, frozenset[int]]) -> VectorStore:
    """A 1 for each class of each picture; columns are the classes that occur, ascending."""
    columns = sorted(frozenset().union(*classes.values()))
    table = [[float(c in seen) for c in columns] for seen in classes.values()]
    about = f"{len(columns)} classes of objects"
    return VectorStore(list(classes), np.array(table, np.float32), about)


def _lines(folder: Folder, split: str) -> Iterator[tuple[str, Any]]:
    path = folder.need(split)
    for number, line in enumerate(folder.read(split).splitlines(), start=1):
        if line.strip():
            yield f"{path}:{number}", parse_json(line, f"{path}:{number}")


def _read(where: str, line: Any) -> tuple[Conversation, frozenset[int], list[str]]:
    """The dialog of one line, the classes of its picture, and what is odd about it."""
    try:
        picture = line["image_file"].rpartition(".")[0]
        texts = [" ".join(tokens) for tokens in line["sentences"]]
        speakers = [tokens[0] for tokens in line["speakers"]]
        seen = frozenset(int(c) for c in line["object_detection"])
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadInput(f"{where}: not in VisPro's form: {error!r}") from None
    dialog, odd = _dialog(where, texts, speakers)
    if not seen:
        odd.append("the picture has no object of any class")
    return Conversation(picture, picture, dialog), seen, odd


def _dialog(where: str, texts: Sequence[str], speakers: Sequence[str]) -> tuple[Dialog, list[str]]:
    expected = ["caption", *["question", "answer"] * (len(speakers) // 2)][: len(speakers)]
    if list(speakers) != expected or len(texts) != len(speakers):
        raise BadInput(f"{where}: expected caption, question, answer, …, got {', '.join(speakers)}")
    for text, speaker in zip(texts, speakers, strict=True):
        if not text.strip():
            raise BadInput(f"{where}: an empty {speaker}")
    turns = tuple(Turn(q, a) for q, a in zip(texts[1::2], texts[2::2], strict=False))
    odd = [] if len(turns) >= ROUNDS else [f"fewer than {ROUNDS} rounds"]
    if len(texts) % 2 == 0:
        odd.append("ends in a question without an answer, which is left out")
    return Dialog(texts[0], turns), odd


def _counts(
    records: Mapping[str, Conversation], classes: Mapping[str, frozenset[int]]
) -> dict[str, int]:
    rounds = Counter(len(r.dialog.turns) for r in records.values())
    return {
        "pictures": len(classes),
        "rounds": sum(n * k for n, k in rounds.items()),
        f"dialogs of {ROUNDS} rounds": rounds[ROUNDS],
        "classes": len(frozenset().union(*classes.values())),
        "distinct sets of classes": len(set(classes.values())),
    }
