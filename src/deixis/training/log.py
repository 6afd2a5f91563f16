"""Where the numbers of a training go."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class Log(Protocol):
    """Gets a row for each step and each epoch; the modules wandb and trackio are such logs."""

    def log(self, data: dict[str, Any], /) -> Any:
        """Take one row: numbers by name."""


class JsonLines:
    """Rows in a file, one JSON object a line.

    After a training was killed and resumed, steps since its last checkpoint stand there twice,
    with the same numbers.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def log(self, data: Mapping[str, Any], /) -> None:
        """Append one row."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(data) + "\n")
