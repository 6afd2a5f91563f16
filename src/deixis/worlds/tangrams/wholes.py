"""What an annotator calls the whole."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from deixis.worlds.tangrams.annotators import Annotator
from deixis.worlds.tangrams.layouts import Layout
from deixis.worlds.tangrams.pose import Pose

_OPPOSITE = {"left": "right", "": ""}
_COMMON = 0.7


def whole(
    layout: Layout,
    posed: Pose,
    annotator: Annotator,
    families: Mapping[str, Layout],
    generator: np.random.Generator,
) -> str:
    """Name the whole.

    What is said of it (what is special, the side it faces, how it leans) is true of the pose;
    only what it *is* may be seen differently.

    Args:
        layout: the figure.
        posed: its variant.
        annotator: who names it.
        families: all figures, for who sees another one in it.
        generator: of all draws.

    Returns:
        Such as ``"swan"``, ``"long-necked bird"`` or ``"a bird facing left"``.
    """
    seen = layout
    if generator.random() < annotator.strays:
        seen = families[str(generator.choice(layout.resembles))]
    words = [seen.category]
    if generator.random() < annotator.specific:
        others = seen.names[1:]
        plain = not others or generator.random() < _COMMON
        words = [seen.names[0] if plain else str(generator.choice(others))]
    said = generator.random(3) < annotator.attributes
    faces = facing(layout, posed)
    if said[0] and layout.feature and not _same(layout.feature, words[0]):
        words.insert(0, layout.feature)
    if said[1] and faces:
        words.append(f"facing {faces}")
    elif said[2] and posed.leans:
        words.append(f"leaning {posed.leans}")
    if annotator.article:
        words.insert(0, "an" if words[0][0] in "aeiou" else "a")
    return " ".join(words)


def facing(layout: Layout, posed: Pose) -> str:
    """The side that a variant faces: ``"left"``, ``"right"``, or empty if it faces neither."""
    return _OPPOSITE[layout.faces] if posed.mirrored else layout.faces


def _same(feature: str, noun: str) -> bool:
    """Whether the noun says it already: nobody speaks of a running runner."""
    return feature[:4] == noun[:4]
