"""Naming divergence: how differently people describe one thing.

For annotations 1 … n of one thing, T_i the list of words of the i-th:

    d_i = mean over words w of T_i of [1 - (others whose words hold w) / (n - 1)],

and the divergence is the mean of d_i; an annotation without words adds 0 (Ji et al., EMNLP 2022).
With S[i, j] = the share of T_i that occurs in T_j, this is the mean over i, and over j ≠ i, of
1 - S[i, j]: a matter of one matrix, which makes resampling cheap.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def shares(lists: Sequence[Sequence[str]]) -> Floats:
    """The share of each list's words that occur in each other list.

    Args:
        lists: n lists of words; repeats count.

    Returns:
        Shape (n, n); row i is about the words of list i, and NaN where that list is empty.

    >>> shares([["red", "dog"], ["dog"], []])[:2].tolist()
    [[1.0, 0.5, 0.0], [1.0, 1.0, 0.0]]
    """
    columns = {w: i for i, w in enumerate(dict.fromkeys(w for words in lists for w in words))}
    owners = np.repeat(np.arange(len(lists)), [len(words) for words in lists])
    indices = np.array([columns[w] for words in lists for w in words], np.int64)
    counts = np.zeros((len(lists), len(columns)))
    np.add.at(counts, (owners, indices), 1.0)
    common = counts @ (counts > 0).T.astype(np.float64)
    lengths = counts.sum(axis=1, keepdims=True)
    # Counts are whole numbers, so sums are exact and each share is rounded once.
    table = np.full(common.shape, np.nan)
    np.divide(common, lengths, out=table, where=lengths > 0)
    return table


def divergence(lists: Sequence[Sequence[str]]) -> float:
    """Naming divergence of n lists of words, from 0 (all the same) to 1 (nothing shared).

    Raises:
        BadInput: fewer than two annotations: nothing to diverge from.

    >>> divergence([["dog"], ["dog"], ["cat"]])
    0.666...
    """
    if len(lists) < 2:
        raise BadInput(f"naming divergence needs two annotations, there is {len(lists)}")
    table = shares(lists)
    own = 1.0 - (table.sum(axis=1) - table.diagonal()) / (len(lists) - 1)
    return float(np.nan_to_num(own).sum() / len(lists))


def resampled_divergence(table: Floats, counts: Ints, *, copies: bool = False) -> Floats:
    """Divergence of resamples of annotations.

    A resample holds annotation i `counts[b, i]` times. Copies of one annotation are one person's
    words, and are not counted as others who agree; the published figure counts them (`copies`),
    which is why its intervals lie below the values they are for.

    Args:
        table: `shares` of the annotations, shape (n, n).
        counts: shape (B, n); rows of equal sum.
        copies: whether copies of an annotation count as others.

    Returns:
        Shape (B,); NaN for a resample that holds one annotation only.

    >>> table = shares([["dog"], ["dog"], ["cat"]])
    >>> twice = np.array([[1, 1, 1], [0, 1, 2], [0, 0, 3]])
    >>> resampled_divergence(table, twice).round(3).tolist()
    [0.667, 1.0, nan]
    >>> resampled_divergence(table, twice, copies=True).round(3).tolist()
    [0.667, 0.667, 0.0]
    """
    known = ~np.isnan(table.diagonal())
    filled = np.nan_to_num(table)
    taken = counts.astype(np.float64)
    n = taken.sum(axis=1, keepdims=True)
    own = np.ones_like(taken) if copies else taken
    agreeing = taken @ filled.T - own * filled.diagonal()
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = np.where(taken * known > 0, taken * (1 - agreeing / (n - own)), 0.0)
    return np.asarray(apart.sum(axis=1) / n[:, 0])


def resamples(n: int, times: int, generator: np.random.Generator) -> Ints:
    """How often each of n annotations is drawn, with replacement, shape (times, n)."""
    return generator.multinomial(n, np.full(n, 1 / n), size=times)
