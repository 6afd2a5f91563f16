"""A task as live dialogs: what each person sees, and bots that take a seat.

Both come through `see`, as in conversations between bots: interventions of the task's condition
alter what a partner's messages look like, and never what was said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, select

from deixis.collect.live import log
from deixis.collect.live.game import SEATS, Game
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import talks
from deixis.errors import BadInput
from deixis.players.guessing.converse import unanswered
from deixis.players.protocols import Answerer, Questioner
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.trials import GuessTrial, GuessView
from deixis.web.drawing import drawing

LARGEST = 100
"""Pictures of a pool that a person can look through."""


@dataclass(frozen=True)
class Bot:
    """A seat that is not a person's; as a questioner it also guesses.

    Attributes:
        role: which seat.
        speaker: asks or answers.
        guess: the place in the pool after a dialog, for a questioner.
    """

    role: str
    speaker: Questioner | Answerer
    guess: Any = None


@dataclass(frozen=True)
class Parlour:
    """Live dialogs about a task's pictures.

    Attributes:
        name: of the study.
        task: of guessing games, with the condition that messages are altered by.
        rounds: in each dialog.
        bot: who takes the other seat; None for another person.
        policy: how long to wait for whom.
        altered: whether people agreed to a study in which messages may be altered.
        debriefing: what people are told about that in the end.
    """

    name: str
    task: Task
    rounds: int = 10
    bot: Bot | None = None
    policy: log.Policy = field(default_factory=log.Policy)
    altered: bool = False
    debriefing: str = ""
    trials: Mapping[str, GuessTrial] = field(init=False)

    def __post_init__(self) -> None:
        """Refuse what people could not play, or were not told.

        Raises:
            BadInput: messages are altered without the flag and a debriefing, or a pool is large.
        """
        if self.task.condition and not (self.altered and self.debriefing):
            raise BadInput(
                f"{self.name}: messages would be altered: that needs altered = true, and a "
                "debriefing that says so"
            )
        for trial in self.task.trials:
            if len(trial.pool.pictures) > LARGEST:
                raise BadInput(
                    f"{self.name}: nobody can look through {len(trial.pool.pictures)} pictures: "
                    f"make pools of at most {LARGEST}"
                )
        object.__setattr__(self, "trials", {t.id: t for t in self.task.trials})

    @cached_property
    def room(self) -> log.Room:
        """As the log knows it."""
        pools = {t.id: len(t.pool.pictures) for t in self.task.trials}
        bots = (self.bot.role,) if self.bot else ()
        return log.Room(self.name, tuple(pools), self.rounds, pools, bots)

    def view(self, trial: str, game: Game, role: str) -> GuessView:
        """What a seat sees of its dialog."""
        given = self.trials[trial]
        dialog = game.dialog(given.dialog.caption)
        pending = dialog.turns[game.answered :]
        if role == "answerer":
            view: GuessView = see(self.task, replace(given, dialog=dialog), role)
            return unanswered(view) if pending else view
        reader = "guesser" if game.move(role) == "guess" else role
        view = see(self.task, replace(given, dialog=dialog.upto(game.answered)), reader)
        # No intervention answers for the answerer: one's own question stands as it was asked.
        return replace(view, dialog=replace(view.dialog, turns=(*view.dialog.turns, *pending)))

    def page(self, trial: str, game: Game, role: str, people: int) -> dict[str, Any]:
        """What the browser of a seat gets: all that may be shown there now."""
        full = people + len(self.room.bots) == len(SEATS)
        made: dict[str, Any] = {
            "seq": game.seq,
            "role": role,
            "move": game.move(role) if full else "",
            "waiting": not full,
            "rounds": self.rounds,
            "over": game.over,
        }
        if full and len(game.ready) == len(SEATS):
            view = self.view(trial, game, role)
            made["caption"] = view.dialog.caption
            made["turns"] = [[t.question, t.answer] for t in view.dialog.turns]
            made["guesses"] = list(game.guesses) if role == "questioner" else []
            store = self.task.store
            if role == "answerer" and view.image is not None:
                made["image"] = drawing(store, view.image)
            if role == "questioner" and len(game.guesses) == 0:
                made["pool"] = [drawing(store, p) for p in view.pool.pictures]
        if game.over:
            made["debriefing"] = self.debriefing
        return made

    def let_bot(self, store: Store, talk: int, now: datetime) -> None:
        """Let the bot do what is its turn, until it is somebody else's."""
        bot = self.bot
        while bot is not None:
            trial, game = store.read(self._look, talk)
            move = game.move(bot.role)
            if not move:
                return
            view = self.view(trial, game, bot.role)
            speaker: Any = bot.speaker
            if move == "guess":
                body: dict[str, Any] = {"place": int(bot.guess(view))}
            else:
                said = speaker.ask([view]) if move == "question" else speaker.answer([view])
                body = {"text": said[0]}
            key = f"{game.seq + 1}"
            store.write(log.say, self.room, talk, bot.role, key, move, body, now)

    def _look(self, c: Connection, talk: int) -> tuple[str, Game]:
        trial = c.execute(select(talks.c.trial).where(talks.c.id == talk)).scalar_one()
        return trial, log.game_of(c, self.room, talk)
