"""SOURCE as it is written: ``NAME[:SPLIT[+SPLIT]]``, a dataset, a world, or a benchmark's TOML."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis import registry
from deixis.dataset import Dataset
from deixis.datasets.files import data_root
from deixis.datasets.tables.load import table
from deixis.errors import BadInput, unknown


@dataclass(frozen=True, slots=True)
class Source:
    """A dataset's name, or the path of a benchmark's TOML file; and splits."""

    name: str
    splits: tuple[str, ...] = ()

    @property
    def is_table(self) -> bool:
        """Whether it is the TOML file of a benchmark."""
        return self.name.endswith(".toml")

    @classmethod
    def parse(cls, text: str) -> Source:
        """Read the written form; `str` gives it back.

        >>> Source.parse("nlvr:dev+test")
        Source(name='nlvr', splits=('dev', 'test'))
        >>> str(Source.parse("figures"))
        'figures'
        """
        name, colon, rest = text.partition(":")
        splits = tuple(rest.split("+")) if colon else ()
        if not name or "" in splits:
            raise BadInput(f"{text!r} is no source: expected NAME[:SPLIT[+SPLIT]]")
        return cls(name, splits)

    def __str__(self) -> str:
        return self.name + (f":{'+'.join(self.splits)}" if self.splits else "")


def known(name: str) -> bool:
    """Whether there is a dataset or a world of that name.

    >>> known("figures"), known("runs/figures")
    (True, False)
    """
    return any(
        name == own for folder in ("worlds", "datasets") for _, own in registry.table(folder)
    )


def load(source: str | Source, data: Path | str | None = None, **options: Any) -> Dataset:
    """Load a dataset, or make a world.

    Args:
        source: such as ``"kilogram:dense"`` or ``"figures"``.
        data: the dataset's folder or one above it; else ``DEIXIS_DATA``, else the user's cache.
        options: of the dataset, such as its file of features, or of the world, such as its seed.

    Returns:
        The dataset with the records of the named splits only.

    Raises:
        BadInput: there is no such source, folder, split or option, or a file is broken.
    """
    parsed = Source.parse(source) if isinstance(source, str) else source
    if parsed.is_table:
        for option in options:
            raise BadInput(f"--{option.replace('_', '-')} is no option of {parsed.name}")
        return table(Path(parsed.name)).select(*parsed.splits)
    for folder in ("worlds", "datasets"):
        parts = {name: kind for kind, name in registry.table(folder)}
        if parsed.name in parts:
            build = registry.find(folder, parsed.name, parts[parsed.name])
            for option in set(options) - set(inspect.signature(build).parameters):
                raise BadInput(f"--{option.replace('_', '-')} is no option of {parsed.name}")
            root = () if folder == "worlds" else (data_root(data),)
            with _all_stays():
                made: Dataset = build(*root, **options)
                return made.select(*parsed.splits)
    if Path(parsed.name).exists():
        what = "folder" if Path(parsed.name).is_dir() else "file"
        raise BadInput(
            f"{parsed.name} is a {what}, not the name of a dataset: expected NAME[:SPLIT[+SPLIT]], "
            "with the data's folder as --data"
        )
    listed = registry.names("worlds") + registry.names("datasets")
    raise unknown(f"there is no source {parsed.name!r}", parsed.name, listed)


@contextmanager
def _all_stays() -> Iterator[None]:
    """Look for no garbage meanwhile: a dataset keeps what it makes, and looking takes a fifth."""
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked:
            gc.enable()
