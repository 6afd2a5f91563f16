"""Subsets of parts: every annotation with none, some or all of its parts, 2^P in all.

They are what KiloGram's training is augmented by, and what its Figure 10 is about: how much each
further part is worth. `subsets` gives them one by one, for any use; as contexts of a task they are
asked for by ``contexts="subsets"``, and then `by_count` says how well each number of parts did.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from deixis.outcomes import Outcomes
from deixis.seeds import draw
from deixis.tasks.contexts import Items
from deixis.tasks.pairs import Pair


@dataclass(frozen=True, slots=True)
class Subset:
    """Some of the parts of an annotation.

    Attributes:
        id: ``<annotation>/<number>``; 0 is the whole alone, the highest number has all parts.
        item: the annotation's id.
        pair: the whole with these parts, and the picture with their pieces colored, the rest black.
        full: how many parts the annotation has.
    """

    id: str
    item: str
    pair: Pair
    full: int

    @property
    def stratum(self) -> str:
        """How many parts are included, of how many: ``2 of 3 parts``."""
        return f"{len(self.pair.text.parts)} of {self.full} parts"


def subsets(item: str, full: Pair, seed: int) -> Iterator[Subset]:
    """Every subset of an annotation's parts, the smaller ones first.

    As published: included parts stand in a random order and are colored by their position in it;
    the pieces of all other parts are black.

    Args:
        item: the annotation's id.
        full: the annotation with all its parts.
        seed: of the order within subsets.
    """
    generator = draw(seed, "subsets", item)
    count = len(full.text.parts)
    chosen = (c for size in range(count + 1) for c in combinations(range(count), size))
    for number, positions in enumerate(chosen):
        order = [positions[i] for i in generator.permutation(len(positions))]
        yield Subset(f"{item}/{number}", item, included(full, order), count)


def included(full: Pair, order: Sequence[int]) -> Pair:
    """The pair with the parts at these positions only, in this order."""
    text = replace(full.text, parts=tuple(full.text.parts[p] for p in order))
    paint = full.picture.paint
    if paint is None:
        return replace(full, text=text)
    place: dict[int | None, int] = {part: position for position, part in enumerate(order)}
    colored = tuple(place.get(part) for part in paint) if order else None
    return replace(full, text=text, picture=replace(full.picture, paint=colored))


def items(pool: Sequence[Subset]) -> Items:
    """What contexts of subsets are drawn from.

    As published: all members have equally many included parts and equally many parts in all, and
    no two the same included text. Texts with the same parts in another order count as the same,
    which is stricter than upstream's comparison of strings.
    """
    return Items.of(
        [s.id for s in pool],
        [s.pair.figure for s in pool],
        [(s.pair.text.whole, frozenset(s.pair.text.parts)) for s in pool],
        [(len(s.pair.text.parts), s.full) for s in pool],
    )


def by_count(outcomes: Outcomes) -> Mapping[tuple[int, int], tuple[float, float, int]]:
    """KiloGram's Figure 10 as numbers: how well it went by number of parts.

    Trials of one annotation with equally many parts are averaged first, so every annotation counts
    once however many such subsets it has.

    Args:
        outcomes: of a task made with ``contexts="subsets"``.

    Returns:
        For (parts in all, parts included): accuracy, probability of the target (NaN for choices),
        and number of annotations.
    """
    strata, items_ = outcomes.strata, outcomes.items
    table = {}
    for stratum in np.unique(strata):
        rows = strata == stratum
        _, codes, counts = np.unique(items_[rows], return_inverse=True, return_counts=True)
        means = [
            float((np.bincount(codes, weights=column[rows]) / counts).mean())
            for column in (outcomes.credit, outcomes.probability)
        ]
        included, _, full, _ = str(stratum).split()
        table[int(full), int(included)] = (means[0], means[1], len(counts))
    return dict(sorted(table.items()))
