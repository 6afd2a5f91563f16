"""Q-bot as questioner and guesser, A-bot as answerer: networks behind the protocols of dialog.

Kept between calls are the memory's states and what was said next, by what was gone through: a
dialog one round longer than one read before costs one more round, and conditions share the rounds
they agree on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from deixis.pictures.vectors import Vectors
from deixis.players.guessing.bots.lessons import Spelling, Texts
from deixis.players.guessing.bots.lexicon import Lexicon
from deixis.players.guessing.bots.networks import ABot, QBot, State
from deixis.players.guessing.bots.saying import Manner, say
from deixis.seeds import draw
from deixis.stats.ranks import Affine
from deixis.trials import AnswerView, Dialog, GuessView, Picture, Turn

_KEPT = 20_000
"""States of dialogs that are kept; bounds the memory (8 kB each at 512 units)."""

_TEXTS = 200_000
"""Texts that are kept."""

_ROWS = 256
"""Texts read at a time."""

Key = tuple[Any, ...]

Asked = GuessView | AnswerView
"""A dialog that ends in a question, with the picture for who may look at it."""


class _Memory:
    """States of a bot's memory by what it went through."""

    def __init__(self, bot: QBot | ABot) -> None:
        self.bot = bot
        self._states: dict[Key, State] = {}

    def after(self, paths: Sequence[Key], inputs: Any) -> State:
        """The states after paths, each a tuple of steps.

        Args:
            paths: of n dialogs, each of one step at least.
            inputs: gives what the memory gets at some steps, shape (m, round_size).
        """
        missing = sorted({p[:i] for p in paths for i in self._lacking(p)}, key=len)
        for length in dict.fromkeys(len(p) for p in missing):
            some = [p for p in missing if len(p) == length]
            for start in range(0, len(some), _ROWS):
                self._step(some[start : start + _ROWS], inputs)
        found = [self._states[p] for p in paths]
        if len(self._states) > _KEPT:
            self._states = {p: self._states[p] for p in paths}
        return State(
            torch.cat([s.hidden for s in found], dim=1), torch.cat([s.cell for s in found], dim=1)
        )

    def _lacking(self, path: Key) -> range:
        known = len(path)
        while known and path[:known] not in self._states:
            known -= 1
        return range(known + 1, len(path) + 1)

    def _step(self, paths: Sequence[Key], inputs: Any) -> None:
        blank = self.bot.blank(1)
        before = [self._states[p[:-1]] if len(p) > 1 else blank for p in paths]
        state = State(
            torch.cat([s.hidden for s in before], dim=1), torch.cat([s.cell for s in before], dim=1)
        )
        made = self.bot.remember(inputs([p[-1] for p in paths]), state)
        for i, path in enumerate(paths):
            self._states[path] = State(made.hidden[:, i : i + 1], made.cell[:, i : i + 1])


class _Speaker:
    """What both have: a network, words, and a manner of saying them."""

    def __init__(
        self, bot: Any, lexicon: Lexicon, store: Vectors, manner: Manner, seed: int = 0
    ) -> None:
        self.bot, self.lexicon, self.store = bot.eval(), lexicon, store
        self.manner, self.seed = manner, seed
        self.spelling = Spelling(lexicon, bot.design, training=False)
        self.memory = _Memory(bot)
        self._texts: dict[Key, str] = {}

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"memory": _Memory(self.bot), "_texts": {}}

    @property
    def device(self) -> torch.device:
        """Where the network is."""
        found: torch.device = next(iter(self.bot.parameters())).device
        return found

    def read(self, reader: torch.nn.LSTM, texts: Sequence[Any]) -> State:
        """States after texts, given as what `spell` takes; each distinct one is read once."""
        places: dict[Any, int] = {}
        rows = torch.tensor([places.setdefault(t, len(places)) for t in texts])
        table = Texts.of([self.spell(reader, t) for t in places], self.device)
        parts = [
            self.bot.read(reader, some.numbers, some.lengths)
            for some in (
                table.take(torch.arange(a, min(a + _ROWS, len(places)), device=self.device))
                for a in range(0, len(places), _ROWS)
            )
        ]
        hidden = torch.cat([p.hidden for p in parts], dim=1)
        return State(hidden, torch.cat([p.cell for p in parts], dim=1)).take(rows.to(self.device))

    def spell(self, reader: torch.nn.LSTM, text: str | Turn) -> list[int]:
        """A caption or a turn as a fact; a question where A-bot reads one."""
        if isinstance(text, Turn):
            return self.spelling.fact(text)
        if reader is self.bot.facts:
            return self.spelling.caption(text)
        return self.spelling.question(text)

    def say(self, paths: Sequence[Key], views: Sequence[GuessView], longest: int) -> list[str]:
        """Say a text in each dialog; draws depend on the dialog and its round alone.

        Args:
            paths: what was gone through in n dialogs.
            views: of these dialogs.
            longest: words at most.
        """
        with torch.inference_mode():
            if self.manner.name == "sampled":
                rounds = [(v.id, len(v.dialog.turns)) for v in views]
                drawn = [draw(self.seed, "said", type(self).__name__, *r) for r in rounds]
                start = self.start(paths)
                return say(self.bot, start, self.lexicon, longest, self.manner, drawn)
            missing = [p for p in dict.fromkeys(paths) if p not in self._texts]
            if len(self._texts) > _TEXTS:
                missing, self._texts = list(dict.fromkeys(paths)), {}
            for a in range(0, len(missing), _ROWS):
                some = missing[a : a + _ROWS]
                said = say(
                    self.bot,
                    self.start(some),
                    self.lexicon,
                    longest,
                    self.manner,
                    taken=[self.taken(p) for p in some],
                )
                self._texts |= dict(zip(some, said, strict=True))
        return [self._texts[p] for p in paths]

    def taken(self, path: Key) -> frozenset[str]:
        """What was said before, and is not to be said again where it should be fresh."""
        return frozenset()

    def start(self, paths: Sequence[Key]) -> State:
        """Where saying starts from after these."""
        raise NotImplementedError


class Questioner(_Speaker):
    """Q-bot: asks, and guesses.

    Attributes:
        name: as the user named it.
        revision: of its weights and manner.
    """

    name = "qbot"
    revision = ""

    def ask(self, views: Sequence[GuessView]) -> list[str]:
        """The next question of each dialog."""
        return self.say([facts_of(v.dialog) for v in views], views, self.bot.design.longest[0])

    def start(self, paths: Sequence[Key]) -> State:
        """See `_Speaker`."""
        latest = self.read(self.bot.facts, [p[-1] for p in paths])
        state: State = self.bot.ready(self._after(paths), latest)
        return state

    def taken(self, path: Key) -> frozenset[str]:
        """The questions that were asked, as Q-bot remembers them."""
        return frozenset(turn.question for turn in path[1:])

    def pictures(self, pictures: Sequence[Picture]) -> Any:
        """The store's vectors, shape (N, d)."""
        return self.store.vectors(pictures)

    def read_dialogs(self, dialogs: Sequence[Dialog]) -> Affine:
        """Predicted vectors, as they are affine in the memory's state."""
        with torch.inference_mode():
            top = self._after([facts_of(d) for d in dialogs]).top
        return Affine(top.cpu().numpy(), self._weight, self._bias)

    def _after(self, paths: Sequence[Key]) -> State:
        return self.memory.after(paths, lambda steps: self.read(self.bot.facts, steps).top)

    @property
    def _weight(self) -> Any:
        return _numpy(self.__dict__, "weight", self.bot.feature.weight)

    @property
    def _bias(self) -> Any:
        return _numpy(self.__dict__, "bias", self.bot.feature.bias)


class Reader:
    """Q-bot as a guesser."""

    def __init__(self, questioner: Questioner) -> None:
        self.questioner = questioner
        self.name, self.revision = questioner.name, questioner.revision

    def pictures(self, pictures: Sequence[Picture]) -> Any:
        """The store's vectors, shape (N, d)."""
        return self.questioner.pictures(pictures)

    def read(self, dialogs: Sequence[Dialog]) -> Affine:
        """Predicted vectors."""
        return self.questioner.read_dialogs(dialogs)


class Answerer(_Speaker):
    """A-bot: sees the picture and answers."""

    def answer(self, views: Sequence[GuessView]) -> list[str]:
        """The answer to the last question of each dialog."""
        return self.say([rounds_of(v) for v in views], views, self.bot.design.longest[1])

    def options(self, views: Sequence[Asked], options: Sequence[Sequence[str]]) -> Any:
        """Log-probabilities of possible answers, summed over words and END.

        Args:
            views: n dialogs that end in a question.
            options: m answers for each.

        Returns:
            Shape (n, m).
        """
        made = []
        marks = (self.lexicon.start, self.lexicon.end)
        with torch.inference_mode():
            start = self.start([rounds_of(v) for v in views])
            for i, texts in enumerate(options):
                said = Texts.of([self.spelling.said(t, 1) for t in texts], self.device)
                own = start.take(torch.full((len(texts),), i, device=self.device))
                made.append(-self.bot.losses(own, said.numbers, said.lengths, marks))
        return torch.stack(made).cpu().numpy()

    def start(self, paths: Sequence[Key]) -> State:
        """See `_Speaker`."""
        latest = self.read(self.bot.questions, [p[-1][1] for p in paths])
        state: State = self.bot.ready(self.memory.after(paths, self._inputs), latest)
        return state

    def _inputs(self, steps: Sequence[tuple[str | Turn, str, Picture]]) -> Tensor:
        facts = self.read(self.bot.facts, [s[0] for s in steps])
        questions = self.read(self.bot.questions, [s[1] for s in steps])
        vectors = torch.from_numpy(self.store.vectors([s[2] for s in steps]))
        image = self.bot.look(vectors.to(self.device))
        return torch.cat([facts.top, questions.top, image], dim=1)


def facts_of(dialog: Dialog) -> Key:
    """The steps of Q-bot's memory: the caption, then each turn."""
    return (dialog.caption, *dialog.turns)


def rounds_of(view: Asked) -> Key:
    """The steps of A-bot's memory: the fact before each question, the question, the picture."""
    dialog, pictures = view.dialog, (*view.before, view.image)
    return tuple(
        (fact, turn.question, picture)
        for fact, turn, picture in zip(facts_of(dialog)[:-1], dialog.turns, pictures, strict=True)
    )


def _numpy(kept: dict[str, Any], name: str, value: Tensor) -> Any:
    """The weight as an array; always the same one, since read-outs are told apart by identity."""
    if name not in kept:
        kept[name] = value.detach().cpu().numpy().copy()
    return kept[name]
