"""A collected dataset as files: NLVR2's JSON lines, pictures with their rights, its description."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from deixis.collect.items.item import Item
from deixis.collect.items.split import SHARES
from deixis.collect.pictures.ledger import Ledger
from deixis.collect.pictures.prune import Photo
from deixis.errors import BadInput
from deixis.exchange.croissant import document, field, file_object, record_set
from deixis.lint.finding import LintOptions
from deixis.lint.run import lint
from deixis.sources import load
from deixis.writing import write_bytes, write_text

ENDS = ("kept", "dropped")
"""States of an example beyond which nothing follows."""

DIRECTORIES = 100
"""Training sets are dealt out to so many directories, for validation without leaks."""

FIELDS = ("identifier", "sentence", "label", "left_url", "right_url", "synset", "query")
"""What the description says of each example."""

RIGHTS = ("image", "url", "page", "licence", "licence_url", "attribution", "sha256")


@dataclass(frozen=True, slots=True)
class Eight:
    """A set of eight pictures as raters left it."""

    id: str
    synset: str
    query: str
    pictures: tuple[str, ...]


@dataclass(frozen=True)
class Collected:
    """All that a release is made of.

    Attributes:
        name: of the dataset.
        eights: sets by id.
        photos: pictures by key.
        items: examples at their end.
        splits: the split of each set.
        ledger: all decisions.
        costs: see `cost_table`.
    """

    name: str
    eights: Mapping[str, Eight]
    photos: Mapping[str, Photo]
    items: Sequence[Item]
    splits: Mapping[str, str]
    ledger: Ledger
    costs: Mapping[str, Any]


def release(
    made: Collected, contents: Mapping[str, bytes], folder: Path, *, year: int
) -> dict[str, Any]:
    """Write a release into a new folder, so that ``deixis load nlvr2`` reads it.

    Args:
        made: what was collected.
        contents: of pictures, by key.
        folder: must not exist.
        year: of the release.

    Returns:
        The number of examples, sentences and pictures by split.

    Raises:
        BadInput: the folder exists, an example is not at its end, or none is kept.
    """
    unfinished = Counter(i.state for i in made.items if i.state not in ENDS)
    if unfinished:
        states = ", ".join(f"{n} {state}" for state, n in sorted(unfinished.items()))
        raise BadInput(f"{made.name}: some examples are not judged to their end ({states})")
    kept = [i for i in made.items if i.state == "kept"]
    if not kept:
        raise BadInput(f"{made.name}: no example has been kept: there is nothing to release")
    try:
        (folder / "images").mkdir(parents=True)
    except FileExistsError:
        raise BadInput(f"{folder} exists already") from None
    places = numbered(made, kept)
    rights: dict[str, list[str]] = {}
    for split in _splits(made):
        own = [i for i in kept if made.splits[i.writing.set] == split]
        lines = [json.dumps(_record(made, i, split, places)) for i in own]
        write_text(folder / f"{split}.json", "".join(f"{line}\n" for line in lines))
        for item in own:
            for name, key in _images(made, item, split, places):
                if name not in rights:
                    write_bytes(folder / "images" / name, contents[key])
                    rights[name] = _rights(name, made.photos[key], contents[key])
    write_bytes(folder / "licences.csv", _table([RIGHTS, *(rights[n] for n in sorted(rights))]))
    decisions = "".join(
        json.dumps(asdict(d), ensure_ascii=False) + "\n" for d in made.ledger.decisions
    )
    write_text(folder / "ledger.jsonl", decisions)
    counts = _counts(made, kept)
    write_bytes(folder / "datasheet.json", _json(_datasheet(made, counts)))
    write_bytes(folder / "croissant.json", _croissant(made, folder, counts, year))
    return counts


def linted(folder: Path) -> dict[str, int]:
    """How many errors, warnings and notes ``deixis lint`` has on a release."""
    found = lint(load("nlvr2", folder), LintOptions())
    return {severity: found.counts.get(severity, 0) for severity in ("error", "warning", "note")}


def numbered(made: Collected, kept: Iterable[Item]) -> dict[str, int]:
    """The number of each set within its split, in the order of ids."""
    places: dict[str, int] = {}
    seen: dict[str, int] = {}
    for name in sorted({i.writing.set for i in kept}, key=lambda n: (len(n), n)):
        split = made.splits[name]
        places[name] = seen.setdefault(split, 0)
        seen[split] += 1
    return places


def _base(item: Item, split: str, places: Mapping[str, int]) -> str:
    return f"{split}-{places[item.writing.set]}-{item.pair}"


def _images(
    made: Collected, item: Item, split: str, places: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    left, right = item.writing.pictures[2 * item.pair : 2 * item.pair + 2]
    base = _base(item, split, places)
    yield f"{base}-img0.png", left
    yield f"{base}-img1.png", right


def _record(made: Collected, item: Item, split: str, places: Mapping[str, int]) -> dict[str, Any]:
    writing, eight = item.writing, made.eights[item.writing.set]
    urls = [made.photos[key].found.url for _, key in _images(made, item, split, places)]
    written = {"true": "True", "false": "False", "nonsense": "False"}
    record: dict[str, Any] = {
        "identifier": f"{_base(item, split, places)}-{writing.number}",
        "sentence": writing.sentence,
        "label": str(item.label),
        "left_url": urls[0],
        "right_url": urls[1],
        "writer": writing.writer,
        "validation": {j.worker: written[j.verdict] for j in item.judgments[:1]},
        "synset": eight.synset,
        "query": eight.query,
    }
    if split == "train":
        return record | {"directory": str(places[writing.set] % DIRECTORIES)}
    extra = {j.worker: written[j.verdict] for j in item.extra if j.verdict != "nonsense"}
    return record | {"extra_validations": extra}


def _rights(name: str, photo: Photo, content: bytes) -> list[str]:
    found = photo.found
    return [
        name,
        found.url,
        found.page,
        found.licence,
        found.licence_url,
        found.attribution,
        hashlib.sha256(content).hexdigest(),
    ]


def _splits(made: Collected) -> list[str]:
    """Splits by name; those that got no set are files without lines."""
    return sorted({*SHARES, *made.splits.values()})


def _counts(made: Collected, kept: Sequence[Item]) -> dict[str, Any]:
    splits: dict[str, Any] = {}
    for split in _splits(made):
        own = [i for i in kept if made.splits[i.writing.set] == split]
        splits[split] = {
            "examples": len(own),
            "sentences": len({(i.writing.set, i.writing.number) for i in own}),
            "sets": len({i.writing.set for i in own}),
        }
    return {"examples": len(kept), "pictures": len(_shown(made)), "splits": splits}


def _shown(made: Collected) -> dict[str, Photo]:
    """The pictures that are in the release, by key."""
    kept = (i for i in made.items if i.state == "kept")
    keys = (key for i in kept for key in i.writing.pictures[2 * i.pair : 2 * i.pair + 2])
    return {key: made.photos[key] for key in keys}


def _datasheet(made: Collected, counts: Mapping[str, Any]) -> dict[str, Any]:
    """Answers to a datasheet's questions, from what was written down while collecting."""
    licences: dict[str, int] = {}
    for photo in _shown(made).values():
        name = photo.found.licence or "not stated"
        licences[name] = licences.get(name, 0) + 1
    workers = {i.writing.writer for i in made.items}
    judges = {j.worker for i in made.items for j in i.judgments}
    return {
        "name": made.name,
        "composition": dict(counts),
        "collection": {"writers": len(workers), "validators": len(judges), "costs": made.costs},
        "preprocessing": made.ledger.counts(),
        "licences": dict(sorted(licences.items())),
    }


def _croissant(made: Collected, folder: Path, counts: Mapping[str, Any], year: int) -> bytes:
    """The files and their fields in MLCommons' format."""
    splits = [folder / f"{split}.json" for split in _splits(made)]
    licences = folder / "licences.csv"
    files = [
        *(file_object(path, "application/jsonlines") for path in splits),
        *(
            file_object(folder / name)
            for name in ("licences.csv", "ledger.jsonl", "datasheet.json")
        ),
    ]
    columns = [(path, FIELDS) for path in splits] + [(licences, RIGHTS)]
    records = [
        record_set(path, [field(path, name, _type(name)) for name in names], names[0])
        for path, names in columns
    ]
    facts = {
        "version": "1.0.0",
        "datePublished": str(year),
        "citeAs": f"{made.name}, {year}",
        "license": sorted({p.found.licence_url for p in _shown(made).values()} - {""}),
    }
    said = "statements about pairs of pictures, each judged true or false, collected as NLVR2 was."
    return document(made.name, f"{counts['examples']} {said}", facts, files, records)


def _type(column: str) -> str:
    return "sc:URL" if column == "url" or column.endswith("_url") else "sc:Text"


def _table(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


def _json(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()
