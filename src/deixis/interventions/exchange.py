"""Operators that put another's value in, whatever its kind; and the sham that changes nothing."""

from __future__ import annotations

from typing import Any

from deixis.interventions.operator import Given


def donor(_: Any, given: Given) -> Any:
    """The value of another trial: real content, but not of this trial.

    Where the task knows relations, ``shuffle:RELATION`` says of which other trial, such as
    ``shuffle:same-answer``.
    """
    return given.donor(*given.options(*given.relations)[:1])


def partner(_: Any, given: Given) -> Any:
    """The value of a distractor of this trial."""
    given.options()
    return given.partner()


def from_other(_: Any, given: Given) -> Any:
    """What another source has in this place: ``from:NAME``, such as another model's answers."""
    return given.other(given.argument)


def same(value: Any, given: Given) -> Any:
    """The value itself: the same path, nothing changed, to show the noise floor."""
    given.options()
    return value
