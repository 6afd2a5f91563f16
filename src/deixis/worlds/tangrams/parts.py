"""How an annotator cuts a figure into parts, and what the parts are called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deixis.worlds.tangrams.annotators import Annotator
from deixis.worlds.tangrams.placing import PIECES
from deixis.worlds.tangrams.pose import Pose
from deixis.worlds.tangrams.vocabulary import MERGES, plural

_ACROSS = {
    2: ("left", "right"),
    3: ("left", "middle", "right"),
    4: ("far left", "left", "right", "far right"),
}
_DOWN = {
    2: ("upper", "lower"),
    3: ("upper", "middle", "lower"),
    4: ("top", "upper", "lower", "bottom"),
}


@dataclass(eq=False)
class Segment:
    """Pieces that get one name.

    Attributes:
        noun: of the part, singular.
        pieces: some of `deixis.worlds.tangrams.placing.PIECES`.
        many: whether several parts of this noun are meant.
    """

    noun: str
    pieces: str
    many: bool = False


def named_parts(
    posed: Pose, faces: str, annotator: Annotator, generator: np.random.Generator
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Cut a pose into parts and name them.

    Args:
        posed: the variant of a figure.
        faces: the side it faces, or empty.
        annotator: who names it.
        generator: of all draws.

    Returns:
        Distinct names ordered by their lowest piece id, and the position of each piece's name.
    """
    segments = _segments(posed)
    _merge(segments, annotator, generator)
    _split(segments, posed, annotator, generator)
    segments.sort(key=lambda s: min(PIECES.index(p) for p in s.pieces))
    forward = faces if annotator.forward else ""
    names = _names(segments, posed, forward, annotator.word)
    if len(set(names)) < len(names):
        names = _names(segments, posed, forward, str)
    position = {p: i for i, s in enumerate(segments) for p in s.pieces}
    return tuple(names), tuple(position[p] for p in PIECES)


def _segments(posed: Pose) -> list[Segment]:
    """The finest parts, as laid."""
    pieces: dict[str, str] = {}
    for piece in PIECES:
        part = posed.parts[piece]
        pieces[part] = pieces.get(part, "") + piece
    return [Segment(part.rstrip("0123456789"), held) for part, held in pieces.items()]


def _merge(segments: list[Segment], annotator: Annotator, generator: np.random.Generator) -> None:
    """Merge twins and small parts until there are as few as the annotator likes."""
    apart = generator.random() < annotator.sided
    while len(segments) > annotator.parts or not apart:
        twins = _twins(segments)
        pairs = twins or (_belonging(segments) if len(segments) > annotator.parts else [])
        if not pairs:
            return
        child, parent = pairs[int(generator.integers(len(pairs)))]
        parent.pieces += child.pieces
        parent.many = parent.many or child.noun == parent.noun
        segments.remove(child)


def _twins(segments: list[Segment]) -> list[tuple[Segment, Segment]]:
    """Pairs of one noun."""
    return [
        (later, earlier)
        for i, earlier in enumerate(segments)
        for later in segments[i + 1 :]
        if later.noun == earlier.noun
    ]


def _belonging(segments: list[Segment]) -> list[tuple[Segment, Segment]]:
    """Pairs of a part and what it belongs to: those with the fewest pieces, a head last of all."""
    by_noun = {s.noun: s for s in segments}
    pairs = [
        (child, next(by_noun[n] for n in MERGES[child.noun] if n in by_noun))
        for child in segments
        if any(n in by_noun for n in MERGES.get(child.noun, ()))
    ]

    def prominence(child: Segment) -> tuple[bool, int]:
        return child.noun == "head", len(child.pieces)

    least = min((prominence(child) for child, _ in pairs), default=None)
    return [(child, parent) for child, parent in pairs if prominence(child) == least]


def _split(
    segments: list[Segment], posed: Pose, annotator: Annotator, generator: np.random.Generator
) -> None:
    """Cut parts of several pieces in two until there are as many as the annotator likes."""
    while len(segments) < annotator.parts and generator.random() < annotator.splits:
        nouns = [s.noun for s in segments]
        whole = [
            s for s in segments if len(s.pieces) > 1 and not s.many and nouns.count(s.noun) == 1
        ]
        if not whole:
            return
        one = whole[int(generator.integers(len(whole)))]
        key, _ = _line([posed.center(p) for p in one.pieces])
        ordered = sorted(one.pieces, key=lambda p: key(posed.center(p)))
        half = len(ordered) // 2
        one.pieces = "".join(ordered[:half])
        segments.append(Segment(one.noun, "".join(ordered[half:])))


def _names(
    segments: list[Segment], posed: Pose, faces: str, word: Callable[[str], str]
) -> list[str]:
    """A name for each segment; those of one noun are told apart by where they are."""
    names = []
    for segment in segments:
        name = plural(word(segment.noun)) if segment.many else word(segment.noun)
        same = [s for s in segments if s.noun == segment.noun]
        if len(same) > 1:
            name = f"{_side(segment, same, posed, faces)} {name}"
        names.append(name)
    return names


def _side(segment: Segment, same: list[Segment], posed: Pose, faces: str) -> str:
    """Where a segment is among those of its noun; front and back where the figure faces a side."""
    centers = [posed.center(s.pieces) for s in same]
    key, across = _line(centers)
    rank = sorted(range(len(same)), key=lambda i: key(centers[i])).index(same.index(segment))
    if across and len(same) == 2 and faces:
        return "front" if (rank == 0) == (faces == "left") else "back"
    return (_ACROSS if across else _DOWN)[len(same)][rank]


def _line(centers: list[complex]) -> tuple[Callable[[complex], float], bool]:
    """The direction in which points are spread more, left to right or top to bottom.

    Returns:
        The place of a point in that direction, and whether it is left to right.
    """
    x, y = [z.real for z in centers], [z.imag for z in centers]
    across = max(x) - min(x) >= max(y) - min(y)
    return (lambda z: z.real) if across else (lambda z: -z.imag), across
