"""What a gallery is asked for: filters, an order and a page, as a link writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray
from pyarrow import compute

from deixis.errors import BadInput, unknown
from deixis.explore.index import Index

SIZE = 24
"""Trials on a page."""

SHOWN = {
    "": "all trials",
    "wrong": "wrong",
    "right": "right",
    "changed": "changed by the intervention",
    "ties": "ties",
    "odd": "refused, unreadable or missing",
}
"""What may be shown of a track, in words."""

ORDERS = {
    "": "as they come",
    "effect": "most lost first",
    "gain": "most won first",
    "worst": "worst first",
    "best": "best first",
}
"""How trials may be ordered, in words."""


@dataclass(frozen=True, slots=True)
class Query:
    """One state of the gallery.

    Attributes:
        under: label of the track that is looked at; empty for the base.
        show: a key of `SHOWN`.
        order: a key of `ORDERS`.
        cluster: trials of this cluster only.
        group: trials of this group only.
        parts: trials with so many parts only; -1 for all.
        subset: trials of this subset only, such as a phenomenon.
        text: trials whose texts hold this, in any case of letters.
        page: from 1.
    """

    under: str = ""
    show: str = ""
    order: str = ""
    cluster: str = ""
    group: str = ""
    parts: int = -1
    subset: str = ""
    text: str = ""
    page: int = 1

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Query:
        """Read a link's parameters; those that it does not know are left alone.

        Raises:
            BadInput: a value that there is not.

        >>> Query.of({"show": "wrong", "parts": "3"}).parts
        3
        """
        words = {
            k: given.get(k, "")
            for k in ("under", "show", "order", "cluster", "group", "subset", "text")
        }
        for name, known in (("show", SHOWN), ("order", ORDERS)):
            if words[name] not in known:
                listed = ", ".join(k for k in known if k)
                raise BadInput(f"{name}: there is no {words[name]!r} (known: {listed})")
        parts, page = _number(given, "parts", -1), _number(given, "page", 1)
        return cls(**words, parts=parts, page=max(1, page))

    def link(self, **changes: Any) -> str:
        """The parameters of this state with changes, as a link writes them; without defaults.

        >>> Query(show="wrong", page=3).link(page=1)
        'show=wrong'
        """
        kept, default = asdict(replace(self, **changes)), asdict(Query())
        return urlencode({k: v for k, v in kept.items() if v != default[k]})


@dataclass(frozen=True)
class Page:
    """One page of trials.

    Attributes:
        query: what was asked, its page within what there is.
        positions: of trials in the task, shape (at most SIZE,).
        total: trials that pass the filters.
        values: the measure under the track, and under its base, for each position; from 0 to 1.
        choices: the same of positions of choices; -1 for ties, -2 for none.
    """

    query: Query
    positions: NDArray[np.int64]
    total: int
    values: NDArray[np.float64]
    choices: NDArray[np.int64]

    @property
    def pages(self) -> int:
        """How many there are, at least 1."""
        return max(1, -(-self.total // SIZE))

    @property
    def first(self) -> int:
        """Number of its first trial among those found, from 0."""
        return (self.query.page - 1) * SIZE


def select(index: Index, query: Query) -> NDArray[np.int64]:
    """Positions of all trials that a query asks for, in its order.

    Raises:
        BadInput: it names a track or subset that there is not.
    """
    track = number_of(index, query)
    rows = np.flatnonzero(_mask(index, query, track))
    if not query.order or track < 0:
        return rows
    return rows[_order(index, query, track, rows)]


def page(index: Index, query: Query, rows: NDArray[np.int64]) -> Page:
    """One page of what a query asks for.

    Args:
        index: of the trials.
        query: whose page is wanted; beyond the last page it is the last.
        rows: what `select` found.
    """
    query = replace(query, page=min(query.page, max(1, -(-len(rows) // SIZE))))
    own = rows[(query.page - 1) * SIZE : query.page * SIZE]
    track = number_of(index, query)
    if track < 0:
        nothing = np.full((2, len(own)), np.nan)
        return Page(query, own, len(rows), nothing, np.full((2, len(own)), -2))
    both = [track, index.base_of(track)]
    held = index.columns(*{f"{n}:{i}" for i in both for n in ("value", "choice")})
    values = np.array([held[f"value:{i}"][own] for i in both], np.float64)
    choices = np.array([held[f"choice:{i}"][own] for i in both], np.int64)
    return Page(query, own, len(rows), values, choices)


def number_of(index: Index, query: Query) -> int:
    """The number of the track that a query looks at: the first where it names none; -1 for none.

    Raises:
        BadInput: it names one that there is not.
    """
    if not query.under:
        return 0 if index.tracks else -1
    number = index.place(query.under)
    if number < 0:
        known = ", ".join(t.label for t in index.tracks[:8]) or "none"
        raise BadInput(f"nothing was played under {query.under!r} (known: {known})")
    return number


def _mask(index: Index, query: Query, track: int) -> NDArray[np.bool_]:
    mask = np.ones(len(index.arrow("parts")), bool)
    for name in ("cluster", "group"):
        if getattr(query, name):
            mask &= _true(compute.equal(index.arrow(name), getattr(query, name)))
    if query.parts >= 0:
        mask &= _true(compute.equal(index.arrow("parts"), query.parts))
    if query.subset:
        if query.subset not in index.subsets:
            raise unknown(f"there is no subset {query.subset!r}", query.subset, index.subsets)
        mask &= index.columns(f"in:{query.subset}")[f"in:{query.subset}"]
    if query.text:
        found = compute.match_substring(index.arrow("text"), query.text, ignore_case=True)
        mask &= _true(found)
    if query.show and track >= 0:
        mask &= _shown(index, query.show, track)
    return mask


def _shown(index: Index, show: str, track: int) -> NDArray[np.bool_]:
    names = {"ties": "tied", "right": "wrong"}
    column = f"{names.get(show, show)}:{track}"
    flags = index.columns(column)[column]
    if show != "right":
        return np.asarray(flags, bool)
    replied = f"value:{track}"
    return np.asarray(~flags & np.isfinite(index.columns(replied)[replied]))


def _order(index: Index, query: Query, track: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The order of some trials; the answer's probability decides between equal values."""
    base = index.base_of(track) if query.order in ("effect", "gain") else -1

    def column(name: str) -> NDArray[np.float64]:
        numbers = [track] if base < 0 else [base, track]
        held = index.columns(*{f"{name}:{i}" for i in numbers})
        values = [held[f"{name}:{i}"][rows].astype(np.float64) for i in numbers]
        return np.asarray(values[0] if base < 0 else values[0] - values[1])

    up = query.order in ("gain", "worst")
    keys = [
        np.nan_to_num(column(n), nan=np.inf if up else -np.inf) for n in ("probability", "value")
    ]
    return np.asarray(np.lexsort([k if up else -k for k in keys]))


def _true(column: Any) -> NDArray[np.bool_]:
    return np.asarray(column.to_numpy(zero_copy_only=False), bool)


def _number(given: Mapping[str, str], name: str, default: int) -> int:
    text = given.get(name, "")
    if not text:
        return default
    if not text.lstrip("-").isdecimal() or len(text) > 9:
        raise BadInput(f"{name}: expected a whole number, got {text[:40]!r}")
    return int(text)
