"""Near pairs without a table of all pairs: hashes by bands, texts by what is left of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

CHUNK = 4_000_000
"""Pairs compared at a time; bounds the memory."""


def near_hashes(hashes: Words, distance: int) -> NDArray[np.int64]:
    """All pairs of hashes that differ in at most so many of 64 bits.

    The 64 bits are cut into ``distance + 1`` bands: hashes that differ in no more bits than that
    agree in one band entirely. So only hashes that share a band are compared; equal hashes are
    compared with others once.

    Args:
        hashes: shape (n,).
        distance: 0 to 16 bits.

    Returns:
        Positions i < j of each pair, shape (pairs, 2), sorted.

    >>> near_hashes(np.array([0b1111, 0b1110, 1 << 40], np.uint64), 1).tolist()
    [[0, 1]]
    """
    distinct, codes = np.unique(hashes, return_inverse=True)
    members = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(distinct)))
    groups = np.split(members, ends[:-1])
    pairs = [_between(groups[i], groups[j]) for i, j in _distinct_pairs(distinct, distance)]
    pairs += [_within(group) for group in groups if len(group) > 1]
    if not pairs:
        return np.zeros((0, 2), np.int64)
    found = np.sort(np.concatenate(pairs).astype(np.int64), axis=1)
    return found[np.lexsort((found[:, 1], found[:, 0]))]


def near_lists(lists: Sequence[Sequence[str]], least: int = 5) -> Iterator[tuple[int, int]]:
    """Pairs of different lists of words that are equal but for one word: another, or one more.

    Two lists that differ by one word leave the same list when that word is left out.

    Args:
        lists: of words.
        least: shorter lists are not compared: in two words one is half of all.

    Yields:
        Positions i < j of each pair, once.

    >>> list(near_lists(["the dog is very big".split(), "the cat is very big".split()]))
    [(0, 1)]
    """
    left: dict[tuple[int, int], list[int]] = {}
    done: set[tuple[int, int]] = set()
    for j, words in enumerate(lists):
        if len(words) < least:
            continue
        # Once for each way of leaving one word out, and once as it is, for lists one word longer.
        keys = {(len(words), hash(tuple(words)))}
        keys |= {(len(words) - 1, hash((*words[:i], *words[i + 1 :]))) for i in range(len(words))}
        for key in keys:
            for i in left.setdefault(key, []):
                if (i, j) not in done and _one_apart(lists[i], words):
                    done.add((i, j))
                    yield i, j
            left[key].append(j)


def components(edges: Iterable[Sequence[str]]) -> dict[str, str]:
    """The connected component of each node, named by one of its nodes.

    Args:
        edges: groups of nodes that belong together; a group of one is a node.

    >>> components([("a", "b"), ("b", "c"), ("d",)])
    {'a': 'a', 'b': 'a', 'c': 'a', 'd': 'd'}
    """
    parent: dict[str, str] = {}

    def root(node: str) -> str:
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for first, *others in edges:
        top = root(first)
        for other in others:
            parent[root(other)] = top
    return {node: root(node) for node in parent}


def _one_apart(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two lists differ, by one word that is another or is missing."""
    short, long = sorted((one, other), key=len)
    if tuple(short) == tuple(long) or len(long) - len(short) > 1:
        return False
    start = 0
    while start < len(short) and short[start] == long[start]:
        start += 1
    return tuple(short[start + len(short) + 1 - len(long) :]) == tuple(long[start + 1 :])


def _distinct_pairs(distinct: Words, distance: int) -> list[tuple[int, int]]:
    bands = distance + 1
    edges = np.linspace(0, 64, bands + 1).round().astype(int)
    found: set[tuple[int, int]] = set()
    for low, high in pairwise(edges):
        band = (distinct >> np.uint64(low)) & np.uint64((1 << int(high - low)) - 1)
        order = np.argsort(band, kind="stable")
        for i, j in _same_band(distinct[order], band[order], distance):
            found |= {
                (min(a, b), max(a, b))
                for a, b in zip(order[i].tolist(), order[j].tolist())  # noqa: B905
            }
    return sorted(found)


def _same_band(
    hashes: Words, band: Words, distance: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Positions of near hashes in a list that is sorted by band."""
    n = len(hashes)
    # Each is compared with the next in its band, then with the one after the next, and so on.
    alive = np.arange(n)
    step = 0
    while len(alive):
        step += 1
        alive = alive[alive + step < n]
        alive = alive[band[alive] == band[alive + step]]
        for start in range(0, len(alive), CHUNK):
            i = alive[start : start + CHUNK]
            near = np.bitwise_count(hashes[i] ^ hashes[i + step]) <= distance
            if near.any():
                yield i[near], i[near] + step


def _between(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.column_stack([np.repeat(one, len(other)), np.tile(other, len(one))])


def _within(group: NDArray[np.int64]) -> NDArray[np.int64]:
    i, j = np.triu_indices(len(group), 1)
    return np.column_stack([group[i], group[j]])
