"""Parlours from a few words: a source, a pool, a condition, a bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from deixis.collect.live.game import SEATS
from deixis.collect.live.log import Policy
from deixis.collect.live.parlour import Bot, Parlour
from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.players.common.saved import Saved
from deixis.players.guessing.linear import LinearLearner
from deixis.players.guessing.ranked import GuessPlayer
from deixis.players.guessing.scripted import Scripted
from deixis.players.protocols import Answerer, Conversing, Guesser, Learner, Questioner
from deixis.runs.prepare import build, overlap
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.task import Task


def make_parlour(
    name: str,
    source: str,
    *,
    data: Path | None = None,
    pool: str = "first:20",
    rounds: int = 10,
    do: Sequence[str] = (),
    altered: bool = False,
    debriefing: str = "",
    bot: str = "",
    policy: Policy | None = None,
) -> Parlour:
    """Live dialogs about the pictures of a source.

    Args:
        name: of the study.
        source: ``NAME[:SPLIT[+SPLIT]]`` of guessing games.
        data: where datasets are.
        pool: pictures to guess among.
        rounds: in each dialog.
        do: alter messages on their way, as ``CHANNEL[/READER]=OP``.
        altered: whether people agree to that.
        debriefing: what they are told about it in the end.
        bot: the seat that a bot takes, if any, and who it is: ``SEAT[:PLAYER]``.
        policy: how long to wait for whom; the usual one where left out.

    Raises:
        BadInput: the source is of another kind, or something does not go together.
    """
    dataset = load(source, data)
    if dataset.kind != "guessing":
        raise BadInput(f"{source}: live dialogs need guessing games")
    task = replace(make(dataset, source, pool=pool), readers=("guesser", *SEATS))
    taken = make_bot(bot, task, dataset, source) if bot else None
    conditions = [one for written in do for one in written.split(",")]
    return Parlour(
        name,
        task.do(*conditions) if conditions else task,
        rounds=rounds,
        bot=taken,
        policy=policy or Policy(),
        altered=altered,
        debriefing=debriefing,
    )


Sitting = tuple[Questioner | Answerer, Guesser | None]


def make_bot(written: str, task: Task, dataset: Dataset, source: str) -> Bot:
    """A bot in a seat: a player that talks, or else one that says what people said in the source.

    Raises:
        BadInput: there is no such seat.
    """
    role, _, player = written.partition(":")
    if role not in SEATS:
        raise BadInput(f"bot: expected {' or '.join(SEATS)}, or SEAT:PLAYER, got {written!r}")
    if player:
        return Bot(role, partial(trained, role, player, task))
    return Bot(role, partial(scripted, role, task, dataset, source))


def trained(role: str, spec: str, task: Task) -> Sitting:
    """A player such as ``saved:FOLDER`` that talks as it does with its like.

    Raises:
        BadInput: it cannot talk, or has learnt from what people would talk about.
    """
    made = build(spec, task)
    if isinstance(made, Learner):
        raise BadInput(f"bot: {spec} is not trained yet; train it, and name saved:FOLDER")
    if isinstance(made, Saved) and (shared := overlap(made.lessons, task)):
        raise BadInput(f"bot: {spec} has learnt from what people would talk about: {shared}")
    player = made.player if isinstance(made, Saved) else made
    if not isinstance(player, Conversing):
        raise BadInput(f"bot: {spec} reads dialogs, and does not talk")
    return (player.questioner, player.guesser) if role == SEATS[0] else (player.answerer, None)


def scripted(role: str, task: Task, dataset: Dataset, source: str) -> Sitting:
    """Says what people said in the source; one that asks also reads and guesses.

    It has learnt to read from the source's dialogs about other pictures than those to guess among.

    Raises:
        BadInput: there are too few other pictures to learn from.
    """
    return Scripted(task), reader(task, dataset, source) if role == SEATS[0] else None


def reader(task: Task, dataset: Dataset, source: str) -> Guesser:
    """A linear guesser that has learnt from dialogs about pictures in no pool of the task."""
    shown = {p.key for t in task.trials for p in t.pool.pictures}
    whole = make(dataset, source, pool="all")
    others = tuple(t for t in whole.trials if t.image.key not in shown)
    if len(others) < 2:
        raise BadInput(
            f"{source}: has {len(others)} dialogs about pictures outside the pool, and a bot that "
            "guesses learns from these: make the pool smaller"
        )
    player = LinearLearner().fit(replace(whole, trials=others))
    assert isinstance(player, GuessPlayer)  # that is what it fits
    return player.guesser
