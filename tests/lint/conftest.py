"""Small datasets with planted faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from deixis.dataset import Choice, Dataset, Statement
from deixis.lint.finding import Finding, LintOptions
from deixis.pictures.store import ArrayStore


def pixels(seed: int, side: int = 40) -> np.ndarray:
    """A smooth random picture."""
    from PIL import Image

    coarse = np.random.default_rng(seed).integers(0, 256, (5, 5, 3), dtype=np.uint8)
    return np.asarray(Image.fromarray(coarse).resize((side, side), Image.Resampling.BICUBIC))


@pytest.fixture
def statement() -> Callable[..., Statement]:
    """Makes a statement; what is not given tells nothing."""

    def made(number: int, **given: Any) -> Statement:
        fields: dict[str, Any] = {
            "id": f"s{number}", "sentence": f"Number {number} is shown.", "label": number % 2 == 0,
            "pictures": ((f"p{number}", ""),), "split": "dev", "set": f"set{number}",
            "pair": f"p{number}",
        }  # fmt: skip
        return Statement(**(fields | given))

    return made


@pytest.fixture
def dataset() -> Callable[..., Dataset]:
    """Makes a dataset of records, all in one split unless told otherwise."""

    def made(
        records: Sequence[Any],
        splits: Mapping[str, Sequence[str]] | None = None,
        store: Any = None,
        kind: str = "statement",
        **more: Any,
    ) -> Dataset:
        by_id = {r.id: r for r in records}
        names = {n for r in records for n in named(r)}
        held = store or ArrayStore({n: pixels(i) for i, n in enumerate(sorted(names))})
        where = splits or {"dev": tuple(by_id)}
        return Dataset("tiny", kind, {s: tuple(i) for s, i in where.items()}, by_id, held, **more)

    return made


def named(record: Any) -> list[str]:
    if isinstance(record, Statement):
        return [n for pair in record.pictures for n in pair if n]
    if isinstance(record, Choice):
        return [*record.pictures, *(record.options if record.pictured else ())]
    return [record.picture]


@pytest.fixture
def found() -> Callable[..., list[Finding]]:
    """Runs one rule."""

    def run(rule: Any, data: Dataset, **options: Any) -> list[Finding]:
        return list(rule(data, LintOptions(**options)))

    return run
