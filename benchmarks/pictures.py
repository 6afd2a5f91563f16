"""Tangrams: from SVG text to pixels against cairosvg, and rendering alone.

Usage: python benchmarks/pictures.py. Figures of the embedded world, written as SVG first.
"""

from __future__ import annotations

import io

import cairosvg
import numpy as np
from PIL import Image

from deixis.pictures.paint import render
from deixis.pictures.svg import read_svg, write_svg
from deixis.worlds.figures import figures
from timing import side_by_side

N = 200
SIZE = 224


def rasterised(text: str) -> np.ndarray:
    """What a general SVG library makes of it."""
    made = cairosvg.svg2png(text.encode(), output_width=SIZE, output_height=SIZE)
    return np.asarray(Image.open(io.BytesIO(made)).convert("RGB"))


def main() -> None:
    """Print the ratio, and pictures per second on one core."""
    world = figures(variants=4)
    sources = [record.picture for record in world.records.values()][:N]
    tangrams = [world.store.tangram(source) for source in sources]
    texts = [write_svg(tangram) for tangram in tangrams]
    line = side_by_side(
        f"{N} SVG texts to {SIZE} px",
        {
            "deixis": lambda: [render(read_svg(t.encode(), "a"), None, SIZE) for t in texts],
            "cairosvg": lambda: [rasterised(t) for t in texts],
        },
    )
    print(f"{N / line['seconds']['deixis']:.0f} pictures a second, parsed and drawn")
    only = side_by_side("drawing alone", {"deixis": lambda: [render(t) for t in tangrams]})
    print(f"{N / only['seconds']['deixis']:.0f} pictures a second, drawn")


if __name__ == "__main__":
    main()
