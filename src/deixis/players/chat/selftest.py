"""Before anything is paid for: does the server show the model what it is sent?

Pictures with numbers in a known order are sent, and a picture with small print. A server that
permutes, drops or shrinks pictures makes every later score a number about something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from deixis.errors import BadInput
from deixis.players.chat.rendering import Pixels
from deixis.seeds import draw

LEVELS = ("full", "order", "none")
PICTURES = 4

Ask = Callable[[str, Sequence[Pixels]], str]
"""Sends a text and pictures, gives the model's answer."""


def numbers(n: int, seed: int = 0) -> list[int]:
    """Numbers of two digits, all different, and not in order of size.

    >>> len(set(numbers(4)))
    4
    """
    drawn: list[int] = draw(seed, "self-test").permutation(np.arange(12, 98))[:n].tolist()
    return drawn if drawn != sorted(drawn) else drawn[::-1]


def large(number: int, size: int) -> Pixels:
    """A picture filled by a number, shape (size, size, 3)."""
    return _written(str(number), size, size // 2)


def small(number: int, size: int) -> Pixels:
    """A picture with a number in small print in its middle, shape (size, size, 3)."""
    return _written(str(number), size, print_height(size))


def print_height(size: int) -> int:
    """Pixels of small print in a picture of that size; lost if the picture is made smaller."""
    return max(12, size // 40)


def check(ask: Ask, size: int, level: str, pictures: int = PICTURES) -> str:
    """Test a server.

    Args:
        ask: asks it.
        size: of the pictures that will be sent, longer side in pixels.
        level: ``full``; ``order`` leaves small print out, for models that cannot read it.
        pictures: how many are sent at once.

    Returns:
        What was found, in words.

    Raises:
        BadInput: the server permutes, drops or shrinks pictures; the message says which.
    """
    sent = numbers(pictures)
    said = ask(
        f"Each of the {pictures} pictures shows one number. Write the numbers in the order of the "
        "pictures, with commas between them, and nothing else.",
        [large(n, min(size, 336)) for n in sent],
    )
    _order(sent, _found(said), said)
    if level == "order":
        return f"{pictures} pictures in order"
    (number,) = numbers(1, seed=1)
    said = ask(
        "The picture shows a number in small print. Write the number and nothing else.",
        [small(number, size)],
    )
    if number not in _found(said):
        raise BadInput(
            f"self-test: the server shrinks pictures: {PICTURES} large numbers were read, print of "
            f"{print_height(size)} pixels in a picture of {size} x {size} was not ({said[:60]!r} "
            f"instead of {number}); send smaller pictures with --size, or say --self-test order if "
            "the model cannot read small print"
        )
    return f"{pictures} pictures in order, small print at {size} pixels"


def _order(sent: Sequence[int], found: Sequence[int], said: str) -> None:
    if list(found) == list(sent):
        return
    listed, got = ", ".join(map(str, sent)), f"it answers {said[:60]!r}"
    if sorted(found) == sorted(sent):
        raise BadInput(f"self-test: the server permutes pictures: sent {listed}, {got}")
    if found and set(found) < set(sent):
        lost = ", ".join(str(n) for n in sent if n not in found)
        raise BadInput(f"self-test: the server drops pictures: sent {listed}, {got}: {lost} lost")
    raise BadInput(
        f"self-test: the server drops pictures, or the model sees none: sent {listed}, {got}; "
        "say --self-test none to play all the same"
    )


def _found(said: str) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", said)]


def _written(text: str, size: int, height: int) -> Pixels:
    canvas: Any = Image.new("RGB", (size, size), "white")
    font = ImageFont.load_default(height)
    ImageDraw.Draw(canvas).text((size / 2, size / 2), text, "black", font, anchor="mm")
    return np.asarray(canvas)
