"""Operators on the names of parts, a tuple of texts whose order goes with the colors."""

from __future__ import annotations

from dataclasses import replace

from deixis.interventions import texts
from deixis.interventions.operator import Given

Names = tuple[str, ...]


def drop(_: Names, given: Given) -> Names:
    """No parts at all: the text is the whole's alone."""
    given.options()
    return ()


def blank(names: Names, given: Given) -> Names:
    """As many parts, but no words in their names."""
    return tuple(texts.blank(n, given) for n in names)


def words(names: Names, given: Given) -> Names:
    """Random words in the names, see `texts.words`."""

    def at(i: int) -> Given:
        def donated() -> str:
            other = given.donor()
            return str(other[i % len(other)]) if other else ""

        return replace(given, place=(*given.place, str(i)), donor=donated)

    return tuple(texts.words(n, at(i)) for i, n in enumerate(names))


def rotate(names: Names, given: Given) -> Names:
    """Each name moves to the next part's place: same names, each with another's pieces."""
    given.options()
    return names[1:] + names[:1]


def keep(names: Names, given: Given) -> Names:
    """The first n parts only: ``keep:N``."""
    return names[: given.count("a number of parts", 7)]
