"""Draw pictures for denser annotation, spread over how people cut and how they name them.

The published sample (Ji et al., EMNLP 2022, appendix) lays a grid over segmentation agreement (PSA)
and the perplexity of descriptions, and takes 12 pictures from the periphery, one from each cell
that holds any, and 25 uniformly. It is mended here: words are looked up as the model counts them
(stemmed), the vocabulary is that of the texts, a description without words is left out instead of
dividing by zero, a picture is drawn once, and the draw depends on a seed alone.
`perplexity(..., published=True)` and `PUBLISHED` give what the authors computed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from deixis.errors import BadInput
from deixis.measures.stems import STOP_WORDS, stems, treebank
from deixis.seeds import draw

Floats = NDArray[np.float64]

SMOOTHING = 0.01
PUBLISHED_VOCABULARY = 2651
CELLS = 5


@dataclass(frozen=True)
class Grid:
    """Equal cells over two numbers; lower bounds are open, upper ones closed.

    Attributes:
        agreement: lowest and highest PSA.
        perplexity: lowest and highest.
        cells: on each side.
        logarithmic: whether cells are equal in the logarithm of perplexity.
    """

    agreement: tuple[float, float]
    perplexity: tuple[float, float]
    cells: int = CELLS
    logarithmic: bool = True

    def cell(self, agreement: float, perplexity: float) -> tuple[int, int] | None:
        """The cell of a picture; None outside of the grid.

        >>> PUBLISHED.cell(7.0, 4.0), PUBLISHED.cell(3.85, 4.0)
        ((4, 0), None)
        """
        found = []
        for value, bounds, turned in (
            (agreement, self.agreement, False),
            (perplexity, self.perplexity, self.logarithmic),
        ):
            low, high, v = (math.log(x) if turned else x for x in (*bounds, value))
            place = math.ceil((v - low) / (high - low) * self.cells) - 1
            if not low < v <= high:
                return None
            found.append(min(place, self.cells - 1))
        return found[0], found[1]


PUBLISHED = Grid((3.85, 7.0), (3.9, 5196.0), logarithmic=False)
"""The grid of the paper: its cells are equal in perplexity itself."""


@dataclass(frozen=True)
class Sample:
    """Drawn pictures.

    Attributes:
        periphery: far out on the plane of PSA and perplexity, or named by hand.
        grid: one of each cell that holds any, by cell.
        uniform: the rest, of all that were not drawn yet.
    """

    periphery: tuple[str, ...]
    grid: Mapping[tuple[int, int], str]
    uniform: tuple[str, ...]

    @property
    def pictures(self) -> tuple[str, ...]:
        """All of them, in that order."""
        return (*self.periphery, *self.grid.values(), *self.uniform)


def perplexity(
    texts: Sequence[str], *, vocabulary: int = 0, published: bool = False
) -> float | None:
    """How surprising each person's description is to a model of all others', as a geometric mean.

    2 to the mean over annotators of -(1 / |x_i|) Σ log2 p(w), p(w) = (c(w) + k) / (N + k V) with
    counts over the other annotators' stems, k = `SMOOTHING`.

    Args:
        texts: descriptions of one picture.
        vocabulary: V, the words of all pictures; of these texts by default.
        published: whether words are looked up unstemmed, as was done: many that others used then
            count as new.

    Returns:
        None with fewer than two descriptions, or none that has words.

    >>> perplexity(["dog", "dog"], vocabulary=10) < perplexity(["dog", "cat"], vocabulary=10)
    True
    """
    lists = [stems(t) for t in texts]
    asked = [_unstemmed(t) for t in texts] if published else lists
    size = vocabulary or len({w for words in lists for w in words})
    if len(texts) < 2:
        return None
    everything = Counter(w for words in lists for w in words)
    surprises = []
    for own, words in zip(lists, asked, strict=True):
        if words:
            others = everything - Counter(own)
            total = others.total() + SMOOTHING * size
            chances = [(others[w] + SMOOTHING) / total for w in words]
            surprises.append(-sum(map(math.log2, chances)) / len(words))
    return float(2 ** np.mean(surprises)) if surprises else None


def around(agreement: Mapping[str, float], surprise: Mapping[str, float]) -> Grid:
    """The grid that just holds all pictures.

    Raises:
        BadInput: there is nothing to spread a sample over.
    """
    bounds = []
    for what, values in (("PSA", agreement.values()), ("perplexity", surprise.values())):
        low, high = min(values, default=0.0), max(values, default=0.0)
        if not low < high:
            raise BadInput(f"a sample needs pictures of different {what}")
        # Lower bounds are open: the least must lie above.
        bounds.append((math.nextafter(low, 0.0), high))
    return Grid(bounds[0], bounds[1])


def drawn(
    agreement: Mapping[str, float],
    surprise: Mapping[str, float],
    grid: Grid,
    *,
    periphery: int | Sequence[str] = 12,
    uniform: int = 25,
    seed: int = 0,
) -> Sample:
    """Draw a sample.

    Args:
        agreement: PSA of each picture.
        surprise: perplexity of each, above 0.
        grid: see `around` and `PUBLISHED`.
        periphery: how many, or which, as the authors chose theirs by hand.
        uniform: how many.
        seed: of the draw; a picture's chance does not depend on the order of pictures.

    Raises:
        BadInput: a picture has one number only, is named but not known, or there are too few.
    """
    odd = sorted(agreement.keys() ^ surprise.keys())
    if odd:
        raise BadInput(f"{odd[0]} has a PSA or a perplexity, but not both")
    names = sorted(agreement)
    if isinstance(periphery, int):
        outer = tuple(outermost(names, agreement, surprise)[:periphery])
    else:
        outer = tuple(periphery)
        unknown = [p for p in outer if p not in agreement]
        if unknown:
            raise BadInput(f"there is no picture {unknown[0]!r} to take into the periphery")
        if len(set(outer)) < len(outer):
            raise BadInput("the periphery names a picture twice")
    by_cell: dict[tuple[int, int], list[str]] = {}
    for name in names:
        cell = grid.cell(agreement[name], surprise[name])
        if name not in outer and cell is not None:
            by_cell.setdefault(cell, []).append(name)
    chosen = {
        cell: members[int(draw(seed, "sample", cell).integers(len(members)))]
        for cell, members in sorted(by_cell.items())
    }
    left = [n for n in names if n not in outer and n not in chosen.values()]
    if uniform > len(left):
        raise BadInput(f"{uniform} pictures are to be drawn uniformly, {len(left)} are left")
    order = draw(seed, "sample", "uniform").permutation(len(left))[:uniform]
    return Sample(outer, chosen, tuple(left[i] for i in order))


def outermost(
    names: Sequence[str], agreement: Mapping[str, float], surprise: Mapping[str, float]
) -> list[str]:
    """Pictures from the outside in: by layers of convex hulls, within a layer the farthest first.

    The plane is that of PSA and the logarithm of perplexity, each divided by its spread.
    """
    points = np.array([[agreement[n], math.log(surprise[n])] for n in names])
    spread = points.std(axis=0)
    points = (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1)
    far = np.hypot(*points.T)
    left, found = np.arange(len(names)), []
    while len(left):
        corners = _corners(points[left])
        layer = left[corners]
        found += [names[i] for i in sorted(layer, key=lambda i: (-far[i], names[i]))]
        left = np.delete(left, corners)
    return found


def _corners(points: Floats) -> NDArray[np.int64]:
    """Positions of the hull's corners; all points where they span no area."""
    if len(points) > 2:
        try:
            return np.asarray(ConvexHull(points).vertices, np.int64)
        except QhullError:
            pass
    return np.arange(len(points))


def _unstemmed(text: str) -> list[str]:
    tokens = treebank(text.lower())
    return [t for t in tokens if (t.islower() or t.isalnum()) and t not in STOP_WORDS]
