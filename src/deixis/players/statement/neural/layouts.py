"""Where layouts come from: the world's own, the built-in grammar, or parses of a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from deixis.errors import BadInput
from deixis.players.statement.neural.inputs import Parser
from deixis.tasks.task import Task
from deixis.text.grammar import parse
from deixis.text.layout import Layout
from deixis.text.spelling import tokens

Source = Callable[[str], Layout | None]
"""The layout of a sentence, where there is one."""

WRITTEN = "gold, grammar, brackets:FILE, spacy or nothing"


def parser(written: str, tasks: Sequence[Task]) -> Parser:
    """The layouts of any sentences.

    Args:
        written: ``gold`` (the world's own, of sentences as they were made), ``grammar`` (the
            built-in one), ``brackets:FILE`` (constituency trees in a file), ``spacy`` (that
            parser, where it is installed); nothing is gold where there is any, else grammar. A
            sentence that the source does not reach gets the built-in grammar's layout, and where
            that fails too, the layout that looks for all of its words at once.
        tasks: whose sentences will be read.

    Raises:
        BadInput: there is no such source, or the tasks have no layouts of their own.
    """
    name = written.partition(":")[0]
    gold: dict[str, Layout] = {}
    for task in tasks:
        gold |= task.dataset.extras.get("layouts", {})
    if name == "gold" and not gold:
        raise BadInput(f"--layouts: {tasks[0].name} has no layouts of its own")
    if name in ("", "gold"):
        return Chain((Listed(gold), parse))
    if name == "grammar":
        return Chain((parse,))
    raise BadInput(f"--layouts: expected {WRITTEN}, got {written!r}")


class Listed:
    """Layouts that are known by their sentences."""

    def __init__(self, known: Mapping[str, Layout]) -> None:
        self.known = known

    def __call__(self, sentence: str) -> Layout | None:
        """The layout of a sentence as it was written."""
        return self.known.get(sentence)


class Chain:
    """The first source that reaches a sentence."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = tuple(sources)

    def __call__(self, sentence: str) -> Layout:
        """The layout of any sentence."""
        for source in self.sources:
            found = source(sentence)
            if found is not None:
                return found
        return flat(sentence)


def flat(sentence: str) -> Layout:
    """The layout of a sentence that nothing is known about: something that all its words fit.

    >>> str(flat("A pity!"))
    'exist(find[a pity])'
    """
    return Layout("exist", "", (Layout("find", " ".join(tokens(sentence))),))
