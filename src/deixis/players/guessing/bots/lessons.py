"""Dialogs and pictures as tensors, and the loss of a batch of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from deixis.players.guessing.bots.design import Design
from deixis.players.guessing.bots.lexicon import Lexicon
from deixis.players.guessing.bots.networks import ABot, Pair, QBot, State
from deixis.training.batches import Batch
from deixis.trials import Dialog, Turn


@dataclass(frozen=True)
class Texts:
    """Texts as numbers of words, padded.

    Attributes:
        numbers: shape (n, length).
        lengths: shape (n,).
    """

    numbers: Tensor
    lengths: Tensor

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], device: torch.device | None = None) -> Texts:
        """Pad rows, to one column at least."""
        lengths = torch.tensor([len(r) for r in rows], dtype=torch.int64)
        numbers = torch.zeros((len(rows), max(int(lengths.max()), 1)), dtype=torch.int64)
        for i, row in enumerate(rows):
            numbers[i, : len(row)] = torch.tensor(row, dtype=torch.int64)
        return cls(numbers.to(device), lengths.to(device))

    def take(self, rows: Tensor) -> Texts:
        """Some of them, cut to the longest."""
        lengths = self.lengths[rows]
        return Texts(self.numbers[rows][:, : max(int(lengths.max()), 1)], lengths)


class Spelling:
    """Texts as bots read and say them."""

    def __init__(self, lexicon: Lexicon, design: Design, *, training: bool) -> None:
        """Spell for training, or for play: the two differ with ``marks=train``."""
        self.lexicon, self.design, self.training = lexicon, design, training
        marked = design.marks == "both" or (design.marks == "train" and training)
        self._before = [lexicon.start] if marked else []
        self._after = [lexicon.end] if marked else []

    def caption(self, text: str) -> list[int]:
        """The first fact."""
        return self.lexicon.encode(text, self.design.longest[2])

    def fact(self, turn: Turn) -> list[int]:
        """A round that is over: question and answer."""
        question, answer = self.said(turn.question, 0), self.said(turn.answer, 1)
        return self._marked(question) + self._marked(answer)

    def question(self, text: str) -> list[int]:
        """A question as A-bot reads it."""
        made = self.said(text, 0)
        if self.design.marks == "train" and not self.training:
            return [*made, self.lexicon.end]
        return self._marked(made)

    def said(self, text: str, which: int) -> list[int]:
        """A question (0) or an answer (1) as it is said."""
        return self.lexicon.encode(text, self.design.longest[which])

    def _marked(self, numbers: list[int]) -> list[int]:
        return [*self._before, *numbers, *self._after]


@dataclass(frozen=True)
class Lessons:
    """Dialogs of n pictures with up to R rounds; texts are held once, however often they are said.

    Attributes:
        facts: distinct facts; the first is empty.
        questions: distinct questions as A-bot reads them; the first is empty.
        asked: the same as Q-bot says them.
        answers: distinct answers; the first is empty.
        fact: which fact stands where, shape (n, 1 + R); the caption first.
        question: shape (n, R).
        answer: shape (n, R).
        held: whether there is such a round, shape (n, R).
        vectors: of pictures, shape (n, d).
        marks: the numbers of START and END.
    """

    facts: Texts
    questions: Texts
    asked: Texts
    answers: Texts
    fact: Tensor
    question: Tensor
    answer: Tensor
    held: Tensor
    vectors: Tensor
    marks: tuple[int, int]

    @classmethod
    def of(
        cls,
        dialogs: Sequence[Dialog],
        vectors: Tensor,
        spelling: Spelling,
        device: torch.device | None = None,
    ) -> Lessons:
        """Number every text of n dialogs; `vectors` are those of their pictures, shape (n, d)."""
        rounds = max(len(d.turns) for d in dialogs)
        facts, questions, answers = _Numbered(), _Numbered(), _Numbered()
        table = torch.zeros((3, len(dialogs), 1 + rounds), dtype=torch.int64)
        for i, dialog in enumerate(dialogs):
            table[0, i, 0] = facts(dialog.caption, spelling.caption)
            for r, turn in enumerate(dialog.turns, start=1):
                table[0, i, r] = facts(turn, spelling.fact)
                table[1, i, r] = questions(turn.question, spelling.question)
                table[2, i, r] = answers(turn.answer, lambda text: spelling.said(text, 1))
        asked = [spelling.said(str(text), 0) for text in questions.places]
        held = torch.tensor([[r < len(d.turns) for r in range(rounds)] for d in dialogs])
        return cls(
            facts=Texts.of(facts.rows, device),
            questions=Texts.of(questions.rows, device),
            asked=Texts.of([[], *asked], device),
            answers=Texts.of(answers.rows, device),
            fact=table[0].to(device),
            question=table[1, :, 1:].to(device),
            answer=table[2, :, 1:].to(device),
            held=held.to(device),
            vectors=vectors.to(device),
            marks=(spelling.lexicon.start, spelling.lexicon.end),
        )


class _Numbered:
    """Distinct things and their rows, numbered from 1; row 0 is empty."""

    def __init__(self) -> None:
        self.places: dict[object, int] = {}
        self.rows: list[list[int]] = [[]]

    def __call__(self, thing: object, spell: Callable[..., list[int]]) -> int:
        if thing not in self.places:
            self.places[thing] = len(self.rows)
            self.rows.append(spell(thing))
        return self.places[thing]


def loss(pair: Pair, lessons: Lessons, batch: Batch[int]) -> tuple[Tensor, dict[str, float]]:
    """The loss of a batch of dialogs, see `Design.loss`, and its three parts."""
    rows = torch.tensor(batch.items, device=lessons.fact.device)
    held, n = lessons.held[rows], len(rows)
    asked, vectors = _questioner(pair.questioner, lessons, rows)
    answered = _answerer(pair.answerer, lessons, rows)
    design = pair.design
    errors = (vectors - lessons.vectors[rows][:, None]) * held[..., None]
    if design.loss == "mse":
        squares = (errors**2).mean(dim=2).sum(dim=0) / held.sum(dim=0).clamp(min=1)
        seen, spoken = squares.mean(), 1 / (n * held.shape[1])
    else:
        seen, spoken = errors.square().sum(dim=(0, 2)).add(1e-12).sqrt().sum() / n, 1 / n
    words = spoken * (asked.sum() + answered.sum())
    total = design.language * words + design.vectors * seen
    said = {
        "questions": float(asked.sum().detach() / held.sum()),
        "answers": float(answered.sum().detach() / held.sum()),
        "vectors": float(seen.detach()),
    }
    return total, said


def _questioner(bot: QBot, lessons: Lessons, rows: Tensor) -> tuple[Tensor, Tensor]:
    """Losses of questions, one for each round that is held, and predictions, shape (n, R, d)."""
    held = lessons.held[rows]
    after, states, place = _remembered(bot, lessons, rows)
    starts = _joined(after[:-1])
    latest = states.take(place[:, :-1].T.reshape(-1))
    kept = held.T.reshape(-1).nonzero()[:, 0]
    question = lessons.question[rows].T.reshape(-1)[kept]
    said = lessons.asked.take(question)
    start = bot.ready(starts, latest).take(kept)
    losses = bot.losses(start, said.numbers, said.lengths, lessons.marks)
    return losses, bot.predict(_tops(bot, after))


def memories(bot: QBot, lessons: Lessons) -> Tensor:
    """What Q-bot's predictions are trained to be read off, of all dialogs, shape (n, R, hidden)."""
    rows = torch.arange(len(lessons.fact), device=lessons.fact.device)
    return _tops(bot, _remembered(bot, lessons, rows)[0])


def _tops(bot: QBot, after: Sequence[State]) -> Tensor:
    return torch.stack([m.top for m in (after[:-1] if bot.design.from_caption else after[1:])], 1)


def _remembered(bot: QBot, lessons: Lessons, rows: Tensor) -> tuple[list[State], State, Tensor]:
    """Q-bot's memory after the caption and each round; distinct facts read, and where."""
    fact = lessons.fact[rows]
    states, place = _read_once(bot, bot.facts, lessons.facts, fact)
    memory, after = bot.blank(len(rows)), []
    for r in range(fact.shape[1]):
        memory = bot.remember(states.top[place[:, r]], memory)
        after.append(memory)
    return after, states, place


def _answerer(bot: ABot, lessons: Lessons, rows: Tensor) -> Tensor:
    """Losses of answers, one for each round that is held."""
    fact, question, held = lessons.fact[rows], lessons.question[rows], lessons.held[rows]
    facts, at_fact = _read_once(bot, bot.facts, lessons.facts, fact[:, :-1])
    questions, at_question = _read_once(bot, bot.questions, lessons.questions, question)
    image = bot.look(lessons.vectors[rows])
    memory, after = bot.blank(len(rows)), []
    for r in range(question.shape[1]):
        parts = [facts.top[at_fact[:, r]], questions.top[at_question[:, r]], image]
        memory = bot.remember(torch.cat(parts, dim=1), memory)
        after.append(memory)
    kept = held.T.reshape(-1).nonzero()[:, 0]
    latest = questions.take(at_question.T.reshape(-1))
    said = lessons.answers.take(lessons.answer[rows].T.reshape(-1)[kept])
    start = bot.ready(_joined(after), latest).take(kept)
    return bot.losses(start, said.numbers, said.lengths, lessons.marks)


def _read_once(
    bot: QBot | ABot, reader: torch.nn.LSTM, texts: Texts, places: Tensor
) -> tuple[State, Tensor]:
    """States of the distinct texts among some, and where each of these is."""
    distinct, place = torch.unique(places, return_inverse=True)
    some = texts.take(distinct)
    return bot.read(reader, some.numbers, some.lengths), place


def _joined(states: Sequence[State]) -> State:
    """States of several rounds one after the other: round by round, all dialogs of each."""
    hidden = torch.cat([s.hidden for s in states], dim=1)
    return State(hidden, torch.cat([s.cell for s in states], dim=1))
