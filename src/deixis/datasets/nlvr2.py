"""NLVR2: sentences about pairs of web photographs (Suhr et al., ACL 2019).

Splits, as far as the folder holds them: ``train``, ``dev``, ``test1`` (Test-P in the paper) and
``test2`` (Test-U). The photographs are not part of it: tasks can be made and replies be scored
without any; with a folder ``images`` beside, or filled by ``deixis fetch nlvr2-images``, they
have pixels. Files that LXMERT and BLIP made of NLVR2 are read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from deixis.dataset import Dataset, Irregularity, Judgment, Statement, add
from deixis.datasets.files import Folder, locate
from deixis.datasets.oddities import listed, odd_form
from deixis.datasets.photographs import Photograph
from deixis.errors import BadInput
from deixis.pictures.archive import Archive
from deixis.pictures.photos import PhotoStore

SPLITS = ("train", "dev", "test1", "test2")
LAYOUT: dict[str, tuple[str, ...]] = {
    **{s: (f"{s}.json", f"data/{s}.json") for s in SPLITS},
    "annotated": ("annotated_dev_examples.txt", "util/annotated_dev_examples.txt"),
    "photos": ("images", "photos", "images.zip"),
    **{f"{s} hashes": (f"{s}_hashes.json", f"util/hashes/{s}_hashes.json") for s in SPLITS},
}
LAYOUT["train"] += ("nlvr_train.json",)
LAYOUT["dev"] += ("valid.json", "nlvr_dev.json")
LAYOUT["test1"] += ("nlvr_test.json",)
MARKERS = ("test1", "test2", "annotated")
"""Files that other datasets do not have; ``dev.json`` many have."""

_IDENTIFIER = re.compile(r"(train|dev|test1|test2)-(\d+)-(\d+)-(\d+)")
_IMAGE = re.compile(r"(?:.*/)?(train|dev|test1|test2)-(\d+)-(\d+)-img0\.png")
_ODD_ADDRESS = re.compile("[\"' ,]")
_LABELS = {"True": True, "False": False}


def nlvr2(root: Path) -> Dataset:
    """Load NLVR2 from its folder, upstream's layout or a flat one.

    The extras hold ``subsets``: record ids by name, for ``balanced`` and ``unbalanced`` (see
    `balance`) and for each phenomenon of the 800 annotated dev sentences; ``phenomena``: what was
    marked in each of these; and ``hashes``: the published average hash of photographs by name.

    Args:
        root: the folder, or one above it.

    Raises:
        BadInput: a file is missing or broken, or a record lacks what it needs.
    """
    folder = locate(root, "nlvr2", LAYOUT, MARKERS)
    records: dict[str, Statement] = {}
    for split in SPLITS:
        if folder.find(split):
            add(records, _statements(folder, split))
    photos = folder.find("photos")
    marked = _marked(folder)
    return Dataset(
        name="nlvr2",
        kind="statement",
        splits={
            s: ids for s in SPLITS if (ids := tuple(i for i, r in records.items() if r.split == s))
        },
        records=records,
        store=_store(records.values(), Archive(photos) if photos else None, folder.path),
        irregularities=tuple(_irregularities(records.values(), folder.path.name)),
        fingerprint=folder.fingerprint,
        counts=_counts(records.values()),
        extras={
            "subsets": {**balance(records.values()), **_phenomena(marked, records.values())},
            "phenomena": marked,
            "hashes": _hashes(folder),
        },
    )


def photographs(root: Path, splits: Sequence[str] = ()) -> tuple[Path, list[Photograph]]:
    """The dataset's own folder, and its photographs by their addresses, with their hashes.

    Args:
        root: the dataset's folder, or one above it.
        splits: of the dataset; all that are there by default.

    Raises:
        BadInput: as `nlvr2`; or a file of hashes is broken.
    """
    folder = locate(root, "nlvr2", LAYOUT, MARKERS)
    dataset = nlvr2(folder.path).select(*splits)
    hashes: dict[str, str] = {}
    for split in dataset.splits:
        if folder.find(f"{split} hashes"):
            hashes |= folder.json(f"{split} hashes")
    names: dict[str, dict[str, None]] = {}
    for record in dataset.records.values():
        for name, url in zip(record.pictures[0], record.urls or (), strict=False):
            names.setdefault(url, {})[name] = None
    found = []
    for url, own in names.items():
        known = tuple(dict.fromkeys(hashes[n] for n in own if n in hashes))
        found.append(Photograph(url, tuple(own), known))
    return folder.path, found


def balance(records: Iterable[Statement]) -> dict[str, tuple[str, ...]]:
    """Ids of statements whose pair of photographs occurs with both labels, or with one only.

    Pairs are known by their two addresses in order, within a split. Pairs that occur once are in
    neither, so a player that never reads the sentence is right in half of the balanced ones.
    """
    by_pair: dict[str, list[Statement]] = {}
    for record in records:
        by_pair.setdefault(record.pair, []).append(record)
    balanced: list[str] = []
    unbalanced: list[str] = []
    for members in by_pair.values():
        if len(members) > 1:
            several = len({m.label for m in members}) > 1
            (balanced if several else unbalanced).extend(m.id for m in members)
    return {"balanced": tuple(balanced), "unbalanced": tuple(unbalanced)}


def _statements(folder: Folder, split: str) -> Iterator[tuple[str, Statement]]:
    pairs: dict[tuple[str, ...], str] = {}
    sentences: dict[str, dict[str, str]] = {}
    for where, raw in folder.records(split):
        try:
            if "images" in raw:
                raw = _from_blip(raw, sentences)
            record = _statement(raw, pairs)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput(f"{where}: not in NLVR2's form: {error!r}") from None
        yield where, record


def _statement(raw: Mapping[str, Any], pairs: dict[tuple[str, ...], str]) -> Statement:
    match = _IDENTIFIER.fullmatch(raw["identifier"])
    if match is None:
        raise ValueError(f"{raw['identifier']!r} is no identifier")
    split, number, pair, sentence = match.groups()
    base = f"{split}-{number}-{pair}"
    urls = (raw["left_url"], raw["right_url"]) if "left_url" in raw else None
    return Statement(
        id=raw["identifier"],
        sentence=raw["sentence"] if "sentence" in raw else raw["sent"],
        label=_label(raw["label"]),
        pictures=((f"{base}-img0.png", f"{base}-img1.png"),),
        split=split,
        set=f"{split}-{number}",
        pair=pairs.setdefault(urls or (base,), base),
        sentence_id=sentence,
        writer=raw.get("writer"),
        judgments=(
            *_judgments(raw.get("validation", {}), "validation"),
            *_judgments(raw.get("extra_validations", {}), "extra"),
        ),
        urls=urls,
        synset=raw.get("synset", ""),
        query=raw.get("query", ""),
        directory=str(raw.get("directory", "")),
    )


def _label(written: object) -> bool:
    """True or false, as NLVR2 and BLIP (text) or LXMERT (0 and 1) write it."""
    if isinstance(written, int) and written in (0, 1):
        return bool(written)
    if written not in _LABELS:
        raise ValueError(f"the label {written!r} is neither True nor False")
    return _LABELS[str(written)]


def _judgments(given: Mapping[str, str], role: str) -> list[Judgment]:
    return [_judgment(worker, said, role) for worker, said in given.items()]


@lru_cache(maxsize=10_000)
def _judgment(worker: str, said: str, role: str) -> Judgment:
    """One of few: fifty workers judged a hundred thousand times."""
    return Judgment(worker, _LABELS[said], role)


def _from_blip(raw: Mapping[str, Any], sentences: dict[str, dict[str, str]]) -> dict[str, Any]:
    """A record that names its pictures only: the sentence's number is the order of its set's."""
    match = _IMAGE.fullmatch(raw["images"][0])
    if match is None:
        raise ValueError(f"{raw['images'][0]!r} is no picture of NLVR2")
    split, number, pair = match.groups()
    own = sentences.setdefault(f"{split}-{number}", {})
    which = own.setdefault(raw["sentence"], str(len(own)))
    return {**raw, "identifier": f"{split}-{number}-{pair}-{which}"}


def _store(records: Iterable[Statement], files: Archive | None, where: Path) -> PhotoStore:
    contents: dict[str, str] = {}
    for record in records:
        urls = record.urls or record.pictures[0]
        for name, url in zip(record.pictures[0], urls, strict=True):
            stamp = f" {files.stamp(name)}" if files is not None and name in files else ""
            contents[name] = url + stamp
    return PhotoStore(contents, files, f"put photographs into {where / 'images'}")


def _marked(folder: Folder) -> dict[str, tuple[str, ...]]:
    """The phenomena that were marked in each annotated sentence; none in some."""
    found: dict[str, tuple[str, ...]] = {}
    if not folder.find("annotated"):
        return found
    sentence = ""
    for number, line in enumerate(folder.read("annotated").decode().splitlines(), start=1):
        if line.startswith("* "):
            if not sentence:
                where = f"{folder.need('annotated')}:{number}"
                raise BadInput(f"{where}: {line!r} stands below no sentence")
            found[sentence] += (line[2:],)
        else:
            sentence = line
            if sentence:
                found.setdefault(sentence, ())
    return found


def _phenomena(
    marked: Mapping[str, tuple[str, ...]], records: Iterable[Statement]
) -> dict[str, tuple[str, ...]]:
    """Ids of dev statements by linguistic phenomenon; a sentence brings all its statements."""
    by_sentence: dict[str, list[str]] = {}
    for record in records:
        if record.split == "dev":
            by_sentence.setdefault(record.sentence, []).append(record.id)
    found: dict[str, list[str]] = {}
    for sentence, names in marked.items():
        for name in names:
            found.setdefault(name, []).extend(by_sentence.get(sentence, ()))
    return {name: tuple(found[name]) for name in sorted(found) if found[name]}


def _hashes(folder: Folder) -> dict[str, int]:
    """Published average hashes, 64 bits each, by the name of the photograph."""
    found: dict[str, int] = {}
    for split in SPLITS:
        if folder.find(f"{split} hashes"):
            for name, digits in folder.json(f"{split} hashes").items():
                try:
                    found[name] = int(digits, 16)
                except (TypeError, ValueError):
                    where = folder.need(f"{split} hashes")
                    raise BadInput(f"{where}: {name}: {digits!r} is no hash of 16 digits") from None
    return found


def _counts(records: Iterable[Statement]) -> dict[str, int]:
    """Groups, sentences, sets, pairs and pictures of each split."""
    by_split: dict[str, list[Statement]] = {}
    for record in records:
        by_split.setdefault(record.split, []).append(record)
    found: dict[str, int] = {}
    for split, own in by_split.items():
        distinct: dict[str, set[Any]] = {
            "groups": {r.group for r in own},
            "sentences": {r.sentence for r in own},
            "sets": {r.set for r in own},
            "pairs": {r.pictures[0] for r in own},
            "distinct pairs": {r.pair for r in own},
            "writers": {r.writer for r in own} - {None},
        }
        urls = {url for r in own for url in r.urls or ()}
        if urls:
            distinct["distinct pictures"] = urls
        found |= {f"{split}: {what}": len(values) for what, values in distinct.items()}
    return found


def _irregularities(records: Iterable[Statement], where: str) -> Iterator[Irregularity]:
    found: dict[str, list[str]] = {}
    for record in records:
        for what in (*odd_form(record.sentence), *_oddities(record)):
            found.setdefault(what, []).append(record.id)
    found |= _shared(records)
    yield from listed(found, where)


def _oddities(record: Statement) -> Iterator[str]:
    if record.urls and any(map(_ODD_ADDRESS.search, record.urls)):
        yield "an address holds a quote, a blank or a comma"
    first = [j.worker for j in record.judgments if j.role == "validation"]
    extras = [j for j in record.judgments if j.role == "extra"]
    again = [j.worker for j in extras]
    if record.writer in first:
        yield "the writer is the first validator"
    if not extras:
        return
    if record.writer in again:
        yield "the writer is among the extra validators"
    if not set(first).isdisjoint(again):
        yield "the first validator judged again"
    if len(extras) < 4:
        yield "fewer than four extra validations"
    if 2 * [j.said for j in extras].count(record.label) < len(extras):
        yield "most extra validations contradict the label"


def _shared(records: Iterable[Statement]) -> dict[str, list[str]]:
    """What stands under several names: sentences, addresses, pairs; the first record of each."""
    groups: dict[tuple[str, ...], dict[str, str]] = {}
    names: dict[tuple[str, ...], dict[str, str]] = {}
    orders: dict[tuple[str, ...], dict[str, str]] = {}
    for r in records:
        groups.setdefault((r.split, r.sentence), {}).setdefault(r.group, r.id)
        for name, url in zip(r.pictures[0], r.urls or (), strict=False):
            names.setdefault((r.split, url), {}).setdefault(name, r.id)
        if r.urls:
            orders.setdefault((r.split, *sorted(r.urls)), {}).setdefault(r.pair, r.id)
    return {
        what: [i for ids in known.values() if len(ids) > 1 for i in ids.values()]
        for what, known in (
            ("the same sentence in several groups", groups),
            ("one address under several picture names", names),
            ("one pair in both orders", orders),
        )
    }
