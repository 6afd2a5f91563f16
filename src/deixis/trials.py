"""The nouns: pictures, texts, trials, and what one reader gets to see of a trial.

A *trial* is one decision and holds its answer; a *view* is the same trial as one reader gets it,
without the answer. Models, caches and people's screens all get the same views.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal, Protocol, TypeVar

from deixis.text.templates import render

Paint = tuple[int | None, ...]
"""The part position of each piece of a tangram (0 is the first part), None where unpainted."""

Clusters = tuple[tuple[str, str], ...]
"""What a trial shares with others, by name: ``(("tangram", "page1-1"), ("worker", "7f3a"))``."""

T = TypeVar("T")

Direction = Literal["text-to-picture", "picture-to-text"]


@dataclass(frozen=True)
class Picture:
    """A reference to a picture, never its pixels; a store turns it into pixels or vectors.

    Attributes:
        source: where it comes from, as its store names it.
        content: hash of the unaltered content.
        paint: the part position of each piece (tangrams only); None is all black.
        edits: alterations still to be made by the store, in order, such as ``"noise:raw:17"``.
    """

    source: str
    content: str = ""
    paint: Paint | None = None
    edits: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        """Hash of everything above: equal keys mean equal pixels. Used to encode once.

        >>> Picture("a").key == Picture("a").key != Picture("a", edits=("noise:raw:1",)).key
        True
        """
        fields = [self.source, self.content, self.paint, self.edits]
        return hashlib.sha256(json.dumps(fields).encode()).hexdigest()[:24]


BLANK = Picture("blank")
"""The empty canvas; every store knows it."""

NOTHING = Picture("nothing")
"""No picture at all, not even an empty one: what stands for it is left out."""


@dataclass(frozen=True, slots=True)
class Description:
    """What somebody wrote about a picture.

    Attributes:
        whole: what the whole looks like.
        parts: names of its parts; the i-th goes with the pieces painted i.
        template: how the two become one text: a name in `deixis.text.templates`.
    """

    whole: str
    parts: tuple[str, ...] = ()
    template: str = "plain"

    def __str__(self) -> str:
        """The one text that a reader without parts gets.

        >>> str(Description("dog", ("head", "tail")))
        'dog with head and tail'
        """
        return render(self.template, self.whole, self.parts)


@dataclass(frozen=True, slots=True)
class Turn:
    """One round of a dialog."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Dialog:
    """A caption (round 0) and the rounds after it."""

    caption: str
    turns: tuple[Turn, ...] = ()

    def upto(self, rounds: int) -> Dialog:
        """The caption and the first rounds; all there is where it has no more.

        >>> Dialog("a dog", (Turn("big?", "yes"), Turn("black?", "no"))).upto(1).turns
        (Turn(question='big?', answer='yes'),)
        """
        return self if rounds >= len(self.turns) else Dialog(self.caption, self.turns[:rounds])


@dataclass(frozen=True, slots=True)
class Pool:
    """The pictures that a guessing game ranks; shared by its trials.

    Attributes:
        name: as it is asked for, such as ``all``, ``first:1000`` or ``hard:100``.
        pictures: in the order of positions.
    """

    name: str
    pictures: tuple[Picture, ...]


class View(Protocol):
    """A trial as one reader gets it."""

    @property
    def id(self) -> str:
        """Opaque: it names the trial to the program, and nothing to a reader."""

    @property
    def k(self) -> int:
        """Number of options to score."""


class Trial(Protocol):
    """One decision, with its answer."""

    @property
    def id(self) -> str:
        """Unique in its task."""

    @property
    def item(self) -> str:
        """The unit of inference: trials of one item differ in context or order only."""

    @property
    def clusters(self) -> Clusters:
        """What it shares with other trials, the primary cluster first."""

    @property
    def group(self) -> str | None:
        """Trials that must all be right to count as consistent."""

    @property
    def stratum(self) -> str:
        """Donors come from the same stratum."""

    @property
    def k(self) -> int:
        """Number of options."""

    @property
    def answer(self) -> int:
        """Index of the right option in the trial's own order."""

    @property
    def shuffled(self) -> bool:
        """Whether options are shown in a drawn order."""

    def view(self) -> View:
        """The trial without its answer, options in the trial's own order."""


def opaque(trial_id: str) -> str:
    """The name of a trial that a view carries: a hash, so that ids tell a player nothing."""
    return hashlib.sha256(trial_id.encode()).hexdigest()[:16]


def reorder(options: Sequence[T], order: Sequence[int]) -> tuple[T, ...]:
    """Options in shown order: the i-th shown is ``options[order[i]]``."""
    return tuple(options[i] for i in order)


@dataclass(frozen=True, slots=True)
class ReferenceView:
    """A reference game as a reader gets it: one text and k pictures, or one picture and k texts."""

    id: str
    texts: tuple[Description, ...]
    pictures: tuple[Picture, ...]

    @property
    def k(self) -> int:
        """Number of candidates."""
        return max(len(self.texts), len(self.pictures))

    def shown(self, order: Sequence[int]) -> ReferenceView:
        """The same view with its candidates in another order."""
        if len(self.texts) == 1:
            return replace(self, pictures=reorder(self.pictures, order))
        return replace(self, texts=reorder(self.texts, order))


@dataclass(frozen=True, slots=True)
class ReferenceTrial:
    """Which of k pictures does the text mean?

    Attributes:
        texts: the description that goes with each picture.
        pictures: the k candidates, each painted by its own description.
        answer: index of the target.
        direction: what is given and what is chosen.
    """

    id: str
    item: str
    texts: tuple[Description, ...]
    pictures: tuple[Picture, ...]
    answer: int
    clusters: Clusters
    stratum: str = ""
    group: str | None = None
    direction: Direction = "text-to-picture"
    shuffled: ClassVar[bool] = True

    @property
    def k(self) -> int:
        """Number of candidates."""
        return len(self.pictures)

    def view(self) -> ReferenceView:
        """The game without its answer."""
        if self.direction == "text-to-picture":
            return ReferenceView(opaque(self.id), (self.texts[self.answer],), self.pictures)
        return ReferenceView(opaque(self.id), self.texts, (self.pictures[self.answer],))


@dataclass(frozen=True, slots=True)
class StatementView:
    """A sentence and a pair of pictures; the options are true and false, in this order."""

    id: str
    sentence: str
    left: Picture
    right: Picture
    k: ClassVar[int] = 2


@dataclass(frozen=True, slots=True)
class StatementTrial:
    """Is the sentence true of the pair of pictures?"""

    id: str
    item: str
    sentence: str
    left: Picture
    right: Picture
    label: bool
    clusters: Clusters
    group: str | None = None
    stratum: str = ""
    shuffled: ClassVar[bool] = False
    k: ClassVar[int] = 2

    @property
    def answer(self) -> int:
        """0 is true, 1 is false."""
        return 0 if self.label else 1

    def view(self) -> StatementView:
        """The sentence and the pair, without the label."""
        return StatementView(opaque(self.id), self.sentence, self.left, self.right)


@dataclass(frozen=True, slots=True)
class GuessView:
    """A dialog about one picture of a pool; the pool is ranked after each round.

    `image` is the picture itself for a reader who may look at it (the answerer), else None;
    `before` is what was to be seen in its place in each of the rounds before the last.
    """

    id: str
    dialog: Dialog
    pool: Pool
    image: Picture | None = None
    before: tuple[Picture, ...] = ()

    @property
    def k(self) -> int:
        """Size of the pool."""
        return len(self.pool.pictures)


@dataclass(frozen=True, slots=True)
class GuessTrial:
    """Which picture of the pool is the dialog about?

    Attributes:
        others: what others answered to the same questions, by their name.
    """

    id: str
    item: str
    dialog: Dialog
    pool: Pool
    answer: int
    clusters: Clusters
    stratum: str = ""
    group: str | None = None
    others: tuple[tuple[str, tuple[str, ...]], ...] = ()
    shuffled: ClassVar[bool] = False

    @property
    def k(self) -> int:
        """Size of the pool."""
        return len(self.pool.pictures)

    @property
    def image(self) -> Picture:
        """The picture the dialog is about."""
        return self.pool.pictures[self.answer]

    def view(self) -> GuessView:
        """The dialog and the pool, without the target."""
        return GuessView(opaque(self.id), self.dialog, self.pool)


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """A prompt, pictures, and options, each a text or a picture."""

    id: str
    prompt: str
    images: tuple[Picture, ...]
    options: tuple[str | Picture, ...]

    @property
    def k(self) -> int:
        """Number of options."""
        return len(self.options)

    def shown(self, order: Sequence[int]) -> ChoiceView:
        """The same view with its options in another order."""
        return replace(self, options=reorder(self.options, order))


@dataclass(frozen=True, slots=True)
class ChoiceTrial:
    """Which option is right?

    Attributes:
        options: texts, or pictures.
        others: the prompt in other words, by the name of who worded it.
    """

    id: str
    item: str
    prompt: str
    images: tuple[Picture, ...]
    options: tuple[str | Picture, ...]
    answer: int
    clusters: Clusters
    group: str | None = None
    stratum: str = ""
    others: tuple[tuple[str, str], ...] = ()
    shuffled: ClassVar[bool] = True

    @property
    def k(self) -> int:
        """Number of options."""
        return len(self.options)

    def view(self) -> ChoiceView:
        """The prompt, pictures and options, without the answer."""
        return ChoiceView(opaque(self.id), self.prompt, self.images, self.options)


@dataclass(frozen=True, slots=True)
class AnswerView:
    """A dialog that ends in a question, the picture it is about, and answers to choose from.

    `before` is what was to be seen in the picture's place in each of the rounds before the last,
    whose own answer is empty.
    """

    id: str
    dialog: Dialog
    options: tuple[str, ...]
    image: Picture
    before: tuple[Picture, ...]

    @property
    def k(self) -> int:
        """Number of answers."""
        return len(self.options)

    def shown(self, order: Sequence[int]) -> AnswerView:
        """The same view with its answers in another order."""
        return replace(self, options=reorder(self.options, order))


@dataclass(frozen=True, slots=True)
class AnswerTrial:
    """Which of the answers did the person give who saw the picture?

    Attributes:
        dialog: up to the round that is asked about, whose own answer is empty.
        relevance: of each option, as people judged it, 0 to 1; empty where nobody did.
        others: what others answered to the same questions, by their name.
    """

    id: str
    item: str
    dialog: Dialog
    image: Picture
    options: tuple[str, ...]
    answer: int
    clusters: Clusters
    relevance: tuple[float, ...] = ()
    stratum: str = ""
    group: str | None = None
    others: tuple[tuple[str, tuple[str, ...]], ...] = ()
    shuffled: ClassVar[bool] = True

    @property
    def k(self) -> int:
        """Number of options."""
        return len(self.options)

    def view(self) -> AnswerView:
        """The question with what went before, and the answers, the right one not marked."""
        before = (self.image,) * (len(self.dialog.turns) - 1)
        return AnswerView(opaque(self.id), self.dialog, self.options, self.image, before)
