"""Replay: one trial as it is and as it was edited, seen and played by the same player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from deixis.explore.faces import Shot, shot
from deixis.explore.pictures import Pictures
from deixis.outcomes import Outcomes, score
from deixis.players.guessing.converse import turn_of
from deixis.players.protocols import Bound, Player
from deixis.replies import STATUSES
from deixis.stats.percentile import percentile
from deixis.tasks.edits import Edits, places_of
from deixis.tasks.see import see
from deixis.tasks.task import Channel, Task
from deixis.trials import Picture

BEST = 6
"""Pictures of a pool that are shown."""


@dataclass(frozen=True)
class Slot:
    """One value that can be edited.

    Attributes:
        channel: whose value it is.
        at: the round, or the number of the value from 1, as edits write it.
        several: whether the channel has other values, too.
        kind: of the value: text, names, paint, shape or image.
        value: the value as interventions have left it.
    """

    channel: str
    at: int
    several: bool
    kind: str
    value: Any

    @property
    def key(self) -> str:
        """Names it on a page."""
        return f"{self.channel}-{self.at}"


def slots(task: Task, trial: Any) -> list[Slot]:
    """Everything of a trial that can be edited, for the readers of the game that is played.

    Where players talk, what they will say is not known yet: their texts are empty.
    """
    made = []
    talk = talks(task)
    for name in task.atoms:
        channel = task.channels[name]
        if channel.reader is not None and channel.reader not in task.readers:
            continue
        view = own_view(task, trial, channel.reader)
        values = channel.get(view)
        places = places_of(channel, view)
        if _lasting(channel):  # one picture, of which the view has a copy for each round
            values, places = values[:1], [0]
        for value, at in zip(values, places, strict=True):
            unsaid = talk and name in ("question", "answer")
            several = len(values) > 1 or at == 0
            made.append(Slot(name, at, several, channel.kind, "" if unsaid else value))
    if any(s.channel == "question" for s in made):  # as one reads them: round by round
        made.sort(key=lambda s: (s.kind == "image", s.at))
    return made


def talks(task: Task) -> bool:
    """Whether players of this game make the dialog themselves."""
    return "questioner" in task.readers


def own_view(task: Task, trial: Any, reader: str | None = None) -> Any:
    """A trial as its reader gets it, but in the trial's own order."""
    view = see(task, trial, reader)
    if not trial.shuffled:
        return view
    return view.shown(np.argsort(task.order(task.position(trial))).tolist())


def _lasting(channel: Channel) -> bool:
    return channel.kind == "image" and channel.rounds is not None


@dataclass(frozen=True)
class Side:
    """What came of one side.

    Attributes:
        status: of the reply.
        credit: 0 to 1.
        rank: of the answer, from 1; None where not ok.
        size: how many options there are.
        choice: position in the trial's own order, or in the pool; -1 for none.
        scores: in the trial's own order; empty for pools.
        curve: the percentile rank after each round; empty without rounds.
        ranks: the rank after each round.
        tops: the best of the pool after each round.
        raw: the reply as text; of several rounds, one text each.
    """

    status: str
    credit: float
    rank: float | None
    size: int
    choice: int
    scores: tuple[float, ...]
    curve: tuple[float, ...]
    ranks: tuple[float, ...]
    tops: tuple[tuple[int, ...], ...]
    raw: tuple[str, ...]


def play_one(task: Task, trial: Any, player: Player, edits: Edits = ()) -> Side:
    """Let a player reply to one trial; where players talk, edits act on every later round.

    Args:
        task: with its base condition.
        trial: one of its trials.
        player: at the task; one that is bound to it is bound to the edited task.
        edits: made by hand in the trial.

    Raises:
        BadInput: an edit does not fit, or the player cannot reply.
    """
    edited = replace(task, edits={trial.id: edits})
    seated = player.at(edited) if isinstance(player, Bound) else player
    replies = seated.reply([see(edited, trial)])
    single = replace(task, trials=(trial,))
    return _side(score(single, replies))


def said_by(task: Task, side: Side, edits: Edits = ()) -> list[tuple[str, str]]:
    """Question and answer of each round, where players talk; else nothing.

    Replies keep what was said. Where an edit put something else in the ears of all who read it,
    that is what stands here.
    """
    turns = [turn_of(raw) for raw in side.raw] if talks(task) else []
    put_in = {(e.channel, e.at): str(e.value) for e in edits if e.reader is None}
    return [
        (
            put_in.get(("question", number), turn.question),
            put_in.get(("answer", number), turn.answer),
        )
        for number, turn in enumerate(turns, 1)
    ]


def _side(outcomes: Outcomes) -> Side:
    last = len(outcomes) - 1
    pool = outcomes.scores is None
    ranks = outcomes.rank if pool else np.zeros(0)
    tops = outcomes.top if outcomes.top is not None else np.zeros((0, 0), np.int64)
    said = outcomes.raw if outcomes.raw is not None else ()
    rank = float(outcomes.rank[last])
    return Side(
        status=STATUSES[outcomes.status[last]],
        credit=float(outcomes.credit[last]),
        rank=rank if np.isfinite(rank) else None,
        size=int(outcomes.sizes[last]),
        choice=int(outcomes.choice[last]),
        scores=() if outcomes.scores is None else tuple(outcomes.scores[last].tolist()),
        curve=tuple(percentile(ranks, outcomes.sizes).tolist()) if pool else (),
        ranks=tuple(ranks.tolist()),
        tops=tuple(tuple(p for p in row[:BEST].tolist() if p >= 0) for row in tops),
        raw=tuple(str(r) for r in said if r is not None),
    )


def probabilities(scores: Sequence[float]) -> list[float]:
    """Scores as shares of 1, by softmax; NaN scores have none.

    >>> probabilities([0.0, 0.0])
    [0.5, 0.5]
    """
    table = np.array(scores, np.float64)
    if not np.isfinite(table).any():
        return [0.0] * len(table)
    shares = np.nan_to_num(np.exp(table - np.nanmax(table)))
    return [float(v) for v in shares / shares.sum()]


def words(before: str, after: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Both texts in pieces, each with whether it changed.

    >>> words("is it red", "is it blue")[1]
    [('is it', False), ('blue', True)]
    """
    old, new = before.split(), after.split()
    left: list[tuple[str, bool]] = []
    right: list[tuple[str, bool]] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if b > a:
            left.append((" ".join(old[a:b]), tag != "equal"))
        if d > c:
            right.append((" ".join(new[c:d]), tag != "equal"))
    return left, right


def best(task: Task, trial: Any, side: Side, pictures: Pictures) -> list[list[Shot]]:
    """The best pictures of the pool after each round."""
    pool: tuple[Picture, ...] = trial.pool.pictures if side.tops else ()
    return [[shot(pictures, pool[p]) for p in row] for row in side.tops]
