"""A task as live dialogs: what each person sees, and bots that take a seat.

Both come through `see`, as in conversations between bots: interventions of the task's condition
alter what a partner's messages look like, and never what was said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, lru_cache, partial
from threading import RLock
from typing import Any

import numpy as np

from deixis.collect.live import log
from deixis.collect.live.game import SEATS, Game, owed
from deixis.collect.store.engine import Store
from deixis.collect.trial import Refused
from deixis.errors import BadInput
from deixis.players.guessing.converse import unanswered
from deixis.players.protocols import Answerer, Guesser, Questioner
from deixis.stats.ranks import Blocks
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.trials import GuessTrial, GuessView, Picture
from deixis.web.drawing import drawing

DRAWN = 1024
"""Drawings that are kept."""

LARGEST = 100
"""Pictures of a pool that a person can look through."""


@dataclass(frozen=True)
class Bot:
    """A seat that is not a person's; as a questioner it also guesses.

    Attributes:
        role: which seat.
        wake: who asks or answers, and who reads the dialog and predicts the picture, needed for a
            questioner. Called when it has to say something first, or by `awake`: what was said can
            be read without it.
        lock: many dialogs share one bot, which need not stand being asked by several at once.
    """

    role: str
    wake: Callable[[], tuple[Questioner | Answerer, Guesser | None]]
    lock: RLock = field(default_factory=RLock, repr=False, compare=False)

    @cached_property
    def awake(self) -> tuple[Questioner | Answerer, Guesser | None]:
        """Speaker and guesser.

        Raises:
            BadInput: it asks and has no guesser, or cannot be had.
        """
        with self.lock:
            speaker, guesser = self.wake()
        if self.role == "questioner" and guesser is None:
            raise BadInput("a bot that asks also guesses: it needs a guesser")
        return speaker, guesser

    def does(self, move: str, view: GuessView) -> dict[str, Any]:
        """What it does when it is its turn: a question, an answer, or a guess."""
        speaker: Any = self.awake[0]
        with self.lock:
            if move == "guess":
                return {"place": self.place(view)}
            said = speaker.ask([view]) if move == "question" else speaker.answer([view])
        return {"text": str(said[0])}

    def place(self, view: GuessView) -> int:
        """The picture that it ranks first, of equals the first in the pool."""
        guesser = self.awake[1]
        assert guesser is not None  # see above
        read = guesser.read([view.dialog])
        if isinstance(read, Blocks):
            return int(np.argmax(read.scores(0, 1)[0]))
        gallery = np.asarray(guesser.pictures(view.pool.pictures), np.float64)
        return int(np.argmin(np.square(gallery - read.predictions).sum(axis=1)))


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

    def page(
        self, trial: str, game: Game, role: str, people: int, seen: Collection[str] = ()
    ) -> dict[str, Any]:
        """What the browser of a seat gets: all that may be shown there now.

        Args:
            trial: of the dialog.
            game: where it stands.
            role: of the seat.
            people: seats that people have taken.
            seen: of ``image`` and ``pool``, what the browser has got already.
        """
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
            if role == "answerer" and view.image is not None and "image" not in seen:
                made["image"] = self._drawing(view.image)
            if role == "questioner" and "pool" not in seen:
                made["pool"] = [self._drawing(p) for p in view.pool.pictures]
        if game.over:
            made["debriefing"] = self.debriefing
            made["owed"] = owed(game, role)
        return made

    @cached_property
    def _drawing(self) -> Callable[[Picture], dict[str, Any]]:
        """Drawings of the store's pictures: many people see the same ones."""
        return lru_cache(maxsize=DRAWN)(partial(drawing, self.task.store))

    def let_bot(self, store: Store, talk: int, game: Game, clock: Callable[[], datetime]) -> Game:
        """Let the bot do what is its turn, until it is somebody else's; where it stands then.

        One that says what nobody may say has left, and whoever stays is paid.
        """
        bot = self.bot
        if bot is None or not game.move(bot.role):
            return game
        trial = store.read(log.trial_of, talk)
        while move := game.move(bot.role):
            view = self.view(trial, game, bot.role)
            body = bot.does(move, view)
            here = (self.room, talk, bot.role, f"{game.seq + 1}")
            try:
                _, game = store.write(log.say, *here, move, body, clock(), game)
            except Refused:
                game = store.read(log.game_of, self.room, talk, game)
                if game.move(bot.role) == move:  # nobody has ended it meanwhile
                    end = ("end", {"why": "left"})
                    _, game = store.write(log.say, *here, *end, clock(), game)
        return game
