"""Sentences in the ways in which people wrote for NLVR; their meaning is the grammar's.

Each is drawn from a few patterns, whose parts are drawn in their turn.
"""

from __future__ import annotations

import re

import numpy as np

from deixis.text.grammar import parse
from deixis.worlds.scenes.sentences import Maker, Scope, Sentence

Generator = np.random.Generator

PATTERNS: dict[str, tuple[str, ...]] = {
    "scattered": (
        "There is {a} box with {some}.",
        "There is {a} box with {some}.",
        "There is {a} box with {some} and {some}.",
        "There are {many} boxes with {some}.",
        "There is {a} box with only {color} items.",
        "There is {a} box with {number} items of the same color.",
        "There is {a} box with items of {hues} different colors.",
        "There is {single} {noun} {placed}.",
        "There are {number} {noun}s {placed}.",
        "There is {single} {noun} not {placed}.",
        "There is no {noun} {placed}.",
        "There are {number} {noun}s.",
    ),
    "stacked": (
        "There is {a} tower with {blocks}.",
        "There is {a} tower with {blocks} and {blocks}.",
        "There is {a} tower with {height} blocks.",
        "There is {a} tower with {a block} at the {end}.",
        "There is {a} tower with {height} blocks and {a block} at the {end}.",
        "There are {many} towers with {a block} at the {end}.",
        "The {end} of {a} tower is {color}.",
        "There is {a} tower with {a block} {over} {a block}.",
        "There is {a} tower with only {color} blocks.",
        "There is {a} tower with {height} blocks of {hues} different colors.",
        "There is {a} tower with {height} blocks of the same color.",
        "There are {number} {color} blocks.",
    ),
    "a": ("a", "a", "one", "at least one", "exactly one"),
    "single": ("a", "one", "exactly one", "at least one"),
    "many": ("two", "exactly two", "at least two"),
    "number": ("two", "three", "exactly two", "exactly three", "at least two", "exactly four"),
    "height": ("two", "three", "four", "at least three", "exactly two"),
    "hues": ("two", "three"),
    "some": ("{single} {noun}", "{number} {noun}s", "{single} {noun} {placed}"),
    "blocks": ("{single} {color} block", "{count} {color} blocks"),
    "count": ("two", "three", "at least two", "exactly two"),
    "placed": ("touching {wall}",),
    "wall": ("the wall", "the base", "the right wall", "the left wall", "the top", "a corner"),
    "noun": ("{color} {shape}", "{color} {shape}", "{color} item", "{shape}", "item"),
    "a block": ("a {color} block",),
    "end": ("top", "base"),
    "over": ("above", "below", "on"),
    "color": ("black", "yellow", "blue"),
    "shape": ("square", "circle", "triangle"),
}
"""What stands for what; each way is as likely as the others of its line."""

_PART = re.compile(r"\{([^}]*)\}")


def written(generator: Generator, pattern: str) -> str:
    """A sentence of a pattern, or a part of one."""
    ways = PATTERNS[pattern]
    chosen = ways[int(generator.integers(len(ways)))]
    return _PART.sub(lambda part: written(generator, part[1]), chosen)


def _maker(pattern: str) -> Maker:
    def make(generator: Generator, _: Scope) -> Sentence:
        text = written(generator, pattern)
        layout = parse(text)
        assert layout is not None, text  # every pattern is of the grammar
        return Sentence(text, layout, (pattern,))

    return make


MAKERS: dict[str, Maker] = {name: _maker(name) for name in ("scattered", "stacked")}
"""Kinds of sentences, by what is drawn for them."""
