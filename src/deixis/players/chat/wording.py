"""What is asked of a view: one forced choice, worded the same with pictures and without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, TypeAlias

from deixis.errors import BadInput
from deixis.trials import (
    NOTHING,
    ChoiceView,
    GuessView,
    Picture,
    ReferenceView,
    StatementView,
    reorder,
)

VERSION = 1
"""Changes whenever a wording does; part of the player's revision."""

MOST = 64
"""Most options in a request."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Several pictures on one, each under its label.

    Attributes:
        pictures: in order, row by row.
        labels: what is written above each.
    """

    pictures: tuple[Picture, ...]
    labels: tuple[str, ...]


Part: TypeAlias = str | Picture | Sheet


@dataclass(frozen=True, slots=True)
class Ask:
    """A forced choice.

    Attributes:
        parts: texts and pictures in the order in which they are sent.
        labels: of the options, in shown order.
        texts: the options themselves where they are texts, in shown order; else empty.
        order: the i-th shown is the view's option ``order[i]``.
    """

    parts: tuple[Part, ...]
    labels: tuple[str, ...]
    texts: tuple[str, ...]
    order: tuple[int, ...]

    @property
    def pictured(self) -> bool:
        """Whether a picture is sent."""
        return any(not isinstance(p, str) for p in self.parts)


def labels(k: int) -> tuple[str, ...]:
    """The names of k options: letters, or numbers from 1 where letters do not suffice.

    >>> labels(3), labels(27)[-1]
    (('A', 'B', 'C'), '27')
    """
    if k <= len(ascii_uppercase):
        return tuple(ascii_uppercase[:k])
    return tuple(str(i) for i in range(1, k + 1))


def rotations(k: int, orders: str) -> list[tuple[int, ...]]:
    """The orders in which k options are shown: as they come, or each one at each position.

    >>> rotations(3, "cyclic")
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    """
    turns = range(k) if orders == "cyclic" else range(1)
    return [tuple((i + turn) % k for i in range(k)) for turn in turns]


def word(view: Any, order: Sequence[int], layout: str) -> Ask:
    """Word the question of a view.

    Args:
        view: of any kind of task.
        order: the i-th shown is the view's option ``order[i]``.
        layout: ``separate`` pictures, or all that belong together on one ``sheet``.

    Raises:
        BadInput: there are too many options for one request.
    """
    if view.k > MOST:
        raise BadInput(
            f"a request takes at most {MOST} options and trial {view.id} has {view.k}: choose a "
            "smaller pool, such as --pool hard:10"
        )
    given, texts, pictures = _WORDINGS[type(view)](view, layout)
    names = labels(view.k)
    if texts:
        shown = reorder(texts, order)
        options: list[Part] = ["\n".join(f"{n}. {t}" for n, t in zip(names, shown, strict=True))]
    else:
        shown = ()
        options = _labelled(reorder(pictures, order), names, layout)
    few = f"{', '.join(names[:-1])} or {names[-1]}"
    listed = few if view.k <= 6 else f"{names[0]} to {names[-1]}"
    kind = "letter" if names[0] == "A" else "number"
    closing = f"Which option is right? Answer with its {kind} only: {listed}."
    parts = [p for p in (*given, *options, closing) if p != ""]
    return Ask(tuple(parts), names, tuple(shown), tuple(order))


_Worded = tuple[list[Part], tuple[str, ...], tuple[Picture, ...]]
"""What stands before the options, and the options: texts or pictures, never both."""


def _choice(view: ChoiceView, layout: str) -> _Worded:
    numbers = tuple(str(i) for i in range(1, len(view.images) + 1))
    several = layout == "sheet" and len(view.images) > 1
    images: list[Part] = [Sheet(view.images, numbers)] if several else list(view.images)
    texts = tuple(o for o in view.options if isinstance(o, str))
    pictures = tuple(o for o in view.options if isinstance(o, Picture))
    if texts and pictures:
        raise BadInput(f"trial {view.id}: some options are texts and some are pictures")
    return [*images, view.prompt], texts, pictures


def _statement(view: StatementView, layout: str) -> _Worded:
    pair = tuple(p for p in (view.left, view.right) if p != NOTHING)
    given: list[Part] = list(pair)
    if len(pair) == 2:
        given = _labelled(pair, ("left", "right"), layout)
    whose = "the two pictures" if len(pair) == 2 else "the picture"
    said = f"Statement: {view.sentence}\nIs the statement true of {whose}?"
    return [*given, said], ("true", "false"), ()


def _reference(view: ReferenceView, _: str) -> _Worded:
    if len(view.texts) == 1:
        said = f"Description: {view.texts[0]}\nWhich picture does it describe?"
        return [said], (), view.pictures
    texts = tuple(map(str, view.texts))
    return [view.pictures[0], "Which description fits the picture?"], texts, ()


def _guess(view: GuessView, _: str) -> _Worded:
    lines = [f"Caption: {view.dialog.caption}"]
    for turn in view.dialog.turns:
        lines += [f"Question: {turn.question}", f"Answer: {turn.answer}"]
    lines.append("Which picture is all of this about?")
    return ["\n".join(lines)], (), view.pool.pictures


_WORDINGS: dict[type, Any] = {
    ChoiceView: _choice,
    StatementView: _statement,
    ReferenceView: _reference,
    GuessView: _guess,
}


def _labelled(pictures: Sequence[Picture], names: Sequence[str], layout: str) -> list[Part]:
    if layout == "sheet":
        return [Sheet(tuple(pictures), tuple(names))]
    return [part for n, p in zip(names, pictures, strict=True) for part in (f"{n}:", p)]
