"""A dataset described in Croissant 1.1: what its files and fields are, as JSON-LD."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deixis.dataset import Dataset
from deixis.plain import plain

VERSION = "http://mlcommons.org/croissant/1.1"

CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "key": "cr:key",
    "md5": "cr:md5",
    "recordSet": "cr:recordSet",
    "repeated": "cr:repeated",
    "source": "cr:source",
}


def describe(dataset: Dataset, files: Mapping[str, Path], facts: Mapping[str, str]) -> bytes:
    """Describe a dataset.

    Args:
        dataset: its records become one record set; fields are those of the records.
        files: the files it was loaded from, by the name under which they are published.
        facts: what only its makers know, such as ``license``, ``url``, ``citeAs``, and the
            ``rai:`` properties of collection and consent.
    """
    listed = [_file(name, path) for name, path in files.items()]
    first = next(iter(dataset.records.values()), None)
    fields = [_field(name, value, listed) for name, value in _values(first).items()]
    made = {
        "@context": dict(CONTEXT),
        "@type": "sc:Dataset",
        "conformsTo": VERSION,
        "name": dataset.name,
        "description": f"{len(dataset):,} {dataset.kind} records"
        + "".join(f", {n:,} {what}" for what, n in dataset.counts.items()),
        "version": dataset.fingerprint,
        **facts,
        "distribution": listed,
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "records",
                "name": "records",
                "key": {"@id": "records/id"},
                "field": fields,
            }
        ],
    }
    return (json.dumps(plain(made), indent=1, ensure_ascii=False) + "\n").encode()


_FORMATS = {
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".jsonl": "application/jsonlines",
    ".json": "application/json",
    ".parquet": "application/x-parquet",
    ".zip": "application/zip",
}


def _file(name: str, path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": _FORMATS.get(path.suffix, "application/octet-stream"),
        "sha256": content,
    }


def _values(record: Any) -> dict[str, Any]:
    if record is None:
        return {}
    names = getattr(type(record), "__dataclass_fields__", {})
    return {name: getattr(record, name) for name in names}


def _field(name: str, value: Any, files: list[dict[str, Any]]) -> dict[str, Any]:
    repeated = isinstance(value, (tuple, list))
    one = value[0] if repeated and value else value
    types = {bool: "sc:Boolean", int: "sc:Integer", float: "sc:Float"}
    kind = "sc:ImageObject" if name == "pictures" else types.get(type(one), "sc:Text")
    made: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"records/{name}",
        "name": name,
        "dataType": kind,
    }
    if repeated:
        made["repeated"] = True
    if files:
        made["source"] = {"fileObject": {"@id": files[0]["@id"]}, "extract": {"column": name}}
    return made
