"""A folder of gathered pictures: what studies about pairs of pictures are made of.

``photos.jsonl`` holds a picture with its rights in each line, ``sets.jsonl`` a set of candidates,
``ledger.jsonl`` every decision, ``pictures/`` the files; ``scenes.jsonl`` says what is in pictures
that were made, so that simulated people can see them.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

from deixis.collect.pictures.ledger import Ledger
from deixis.collect.pictures.provider import Found, Provider
from deixis.collect.pictures.prune import Photo, Pruner
from deixis.collect.pictures.queries import Query
from deixis.collect.pictures.sets import LEAST, PictureSet, build_sets
from deixis.errors import BadInput
from deixis.pictures.scene import Scene, Thing
from deixis.progress import Progress, quiet
from deixis.reading import json_lines

RIGHTS = ("url", "page", "licence", "licence_url", "attribution")


@dataclass(frozen=True)
class Gathered:
    """What a folder holds.

    Attributes:
        folder: where it is.
        photos: pictures by key.
        sets: candidates for sets of eight.
        scenes: what is in made pictures, by key.
        fingerprint: hash of photos and sets.
    """

    folder: Path
    photos: Mapping[str, Photo]
    sets: tuple[PictureSet, ...]
    scenes: Mapping[str, Scene] = field(default_factory=dict)
    fingerprint: str = ""

    def content(self, key: str) -> bytes:
        """The bytes of a picture's file.

        Raises:
            BadInput: it is not there.
        """
        path = self.folder / "pictures" / key
        try:
            return path.read_bytes()
        except OSError:
            raise BadInput(f"{path}: the picture is not there") from None


def gather(
    folder: Path,
    wanted: Sequence[Query],
    provider: Provider,
    scenes: Mapping[str, Scene] | None = None,
    progress: Progress = quiet,
) -> Gathered:
    """Search, prune and build sets into a new folder.

    Args:
        folder: must not exist.
        wanted: what to search for.
        provider: of pictures.
        scenes: what is in them by their address, where they are made ones.
        progress: told how far it is.

    Raises:
        BadInput: the folder exists, the provider fails, or no set came together.
    """
    if folder.exists():
        raise BadInput(f"{folder} exists already")
    ledger = Ledger()
    pruner = Pruner(provider, ledger)
    sets = build_sets(wanted, provider, pruner, ledger, progress)
    if not sets:
        looked = ", ".join(f"{n} {what}" for what, n in ledger.counts().items()) or "none found"
        raise BadInput(
            f"{provider.name}: too few pictures for a set of {LEAST} similar ones ({looked})"
        )
    photos = {p.key: p for s in sets for p in s.pictures}
    growing = folder.with_name(f"{folder.name}.{os.getpid()}.tmp")
    (growing / "pictures").mkdir(parents=True)
    for key, photo in photos.items():
        (growing / "pictures" / key).write_bytes(provider.content(photo.found))
    _write(growing / "photos.jsonl", (_photo_row(p) for p in photos.values()))
    _write(growing / "sets.jsonl", (_set_row(s) for s in sets))
    if scenes is not None:
        rows = ({"key": k, "boxes": _boxes(scenes[p.found.url])} for k, p in photos.items())
        _write(growing / "scenes.jsonl", rows)
    kept = Ledger(growing / "ledger.jsonl")
    for d in ledger.decisions:
        kept.add(d.step, d.of, d.id, d.kept, d.why)
    kept.save()
    growing.rename(folder)
    return read_gathered(folder)


def read_gathered(folder: Path) -> Gathered:
    """Read a folder that `gather` made.

    Raises:
        BadInput: it is not there, or a line of it is wrong.
    """
    photos = {
        row["key"]: Photo(Found(**{r: row[r] for r in RIGHTS}), row["key"], int(row["hash"], 16))
        for row in _rows(folder / "photos.jsonl", ("key", "hash", *RIGHTS))
    }
    for key in photos:
        if not (folder / "pictures" / key).is_file():
            raise BadInput(f"{folder / 'pictures' / key}: the picture is not there")
    sets = []
    for row in _rows(folder / "sets.jsonl", ("id", "synset", "query", "pictures")):
        lost = [k for k in row["pictures"] if k not in photos]
        if lost:
            raise BadInput(f"{folder / 'sets.jsonl'}: set {row['id']}: no picture {lost[0]!r}")
        pictures = tuple(photos[k] for k in row["pictures"])
        sets.append(PictureSet(row["id"], row["synset"], row["query"], pictures))
    scenes: dict[str, Scene] = {}
    if (folder / "scenes.jsonl").is_file():
        for row in _rows(folder / "scenes.jsonl", ("key", "boxes")):
            scenes[row["key"]] = tuple(tuple(Thing(*t) for t in box) for box in row["boxes"])
    names = ("photos.jsonl", "sets.jsonl")
    told = hashlib.sha256(b"".join((folder / n).read_bytes() for n in names)).hexdigest()
    return Gathered(folder, photos, tuple(sets), scenes, told[:32])


def _photo_row(photo: Photo) -> dict[str, Any]:
    rights = {name: getattr(photo.found, name) for name in RIGHTS}
    return {"key": photo.key, "hash": f"{photo.hash:016x}", **rights}


def _set_row(made: PictureSet) -> dict[str, Any]:
    keys = [p.key for p in made.pictures]
    return {"id": made.id, "synset": made.synset, "query": made.query, "pictures": keys}


def _boxes(scene: Scene) -> list[list[Any]]:
    return [[astuple(thing) for thing in box] for box in scene]


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), "utf-8")


def _rows(path: Path, fields: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        raise BadInput(f"there is no file {path}: make its folder by deixis collect pictures")
    for where, row in json_lines(path):
        for name in fields:
            if name not in row:
                raise BadInput(f"{where}: lacks {name!r}")
        yield row
