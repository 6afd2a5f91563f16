"""Random draws that depend on what is drawn for, never on when or in which process.

Two sources, both keyed by a seed and the thing the draw is for:

* `draw` gives a NumPy generator for one thing (a trial, a picture, a cluster of text);
* `stream` gives a table of random 64-bit numbers for many things at once.

So the order of trials, their number, and the number of processes change no result.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Seeds:
    """The four named seeds of a run.

    Attributes:
        contexts: which distractors a target is shown with.
        order: in which order candidates are shown.
        operator: the draws of interventions (noise, words, donors).
        training: initialisation and order of training examples.
    """

    contexts: int = 0
    order: int = 0
    operator: int = 0
    training: int = 0

    def replicate(self, number: int) -> Seeds:
        """The seeds of replicate `number`: order, operator and training draws move together.

        >>> Seeds(operator=5).replicate(2)
        Seeds(contexts=0, order=2, operator=7, training=2)
        """
        return Seeds(
            self.contexts, self.order + number, self.operator + number, self.training + number
        )


def digest(*what: object) -> int:
    """A stable 64-bit hash of the printed form of its arguments.

    >>> digest("a", 1) == digest("a", "1") != digest("a1")
    True
    """
    # Lengths stand before words, so that no two lists of words print the same.
    text = "".join(f"{len(w)}:{w}" for w in map(str, what))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def draw(seed: int, *what: object) -> np.random.Generator:
    """A generator for one thing.

    Args:
        seed: one of the four seeds.
        what: the thing: a trial's id, an operator's name, a round.

    >>> draw(0, "words", "page1-1_0").integers(10) == draw(0, "words", "page1-1_0").integers(10)
    np.True_
    """
    return np.random.Generator(np.random.PCG64(digest(seed, *what)))


def keys(ids: list[str] | tuple[str, ...]) -> NDArray[np.uint64]:
    """The 64-bit key of each id, shape (n,), for `stream`."""
    return np.fromiter((digest(i) for i in ids), np.uint64, len(ids))


def stream(seed: int, what: str, ids: NDArray[np.uint64], n: int) -> NDArray[np.uint64]:
    """Random 64-bit numbers for many things at once, shape (len(ids), n).

    A counter-based generator (the finaliser of SplitMix64: Steele, Lea and Flood, OOPSLA 2014):
    row i depends on `seed`, `what` and ``ids[i]`` alone, so it is the same whichever other rows
    are asked for.

    Args:
        seed: one of the four seeds.
        what: what the numbers are for; other purposes get unrelated numbers.
        ids: keys of the things, from `keys`.
        n: how many numbers each thing gets.
    """
    start = _mix(ids ^ np.uint64(digest(seed, what)))
    steps = np.arange(1, n + 1, dtype=np.uint64) * _GOLDEN
    return _mix(start[:, None] + steps)


def below(bits: NDArray[np.uint64], bound: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """Turn random bits into integers 0 ≤ i < bound, by multiplying the upper 53 bits."""
    unit = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return np.asarray(unit * bound).astype(np.int64)


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    x = x ^ (x >> np.uint64(30))
    x = x * np.uint64(0xBF58476D1CE4E5B9)
    x = x ^ (x >> np.uint64(27))
    x = x * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
