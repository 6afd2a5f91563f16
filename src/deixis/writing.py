"""Files written whole: under another name first, then renamed, so that nobody reads half a file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def whole(path: Path, *, synced: bool = False) -> Iterator[Path]:
    """Where to write a file that takes its place when all of it is there.

    Args:
        path: of the file; its folder must be there.
        synced: see that it is on the disk before it takes its place, so that it is whole even
            after a power cut.

    Raises:
        OSError: it cannot be written, with its path; an old file is as it was.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        if synced:
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        if error.errno is None:
            raise
        # Arrow and numpy do not say which file it is.
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file, see `whole`; keys stand in their order."""
    write_text(path, json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text file, see `whole`."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, see `whole`."""
    with whole(path) as temporary:
        temporary.write_bytes(content)
