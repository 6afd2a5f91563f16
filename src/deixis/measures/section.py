"""What a measure of a dataset gives: numbers by name, tables and figures for people, remarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deixis.dataset import Dataset
from deixis.progress import Progress, quiet


@dataclass(frozen=True)
class Options:
    """How datasets are measured.

    Attributes:
        seed: of resamples.
        resamples: how many.
        against: another dataset, whose language is held against this one's.
        reference: the condition that others are compared with; the first by default.
        progress: told how far long work is.
    """

    seed: int = 0
    resamples: int = 1000
    against: Dataset | None = None
    reference: str = ""
    progress: Progress = quiet


@dataclass(frozen=True)
class Table:
    """A table for people: the first column is a name."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Figure:
    """A figure as data; `deixis.measures.plots` draws it.

    Attributes:
        name: of its file.
        kind: ``ranked`` (values with intervals, in ascending order), ``scatter``, ``bars`` or
            ``lines``.
        title: above it.
        across: label of the horizontal axis.
        up: label of the vertical axis.
        series: by name, arrays of equal length: of `ranked` value, low, high; of the others x, y.
    """

    name: str
    kind: str
    title: str
    across: str
    up: str
    series: Mapping[str, Any]


@dataclass(frozen=True)
class Section:
    """What one measure found.

    Attributes:
        fields: for JSON; no two measures of a kind share a name.
        tables: for a terminal.
        figures: for files.
        notes: one sentence each: what is undefined and why, what was left out.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()
