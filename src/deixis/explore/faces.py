"""Faces: what a page shows of a view, the same few things for every kind of task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from deixis.explore.pictures import Pictures
from deixis.pictures.paint import COLOR_NAMES, fill
from deixis.tasks.statement import NOTHING
from deixis.tasks.task import Task
from deixis.trials import ChoiceView, Description, GuessView, Picture, ReferenceView, StatementView
from deixis.web.drawing import hexadecimal


@dataclass(frozen=True)
class Shot:
    """A picture on a page.

    Attributes:
        picture: what it shows.
        address: where the browser finds it; empty where there is nothing to see.
        name: the picture's name in its dataset.
    """

    picture: Picture
    address: str
    name: str


@dataclass(frozen=True)
class Line:
    """A text on a page.

    Attributes:
        channel: what it is.
        text: itself.
        parts: names of parts with the number and color of each, where it has any.
    """

    channel: str
    text: str
    parts: tuple[tuple[str, int, str], ...] = ()


@dataclass(frozen=True)
class Candidate:
    """One option.

    Attributes:
        own: its position in the trial's own order.
        shown: its position on the page, from 1.
        target: whether it is the answer.
        shot: the option, where it is a picture.
        line: the option, where it is a text.
    """

    own: int
    shown: int
    target: bool
    shot: Shot | None = None
    line: Line | None = None

    @property
    def name(self) -> str:
        """What tables call it."""
        return (
            self.line.text if self.line and self.line.channel == "verdict" else f"no. {self.shown}"
        )


@dataclass(frozen=True)
class Face:
    """A view on a page.

    Attributes:
        lines: texts that are given.
        turns: question and answer of each round.
        shots: pictures that are given.
        candidates: options in shown order; empty for pools.
    """

    lines: tuple[Line, ...] = ()
    turns: tuple[tuple[str, str], ...] = ()
    shots: tuple[Shot, ...] = ()
    candidates: tuple[Candidate, ...] = ()


def face(task: Task, position: int, view: Any, pictures: Pictures) -> Face:
    """A view of one trial as a page shows it.

    Args:
        task: with the seeds that the view was seen under.
        position: of the trial.
        view: from `see`: options in shown order.
        pictures: gives addresses.
    """
    trial = task.trials[position]
    order = task.order(position).tolist() if trial.shuffled else list(range(_few(view)))
    options: Sequence[Any] = ()
    given = Face()
    if isinstance(view, ReferenceView):
        one_text = len(view.texts) == 1
        options = view.pictures if one_text else view.texts
        if one_text:
            given = Face(lines=_described(view.texts[0]))
        else:
            given = Face(shots=tuple(shot(pictures, p) for p in view.pictures))
    elif isinstance(view, StatementView):
        options = (Line("verdict", "true"), Line("verdict", "false"))
        both = [p for p in (view.left, view.right) if p != NOTHING]
        given = Face(
            (Line("sentence", view.sentence),), shots=tuple(shot(pictures, p) for p in both)
        )
    elif isinstance(view, GuessView):
        turns = tuple((t.question, t.answer) for t in view.dialog.turns)
        image = view.image or trial.image
        given = Face((Line("caption", view.dialog.caption),), turns, (shot(pictures, image),))
    elif isinstance(view, ChoiceView):
        options = view.options
        given = Face(
            (Line("prompt", view.prompt),), shots=tuple(shot(pictures, p) for p in view.images)
        )
    made = [
        _candidate(option, own, number, own == trial.answer, pictures)
        for number, (option, own) in enumerate(zip(options, order, strict=True), 1)
    ]
    return Face(given.lines, given.turns, given.shots, tuple(made))


def shot(pictures: Pictures, picture: Picture) -> Shot:
    """A picture on a page."""
    return Shot(picture, pictures.address(picture), picture.source)


def colored(names: Sequence[str]) -> tuple[tuple[str, int, str], ...]:
    """Names of parts with their number from 1 and the published color."""
    return tuple((n, i + 1, hexadecimal(fill(i % len(COLOR_NAMES)))) for i, n in enumerate(names))


def _few(view: Any) -> int:
    return 0 if isinstance(view, GuessView) else int(view.k)


def _described(text: Description) -> tuple[Line, ...]:
    return (Line("whole", text.whole, colored(text.parts)),)


def _candidate(option: Any, own: int, number: int, target: bool, pictures: Pictures) -> Candidate:
    if isinstance(option, Picture):
        return Candidate(own, number, target, shot=shot(pictures, option))
    if isinstance(option, Description):
        return Candidate(own, number, target, line=_described(option)[0])
    line = option if isinstance(option, Line) else Line("option", str(option))
    return Candidate(own, number, target, line=line)
