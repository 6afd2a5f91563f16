"""What a dataset consists of upstream: paths, sizes and checksums, as far as these are known."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path, PurePosixPath

from deixis.errors import BadInput, unknown

_MANIFESTS = resources.files("deixis") / "datasets" / "manifests"


@dataclass(frozen=True, slots=True)
class File:
    """One file of a manifest.

    Attributes:
        path: relative to the base address, and to the dataset's own folder.
        size: in bytes; None where it is not known.
        sha256: 64 hex digits, or the first 16 at least; empty where it is not known.
    """

    path: str
    size: int | None = None
    sha256: str = ""

    def fits(self, path: Path) -> bool:
        """Whether what stands there is this file, as far as that can be told."""
        if self.size is not None and path.stat().st_size != self.size:
            return False
        return not self.sha256 or _digest(path).startswith(self.sha256)


@dataclass(frozen=True)
class Manifest:
    """What a dataset consists of.

    Attributes:
        name: of the dataset.
        bases: addresses to which paths are added; the next one is tried where one has no such file.
        notes: licences and the like, to be shown.
        files: each a file.
    """

    name: str
    bases: tuple[str, ...]
    notes: tuple[str, ...]
    files: tuple[File, ...]

    @classmethod
    def parse(cls, text: str, name: str) -> Manifest:
        r"""Read the written form: comments, then lines of path, size and checksum, tabs between.

        >>> text = "# base: http://example.org/\n# licence: MIT\nd/a.json\t3\t-\n"
        >>> Manifest.parse(text, "toy").files
        (File(path='d/a.json', size=3, sha256=''),)

        Raises:
            BadInput: a line is not of the form, or leads out of the folder.
        """
        bases, notes, files = [], [], []
        for number, line in enumerate(text.splitlines(), start=1):
            if line.startswith("# base: "):
                bases.append(line.removeprefix("# base: "))
            elif line.startswith("#"):
                notes.append(line.removeprefix("#").strip())
            elif line.strip():
                files.append(_file(line, f"{name}: line {number}"))
        return cls(name, tuple(bases), tuple(notes), tuple(files))


def known() -> list[str]:
    """Names of datasets that have a manifest here."""
    return sorted(p.name.partition(".")[0] for p in _MANIFESTS.iterdir())


def manifest(name: str) -> Manifest:
    """The manifest of a dataset.

    Raises:
        BadInput: there is none of that name.
    """
    for ending, unpack in ((".tsv", bytes), (".tsv.gz", gzip.decompress)):
        path = _MANIFESTS / f"{name}{ending}"
        if name in known() and path.is_file():
            return Manifest.parse(unpack(path.read_bytes()).decode(), name)
    raise unknown(f"nothing is known to fetch {name!r} from", name, known())


def _file(line: str, where: str) -> File:
    cells = line.split("\t")
    if len(cells) != 3:
        raise BadInput(f"{where}: expected path, size and checksum, got {line[:60]!r}")
    path, size, checksum = cells
    if not path or PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
        raise BadInput(f"{where}: {path!r} leads out of the folder")
    if not (size == "-" or size.isdecimal()):
        raise BadInput(f"{where}: expected a number of bytes or -, got {size!r}")
    hexadecimal = 16 <= len(checksum) <= 64 and not set(checksum) - set("0123456789abcdef")
    if not (checksum == "-" or hexadecimal):
        raise BadInput(f"{where}: expected hex digits or -, got {checksum[:80]!r}")
    return File(path, None if size == "-" else int(size), "" if checksum == "-" else checksum)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
