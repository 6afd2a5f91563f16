"""Constituency trees in the brackets of the Penn Treebank."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from deixis.errors import BadInput

_MARK = re.compile(r"[()]|[^\s()]+")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]"}


@dataclass(frozen=True, slots=True)
class Tree:
    """A phrase, or a word with its part of speech.

    Attributes:
        label: such as ``NP`` or ``NN``, without functions such as ``-SBJ``.
        word: of a leaf; empty for phrases.
        children: of a phrase.
    """

    label: str
    word: str = ""
    children: tuple[Tree, ...] = ()

    def leaves(self) -> Iterator[Tree]:
        """Its words in order."""
        if self.word:
            yield self
        for child in self.children:
            yield from child.leaves()

    @property
    def words(self) -> list[str]:
        """Its words in order, in lower case."""
        return [leaf.word.lower() for leaf in self.leaves()]


def read_tree(text: str) -> Tree:
    """Read one tree; empty elements such as traces are left out.

    Raises:
        BadInput: brackets do not match, or something stands behind the tree.

    >>> read_tree("(S (NP-SBJ (DT A) (NN dog)) (VP (VBZ barks)))").words
    ['a', 'dog', 'barks']
    """
    marks = _MARK.findall(text)
    try:
        tree, place = _node(marks, 0)
    except IndexError:
        raise BadInput(f"the tree {text[:60]!r} ends too early") from None
    if place != len(marks):
        raise BadInput(f"the tree {text[:60]!r} is closed before {marks[place]!r}")
    if tree is None:
        raise BadInput(f"the tree {text[:60]!r} holds no word")
    return tree


def _node(marks: list[str], place: int) -> tuple[Tree | None, int]:
    """The node that opens at a place; None where it holds no word."""
    if marks[place] != "(":
        raise BadInput(f"a tree: expected ( before {marks[place]!r}")
    place += 1
    label = ""
    if marks[place] not in "()":
        label = marks[place]
        place += 1
    children: list[Tree] = []
    word = ""
    while marks[place] != ")":
        if marks[place] == "(":
            child, place = _node(marks, place)
            if child is not None:
                children.append(child)
        else:
            word = _BRACKETS.get(marks[place], marks[place])
            place += 1
    plain = re.split(r"[-=|]", label)[0] or label
    if word and children:
        raise BadInput(f"a tree: the phrase {label} holds the word {word!r} beside phrases")
    if label == "-NONE-" or not (word or children):
        return None, place + 1
    return Tree(plain, word, tuple(children)), place + 1
