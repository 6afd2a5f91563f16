"""Exchange of pieces: the figure keeps its outline, but other pieces make it.

Two small triangles make a square, a parallelogram or a medium triangle; with one of these they
make a large triangle. Where pieces of a figure form such a compound and others form a piece or
compound of the same shape, the two change places. A compound may also be turned over in its own
place.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from deixis.worlds.tangrams.placing import KINDS, PIECES, Outline
from deixis.worlds.tangrams.touch import CLOSE, union

Compound = tuple[str, ...]
"""Pieces that fill a convex polygon together, or a single piece."""


def exchanges(
    outlines: Mapping[str, Outline], parts: Mapping[str, str]
) -> list[tuple[Compound, Compound]]:
    """Every pair of compounds that could change places without changing the outline.

    Args:
        outlines: by piece.
        parts: the part of each piece; a compound belongs to one part, so that after the exchange
            every place still belongs to the part it belonged to.

    Returns:
        Pairs of disjoint compounds, and compounds paired with themselves, to be turned over.
    """
    found = _compounds(outlines, parts)
    pairs = [(one, one) for one in found if len(one) > 1]
    pairs += [
        (one, other)
        for one, other in combinations(found, 2)
        if not set(one) & set(other) and _kinds(one) != _kinds(other)
    ]
    return [pair for pair in pairs if moves(outlines, *pair)]


def moves(
    outlines: Mapping[str, Outline], one: Compound, other: Compound
) -> list[dict[str, Outline]]:
    """New outlines of the pieces of two compounds, for every way to exchange them.

    Empty where they are not of the same shape, or where the result would look as before.
    """
    here = union([outlines[p] for p in one])
    there = union([outlines[p] for p in other])
    if here is None or there is None:
        return []
    found: list[dict[str, Outline]] = []
    for reflected, turned, start, end in _isometries(here, there):
        moved = {p: _map(outlines[p], reflected, turned, start, end) for p in one}
        if one != other:
            moved |= {p: _unmap(outlines[p], reflected, turned, start, end) for p in other}
        if _look(moved) != _look({p: outlines[p] for p in moved}):
            found.append(moved)
    return found


def _compounds(outlines: Mapping[str, Outline], parts: Mapping[str, str]) -> list[Compound]:
    return [
        chosen
        for size in range(1, len(PIECES) + 1)
        for chosen in combinations([p for p in PIECES if p in outlines], size)
        if len({parts[p] for p in chosen}) == 1 and union([outlines[p] for p in chosen]) is not None
    ]


def _isometries(here: Outline, there: Outline) -> list[tuple[bool, complex, complex, complex]]:
    """Each way to lay one polygon on another: reflected or not, then turned about start to end."""
    if len(here) != len(there):
        return []
    found = []
    for reflected in (False, True):
        goal = there[::-1] if reflected else there
        for shift in range(len(here)):
            ends = np.roll(goal, -shift)
            steps = np.conj(here - here[0]) if reflected else here - here[0]
            turned = complex((ends[1] - ends[0]) / steps[1])
            misses = np.abs(ends[0] + turned * steps - ends).max()
            if abs(abs(turned) - 1) < CLOSE and misses < CLOSE:
                found.append((reflected, turned, complex(here[0]), complex(ends[0])))
    return found


def _map(
    outline: Outline, reflected: bool, turned: complex, start: complex, end: complex
) -> Outline:
    steps = outline - start
    return end + turned * (np.conj(steps) if reflected else steps)


def _unmap(
    outline: Outline, reflected: bool, turned: complex, start: complex, end: complex
) -> Outline:
    steps = (outline - end) / turned
    return start + (np.conj(steps) if reflected else steps)


def _look(outlines: Mapping[str, Outline]) -> set[tuple[str, frozenset[tuple[float, float]]]]:
    """What can be seen of pieces: their kinds and corners, but not which of two equal ones."""
    return {
        (KINDS[p], frozenset((round(z.real, 4) + 0.0, round(z.imag, 4) + 0.0) for z in o))
        for p, o in outlines.items()
    }


def _kinds(pieces: Compound) -> list[str]:
    return sorted(KINDS[p] for p in pieces)
