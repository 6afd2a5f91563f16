"""A dataset: records as people made them, before any task is built from them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput, unknown
from deixis.trials import Dialog, Picture


class Store(Protocol):
    """Turns references to pictures into pixels."""

    def picture(self, source: str) -> Picture:
        """The unaltered picture of that name; BadInput if there is none."""

    def pixels(self, picture: Picture, size: int = 224) -> NDArray[np.uint8]:
        """Pixels with edits made, shape (size, size, 3), RGB, white where empty."""


@dataclass(frozen=True, slots=True)
class Action:
    """One step of an annotator: the pieces that got a name (the whole group after the step)."""

    index: int
    name: str
    pieces: tuple[int, ...]
    final: bool
    time: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """What one person wrote about one tangram.

    Attributes:
        id: ``<picture>_<number>``.
        picture: the tangram's name in the store.
        whole: what the whole looks like.
        parts: distinct part names; in order of their lowest piece where pieces are known.
        pieces: for each of the seven pieces, the position in `parts` of its name; None if the
            source does not tell.
        family: pictures of one family are variants of one figure: never two in one context, one
            cluster in every interval; empty where each picture stands for itself.
        worker: who wrote it, if known.
        actions: the log of naming steps, by ascending index.
        time: when the whole was submitted, as the source writes it.
    """

    id: str
    picture: str
    whole: str
    parts: tuple[str, ...]
    pieces: tuple[int, ...] | None
    family: str = ""
    worker: str | None = None
    actions: tuple[Action, ...] = ()
    time: str = ""


@dataclass(frozen=True, slots=True)
class Judgment:
    """What one person said of one statement.

    Attributes:
        worker: who; the same person may judge a statement twice, in two roles.
        said: true or false; None for nonsense.
        role: ``validation``, ``extra`` (validations of dev and test sets) or ``eval`` (NLVR).
    """

    worker: str
    said: bool | None
    role: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, a pair of pictures, and whether it is true of them.

    Attributes:
        id: as the source writes it.
        sentence: as the source writes it.
        label: whether it is true.
        pictures: names of the left and the right picture; ``""`` for the right where there is
            one picture only; several pairs where the same pair is drawn in several ways.
        split: where it stands.
        set: the pictures that were shown together when the sentence was written.
        pair: names the pair of pictures; pairs of equal content have one name.
        sentence_id: which of the set's sentences it is.
        writer: who wrote the sentence, if known.
        judgments: what others said, in the order of the source.
        urls: of the two pictures, if they have any.
        synset: what the pictures were searched for.
        query: the search phrase.
        directory: of the source's own folds for cross-validation; never divides a set.
    """

    id: str
    sentence: str
    label: bool
    pictures: tuple[tuple[str, str], ...]
    split: str
    set: str
    pair: str
    sentence_id: str = "0"
    writer: str | None = None
    judgments: tuple[Judgment, ...] = ()
    urls: tuple[str, str] | None = None
    synset: str = ""
    query: str = ""
    directory: str = ""

    @property
    def group(self) -> str:
        """Statements that are consistent only if all are right: one sentence of one set.

        >>> Statement("dev-7-2-1", "", True, (("", ""),), "dev", "dev-7", "", "1").group
        'dev-7--1'
        """
        return f"{self.set}--{self.sentence_id}"

    def said(self, role: str) -> tuple[Judgment, ...]:
        """The judgments of one role."""
        return tuple(j for j in self.judgments if j.role == role)


@dataclass(frozen=True, slots=True)
class Conversation:
    """What two people said about one picture, which only one of them saw.

    Attributes:
        id: unique in its dataset.
        picture: the picture's name in the store.
        dialog: the caption, and the rounds that have both a question and an answer.
        others: what others answered to the same questions, by their name, one text for each round.
    """

    id: str
    picture: str
    dialog: Dialog
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Choice:
    """A prompt, pictures, and options of which one is right.

    Attributes:
        id: unique in its dataset.
        prompt: what is asked.
        pictures: names of pictures in the store, in order.
        options: texts; or names of pictures, where `pictured`.
        answer: position of the right option.
        cluster: what it shares with others, as a name and a value, such as its picture.
        pictured: whether the options are pictures.
        group: questions that must all be right together, if any.
        stratum: donors come from the same one.
        others: the prompt in other words, by the name of who worded it.
    """

    id: str
    prompt: str
    pictures: tuple[str, ...]
    options: tuple[str, ...]
    answer: int
    cluster: tuple[str, str]
    pictured: bool = False
    group: str | None = None
    stratum: str = ""
    others: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something odd that a loader met, and survived.

    Attributes:
        what: one phrase, such as ``"split lists a removed tangram"``.
        ids: the records or pictures concerned.
        where: the file.
    """

    what: str
    ids: tuple[str, ...]
    where: str


@dataclass(frozen=True)
class Dataset:
    """Records, splits, and what was odd about them.

    Attributes:
        name: the name it is loaded by.
        kind: the kind of task it is for: reference, statement, guessing, answering or choice.
        splits: record ids of each split; a record may stand in several.
        records: every record by id.
        store: where its pictures come from.
        irregularities: what the loader met.
        fingerprint: hash of all it was loaded from.
        counts: how much there is of what is worth counting, such as ``{"tangrams": 74}``.
        extras: what only some datasets have, by name (published contexts, measures, hashes).
    """

    name: str
    kind: str
    splits: Mapping[str, tuple[str, ...]]
    records: Mapping[str, Any]
    store: Store
    irregularities: tuple[Irregularity, ...] = ()
    fingerprint: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    extras: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.records)

    def select(self, *names: str) -> Dataset:
        """The dataset with the records of these splits only; all of them without names.

        Raises:
            BadInput: there is no such split.
        """
        if not names:
            return self
        for name in names:
            if name not in self.splits:
                raise unknown(f"{self.name} has no split {name!r}", name, self.splits)
        self.check()
        ids = dict.fromkeys(i for name in names for i in self.splits[name])
        left = self.records.keys() - ids.keys()
        return replace(
            self,
            splits={name: self.splits[name] for name in names},
            records={i: self.records[i] for i in ids},
            irregularities=tuple(
                replace(met, ids=kept)
                for met in self.irregularities
                if (kept := tuple(i for i in met.ids if i not in left)) or not met.ids
            ),
        )

    def check(self) -> None:
        """See that splits name records.

        Raises:
            BadInput: a split names an id that no record has.
        """
        for name, ids in self.splits.items():
            for i in ids:
                if i not in self.records:
                    raise BadInput(f"{self.name}: split {name!r} names {i!r}, which is no record")


def add(records: dict[str, Statement], new: Iterable[tuple[str, Statement]]) -> None:
    """Add statements, each with where it stands, to those that are known by their ids.

    Raises:
        BadInput: an id stands there twice.
    """
    for where, record in new:
        if record.id in records:
            raise BadInput(f"{where}: {record.id} stands there twice")
        records[record.id] = record


def fingerprint(parts: Iterable[bytes]) -> str:
    """Hash of what a dataset was loaded from, 16 hex digits.

    >>> fingerprint([b"a", b"b"]) != fingerprint([b"ab"])
    True
    """
    total = hashlib.sha256()
    for part in parts:
        total.update(hashlib.sha256(part).digest())
    return total.hexdigest()[:16]
