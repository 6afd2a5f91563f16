"""Locked rows: the one place that says how a job holds rows that others may change."""

from __future__ import annotations

from typing import Any, TypeVar

from sqlalchemy.sql.selectable import GenerativeSelect

S = TypeVar("S", bound=GenerativeSelect)


def locked(rows: S, *, of: Any = None, skip: bool = False) -> S:
    """The same rows, held until the transaction ends; SQLite, with its one writer, needs no lock.

    Args:
        rows: what to select.
        of: the table to hold rows of, if several are joined.
        skip: leave out what others hold, instead of waiting for it.
    """
    # Never with their keys, which do not change here: whoever adds a row that refers to a locked
    # one would have to wait. Two jobs that have each added such a row, and then lock the row that
    # both refer to, would wait for each other.
    return rows.with_for_update(key_share=True, of=of, skip_locked=skip)
