"""Conversations: who reads what, what is remembered, and what people said said again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.guessing.converse import converse, turn_of, unanswered
from deixis.players.guessing.ideal import Ideal
from deixis.players.guessing.scripted import Prompted, Scripted
from deixis.replies import Replies
from deixis.tasks.make import make
from deixis.tasks.see import see, views
from deixis.tasks.task import Task
from deixis.trials import GuessView, Turn
from deixis.worlds.rooms import RoomStore, rooms

READERS = ("guesser", "questioner", "answerer")


def task(*conditions: str, scenes: int = 30) -> Task:
    made = replace(make(rooms(scenes=scenes)), readers=READERS)
    return made.do(*conditions) if conditions else made


def talk(made: Task, rounds: int = 10, **others: object) -> Replies:
    assert isinstance(made.store, RoomStore)
    script = Scripted(made)
    speakers = {"questioner": script, "answerer": script, "guesser": Ideal(made.store), **others}
    return converse(made.trials, see=partial(see, made), rounds=rounds, **speakers)  # type: ignore[arg-type]


def test_people_s_own_texts_make_people_s_own_ranks() -> None:
    """Said in turn or read at once, under interventions on what the guesser reads."""
    for condition in ("", "answer=words:0.5@3", "caption/guesser=drop", "answer=shuffle@2"):
        made = task(condition) if condition else task()
        assert isinstance(made.store, RoomStore)
        from deixis.players.guessing.ranked import GuessPlayer

        read = GuessPlayer(Ideal(made.store), made).reply(views(made))
        said = talk(made)
        assert said.ids == read.ids
        assert said.ranks is not None
        assert read.ranks is not None
        np.testing.assert_array_equal(said.ranks, read.ranks)


def test_transcripts_hold_what_was_said_whatever_was_read() -> None:
    made = task("question=drop,answer=drop")
    replies = talk(made)
    assert replies.raw is not None
    n = len(made)
    assert replies.raw[:n] == (None,) * n
    assert [turn_of(str(r)) for r in replies.raw[n::n]] == list(made.trials[0].dialog.turns)
    outcomes = score(made, replies)
    assert outcomes.at(10).raw is not None
    assert outcomes.at(10).rank.tolist() == outcomes.at(0).rank.tolist()


class Listening:
    """Asks and answers by number, and keeps what it read."""

    def __init__(self) -> None:
        self.read: list[GuessView] = []

    def ask(self, views: Sequence[GuessView]) -> list[str]:
        self.read.append(views[0])
        return [f"which room is it {len(v.dialog.turns) + 1}?" for v in views]

    def answer(self, views: Sequence[GuessView]) -> list[str]:
        self.read.append(views[0])
        return [f"kitchen {len(v.dialog.turns)}" for v in views]


def listened(condition: str, rounds: int = 3) -> tuple[Listening, Listening, Task]:
    asks, answers = Listening(), Listening()
    made = task(condition)
    talk(made, rounds, questioner=asks, answerer=answers)
    return asks, answers, made


def test_who_reads_an_altered_question_and_who_remembers_it() -> None:
    asks, answers, _ = listened("question/answerer=drop@2")
    assert [t.question for t in answers.read[-1].dialog.turns] == ["which room is it 1?", "", ""]
    assert [t.question for t in asks.read[-1].dialog.turns] == [
        "which room is it 1?",
        "which room is it 2?",
    ]
    asks, answers, _ = listened("question/questioner=drop")
    assert {t.question for t in asks.read[-1].dialog.turns} == {""}
    assert all(t.question for t in answers.read[-1].dialog.turns)


def test_who_reads_an_altered_answer_and_who_remembers_it() -> None:
    asks, answers, _ = listened("answer/answerer=drop")
    assert [t.answer for t in answers.read[-1].dialog.turns] == ["", "", ""]
    assert [t.answer for t in asks.read[-1].dialog.turns] == ["kitchen 1", "kitchen 2"]


def test_captions_for_one_of_the_two() -> None:
    for reader, heard in (("questioner", (True, False)), ("answerer", (False, True))):
        asks, answers, _ = listened(f"caption/{reader}=drop")
        gone = [not one.read[-1].dialog.caption for one in (asks, answers)]
        assert tuple(gone) == heard


def test_the_picture_is_altered_from_a_round_on_and_looked_at_again_every_round() -> None:
    _, answers, made = listened("image=noise@2")
    last = answers.read[-1]
    assert last.image is not None
    assert [bool(p.edits) for p in (*last.before, last.image)] == [False, True, True]
    assert last.before[1] == last.image
    assert made.trials[0].image.edits == ()
    _, answers, _ = listened("image=noise:per-round")
    last = answers.read[-1]
    assert len({*last.before, last.image}) == 3


def test_no_intervention_answers_for_the_answerer() -> None:
    _, answers, _ = listened("answer=shuffle")
    assert [bool(t.answer) for t in answers.read[-1].dialog.turns] == [True, True, False]
    view = see(task(), task().trials[0], "answerer")
    assert unanswered(view).dialog.turns[-1].answer == ""


def test_texts_set_by_hand() -> None:
    made = task()
    first, second = made.trials[0].id, made.trials[1].id
    script = Scripted(made)
    asks = Prompted(script, {first: {2: "is it a photo?"}})
    answers = Prompted(script, answers={second: {1: "yes"}})
    raw = talk(made, 3, questioner=asks, answerer=answers).raw
    assert raw is not None
    n = len(made)
    assert turn_of(str(raw[2 * n])) == Turn("is it a photo?", made.trials[0].dialog.turns[1].answer)
    assert turn_of(str(raw[n + 1])).answer == "yes"
    assert turn_of(str(raw[n])) == made.trials[0].dialog.turns[0]


class Silent(Listening):
    def answer(self, views: Sequence[GuessView]) -> list[str]:
        return [""] * len(views)


class Short(Listening):
    def ask(self, views: Sequence[GuessView]) -> list[str]:
        return ["what?"]


def test_speakers_who_say_too_little() -> None:
    with pytest.raises(BadInput, match="round 1 of dialog room-0000: the answer is empty"):
        talk(task(), answerer=Silent())
    with pytest.raises(BadInput, match="expected a question in each of 30 dialogs, got 1"):
        talk(task(), questioner=Short())
    with pytest.raises(BadInput, match="dialog room-0000 has 10 rounds, and round 11"):
        talk(task(), rounds=11)
