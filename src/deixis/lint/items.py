"""Records of every kind, as rules look at them: texts, pictures, answer, who wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from deixis.dataset import Annotation, Choice, Conversation, Dataset, Statement
from deixis.pictures.vectors import VectorStore


@dataclass(frozen=True)
class Item:
    """One record.

    Attributes:
        id: the record's.
        texts: what stands where, such as ``("whole", "a dog")``.
        pictures: names of the pictures that it is about.
        answer: what is right, as a text.
        family: what it shares with others that were made together: a sentence set, a tangram.
        writer: who wrote it; empty where nobody says.
        splits: where it stands.
    """

    id: str
    texts: tuple[tuple[str, str], ...]
    pictures: tuple[str, ...]
    answer: str
    family: str
    writer: str
    splits: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of its texts, one a line."""
        return "\n".join(text for _, text in self.texts)


def items(dataset: Dataset) -> list[Item]:
    """All records of a dataset, in their order."""
    where: dict[str, list[str]] = {}
    for split, ids in dataset.splits.items():
        for i in ids:
            where.setdefault(i, []).append(split)
    return [_item(record, tuple(where.get(i, ()))) for i, record in dataset.records.items()]


@singledispatch
def _item(record: Any, splits: tuple[str, ...]) -> Item:
    return Item(record.id, (), (), "", record.id, "", splits)


@_item.register
def _of_annotation(record: Annotation, splits: tuple[str, ...]) -> Item:
    texts = (("whole", record.whole), *(("part", part) for part in record.parts))
    family = record.family or record.picture
    return Item(
        record.id, texts, (record.picture,), record.picture, family, record.worker or "", splits
    )


@_item.register
def _of_statement(record: Statement, splits: tuple[str, ...]) -> Item:
    drawn = record.pictures[0] if record.pictures else ()
    pictures = tuple(name for name in drawn if name)
    answer = "true" if record.label else "false"
    texts = (("sentence", record.sentence),)
    return Item(record.id, texts, pictures, answer, record.set, record.writer or "", splits)


@_item.register
def _of_conversation(record: Conversation, splits: tuple[str, ...]) -> Item:
    texts = [("caption", record.dialog.caption)]
    for turn in record.dialog.turns:
        texts += [("question", turn.question), ("answer", turn.answer)]
    return Item(
        record.id, tuple(texts), (record.picture,), record.picture, record.picture, "", splits
    )


@_item.register
def _of_choice(record: Choice, splits: tuple[str, ...]) -> Item:
    texts = [("prompt", record.prompt)]
    pictures = list(record.pictures)
    if record.pictured:
        pictures += record.options
    else:
        texts += [("option", option) for option in record.options]
    answer = record.options[record.answer]
    return Item(record.id, tuple(texts), tuple(pictures), answer, record.cluster[1], "", splits)


def contents(dataset: Dataset, names: Iterator[str] | list[str]) -> dict[str, str]:
    """What tells the content of each picture: equal contents are one picture.

    Vectors are not the pictures themselves: two photographs of the same things have equal ones.
    """
    found: dict[str, str] = {}
    if isinstance(dataset.store, VectorStore):
        return {name: name for name in names}
    for name in names:
        if name not in found:
            picture = dataset.store.picture(name)
            found[name] = picture.content or picture.source
    return found


def across(one: Item, other: Item) -> bool:
    """Whether two records stand in different splits, and in no split together."""
    return bool(one.splits and other.splits) and not set(one.splits) & set(other.splits)
