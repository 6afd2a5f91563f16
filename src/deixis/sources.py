"""SOURCE as it is written: a dataset, a world with options, or a benchmark's TOML; and splits."""

from __future__ import annotations

import gc
import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

from deixis import registry
from deixis.dataset import Dataset
from deixis.datasets.files import data_root
from deixis.datasets.tables.load import table
from deixis.errors import BadInput, unknown

WRITTEN = "NAME[,OPTION=VALUE][:SPLIT[+SPLIT]]"
"""How a source is written; a world may have several options."""


@dataclass(frozen=True, slots=True)
class Source:
    """A dataset's name, or the path of a benchmark's TOML file; splits, and a world's options.

    Attributes:
        name: of the dataset, or the file's path.
        splits: of which records are taken; all if there are none.
        options: of a world, as they are written.
    """

    name: str
    splits: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    @property
    def is_table(self) -> bool:
        """Whether it is the TOML file of a benchmark."""
        return self.name.endswith(".toml")

    @classmethod
    def parse(cls, text: str) -> Source:
        """Read the written form; `str` gives it back.

        >>> Source.parse("nlvr:dev+test").splits
        ('dev', 'test')
        >>> Source.parse("boxes,told=0.5,sentences=300:test").options
        (('told', '0.5'), ('sentences', '300'))
        >>> str(Source.parse("figures"))
        'figures'

        Raises:
            BadInput: it is written in another way.
        """
        head, colon, rest = text.partition(":")
        name, *written = [head] if head.endswith(".toml") else head.split(",")
        options = tuple((o, value) for o, _, value in (w.partition("=") for w in written))
        splits = tuple(rest.split("+")) if colon else ()
        if not name or "" in splits or not all(o and value for o, value in options):
            raise BadInput(f"{text!r} is no source: expected {WRITTEN}")
        return cls(name, splits, options)

    def __str__(self) -> str:
        options = "".join(f",{option}={value}" for option, value in self.options)
        return self.name + options + (f":{'+'.join(self.splits)}" if self.splits else "")


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
        source: such as ``"kilogram:dense"``, ``"figures"`` or ``"boxes,told=0.5:test"``.
        data: the dataset's folder or one above it; else ``DEIXIS_DATA``, else the user's cache.
        options: of the dataset, such as its file of features, or of the world, such as its seed;
            beside those that stand in the source.

    Returns:
        The dataset with the records of the named splits only.

    Raises:
        BadInput: there is no such source, folder, split or option, or a file is broken.
    """
    parsed = Source.parse(source) if isinstance(source, str) else source
    if parsed.is_table:
        for option in options:
            raise BadInput(f"--{option.replace('_', '-')} is no option of {parsed.name}")
        _written(parsed, None)
        return table(Path(parsed.name)).select(*parsed.splits)
    for folder in ("worlds", "datasets"):
        parts = {name: kind for kind, name in registry.table(folder)}
        if parsed.name in parts:
            build = registry.find(folder, parsed.name, parts[parsed.name])
            for option in set(options) - set(inspect.signature(build).parameters):
                raise BadInput(f"--{option.replace('_', '-')} is no option of {parsed.name}")
            written = _written(parsed, build if folder == "worlds" else None)
            for option in written.keys() & options:
                raise BadInput(f"{parsed}: {option} is given elsewhere too")
            root = () if folder == "worlds" else (data_root(data),)
            with _all_stays():
                made: Dataset = build(*root, **options, **written)
                return made.select(*parsed.splits)
    if Path(parsed.name).exists():
        what = "folder" if Path(parsed.name).is_dir() else "file"
        raise BadInput(
            f"{parsed.name} is a {what}, not the name of a dataset: expected {WRITTEN}, "
            "with the data's folder as --data"
        )
    listed = registry.names("worlds") + registry.names("datasets")
    raise unknown(f"there is no source {parsed.name!r}", parsed.name, listed)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


_READ: Mapping[Any, tuple[str, Callable[[str], Any]]] = {
    int: ("a whole number", int),
    float: ("a finite number", _finite),
    Sequence[str]: ("names joined by +", lambda text: tuple(text.split("+"))),
}
"""What a world's options may be, and how each is read."""


def _written(source: Source, world: Callable[..., Dataset] | None) -> dict[str, Any]:
    """The options that stand in a source, of the types that the world's own signature asks for."""
    types = get_type_hints(world) if world else {}
    known = [option for option, asked in types.items() if asked in _READ]
    made: dict[str, Any] = {}
    for option, text in source.options:
        if option not in known:
            said = f"{source}: {source.name} takes no option {option!r} in its name"
            raise unknown(said, option, known)
        if option in made:
            raise BadInput(f"{source}: {option} is given twice")
        what, read = _READ[types[option]]
        try:
            made[option] = read(text)
        except ValueError:
            raise BadInput(f"{source}: {option}: expected {what}, got {text!r}") from None
    return made


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
