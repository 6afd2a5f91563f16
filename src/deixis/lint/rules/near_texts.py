"""Texts that stand in two splits, equal or but for one word: what was learnt may be recited."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from deixis.dataset import Dataset
from deixis.lint.finding import Finding, LintOptions, plural, some
from deixis.lint.items import Item, across, items
from deixis.lint.near import near_lists
from deixis.text.vocabulary import words

LEAST = 5
"""Texts with fewer words say little; equal ones are told as a note."""

ROLES = ("whole", "sentence", "caption", "prompt")
"""Texts that make a record what it is; answers and names of parts are bound to recur."""


def near_texts(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """One finding for each two splits that share texts, and one for those with near texts."""
    found = items(dataset)
    by_text: dict[tuple[str, ...], list[Item]] = {}
    for item in found:
        for role, text in item.texts:
            if role in ROLES:
                by_text.setdefault(tuple(words(text.lower())), []).append(item)
    yield from _equal(by_text)
    yield from _near(by_text)


def _equal(by_text: dict[tuple[str, ...], list[Item]]) -> Iterator[Finding]:
    shared: dict[tuple[str, str], dict[tuple[str, ...], list[str]]] = {}
    for text, members in by_text.items():
        for one, other in _pairs(members):
            for key in product(one.splits, other.splits):
                ordered = (min(key), max(key))
                shared.setdefault(ordered, {}).setdefault(text, []).extend((one.id, other.id))
    for (first, second), texts in sorted(shared.items()):
        long = [t for t in texts if len(t) >= LEAST]
        ids = list(dict.fromkeys(i for t in texts for i in texts[t]))
        yield Finding(
            "near-texts",
            "warning" if long else "note",
            f"{plural(len(texts), 'text')} in {first} and in {second} are equal but for case and "
            f"punctuation, {len(long):,} of {LEAST} words or more",
            "keep equal texts on one side of a split, or report scores with and without them",
            ids,
            {
                "splits": [first, second],
                "texts": len(texts),
                "long_texts": len(long),
                "such_as": " ".join(next(iter(long or texts))),
            },
        )


def _near(by_text: dict[tuple[str, ...], list[Item]]) -> Iterator[Finding]:
    texts = list(by_text)
    met: dict[tuple[str, str], list[tuple[str, str, str, str]]] = {}
    for i, j in sorted(near_lists(texts, LEAST)):
        for one, other in product(by_text[texts[i]], by_text[texts[j]]):
            if across(one, other):
                key = (min(one.splits[0], other.splits[0]), max(one.splits[0], other.splits[0]))
                pair = (one.id, other.id, " ".join(texts[i]), " ".join(texts[j]))
                met.setdefault(key, []).append(pair)
                break
    for (first, second), pairs in sorted(met.items()):
        ids = list(dict.fromkeys(i for pair in pairs for i in pair[:2]))
        yield Finding(
            "near-texts",
            "note",
            f"{plural(len(pairs), 'text')} of {first} differ in one word from one of {second} "
            f"({some(ids, 2)})",
            "look whether they were copied; keep families of texts on one side of a split",
            ids,
            {
                "splits": [first, second],
                "pairs": len(pairs),
                "one": pairs[0][2],
                "other": pairs[0][3],
            },
        )


def _pairs(members: list[Item]) -> Iterator[tuple[Item, Item]]:
    """The first member of each two sets of splits that have none in common."""
    first = {m.splits: m for m in reversed(members)}
    leaders = list(first.values())
    for i, one in enumerate(leaders):
        for other in leaders[i + 1 :]:
            if across(one, other):
                yield one, other
