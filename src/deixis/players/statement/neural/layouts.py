"""Where layouts come from: the world's own, the built-in grammar, or parses of a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from deixis.errors import BadInput
from deixis.players.statement.neural.inputs import Parser
from deixis.reading import read_text
from deixis.tasks.task import Task
from deixis.text.dependencies import parsed
from deixis.text.grammar import parse
from deixis.text.layout import Layout
from deixis.text.spelling import tokens
from deixis.text.treelayout import layout_of
from deixis.text.trees import Tree, read_tree

Source = Callable[[str], Layout | None]
"""The layout of a sentence, where there is one."""

WRITTEN = "gold, grammar, brackets:FILE, spacy or nothing"


def parser(written: str, tasks: Sequence[Task]) -> Parser:
    """The layouts of any sentences.

    Args:
        written: ``gold`` (the world's own, of sentences as they were made), ``grammar`` (the
            built-in one), ``brackets:FILE`` (constituency trees, one on each line), ``spacy``
            (that parser, where it is installed); nothing is gold where there is any, else grammar.
            A sentence that the source does not reach gets the built-in grammar's layout, and where
            that fails too, the layout that looks for all of its words at once.
        tasks: whose sentences will be read.

    Raises:
        BadInput: there is no such source or file, or the tasks have no layouts of their own.
    """
    name, _, argument = written.partition(":")
    gold: dict[str, Layout] = {}
    for task in tasks:
        gold |= task.dataset.extras.get("layouts", {})
    if name == "gold" and not gold:
        raise BadInput(f"--layouts: {tasks[0].name} has no layouts of its own")
    if name in ("", "gold"):
        return Chain((Listed(gold), parse))
    if name == "grammar":
        return Chain((parse,))
    if name == "spacy" and not argument:
        return Chain((by_dependencies, parse))
    if name == "brackets" and argument:
        return Chain((Treebank.read(Path(argument)), parse))
    raise BadInput(f"--layouts: expected {WRITTEN}, got {written!r}")


class Listed:
    """Layouts that are known by their sentences."""

    def __init__(self, known: Mapping[str, Layout]) -> None:
        self.known = known

    def __call__(self, sentence: str) -> Layout | None:
        """The layout of a sentence as it was written."""
        return self.known.get(sentence)


def by_dependencies(sentence: str) -> Layout | None:
    """The layout that spaCy's parse gives."""
    return layout_of(parsed(sentence))


class Treebank:
    """Layouts of trees in a file, known by the words of their sentences."""

    def __init__(self, trees: Mapping[str, Tree]) -> None:
        self.trees = trees

    @classmethod
    def read(cls, file: Path) -> Treebank:
        """Read a file of trees in Penn Treebank's brackets, one on each line.

        Raises:
            BadInput: there is no such file, or a line is no tree.
        """
        trees: dict[str, Tree] = {}
        for number, line in enumerate(read_text(file).splitlines(), start=1):
            if line.strip():
                try:
                    tree = read_tree(line)
                except BadInput as error:
                    raise BadInput(f"{file}:{number}: {error}") from None
                trees[letters("".join(leaf.word for leaf in tree.leaves()))] = tree
        return cls(trees)

    def __call__(self, sentence: str) -> Layout | None:
        """The layout of a sentence whose tree is there."""
        tree = self.trees.get(letters(sentence))
        return None if tree is None else layout_of(tree)


def letters(text: str) -> str:
    """A sentence without blanks and marks: tokenisers differ in these.

    >>> letters("It isn't a dog.") == letters("It is n't a dog .")
    True
    """
    return "".join(c for c in text.lower() if c.isalnum())


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
