"""Simulated annotators: each has habits of wording, and keeps to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from deixis.seeds import digest, draw
from deixis.worlds.tangrams.vocabulary import SYNONYMS

COUNT = 40
"""How many annotators there are."""


@dataclass(frozen=True)
class Annotator:
    """Somebody's habits.

    Attributes:
        name: who it is.
        specific: how often the whole is called by its own name rather than its category's.
        attributes: how often each thing that is true of the whole is said.
        article: whether wholes begin with an article.
        parts: how many parts this annotator would like to name, 2 to 6.
        sided: how often twin parts are told apart (left leg, right leg) where both ways would do.
        forward: whether twins of a figure that faces a side are called front and back.
        splits: how often a part of several pieces is cut in two to name more.
        strays: how often the whole is taken for another figure.
        idiolect: key of the preferred words.
    """

    name: str
    specific: float
    attributes: float
    article: bool
    parts: int
    sided: float
    forward: bool
    splits: float
    strays: float
    idiolect: int
    _words: dict[str, str] = field(default_factory=dict, compare=False, repr=False)

    def word(self, noun: str) -> str:
        """The word that this annotator prefers for a part; two of three times the plain one."""
        if noun not in self._words:
            known = SYNONYMS.get(noun, (noun,))
            number = digest(self.idiolect, noun) % (3 * (len(known) - 1) or 1)
            self._words[noun] = known[number + 1] if number + 1 < len(known) else noun
        return self._words[noun]


@lru_cache(maxsize=16)
def crowd(seed: int) -> tuple[Annotator, ...]:
    """All annotators of a seed.

    >>> len(crowd(0)), crowd(0)[0].name
    (40, 'annotator-01')
    """
    return tuple(_hire(seed, f"annotator-{number:02}") for number in range(1, COUNT + 1))


def team(seed: int, n: int, generator: np.random.Generator) -> list[Annotator]:
    """Who works on one picture: `n` annotators, nobody again before everybody did."""
    everybody = crowd(seed)
    order: list[int] = []
    while len(order) < n:
        order += generator.permutation(len(everybody)).tolist()
    return [everybody[i] for i in order[:n]]


def _hire(seed: int, name: str) -> Annotator:
    habits = draw(seed, "annotator", name)
    return Annotator(
        name=name,
        specific=float(habits.choice((0.2, 0.5, 0.8))),
        attributes=float(habits.choice((0.1, 0.3, 0.6))),
        article=bool(habits.random() < 0.15),
        parts=int(habits.choice((2, 3, 4, 5, 6), p=(0.1, 0.25, 0.3, 0.25, 0.1))),
        sided=float(habits.choice((0.1, 0.5, 0.9))),
        forward=bool(habits.random() < 0.5),
        splits=float(habits.choice((0.0, 0.3, 0.8))),
        strays=float(habits.choice((0.05, 0.1, 0.15))),
        idiolect=digest(seed, "idiolect", name),
    )
