"""Operators on the order in which options are shown: positions in the trial's own order."""

from __future__ import annotations

from deixis.interventions.operator import Given

Order = tuple[int, ...]


def written(order: Order, given: Given) -> Order:
    """As the source writes them."""
    given.options()
    return tuple(sorted(order))


def reverse(order: Order, given: Given) -> Order:
    """From last to first."""
    given.options()
    return order[::-1]


def rotate(order: Order, given: Given) -> Order:
    """Each option n places further, the last ones to the front: ``rotate:N``."""
    places = given.count("a number of places", 10_000) % max(1, len(order))
    return order[len(order) - places :] + order[: len(order) - places]


def shuffle(order: Order, given: Given) -> Order:
    """Another order, drawn for each trial."""
    given.options()
    return tuple(int(order[i]) for i in given.generator().permutation(len(order)))
