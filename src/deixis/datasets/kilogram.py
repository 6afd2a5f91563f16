"""KiloGram: 1,013 tangrams described as wholes and by parts (Ji et al., EMNLP 2022).

Splits, as far as the folder holds them: ``dense`` (74 tangrams, about 53 annotations each),
``dense10`` (the subset with about 10 each), ``val`` (the first annotation of 236 training
tangrams), ``dev`` (125 tangrams; texts only where the piece map is lost), and with the upstream
``full.json`` also ``train`` and ``heldout``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from deixis.dataset import Action, Annotation, Dataset, Irregularity
from deixis.datasets.files import Folder, locate
from deixis.errors import BadInput
from deixis.pictures.store import TangramStore
from deixis.pictures.svg import read_svg
from deixis.pictures.tangram import Tangram
from deixis.pictures.twins import twinned

_HUMAN = "tasks/human_baseline/util"
LAYOUT = {
    "dense": ("dense.json", "dataset/dense.json"),
    "dense10": ("dense10.json", "dataset/dense10.json"),
    "full": ("full.json", "dataset/full.json"),
    "dev": ("dev.json",),
    "val": ("val.json",),
    "heads": (
        "lemmatized_whole_part_counts.json",
        "analysis/behavior/head_words/lemmatized_whole_part_counts.json",
    ),
    "splits": ("data_split.json", "models/preprocessing/model_inputs/data_split.json"),
    "svg": ("tangrams-svg.zip", "tangrams-svg", "dataset/tangrams-svg"),
    "published": (
        "human_baseline/val-texts/part+color.json",
        f"{_HUMAN}/val-texts/part+color.json",
    ),
}
MEASURED = {
    (split, name): (
        f"measures/{split}_{name.upper()}.json",
        f"analysis/behavior/measures/measures_data/{split}_{name.upper()}.json",
    )
    for split in ("full", "dense", "dense10")
    for name in ("snd", "pnd", "psa")
}
"""Where the published measures of tangrams are."""
UNKNOWN = "UNKNOWN"
"""The name that a piece got when its annotator pressed "I don't know"."""


class SvgFiles:
    """Makes tangrams from the text of their files; a plain value, so that it can be sent."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        """Keep the content of each file by tangram."""
        self.texts = texts

    def __call__(self, name: str) -> Tangram:
        """Parse one."""
        return read_svg(self.texts[name], f"{name}.svg")


def kilogram(root: Path) -> Dataset:
    """Load KiloGram from its folder, upstream's layout or a flat one.

    The extras hold published ``contexts``; published ``measures`` by set of annotations, name
    (``snd``, ``pnd``, ``psa``) and tangram; ``pictures``: the tangrams that each split lists; and
    ``heads``, to be called: the published counts of head words, read when they are asked for.

    Args:
        root: the folder, or one above it.

    Raises:
        BadInput: a file is missing or broken, or an annotation's tangram has no picture.
    """
    measured = {" ".join(key): paths for key, paths in MEASURED.items()}
    folder = locate(root, "kilogram", {**LAYOUT, **measured}, ["svg"])
    store = TangramStore(*_svgs(folder))
    splits = {s: tuple(_annotations(folder, s)) for s in ("dense", "dev", "val") if folder.find(s)}
    left_out: list[str] = []
    if folder.find("full"):
        splits |= _full(folder, store, left_out)
    if not splits:
        raise BadInput(f"{folder.path}: no annotations beside the pictures: dense.json is missing")
    records = {a.id: a for a in chain.from_iterable(splits.values())}
    ids = {s: tuple(a.id for a in annotations) for s, annotations in splits.items()}
    if folder.find("dense10"):
        ids["dense10"] = tuple(_subset(folder, splits.get("dense", ())))
    for annotation in records.values():
        if annotation.picture not in store:
            raise BadInput(f"{folder.need('svg')}: no picture of {annotation.picture}")
    published = _published(folder, records) if "val" in ids and folder.find("published") else {}
    return Dataset(
        name="kilogram",
        kind="reference",
        splits=ids,
        records=records,
        store=store,
        irregularities=tuple(_irregularities(folder, records.values(), store, left_out)),
        fingerprint=folder.fingerprint,
        counts=_counts(store, records, ids),
        extras={
            "contexts": published,
            "subsets": _apart(store, splits),
            "measures": _measures(folder),
            "pictures": _listed(folder, store),
            "heads": partial(_object, folder, "heads") if folder.find("heads") else dict,
        },
    )


def _apart(
    store: TangramStore, splits: Mapping[str, tuple[Annotation, ...]]
) -> dict[str, Callable[[], list[str]]]:
    """Val without the tangrams that look like one in dense: the published splits do not mind.

    Found when it is asked for.
    """
    if not {"val", "dense"} <= splits.keys():
        return {}
    return {"val without twins in dense": partial(_untwinned, store, splits)}


def _untwinned(store: TangramStore, splits: Mapping[str, tuple[Annotation, ...]]) -> list[str]:
    val, dense = (list(dict.fromkeys(a.picture for a in splits[s])) for s in ("val", "dense"))
    alike = twinned(map(store.tangram, val), map(store.tangram, dense))
    gone = {name for name, twin in zip(val, alike, strict=True) if twin}
    return [a.id for a in splits["val"] if a.picture not in gone]


def replay(actions: tuple[Action, ...]) -> dict[int, str]:
    """The name of each piece after all actions: by ascending index, the last write wins.

    The `final` marks are not needed, and some are stale: deleting a group that had been
    extended unmarks only the action that created it.
    """
    named: dict[int, str] = {}
    for action in sorted(actions, key=lambda a: a.index):
        named |= dict.fromkeys(action.pieces, action.name)
    return named


def _svgs(folder: Folder) -> tuple[list[str], SvgFiles]:
    texts = {n.removesuffix(".svg"): content for n, content in folder.members("svg", ".svg")}
    return list(texts), SvgFiles(texts)


def _annotations(folder: Folder, split: str) -> Iterator[Annotation]:
    for name, entry in _object(folder, split).items():
        if not isinstance(entry, dict) or not isinstance(entry.get("annotations"), list):
            raise BadInput(f"{folder.need(split)}: {name} has no list of annotations")
        for number, raw in enumerate(entry["annotations"]):
            try:
                yield _annotation(name, number, raw)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                where = f"{folder.need(split)}: annotation {number} of {name}"
                raise BadInput(f"{where}: not in KiloGram's form: {error!r}") from None


def _object(folder: Folder, name: str) -> dict[str, Any]:
    """A file's content, which must be an object."""
    content = folder.json(name)
    if not isinstance(content, dict):
        raise BadInput(f"{folder.need(name)}: expected an object, got {str(content)[:60]!r}")
    return content


def _annotation(picture: str, number: int, raw: Mapping[str, Any]) -> Annotation:
    parts, pieces = _parts(raw)
    return Annotation(
        id=f"{picture}_{raw.get('annotationIndex', number)}",
        picture=picture,
        whole=raw["whole"]["wholeAnnotation"],
        parts=parts,
        pieces=pieces,
        worker=raw.get("workerId"),
        actions=tuple(_actions(raw.get("metadata") or {})),
        time=raw["whole"].get("timestamp", ""),
    )


def _parts(raw: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[int, ...] | None]:
    """Distinct part names, and for each piece the position of its name."""
    if raw["part"] is None:
        return tuple(raw["partNames"]), None
    by_piece = {int(piece): name for piece, name in raw["part"].items()}
    names = [by_piece[piece] for piece in range(1, 8)]
    parts = tuple(dict.fromkeys(names))
    return parts, tuple(parts.index(n) for n in names)


def _actions(log: Mapping[str, Any]) -> Iterator[Action]:
    """The log by ascending index: the file's own order is arbitrary."""
    for index in sorted(log, key=int):
        step = log[index]
        pieces = tuple(int(p) for p in step["pieces"])
        yield Action(int(index), step["annotation"], pieces, step["final"], step["timestamp"])


def _subset(folder: Folder, dense: tuple[Annotation, ...]) -> Iterator[str]:
    """Ids in dense of the records of dense10, which repeats them without saying which."""
    known = {replace(a, id=a.picture): a.id for a in dense}
    for annotation in _annotations(folder, "dense10"):
        found = known.get(replace(annotation, id=annotation.picture))
        if found is None:
            where = f"{folder.need('dense10')}: {annotation.id}"
            raise BadInput(f"{where}: this annotation is not in the dense file beside it")
        yield found


def _full(
    folder: Folder, store: TangramStore, left_out: list[str]
) -> dict[str, tuple[Annotation, ...]]:
    """Train, dev and heldout of the complete file, where a user has it.

    Annotations of tangrams that were removed, or that no split lists, go to `left_out`; those of
    the dense tangrams are in a file of their own.
    """
    folder.need("splits")
    listed = _listed(folder, store)
    split_of = {t: s for s, ts in listed.items() for t in ts}
    full: dict[str, list[Annotation]] = {s: [] for s in listed}
    for annotation in _annotations(folder, "full"):
        split = split_of.get(annotation.picture)
        if split is None or annotation.picture not in store:
            left_out.append(annotation.id)
        else:
            full[split].append(annotation)
    return {s: tuple(a) for s, a in full.items() if s != "dense" and a}


def _listed(folder: Folder, store: TangramStore) -> dict[str, tuple[str, ...]]:
    """The tangrams of each split, without those that were removed; empty without a list."""
    if not folder.find("splits"):
        return {}
    names = {"train": "train", "development": "dev", "heldout": "heldout", "dense": "dense"}
    listed = _object(folder, "splits")
    return {names[s]: tuple(t for t in ts if t in store) for s, ts in listed.items() if s in names}


def _measures(folder: Folder) -> dict[str, dict[str, dict[str, float]]]:
    """Published measures by set of annotations, name and tangram."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for split, name in MEASURED:
        if folder.find(f"{split} {name}"):
            found.setdefault(split, {})[name] = _object(folder, f"{split} {name}")
    return found


def _published(
    folder: Folder, records: Mapping[str, Annotation]
) -> dict[str, list[list[tuple[str, str]]]]:
    """The published contexts of val: rows of (annotation id, text), the target first."""
    path, raw = folder.need("published"), _object(folder, "published")
    images, texts = raw.get("images", ()), raw.get("texts", ())
    if len(images) != len(texts) or len(images) % 10:
        raise BadInput(f"{path}: expected ten images and ten texts for each context")
    strangers = [i for i in images if i not in records]
    if strangers:
        raise BadInput(f"{path}: {strangers[0]} is no annotation of {folder.need('val').name}")
    rows = list(zip(images, texts, strict=True))
    return {"val": [rows[i : i + 10] for i in range(0, len(rows), 10)]}


def _counts(
    store: TangramStore, records: Mapping[str, Annotation], ids: Mapping[str, tuple[str, ...]]
) -> dict[str, int]:
    """Pictures, and the tangrams and workers of each split."""
    counts = {"pictures": len(store.names)}
    for split, members in ids.items():
        counts[f"{split}: tangrams"] = len({records[i].picture for i in members})
        workers = {records[i].worker for i in members} - {None}
        if workers:
            counts[f"{split}: workers"] = len(workers)
    return counts


def _irregularities(
    folder: Folder, annotations: Iterable[Annotation], store: TangramStore, left_out: list[str]
) -> Iterator[Irregularity]:
    found: dict[str, list[str]] = {}
    if folder.find("splits"):
        listed = chain.from_iterable(_object(folder, "splits").values())
        found["the split lists a tangram that was removed"] = [t for t in listed if t not in store]
    found["left out: no split or no picture of the tangram"] = left_out
    for annotation in annotations:
        for what in _oddities(annotation):
            found.setdefault(what, []).append(annotation.id)
    for what, ids in found.items():
        if ids:
            yield Irregularity(what, tuple(ids), folder.path.name)


def _oddities(annotation: Annotation) -> Iterator[str]:
    if UNKNOWN in annotation.parts:
        yield "a part is UNKNOWN"
    if any("  " in text for text in (annotation.whole, *annotation.parts)):
        yield "a text holds a double space"
    if annotation.parts == (annotation.whole,):
        yield "the only part repeats the whole"
    if annotation.pieces is None:
        yield "the piece map is lost"
    if not annotation.actions:
        return
    names = [annotation.parts[p] for p in annotation.pieces or ()]
    if replay(annotation.actions) != dict(enumerate(names, start=1)):
        yield "the action log does not lead to the final names"
    last = [piece for a in annotation.actions if a.final for piece in a.pieces]
    if len(last) != len(set(last)):
        yield "a piece stands in two actions marked final"
    times = [a.time for a in annotation.actions]
    if times != sorted(times):
        yield "the action log runs backwards in time"
