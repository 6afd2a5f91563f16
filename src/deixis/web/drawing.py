"""Pictures for pages: tangrams as polygons, anything else as pixels.

A drawing is plain JSON that says nothing of where the picture comes from; the browser makes the
shapes itself, so no foreign markup ever reaches a page.
"""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray
from PIL import Image

from deixis.dataset import Store
from deixis.pictures.paint import fill
from deixis.pictures.store import TangramStore
from deixis.pictures.tangram import Tangram
from deixis.trials import BLANK, Paint, Picture

SIDE = 100
"""Side of the square that drawings of tangrams are scaled to."""

GREY = "#c9ced6"


def drawing(store: Store, picture: Picture) -> dict[str, Any]:
    """A picture as a page gets it.

    Returns:
        ``{"pieces": [{"points", "fill"}], "line"}`` for tangrams without edits, in paint order;
        ``{"pixels": "data:image/png;base64,…"}`` for all else.
    """
    if isinstance(store, TangramStore) and picture.source != BLANK.source and not picture.edits:
        return painted(store.tangram(picture.source), picture.paint)
    return {"pixels": data_url(store.pixels(picture))}


def painted(figure: Tangram, paint: Paint | None = None) -> dict[str, Any]:
    """A tangram in the published colors of its parts; black where there is no paint."""
    fills = {p.id: hexadecimal(fill(paint[p.id - 1] if paint else None)) for p in figure.pieces}
    return outlined(figure, fills)


def outlined(figure: Tangram, fills: dict[int, str]) -> dict[str, Any]:
    """A tangram in any colors; its white lines are one canvas unit wide, as published."""
    pieces = [{"points": points(figure, p.id), "fill": fills[p.id]} for p in figure.pieces]
    return {"pieces": pieces, "line": round(SIDE / figure.side, 3)}


def labelled(figure: Tangram) -> dict[str, Any]:
    """A tangram whose pieces can be picked: in gray, each with its number and what it is."""
    made = outlined(figure, {p.id: GREY for p in figure.pieces})
    for entry, piece in zip(made["pieces"], figure.pieces, strict=True):
        shape = (
            piece.type if piece.type in ("square", "parallelogram") else f"{piece.type} triangle"
        )
        entry |= {"piece": piece.id, "shape": shape}
    return made


def points(figure: Tangram, piece: int) -> str:
    """Corners of a piece as SVG writes them, in a square of side `SIDE`."""
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in figure.unit[piece] * SIDE)


def svg(drawn: dict[str, Any], label: str = "", css: str = "tangram") -> Markup:
    """A drawing of pieces as markup for templates; decorative where there is no label."""
    line = Markup('<polygon points="{}" fill="{}" stroke="#fff" stroke-width="{}"/>')
    inside = Markup("").join(
        line.format(p["points"], p["fill"], drawn["line"]) for p in drawn["pieces"]
    )
    spoken = Markup('role="img" aria-label="{}"').format(label) if label else 'aria-hidden="true"'
    return Markup('<svg class="{}" viewBox="0 0 {} {}" {}>{}</svg>').format(
        css, SIDE, SIDE, Markup(spoken), inside
    )


def hexadecimal(color: tuple[int, int, int]) -> str:
    """A color as pages write it.

    >>> hexadecimal((255, 127, 80))
    '#ff7f50'
    """
    return "#{:02x}{:02x}{:02x}".format(*color)


def photograph(pixels: NDArray[np.uint8], longest: int = 480) -> dict[str, Any]:
    """A photograph as a page gets it: not larger than needed, as PNG or JPEG, whichever is less.

    Args:
        pixels: shape (height, width, 3).
        longest: pixels of its longer side, at most.
    """
    made = Image.fromarray(pixels)
    made.thumbnail((longest, longest))
    files = {}
    for kind, options in (("png", {"optimize": True}), ("jpeg", {"quality": 85})):
        file = io.BytesIO()
        made.save(file, kind, **options)
        files[kind] = file.getvalue()
    kind, content = min(files.items(), key=lambda f: len(f[1]))
    return {"pixels": f"data:image/{kind};base64,{base64.b64encode(content).decode()}"}


def data_url(pixels: NDArray[np.uint8]) -> str:
    """Pixels of shape (height, width, 3) as a PNG inside a URL."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
