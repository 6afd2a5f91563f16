"""The rules of a live dialog, as a fold over what was said: no state but the log.

Both say that they are ready. The questioner reads a caption, guesses the picture, and then in each
round asks, reads the answer, and guesses anew. The answerer sees the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from deixis.collect.trial import Refused
from deixis.collect.trial_types.texts import check_text, normal
from deixis.trials import Dialog, Turn

SEATS = ("questioner", "answerer")
ENDS = ("completed", "partner lost", "left", "nobody came")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log.

    Attributes:
        seq: from 1, without gaps.
        by: the seat.
        kind: ready, question, answer, guess or end.
        body: ``text`` of a question or answer, ``place`` in the pool of a guess, ``why`` of an end.
    """

    seq: int
    by: str
    kind: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Game:
    """Where a dialog stands.

    Attributes:
        rounds: how many there will be.
        pool: size of the pool that guesses are made from.
        seq: of the last entry.
        ready: who is.
        turns: what was said; the last answer is empty while it is awaited.
        guesses: places in the pool, one after the caption and after each round.
        over: how it ended, or empty.
        ended_by: the seat that ended it.
    """

    rounds: int
    pool: int
    seq: int = 0
    ready: frozenset[str] = frozenset()
    turns: tuple[Turn, ...] = ()
    guesses: tuple[int, ...] = ()
    over: str = ""
    ended_by: str = ""

    @property
    def answered(self) -> int:
        """Rounds that have an answer."""
        return sum(bool(t.answer) for t in self.turns)

    def move(self, seat: str) -> str:
        """What a seat is to do now: ready, question, answer, guess, or nothing."""
        if self.over:
            return ""
        if len(self.ready) < len(SEATS):
            return "" if seat in self.ready else "ready"
        if self.answered < len(self.turns):
            return "answer" if seat == "answerer" else ""
        if seat == "answerer":
            return ""
        return "guess" if len(self.guesses) <= self.answered else "question"

    def dialog(self, caption: str) -> Dialog:
        """What was said, behind its caption."""
        return Dialog(caption, self.turns)


def fold(game: Game, log: Iterable[Entry]) -> Game:
    """The game after a log."""
    for entry in log:
        game = after(game, entry)
    return game


def after(game: Game, entry: Entry) -> Game:
    """The game after one more entry.

    Raises:
        Refused: it is not that seat's turn, or it says nothing; one sentence for the person.

    >>> game = fold(Game(1, 5), [Entry(1, s, "ready", {}) for s in SEATS])
    >>> game.move("questioner"), game.move("answerer")
    ('guess', '')
    """
    if entry.kind == "end":
        if game.over:
            raise Refused("The dialog is over.")
        ended = replace(game, over=str(entry.body["why"]), ended_by=entry.by)
        return replace(ended, seq=entry.seq)
    if not entry.kind or game.move(entry.by) != entry.kind:
        raise Refused("It is not your turn for that just now.")
    made = replace(game, seq=entry.seq)
    if entry.kind == "ready":
        return replace(made, ready=game.ready | {entry.by})
    if entry.kind == "guess":
        return _guessed(made, entry.body.get("place"))
    text = entry.body.get("text")
    if not isinstance(text, str):
        raise Refused("Please write something.")
    check_text(text, f"The {entry.kind}")
    said = normal(text)
    if entry.kind == "question":
        return replace(made, turns=(*game.turns, Turn(said, "")))
    return replace(made, turns=(*game.turns[:-1], Turn(game.turns[-1].question, said)))


def _guessed(game: Game, place: object) -> Game:
    if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < game.pool:
        raise Refused("Please choose one of the pictures.")
    made = replace(game, guesses=(*game.guesses, place))
    done = len(made.guesses) > game.rounds
    return replace(made, over="completed") if done else made


def owed(game: Game, seat: str) -> str:
    """What a seat gets: all, all for staying, something for waiting, or nothing.

    >>> left = Game(10, 5, over="partner lost", ended_by="answerer")
    >>> owed(left, "questioner"), owed(left, "answerer")
    ('stayed', 'nothing')
    """
    if game.over == "completed":
        return "all"
    if game.over == "nobody came":
        return "waited"
    if game.over and game.ended_by != seat:
        return "stayed"
    return "nothing"
