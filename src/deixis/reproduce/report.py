"""What a reproduction is asked for, and what it gives."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from deixis.errors import BadInput
from deixis.plain import plain
from deixis.progress import Progress, quiet
from deixis.writing import write_text


@dataclass(frozen=True)
class Asked:
    """What the user wants.

    Attributes:
        preset: by name; None is the reproduction's own default.
        data: the datasets' folder, as `deixis.sources.load` takes it.
        out: where models and results may be kept; None keeps nothing.
        seeds: how many training runs; None is the preset's own number.
        options: the reproduction's own, as written.
        progress: told of everything that takes time.
    """

    preset: str | None = None
    data: Path | None = None
    out: Path | None = None
    seeds: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    progress: Progress = quiet

    def only(self, *known: str) -> None:
        """Check that no other options were written.

        Raises:
            BadInput: there is one.
        """
        for option in self.options:
            if option not in known:
                raise BadInput(f"--{option.replace('_', '-')} is no option of this reproduction")

    def chosen(self, presets: Mapping[str, Any], default: str) -> Any:
        """The preset of that name.

        Raises:
            BadInput: there is none.
        """
        name = self.preset or default
        if name not in presets:
            raise BadInput(f"--preset: expected {' or '.join(presets)}, got {name!r}")
        return presets[name]


@dataclass(frozen=True)
class Table:
    """A table for people: the first column to the left, the others to the right."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class Figure(Protocol):
    """A figure of matplotlib."""

    def savefig(self, path: Any, **how: Any) -> Any:
        """Write it."""


@dataclass(frozen=True)
class Reproduced:
    """Tables, figures and numbers.

    Attributes:
        name: of the reproduction.
        content: the JSON object, without its schema's name.
        tables: for people, in order.
        figures: makes each figure of matplotlib, by the name of its file.
        notes: what the reader has to know.
    """

    name: str
    content: Mapping[str, Any]
    tables: Sequence[Table] = ()
    figures: Mapping[str, Callable[[], Figure]] = field(default_factory=dict)
    notes: Sequence[str] = ()

    def json(self) -> dict[str, Any]:
        """The object that ``--json`` prints."""
        return {"schema": f"deixis/reproduce-{self.name}/1", **self.content}

    def write(self, folder: Path) -> list[Path]:
        """Write numbers and figures; the same numbers make the same files.

        Returns:
            The files.
        """
        import matplotlib as mpl

        folder.mkdir(parents=True, exist_ok=True)
        written = [folder / f"{self.name}.json"]
        text = json.dumps(plain(self.json()), indent=1, ensure_ascii=False)
        write_text(written[0], text + "\n")
        for name, make in self.figures.items():
            with mpl.rc_context({"svg.hashsalt": "deixis", "svg.fonttype": "none"}):
                figure = make()
                figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
                figure.savefig(folder / f"{name}.png", dpi=150)
            written += [folder / f"{name}.svg", folder / f"{name}.png"]
        return written
