"""What to search for: phrases that bring pictures with several things in them.

After Suhr et al. (ACL 2019): a synset with a number, a collective noun, its hypernym, a companion
or an activity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deixis.errors import BadInput
from deixis.reading import read_toml

NUMBERS = ("two", "three", "some", "many")
"""Words before the plural."""

WIDE = ("collective", "two")
"""Kinds of queries that are followed further."""

_FIELDS = {
    "name": str,
    "plural": str,
    "collectives": list,
    "hypernyms": list,
    "companions": list,
    "activities": list,
}


@dataclass(frozen=True, slots=True)
class Synset:
    """A kind of thing, and the words that go with it.

    Attributes:
        name: as the dataset will write it.
        plural: of the name.
        collectives: nouns of its groups, such as herd.
        hypernyms: what it is a kind of.
        companions: what it is often seen with.
        activities: what it may be doing.
    """

    name: str
    plural: str
    collectives: tuple[str, ...] = ()
    hypernyms: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    activities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A phrase to search for.

    Attributes:
        synset: what for.
        phrase: the words.
        kind: number, two, collective, hypernym, companion or activity.
    """

    synset: str
    phrase: str
    kind: str

    @property
    def most(self) -> tuple[int, int]:
        """At most so many sets, and so many results that sets are made around.

        >>> Query("alpaca", "herd of alpacas", "collective").most
        (60, 100)
        >>> Query("alpaca", "alpaca animal", "hypernym").most
        (30, 60)
        """
        return (60, 100) if self.kind in WIDE else (30, 60)


def queries(synset: Synset) -> Iterator[Query]:
    """All phrases for a synset, each once.

    >>> made = [q.phrase for q in queries(Synset("alpaca", "alpacas", collectives=("herd",)))]
    >>> made[:2], made[-1]
    (['two alpacas', 'three alpacas'], 'herd of alpacas')
    """
    name, plural = synset.name, synset.plural
    phrases = [("two" if n == "two" else "number", f"{n} {plural}") for n in NUMBERS]
    phrases += [("collective", f"{c} of {plural}") for c in synset.collectives]
    phrases += [("hypernym", f"{name} {h}") for h in synset.hypernyms]
    phrases += [("companion", f"{name} {c}") for c in synset.companions]
    phrases += [("activity", f"{plural} {a}") for a in synset.activities]
    seen: set[str] = set()
    for kind, phrase in phrases:
        if phrase not in seen:
            seen.add(phrase)
            yield Query(name, phrase, kind)


def read_synsets(path: Path) -> list[Synset]:
    """Read a list of synsets: a TOML file with a ``[[synset]]`` for each.

    Raises:
        BadInput: the file is missing or wrong; the message names the synset.
    """
    raw = read_toml(path)
    entries = raw.get("synset")
    if not isinstance(entries, list) or not entries or len(raw) > 1:
        raise BadInput(f"{path}: expected [[synset]] entries and nothing else")
    made = [_synset(path, number, entry) for number, entry in enumerate(entries, start=1)]
    names = [s.name for s in made]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"{path}: the synset {name!r} stands there twice")
    return made


def _synset(path: Path, number: int, entry: Any) -> Synset:
    where = f"{path}: synset {number}"
    if not isinstance(entry, dict) or not entry.get("name"):
        raise BadInput(f"{where}: needs a name")
    for field, value in entry.items():
        if field not in _FIELDS or not isinstance(value, _FIELDS[field]):
            raise BadInput(f"{where}: {field} = {value!r} is not understood")
    lists = {f: tuple(map(str, entry.get(f, ()))) for f in list(_FIELDS)[2:]}
    return Synset(entry["name"], entry.get("plural", f"{entry['name']}s"), **lists)
