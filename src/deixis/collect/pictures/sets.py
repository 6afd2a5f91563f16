"""Sets of similar pictures: a result of a search, and the pictures that are most like it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from deixis.collect.pictures.ledger import Ledger
from deixis.collect.pictures.near import nearest_hashes
from deixis.collect.pictures.provider import Provider
from deixis.collect.pictures.prune import Photo, Pruner
from deixis.collect.pictures.queries import Query
from deixis.progress import Progress, quiet

SIMILAR = 15
"""Pictures beside the result itself."""

AMONG = 2_000
"""Pictures of a synset among which similar ones are looked for."""

LEAST = 10
"""A set with fewer pictures cannot well be brought to eight by raters."""


@dataclass(frozen=True, slots=True)
class PictureSet:
    """Candidates for one set of eight.

    Attributes:
        id: unique in the collection.
        synset: what all are to show.
        query: the phrase with the set's number within it, as NLVR2 writes it: ``two alpacas7``.
        pictures: the result first, then from the most similar on.
    """

    id: str
    synset: str
    query: str
    pictures: tuple[Photo, ...]


def build_sets(
    wanted: Sequence[Query],
    provider: Provider,
    pruner: Pruner,
    ledger: Ledger,
    progress: Progress = quiet,
) -> list[PictureSet]:
    """Make sets of all queries; no picture is in two of them.

    Around each result a set is made of the pictures most like it, until there are as many sets,
    or as many results have been looked at, as the query's kind allows.

    Args:
        wanted: the queries.
        provider: of pictures; similar ones are looked for among what the synset's name finds.
        pruner: of that provider.
        ledger: where decisions on sets go.
        progress: told how far it is.
    """
    among: dict[str, list[Photo]] = {}
    used: set[str] = set()
    made: list[PictureSet] = []
    for done, query in enumerate(wanted):
        progress("searching", done, len(wanted))
        most = query.most[1]
        results = list(islice(_results(provider, pruner, query.phrase), most))
        if query.synset not in among:
            known = among[query.synset] = []
            for photo in islice(_results(provider, pruner, query.synset), AMONG):
                known.append(photo)
                progress("pictures of a synset", len(known), AMONG)
        for built in _around(query, results, among[query.synset], used, ledger):
            number = f"{len(made)}"
            made.append(PictureSet(number, built.synset, built.query, built.pictures))
    return made


def _results(provider: Provider, pruner: Pruner, phrase: str) -> Iterator[Photo]:
    """What a search finds and pruning keeps."""
    for found in provider.search(phrase):
        photo = pruner.look(found)
        if photo is not None:
            yield photo


def _around(
    query: Query, results: Sequence[Photo], among: Sequence[Photo], used: set[str], ledger: Ledger
) -> Iterator[PictureSet]:
    hashes = np.array([p.hash for p in among], dtype=np.uint64)
    number = 0
    for photo in results:
        if number == query.most[0]:
            return
        if photo.key in used:
            continue
        free = np.array([p.key not in used and p.key != photo.key for p in among])
        places = np.flatnonzero(free)
        near, _ = nearest_hashes(np.array([photo.hash], np.uint64), hashes[places], SIMILAR)
        chosen = (photo, *(among[int(places[i])] for i in near[0]))
        name = f"{query.phrase}{number}"
        if len(chosen) < LEAST:
            ledger.add("build", "set", name, False, "too few pictures")
            continue
        ledger.add("build", "set", name, True, "kept")
        used.update(p.key for p in chosen)
        number += 1
        yield PictureSet("", query.synset, name, chosen)
