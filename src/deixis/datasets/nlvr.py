"""NLVR: sentences about pictures of three boxes (Suhr, Lewis, Yeh and Artzi, ACL 2017).

Splits, as far as the folder holds them: ``train``, ``dev``, ``test`` (Test-P), ``hidden``
(Test-U), and ``train-sample``: 1,000 labelled training examples that upstream shows as a page,
whose structures are decoded from their pictures. Each example is drawn six times, its boxes in
every order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from deixis.dataset import Dataset, Irregularity, Judgment, Statement, add
from deixis.datasets.files import Folder, locate
from deixis.datasets.oddities import listed, odd_form
from deixis.errors import BadInput
from deixis.pictures.archive import Archive
from deixis.pictures.scene import PERMUTATIONS, Scene, permuted, scene
from deixis.pictures.scenestore import SceneStore

SPLITS = ("train", "dev", "test", "hidden")
SAMPLE = "train-sample"
_SAMPLE = "train_sample"
LAYOUT = {
    **{s: (f"{s}.json", f"{s}/{s}.json") for s in SPLITS},
    **{f"{s} pictures": (f"{s}_images.zip", f"{s}/images") for s in SPLITS},
    SAMPLE: (f"{_SAMPLE}.jsonl",),
    f"{SAMPLE} pictures": (f"{_SAMPLE}_images.zip", "train/images"),
    "sentences": ("train_sentences.jsonl",),
}
MARKERS = ("test", SAMPLE, "hidden", "dev pictures")
"""Files that other datasets do not have; ``dev.json`` many have."""

_IDENTIFIER = re.compile(r"(\d+)-(\d+)")
_VOTES = {"true": True, "false": False, "nonsense": None}


def nlvr(root: Path) -> Dataset:
    """Load NLVR from its folder, upstream's layout or a flat one.

    The extras hold ``sentences``: the training sentences, without labels, as they are listed.

    Args:
        root: the folder, or one above it.

    Raises:
        BadInput: a file is missing or broken, or a record lacks what it needs.
    """
    folder = locate(root, "nlvr", LAYOUT, MARKERS)
    records: dict[str, Statement] = {}
    scenes: dict[str, Scene] = {}
    files = {s: _files(folder, s) for s in (*SPLITS, SAMPLE)}
    for split in SPLITS:
        if folder.find(split):
            add(records, _statements(folder, split, scenes))
    if folder.find(SAMPLE):
        add(records, _sample(folder, files[SAMPLE], records))
    return Dataset(
        name="nlvr",
        kind="statement",
        splits={
            s: ids
            for s in (*SPLITS, SAMPLE)
            if (ids := tuple(i for i, r in records.items() if r.split == s))
        },
        records=records,
        store=SceneStore(scenes, tuple(a for a in files.values() if a is not None)),
        irregularities=tuple(_irregularities(records.values(), folder.path.name)),
        fingerprint=folder.fingerprint,
        counts=_counts(records.values()),
        extras={"sentences": _sentences(folder)},
    )


def _files(folder: Folder, split: str) -> Archive | None:
    path = folder.find(f"{split} pictures")
    if path is None:
        return None
    archive = Archive(path)
    folder.note(f"{split} pictures", archive.fingerprint.encode())
    return archive


def _statements(
    folder: Folder, split: str, scenes: dict[str, Scene]
) -> Iterator[tuple[str, Statement]]:
    for where, raw in folder.records(split):
        try:
            record = _statement(raw, split, range(len(PERMUTATIONS)))
            boxes = scene(raw["structured_rep"])
            drawn = [permuted(boxes, k) for k in range(len(PERMUTATIONS))]
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise BadInput(f"{where}: not in NLVR's form: {error!r}") from None
        scenes.update({left: s for (left, _), s in zip(record.pictures, drawn, strict=True)})
        yield where, record


def _sample(
    folder: Folder, files: Archive | None, known: Mapping[str, Statement]
) -> Iterator[tuple[str, Statement]]:
    """Training examples of which one drawing is known; where ``train`` is there too, none."""
    for where, raw in folder.records(SAMPLE):
        try:
            record = _statement(raw, SAMPLE, [raw["permutation"]], "train")
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput(f"{where}: not in the sample's form: {error!r}") from None
        if files is None or record.pictures[0][0] not in files:
            raise BadInput(f"{where}: the picture {record.pictures[0][0]} is missing")
        if record.id not in known:
            yield where, record


def _statement(
    raw: Mapping[str, Any], split: str, drawn: Iterable[int], prefix: str = ""
) -> Statement:
    match = _IDENTIFIER.fullmatch(raw["identifier"])
    if match is None:
        raise ValueError(f"{raw['identifier']!r} is no identifier")
    if raw["label"] not in ("true", "false"):
        raise ValueError(f"the label {raw['label']!r} is neither true nor false")
    base = f"{prefix or split}-{raw['identifier']}"
    return Statement(
        id=raw["identifier"],
        sentence=raw["sentence"],
        label=raw["label"] == "true",
        pictures=tuple((f"{base}-{k}.png", "") for k in drawn),
        split=split,
        set=match[1],
        pair=raw["identifier"],
        judgments=tuple(
            Judgment(rater, _VOTES[said], "eval") for rater, said in raw.get("evals", {}).items()
        ),
        directory=str(raw.get("directory", "")),
    )


def _sentences(folder: Folder) -> tuple[str, ...]:
    if not folder.find("sentences"):
        return ()
    return tuple(r["sentence"] for _, r in folder.records("sentences"))


def _counts(records: Iterable[Statement]) -> dict[str, int]:
    seen: dict[str, set[object]] = {}
    for r in records:
        for what, value in (
            ("groups", r.group),
            ("sentences", r.sentence),
            ("pictures", r.pictures),
        ):
            seen.setdefault(f"{r.split}: {what}", set()).add(value)
    return {name: len(values) for name, values in seen.items()}


def _irregularities(records: Iterable[Statement], where: str) -> Iterator[Irregularity]:
    found: dict[str, list[str]] = {}
    strings: dict[str, dict[str, str]] = {}
    for record in records:
        strings.setdefault(record.sentence, {}).setdefault(record.split, record.id)
        for what in (*odd_form(record.sentence), *_oddities(record)):
            found.setdefault(what, []).append(record.id)
    found["the same sentence in several splits"] = [
        i for by_split in strings.values() if len(by_split) > 1 for i in by_split.values()
    ]
    yield from listed(found, where)


def _oddities(record: Statement) -> Iterator[str]:
    votes = [j.said for j in record.judgments]
    if None in votes:
        yield "somebody called it nonsense"
    if votes and 2 * votes.count(record.label) <= len(votes):
        yield "the label is not the majority of the votes"
