"""Read a tangram from SVG, and write it back.

Only what tangram files hold is understood: one ``svg`` with a viewBox, seven ``polygon``, each
with at most a ``matrix(…)``. Everything else (a document type, entities, references, other
elements) is refused, so a hostile file can neither expand, nor reach out, nor draw unseen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NoReturn
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from deixis.errors import BadInput
from deixis.pictures.tangram import Point, Tangram, tangram

LARGEST = 10_000.0
"""Largest side of a viewBox, in its own units; upstream files stay under 1,000."""

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBERS = re.compile(rf"\s*{_NUMBER}(?:[\s,]+{_NUMBER})*\s*", re.ASCII)
_MATRIX = re.compile(r"\s*matrix\((.*)\)\s*", re.ASCII | re.DOTALL)
_SPACE = "http://www.w3.org/2000/svg"


def read_svg(text: bytes, name: str) -> Tangram:
    """Parse one tangram file.

    Points may be separated by commas or spaces; matrix transforms are applied.

    Args:
        text: the file's bytes.
        name: how errors and the tangram name it.

    Raises:
        BadInput: the file is no tangram; one sentence says why.
    """
    reader = _Reader(name)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = reader.start
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.ProcessingInstructionHandler = reader.instruction
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise BadInput(f"{name}: not well-formed XML: {error}") from None
    if reader.size is None:
        raise BadInput(f"{name}: no svg element with a viewBox")
    if len(reader.outlines) != 7:
        raise BadInput(f"{name}: a tangram has seven polygons, this file has {reader.count}")
    made = tangram(name, reader.outlines, *reader.size)
    columns = list(zip(*(p for piece in made.pieces for p in piece.points), strict=True))
    extent = max(max(column) - min(column) for column in columns)
    if extent < made.side / 4:
        raise BadInput(f"{name}: the pieces fill less than a quarter of the viewBox's side")
    return made


def write_svg(figure: Tangram, fills: Mapping[int, str] | None = None) -> str:
    """The tangram as SVG text that `read_svg` reads back, equal to the last digit.

    Args:
        figure: the tangram.
        fills: an SVG color for each piece id; light gray where missing.
    """
    rows = []
    for piece in figure.pieces:
        points = " ".join(f"{_written(x)},{_written(y)}" for x, y in piece.points)
        fill = quoteattr((fills or {}).get(piece.id, "lightgray"))
        rows.append(
            f'  <polygon id="{piece.id}" points="{points}" fill={fill} stroke="white" '
            'stroke-width="1"/>\n'
        )
    box = f"0 0 {_written(figure.width)} {_written(figure.height)}"
    return f'<svg xmlns="{_SPACE}" viewBox="{box}">\n{"".join(rows)}</svg>\n'


def _written(number: float) -> str:
    """The shortest text that reads back as the very same number."""
    return repr(float(number)).removesuffix(".0")


class _Reader:
    """Collects what the parser meets."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.size: tuple[float, float] | None = None
        self.outlines: dict[int, list[Point]] = {}
        self.count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        space, _, element = tag.rpartition(" ")
        if space not in (_SPACE, ""):
            self.refuse(f"an element of another language: {tag[:60]}")
        if any(key.rpartition(" ")[2] == "href" for key in attributes):
            self.refuse("a reference")
        if element == "svg" and self.size is None:
            self.size = self.view_box(attributes.get("viewBox", ""))
        elif element == "polygon":
            self.polygon(attributes)
        elif element not in ("defs", "title", "desc", "g") or "transform" in attributes:
            self.refuse(f"a {element[:60]} element, which tangrams have no use for")

    def doctype(self, *_: object) -> None:
        self.refuse("a document type declaration")

    def instruction(self, *_: object) -> None:
        self.refuse("a processing instruction")

    def refuse(self, what: str) -> NoReturn:
        raise BadInput(f"{self.name}: refused, it holds {what}")

    def view_box(self, text: str) -> tuple[float, float]:
        numbers = self.numbers(text, "viewBox")
        if len(numbers) != 4 or numbers[:2] != [0, 0]:
            raise BadInput(f"{self.name}: expected a viewBox '0 0 width height', got {text!r}")
        width, height = numbers[2:]
        if not (0 < width <= LARGEST and 0 < height <= LARGEST):
            raise BadInput(f"{self.name}: the viewBox's sides must be over 0, at most {LARGEST:g}")
        return width, height

    def polygon(self, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > 7:
            raise BadInput(f"{self.name}: a tangram has seven polygons, this file has more")
        number = attributes.get("id", "")
        if number not in set("1234567") or int(number) in self.outlines:
            raise BadInput(f"{self.name}: expected ids 1 to 7, once each, got {number[:60]!r}")
        numbers = self.numbers(attributes.get("points", ""), f"points of piece {number}")
        if len(numbers) not in (6, 8):
            raise BadInput(f"{self.name}: piece {number} needs 3 or 4 points")
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        if "transform" in attributes:
            match = _MATRIX.fullmatch(attributes["transform"])
            matrix = self.numbers(match[1] if match else "", f"transform of piece {number}")
            if len(matrix) != 6:
                raise BadInput(f"{self.name}: the transform of piece {number} is no matrix of six")
            a, b, c, d, e, f = matrix
            points = [(a * x + c * y + e, b * x + d * y + f) for x, y in points]
        self.outlines[int(number)] = points

    def numbers(self, text: str, what: str) -> list[float]:
        if len(text) > 1000 or not _NUMBERS.fullmatch(text):
            raise BadInput(f"{self.name}: {what}: expected numbers, got {text[:60]!r}")
        values = [float(v) for v in text.replace(",", " ").split()]
        if any(abs(v) > 10 * LARGEST for v in values):
            raise BadInput(f"{self.name}: {what}: a number beyond {10 * LARGEST:g}")
        return values
