"""One file of VisDial, of any version, as conversations and options.

v0.5 has texts in place, v0.9 and v1.0 indices into lists of questions and answers; answers, options
and the position of the right one may be absent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.dataset import Conversation
from deixis.errors import BadInput
from deixis.trials import Dialog, Turn

Ints = NDArray[np.int32]

ROUNDS = 10
"""Rounds of every dialog but those of test."""

OPTIONS = 100
"""Answers to choose from in a round."""


@dataclass(frozen=True)
class Options:
    """The answers to choose from, one row for each dialog that has some.

    Attributes:
        answers: the list that positions point into.
        rows: the row of each record.
        choices: positions in `answers`, shape (n, 10, 100); -1 where a round has none.
        right: which option is the human answer, shape (n, 10); -1 where that is not told.
    """

    answers: tuple[str, ...]
    rows: Mapping[str, int]
    choices: Ints
    right: Ints


@dataclass
class DialogFile:
    """What one file holds.

    Attributes:
        path: the file.
        questions: its list of questions.
        answers: its list of answers.
        records: its dialogs.
        odd: what is odd about some of them, and their ids.
    """

    path: Path
    questions: tuple[str, ...]
    answers: tuple[str, ...]
    records: list[Conversation] = field(default_factory=list)
    odd: dict[str, list[str]] = field(default_factory=dict)
    _choices: list[Ints] = field(default_factory=list)
    _right: list[Ints] = field(default_factory=list)

    @property
    def options(self) -> Options:
        """The answers to choose from."""
        rows = {c.id: i for i, c in enumerate(self.records)}
        return Options(self.answers, rows, np.array(self._choices), np.array(self._right))

    def add(
        self, entry: Mapping[str, Any], place: Mapping[str, int], where: str, open_: bool
    ) -> None:
        """Add one dialog.

        Args:
            entry: as the file has it.
            place: the position of each answer, where texts stand in place; else empty.
            where: for errors.
            open_: whether the last round may lack its answer.
        """
        picture, rounds = str(entry["image_id"]), entry["dialog"]
        # Ours have several dialogs about a picture; the published ones have one about each.
        name = f"{picture}/{entry['dialog_id']}" if "dialog_id" in entry else picture
        choices = np.full((ROUNDS, OPTIONS), -1, np.int32)
        right = np.full(ROUNDS, -1, np.int32)
        turns = []
        for i, one in enumerate(rounds[:ROUNDS]):
            at = f"{where}, round {i + 1}"
            offered = [place[o] if place else o for o in offered_in(one)]
            choices[i, : len(offered)] = offered
            if "answer" not in one:
                if not (open_ and i == len(rounds) - 1):
                    raise BadInput(f"{at}: there is no answer")
                break
            turns.append(self._turn(one, bool(place), at))
            if offered and "gt_index" in one:
                right[i] = self._position(one["gt_index"], offered, turns[-1].answer, at, name)
        if len(turns) < ROUNDS and not open_:
            self.odd.setdefault(f"fewer than {ROUNDS} rounds", []).append(name)
        self.records.append(Conversation(name, picture, Dialog(entry["caption"], tuple(turns))))
        self._choices.append(choices)
        self._right.append(right)

    def _turn(self, one: Mapping[str, Any], in_place: bool, at: str) -> Turn:
        question = one["question"] if in_place else self.questions[one["question"]]
        answer = one["answer"] if in_place else self.answers[one["answer"]]
        if not question.strip() or not answer.strip():
            raise BadInput(f"{at}: the {'answer' if question.strip() else 'question'} is empty")
        return Turn(f"{question}?", answer)

    def _position(self, given: int, offered: Sequence[int], answer: str, at: str, name: str) -> int:
        """The position of the human answer among the options, counted from 0."""
        if given < len(offered) and self.answers[offered[given]] == answer:
            return given
        if 0 < given <= len(offered) and self.answers[offered[given - 1]] == answer:
            ids = self.odd.setdefault("the right option is counted from 1", [])
            if ids[-1:] != [name]:
                ids.append(name)
            return given - 1
        raise BadInput(f"{at}: option {given} is not the answer {answer!r}")


def read_dialogs(raw: Any, path: Path, *, open_: bool = False) -> DialogFile:
    """Read the content of a file.

    Args:
        raw: parsed JSON.
        path: of the file.
        open_: whether the last round may lack its answer, as in test.

    Raises:
        BadInput: it is not in VisDial's form, or an answer is absent, empty, or not the option that
            it is said to be.
    """
    try:
        data: Any = raw if isinstance(raw, list) else raw["data"]
        in_place = isinstance(data, list)
        dialogs: list[Any] = data if in_place else data["dialogs"]
        lists = _texts(dialogs) if in_place else (data["questions"], data["answers"])
    except (KeyError, TypeError) as error:
        raise BadInput(f"{path}: not in VisDial's form: {error!r}") from None
    made = DialogFile(path, tuple(lists[0]), tuple(lists[1]))
    place = {text: i for i, text in enumerate(made.answers)} if in_place else {}
    for number, entry in enumerate(dialogs):
        where = f"{path}: dialog {number}"
        try:
            made.add(entry, place, where, open_)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise BadInput(f"{where}: not in VisDial's form: {error!r}") from None
    return made


def read_dense(raw: Any, path: Path) -> dict[str, tuple[int, NDArray[np.float64]]]:
    """Relevances of options: the round they are for, counted from 1, and a value for each option.

    Raises:
        BadInput: it is not in VisDial's form.
    """
    made = {}
    for number, entry in enumerate(raw):
        try:
            values = entry["gt_relevance"] if "gt_relevance" in entry else entry["relevance"]
            relevance = np.array(values, np.float64)
            made[str(entry["image_id"])] = (int(entry["round_id"]), relevance)
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"{path}: entry {number}: not in VisDial's form: {error!r}") from None
    return made


def offered_in(entry: Mapping[str, Any]) -> Sequence[Any]:
    """The options of a round; v0.5 calls them otherwise."""
    found: Sequence[Any] = entry.get("answer_options") or entry.get("options") or ()
    return found


def _texts(dialogs: Sequence[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lists of the texts that v0.5 has in place."""
    rounds = [r for d in dialogs for r in d["dialog"]]
    answers = [t for r in rounds for t in (r.get("answer"), *offered_in(r)) if t is not None]
    return tuple(dict.fromkeys(r["question"] for r in rounds)), tuple(dict.fromkeys(answers))
