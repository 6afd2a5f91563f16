"""Pictures that are missing, broken, tiny, or of one color."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.lint.finding import Finding, LintOptions, plural, some
from deixis.lint.items import items
from deixis.pictures.photos import PhotoStore

SMALLEST = 32
"""Pixels; nobody recognises much on fewer."""

FIX = {
    "missing": "put the files there, or remove the records that need them",
    "broken": "download or export the files anew",
    "tiny": "use the pictures in their full size",
    "blank": "look at the files: a placeholder may stand in for a picture that was deleted",
}
_SEVERITY = {"missing": "error", "broken": "error", "tiny": "warning", "blank": "warning"}


def pictures(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """One finding for each kind of fault, over all pictures of the records.

    Where a dataset comes without any picture file, that is told as one note.
    """
    names = list(dict.fromkeys(name for item in items(dataset) for name in item.pictures))
    store = dataset.store
    if not names:
        return
    if isinstance(store, PhotoStore) and not store.present:
        yield Finding(
            "pictures",
            "note",
            f"none of the {plural(len(names), 'picture')} has a file here: none was looked at",
        )
        return
    found: dict[str, list[tuple[str, str]]] = {kind: [] for kind in FIX}
    for done, name in enumerate(names):
        options.progress("pictures", done, len(names))
        kind, detail = fault(dataset, name)
        if kind:
            found[kind].append((name, detail))
    for kind, where in found.items():
        if where:
            ids = [name for name, _ in where]
            yield Finding(
                "pictures",
                _SEVERITY[kind],
                f"{plural(len(ids), 'picture')} of {len(names):,}: {kind} ({some(ids)})",
                FIX[kind],
                ids,
                {"kind": kind, "n": len(ids), "such_as": where[0][1]},
                ids[:6] if kind in ("tiny", "blank") else (),
            )


def fault(dataset: Dataset, name: str) -> tuple[str, str]:
    """What is wrong with one picture, and the detail; empty where nothing is.

    Pictures known by their vectors or names alone are taken as they are.
    """
    store = dataset.store
    try:
        picture = store.picture(name)
    except BadInput as error:
        return "missing", str(error)
    native = getattr(store, "native", None)
    if native is None:
        return "", ""
    try:
        pixels = native(picture)
    except BadInput as error:
        return ("missing" if "is not there" in str(error) else "broken"), str(error)
    height, width = pixels.shape[:2]
    if min(height, width) < SMALLEST:
        return "tiny", f"{name} is {width} × {height} pixels"
    if np.ptp(pixels.reshape(-1, 3), axis=0).max() < 3:
        return "blank", f"{name} is of one color"
    return "", ""
