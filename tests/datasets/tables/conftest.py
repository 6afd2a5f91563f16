"""Small benchmarks written in every form."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from deixis.dataset import Dataset
from deixis.sources import load


def picture(number: int, kind: str = "PNG") -> bytes:
    """A picture file; other numbers are other pictures."""
    pixels = np.full((6, 8, 3), number % 256, np.uint8)
    pixels[0, 0] = number // 256
    target = io.BytesIO()
    Image.fromarray(pixels).save(target, kind)
    return target.getvalue()


def packed(number: int) -> str:
    """The same in base64."""
    return base64.b64encode(picture(number)).decode()


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """A folder with the pictures 0.png to 7.png."""
    folder = tmp_path / "pictures"
    folder.mkdir()
    for i in range(8):
        (folder / f"{i}.png").write_bytes(picture(i))
    return folder


@pytest.fixture
def benchmark(tmp_path: Path) -> Callable[..., Dataset]:
    """Loads a benchmark from the text of its TOML and the content of its table."""

    def made(toml: str, table: str | None = None, name: str = "rows.csv") -> Dataset:
        if table is not None:
            (tmp_path / name).write_text(table, "utf-8")
        (tmp_path / "mine.toml").write_text(toml, "utf-8")
        return load(str(tmp_path / "mine.toml"))

    return made


def parquet(path: Path, columns: dict[str, Any], **options: Any) -> None:
    """Write a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet as files

    files.write_table(pa.table(columns), path, **options)
