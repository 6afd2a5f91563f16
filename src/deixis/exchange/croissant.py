"""A dataset described in Croissant 1.1: what its files and their columns are, as JSON-LD."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from deixis.dataset import Dataset
from deixis.datasets.tables import rows
from deixis.datasets.tables.rows import Packed
from deixis.datasets.tables.spec import Spec
from deixis.manifest import Manifest
from deixis.plain import plain

VERSION = "http://mlcommons.org/croissant/1.1"

LOOKED_AT = 100
"""Rows by which the type of a column is told."""

CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "name": {"@container": "@language"},
    "description": {"@container": "@language"},
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{
        term: f"cr:{term}"
        for term in (
            "arrayShape citeAs column containedIn equivalentProperty extract field fileObject "
            "fileProperty fileSet format includes isArray isLiveDataset jsonPath key md5 "
            "parentField path recordSet references regex repeated replace samplingRate separator "
            "source subField transform"
        ).split()
    },
}


def describe(
    dataset: Dataset,
    facts: Mapping[str, str],
    *,
    spec: Spec | None = None,
    manifest: Manifest | None = None,
) -> bytes:
    """Describe a dataset.

    The tables of a benchmark of one's own become record sets, a field for each of their columns; of
    a public dataset, whose files hold records within records, the files are listed.

    Args:
        dataset: what was loaded.
        facts: what only its makers know, such as ``license``, ``url``, ``citeAs``,
            ``datePublished``, and the ``rai:`` properties of collection and consent.
        spec: of a benchmark of one's own.
        manifest: of a public dataset.
    """
    tables = [p for p in spec.rows if p.is_file()] if spec else []
    said = "".join(f", {n:,} {what}" for what, n in dataset.counts.items())
    # What has no version of its own has that of its content.
    version = {"version": f"0.0.0+{dataset.fingerprint}"}
    return document(
        dataset.name,
        f"{len(dataset):,} {dataset.kind} records{said}",
        version | dict(facts),
        [file_object(p) for p in tables] + (_public(manifest) if manifest else []),
        [_records(p, spec) for p in tables] if spec else [],
    )


def document(
    name: str,
    description: str,
    facts: Mapping[str, Any],
    files: Sequence[Mapping[str, Any]],
    records: Sequence[Mapping[str, Any]],
) -> bytes:
    """The whole description.

    Args:
        name: of the dataset.
        description: what it is.
        facts: more that is said of it, by property.
        files: see `file_object`.
        records: see `record_set`.
    """
    found = {
        "@context": dict(CONTEXT),
        "@type": "sc:Dataset",
        "conformsTo": VERSION,
        "name": name,
        "description": description,
        **facts,
        "distribution": files,
        "recordSet": records,
    }
    made = {key: value for key, value in found.items() if value != []}
    return (json.dumps(plain(made), indent=1, ensure_ascii=False) + "\n").encode()


_FORMATS = {
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".jsonl": "application/jsonlines",
    ".jsonlines": "application/jsonlines",
    ".json": "application/json",
    ".parquet": "application/x-parquet",
    ".zip": "application/zip",
}


def _object(name: str, address: str, size: int, digest: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": address,
        "contentSize": f"{size} B",
        "encodingFormat": _FORMATS.get(Path(name).suffix, "application/octet-stream"),
        "sha256": digest,
    }


def file_object(path: Path, form: str = "") -> dict[str, Any]:
    """A file beside the description; its suffix says what it is, unless `form` does."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    made = _object(path.name, path.name, path.stat().st_size, digest)
    return made | {"encodingFormat": form} if form else made


def record_set(path: Path, fields: Sequence[Mapping[str, Any]], key: str = "") -> dict[str, Any]:
    """A table that is a file, with its columns, see `field`, and the one that names its rows."""
    made: dict[str, Any] = {
        "@type": "cr:RecordSet",
        "@id": path.stem,
        "name": path.stem,
        "field": list(fields),
    }
    return made | {"key": {"@id": f"{path.stem}/{key}"}} if key else made


def field(path: Path, name: str, kind: str = "sc:Text") -> dict[str, Any]:
    """A column of a table, and what type its values have."""
    return {
        "@type": "cr:Field",
        "@id": f"{path.stem}/{name}",
        "name": name,
        "dataType": kind,
        "source": {"fileObject": {"@id": path.name}, "extract": {"column": name}},
    }


def _public(manifest: Manifest) -> list[dict[str, Any]]:
    """Files whose whole checksum is known, and where they are published."""
    base = manifest.bases[0] if manifest.bases else ""
    return [
        _object(f.path, base + f.path, f.size, f.sha256)
        for f in manifest.files
        if f.size is not None and len(f.sha256) == 64
    ]


def _records(path: Path, spec: Spec) -> dict[str, Any]:
    """One table: its columns as it has them, each with what it means to the benchmark."""
    first = [cells for _, cells in islice(rows.read(path), LOOKED_AT)]
    names = list(dict.fromkeys(name for cells in first for name in cells))
    key = spec.column("id")
    fields = [_field(path, n, [cells.get(n) for cells in first], spec) for n in names]
    return record_set(path, fields, key if key in names else "")


def _field(path: Path, name: str, values: Sequence[Any], spec: Spec) -> dict[str, Any]:
    repeated = any(isinstance(v, (list, tuple)) for v in values)
    flat = [
        one for v in values for one in (v if isinstance(v, (list, tuple)) else [v]) if one not in
        (None, "")
    ]  # fmt: skip
    means = [meaning for meaning, columns in spec.columns.items() if name in columns]
    made = field(path, name, _type(flat))
    if means:
        made["description"] = f"Read as {' and '.join(means)}."
    if repeated:
        made["repeated"] = True
    return made


def _type(values: Sequence[Any]) -> str:
    """The narrowest type that all values have."""
    kinds: Sequence[tuple[str, type]] = (
        ("sc:ImageObject", Packed),
        ("sc:Boolean", bool),
        ("sc:Integer", int),
        ("sc:Float", float),
    )
    for name, kind in kinds:
        same = all(
            isinstance(v, kind) and (kind is bool or not isinstance(v, bool)) for v in values
        )
        if values and same:
            return name
    return "sc:Text"
