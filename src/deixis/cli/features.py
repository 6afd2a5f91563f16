"""``deixis features``: a vector of each picture of a folder."""

from __future__ import annotations

from pathlib import Path

from deixis.cli.options import Switch
from deixis.cli.show import print_json, progress
from deixis.errors import BadInput
from deixis.pictures.extract import extract


def features(
    folder: Path, /, *, model: str, out: Path, batch: int = 32, json: Switch = False
) -> None:
    """Write a file with a vector of each picture of a folder, for ``--features``.

    Args:
        folder: Pictures, in any folders below.
        model: A vision encoder that transformers can load: a folder, or a name on the hub.
        out: The HDF5 file to write.
        batch: Pictures encoded at a time.
        json: Print one JSON object and nothing else.
    """
    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder}")
    with progress() as told:
        n = extract(folder, model, out, batch=batch, progress=told)
    said = {"schema": "deixis/features/1", "file": str(out), "pictures": n, "model": model}
    print_json(said) if json else print(f"{out}: {n} pictures by {model}")
