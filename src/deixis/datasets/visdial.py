"""VisDial: a caption and ten rounds of question and answer about a COCO or Flickr picture.

Reads the official files of v0.5 (texts in place), v0.9 and v1.0 (indices into lists of questions
and answers), with or without options, dense relevances and answers to the last round of test. Where
the official val of v1.0 is absent but its dialogs are at hand as plain text (ChatIR's lists), they
are put back into index form, and checked against whatever official files are there.

Splits: ``train05 val05 test05 train09 val09 train val test``; ``crowdsourced`` and ``vispro``, the
two published subsets of val; and, where val is put together from plain text, ``plain``: those of
its dialogs that no official file holds, so that they can be trained on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.dataset import Conversation, Dataset, Irregularity, fingerprint
from deixis.datasets.chatir import plain_dialogs
from deixis.datasets.features import store_of
from deixis.datasets.files import Folder, locate
from deixis.datasets.visdial_file import DialogFile, Options, read_dense, read_dialogs
from deixis.errors import BadInput

LAYOUT = {
    "train05": ("visdial_0.5_train.json",),
    "val05": ("visdial_0.5_val.json",),
    "test05": ("visdial_0.5_test.json",),
    "train09": ("visdial_0.9_train.json",),
    "val09": ("visdial_0.9_val.json",),
    "train": ("visdial_1.0_train.json",),
    "val": ("visdial_1.0_val.json",),
    "test": ("visdial_1.0_test.json",),
    "crowdsourced": ("visdial_1.0_val_crowdsourced.json",),
    "vispro": ("visdial_1.0_val_vispro.json",),
}
_DENSE = {
    "train": ("visdial_1.0_train_dense_sample.json",),
    "val": ("visdial_1.0_val_dense_annotations.json",),
    "crowdsourced": ("visdial_1.0_val_dense_annotations_crowdsourced.json",),
    "vispro": ("visdial_1.0_val_dense_annotations_vispro.json",),
}


def visdial(root: Path, *, features: Path | None = None) -> Dataset:
    """Load VisDial from its folder.

    The extras hold ``options`` by split (`Options`), ``dense`` relevances by record (the round,
    from 1, and one value for each option), and ``lists``: all questions and answers.

    Args:
        root: the folder, or one above it.
        features: a file with a vector of each picture, see `deixis.datasets.features`.

    Raises:
        BadInput: a file is missing or broken, or lacks the vector of a picture.
    """
    layout = LAYOUT | {f"dense {split}": names for split, names in _DENSE.items()}
    folder = locate(root, "visdial", layout, list(LAYOUT))
    records: dict[str, Conversation] = {}
    splits: dict[str, tuple[str, ...]] = {}
    options: dict[str, Options] = {}
    odd: dict[tuple[str, str], list[str]] = {}
    lists: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    for split in LAYOUT:
        if folder.find(split) is None:
            continue
        raw, path = folder.json(split), folder.need(split)
        read = read_dialogs(raw, path, open_=split.startswith("test"))
        splits[split] = _joined(records, read)
        options[split] = read.options
        lists = (read.questions, read.answers)
        odd |= {(what, split): ids for what, ids in read.odd.items()}
    parts = [folder.fingerprint.encode()]
    counts: dict[str, int] = {}
    if "val" not in splits and (plain := plain_dialogs(root)) is not None:
        source, dialogs = plain
        path = source.need("human")
        rebuilt = read_dialogs(index_form(dialogs, *lists, str(path)), path).records
        counts["val: checked against official dialogs"] = _checked(rebuilt, records)
        splits["val"] = tuple(c.id for c in rebuilt)
        splits["plain"] = tuple(i for i in splits["val"] if i not in records)
        records |= {c.id: c for c in rebuilt if c.id not in records}
        odd["rebuilt from plain texts, without options", "val"] = list(splits["val"])
        parts.append(source.fingerprint.encode())
    store = store_of(list(dict.fromkeys(c.picture for c in records.values())), features, "visdial")
    return Dataset(
        name="visdial",
        kind="guessing",
        splits=splits,
        records=records,
        store=store,
        irregularities=tuple(
            Irregularity(what, tuple(ids), split) for (what, split), ids in odd.items()
        ),
        fingerprint=fingerprint([*parts, store.about.encode()]),
        counts=counts | _counts(records, splits, lists),
        extras={"options": options, "dense": _dense(folder), "lists": lists},
    )


def index_form(
    dialogs: Sequence[Conversation], questions: Sequence[str], answers: Sequence[str], where: str
) -> dict[str, Any]:
    """Plain dialogs as a file of v1.0: every text becomes its position in a list.

    Args:
        dialogs: with question marks, which such files leave out.
        questions: the list of questions.
        answers: the list of answers.
        where: for errors.

    Raises:
        BadInput: a text is in no list.
    """
    places = [{text: i for i, text in enumerate(texts)} for texts in (questions, answers)]

    def place(which: int, text: str, one: Conversation) -> int:
        if text not in places[which]:
            raise BadInput(f"{where}: dialog {one.id} says {text!r}, which no list holds")
        return places[which][text]

    entries = [
        {
            "image_id": int(one.picture),
            "caption": one.dialog.caption,
            "dialog": [
                {
                    "question": place(0, turn.question.removesuffix("?"), one),
                    "answer": place(1, turn.answer, one),
                }
                for turn in one.dialog.turns
            ],
        }
        for one in dialogs
    ]
    lists = {"questions": list(questions), "answers": list(answers)}
    return {"version": "1.0", "split": "val2018", "data": {**lists, "dialogs": entries}}


def _joined(records: dict[str, Conversation], read: DialogFile) -> tuple[str, ...]:
    """Add a split's records to all; a dialog may stand in several splits, but must be the same."""
    ids: dict[str, None] = {}
    for one in read.records:
        if one.id in ids:
            raise BadInput(f"{read.path}: there are two dialogs about picture {one.id}")
        if one.id in records and records[one.id].dialog != one.dialog:
            raise BadInput(
                f"{read.path}: the dialog about picture {one.id} differs from another file's"
            )
        ids[one.id] = None
        records[one.id] = one
    return tuple(ids)


def _dense(folder: Folder) -> dict[str, tuple[int, NDArray[np.float64]]]:
    """Relevances of every file that is there."""
    made: dict[str, tuple[int, NDArray[np.float64]]] = {}
    for split in _DENSE:
        if folder.find(f"dense {split}") is not None:
            made |= read_dense(folder.json(f"dense {split}"), folder.need(f"dense {split}"))
    return made


def _checked(rebuilt: Sequence[Conversation], records: Mapping[str, Conversation]) -> int:
    """How many rebuilt dialogs stand in official files too, all of them the same."""
    both = [c for c in rebuilt if c.id in records]
    for one in both:
        if records[one.id].dialog != one.dialog:
            raise BadInput(f"dialog {one.id} as plain text differs from its official form")
    return len(both)


def _counts(
    records: Mapping[str, Conversation],
    splits: Mapping[str, Sequence[str]],
    lists: tuple[Sequence[str], Sequence[str]],
) -> dict[str, int]:
    counts = {"questions in the list": len(lists[0]), "answers in the list": len(lists[1])}
    for split, ids in splits.items():
        answers = [t.answer for i in ids for t in records[i].dialog.turns]
        counts[f"{split}: rounds"] = len(answers)
        counts[f"{split}: answers exactly yes or no"] = sum(a in ("yes", "no") for a in answers)
    return {name: n for name, n in counts.items() if n}
