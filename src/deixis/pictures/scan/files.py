"""Many scans at once: an SVG for each that can be trusted, a picture to look at for each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from deixis.errors import BadInput
from deixis.pictures.archive import open_picture
from deixis.pictures.scan.ink import Gray
from deixis.pictures.scan.trace import Traced, trace
from deixis.pictures.svg import write_svg
from deixis.progress import Progress, quiet
from deixis.reading import need_file
from deixis.writing import write_text


def trace_files(
    paths: Sequence[Path], out: Path, progress: Progress = quiet
) -> list[dict[str, Any]]:
    """Trace scans into a folder.

    Accepted ones become ``NAME.svg``. Of others the folder ``flagged`` gets ``NAME.png``, the scan
    with the pieces that were tried, and ``NAME.svg`` if seven were laid: a person decides. What
    became of each, and why, stands in ``scans.json``.

    Args:
        paths: of pictures, each with a name of its own.
        out: the folder; made if need be.
        progress: told how far it is.

    Returns:
        For each scan its name, whether it is accepted, the reasons, and how well pieces fit.

    Raises:
        BadInput: two scans have the same name, or one is not there.
    """
    names = [p.stem for p in paths]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"two scans are called {name}: give them names of their own")
    for path in paths:
        if path.is_dir():
            raise BadInput(f"{path} is a folder: name its pictures, such as {path}/*.jpg")
        need_file(path)
    (out / "flagged").mkdir(parents=True, exist_ok=True)
    told = []
    for number, path in enumerate(paths):
        progress("tracing scans", number, len(paths))
        told.append({"name": path.stem} | _one(path, out))
    write_text(out / "scans.json", json.dumps(told, indent=1))
    return told


def _one(path: Path, out: Path) -> dict[str, Any]:
    for old in (out / f"{path.stem}.svg", *(out / "flagged").glob(f"{escape(path.stem)}.*")):
        old.unlink(missing_ok=True)
    gray: Gray | None = None
    try:
        pixels = open_picture(path.read_bytes(), path.stem)
        gray = np.asarray(Image.fromarray(pixels).convert("L"))
        traced = trace(gray, path.stem)
    except BadInput as error:
        traced = Traced(None, {}, {}, 1.0, 0.0, (str(error).partition(": ")[2],))
    where = out if traced.accepted else out / "flagged"
    if traced.figure is not None:
        write_text(where / f"{path.stem}.svg", write_svg(traced.figure))
    if gray is not None and not traced.accepted:
        overlay(gray, traced).save(where / f"{path.stem}.png")
    return traced.told()


def overlay(gray: Gray, traced: Traced) -> Image.Image:
    """The scan with the outlines that were laid on it, in red."""
    drawn = Image.fromarray(gray).convert("RGB")
    pen = ImageDraw.Draw(drawn)
    for corners in traced.corners.values():
        pen.polygon(corners.ravel().tolist(), outline=(220, 30, 30), width=2)
    return drawn
