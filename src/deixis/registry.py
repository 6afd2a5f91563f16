"""Find a part by kind and name: a dataset, a player, an operator, a measure, a lint rule.

Each folder of parts lists its own in a table ``{(kind, name): "module:attribute"}`` in its
``__init__``; packages outside add theirs by an entry point in the group ``deixis.<folder>``,
named ``name`` or ``kind.name``. A name that stands in both is an error.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Mapping
from functools import cache
from typing import Any

from deixis.errors import EXTRAS, BadInput, lacking, unknown

ANY = "any"
"""The kind of parts that serve every kind of task."""

Table = Mapping[tuple[str, str], str]


@cache
def table(folder: str) -> dict[tuple[str, str], str]:
    """Every part of one folder, those of outside packages included.

    Args:
        folder: ``"players"``, ``"datasets"`` and so on.

    Raises:
        BadInput: two packages claim the same name.
    """
    parts: dict[tuple[str, str], str] = dict(importlib.import_module(f"deixis.{folder}").TABLE)
    for point in importlib.metadata.entry_points(group=f"deixis.{folder}"):
        kind, _, name = point.name.rpartition(".")
        key = (kind or ANY, name)
        if key in parts:
            raise BadInput(
                f"{folder} has two parts named {point.name!r}: {parts[key]} and {point.value}"
            )
        parts[key] = point.value
    return parts


def names(folder: str, kind: str | None = None) -> list[str]:
    """Names that `find` accepts, sorted; with `kind`, only those that serve that kind."""
    return sorted({n for k, n in table(folder) if kind is None or k in (kind, ANY)})


def serves(folder: str, name: str, kind: str) -> bool:
    """Whether `find` finds a part of that name for that kind.

    >>> serves("worlds", "boxes", "statement"), serves("worlds", "boxes", "reference")
    (True, False)
    """
    parts = table(folder)
    return (kind, name) in parts or (ANY, name) in parts


def find(folder: str, name: str, kind: str = ANY) -> Any:
    """Load one part.

    Args:
        folder: the folder of parts.
        name: the part's name.
        kind: the kind of task it must serve; a part for this kind wins over one for any.

    Raises:
        BadInput: there is no such part (the message lists what there is), or a library that it
            needs is not installed (the message says how to install it).
    """
    parts = table(folder)
    where = parts.get((kind, name)) or parts.get((ANY, name))
    if where is None:
        one = folder.rpartition(".")[2].rstrip("s").replace("_", " ")
        served = sorted(k for k, n in parts if n == name)
        if served:
            raise BadInput(f"the {one} {name!r} plays {', '.join(served)} tasks, not {kind} tasks")
        known = names(folder, None if kind == ANY else kind)
        raise unknown(f"there is no {one} {name!r}", name, known)
    return _load(where)


@cache
def _load(where: str) -> Any:
    """The attribute of a module; looked up once, since every view asks for its operators."""
    module, _, attribute = where.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError as error:
        library = (error.name or "").split(".")[0]
        if library not in EXTRAS:
            raise
        raise lacking(library, EXTRAS[library]) from None
