"""One player's dialogs under several conditions, round by round, put together for a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.audit.talk import (
    Shift,
    by_caption,
    information,
    predicted_apart,
    rounds_in,
    shift,
    turns_of,
    yes_no,
)
from deixis.errors import BadInput
from deixis.outcomes import Outcomes
from deixis.players.common.crossfit import CrossFit
from deixis.players.common.saved import Saved
from deixis.players.protocols import Guesser, Player
from deixis.runs.play import Run, under
from deixis.stats.clustered import Intervals
from deixis.stats.ranks import Affine
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.trials import Dialog, Turn, opaque

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Dialogs:
    """What was said, guessed and learnt.

    Attributes:
        information: points of rank that each round was worth, from round 1.
        worst: id, rank and percentile rank of the dialogs that the caption alone finds worst.
        people: share of people's answers that are exactly yes or no, and that begin with it.
        said: the same of the player's own answers; None where it says nothing.
        shifts: how far each condition moves what is said and guessed.
        cosines: of predicted vectors, mean over dialogs after each round, by condition; NaN for
            guessers that predict no vectors.
    """

    information: Intervals
    worst: list[tuple[str, float, float]]
    people: tuple[float, float]
    said: tuple[float, float] | None
    shifts: dict[str, Shift]
    cosines: dict[str, Floats]

    def json(self) -> dict[str, Any]:
        """As fields."""
        return {
            "information": [
                {"round": i, "value": v, "low": low, "high": high}
                for i, (v, low, high) in enumerate(_rows(self.information), start=1)
            ],
            "caption_only": [
                {"dialog": name, "rank": rank, "percentile_rank": points}
                for name, rank, points in self.worst
            ],
            "yes_no": {"people": _shares(self.people), "player": _shares(self.said)},
            "shifts": [
                {
                    "do": do,
                    "answers_changed": one.answers,
                    "questions_changed": one.questions,
                    "best_ten_shared": one.overlap,
                    "spearman": one.spearman,
                    "cosine": self.cosines[do],
                }
                for do, one in self.shifts.items()
            ],
        }


def dialogs(run: Run, player: Player, worst: int = 10) -> Dialogs:
    """Look at the first replicate of a run of guessing games.

    Args:
        run: under every condition.
        player: who played it.
        worst: how many of the dialogs to list that the caption alone finds worst.

    Raises:
        BadInput: the run is of another kind of task.
    """
    if run.task.kind != "guessing":
        raise BadInput(f"{run.task.name}: only guessing games have dialogs to follow")
    base = run.base[0]
    answers = [t.answer for trial in run.task.trials for t in trial.dialog.turns]
    own = [t.answer for r in rounds_in(base) for t in turns_of(base, r)]
    others = {do: o[0] for do, o in run.outcomes.items() if do}
    return Dialogs(
        information=information(base),
        worst=by_caption(base, worst),
        people=yes_no(answers),
        said=yes_no(own) if own else None,
        shifts={do: shift(base, one) for do, one in others.items()},
        cosines={do: cosines(run.task, player, base, one, do) for do, one in others.items()},
    )


def cosines(task: Task, player: Player, base: Outcomes, other: Outcomes, do: str) -> Floats:
    """Mean cosine of the vectors predicted with and without an intervention, shape (1 + R,)."""
    made = np.full(len(rounds_in(base)), np.nan)
    for number in rounds_in(base):
        before = read_by_guesser(task, base, number)
        after = read_by_guesser(under(task, do), other, number)
        found = []
        for guesser, rows in guessers(player, task):
            some = [before[i] for i in rows]
            if not isinstance(guesser.read(some[:1]), Affine):
                return made
            found.append(predicted_apart(guesser, some, [after[i] for i in rows]))
        every = np.concatenate(found)
        # A prediction of length 0 has no direction.
        made[number] = every[np.isfinite(every)].mean() if np.isfinite(every).any() else np.nan
    return made


def read_by_guesser(task: Task, outcomes: Outcomes, number: int) -> list[Dialog]:
    """What the guesser read after a round: what was said, through the task's condition."""
    said = [turns_of(outcomes, r) for r in range(1, number + 1)]
    made = []
    for i, trial in enumerate(task.trials):
        turns: tuple[Turn, ...] = trial.dialog.turns[:number]
        if all(said):
            turns = tuple(texts[i] for texts in said)
        played = replace(trial, dialog=Dialog(trial.dialog.caption, turns))
        made.append(see(task, played, "guesser").dialog)
    return made


def guessers(player: Player, task: Task) -> Iterator[tuple[Guesser, Sequence[int]]]:
    """Who reads which of a task's dialogs: one guesser, or one for each fold.

    Raises:
        BadInput: the player guesses without reading, such as one made from a file.
    """
    if isinstance(player, Saved):
        player = player.player
    if isinstance(player, CrossFit):
        for number, one in enumerate(player.players):
            rows = [i for i, t in enumerate(task.trials) if player.fold[opaque(t.id)] == number]
            if rows:
                yield _guesser(one), rows
        return
    yield _guesser(player), range(len(task))


def _guesser(player: Player) -> Guesser:
    found: Guesser | None = getattr(player, "guesser", None)
    if found is None:
        raise BadInput(f"{player.name} does not read dialogs: name a player that does")
    return found


def _rows(made: Intervals) -> Iterator[tuple[float, float, float]]:
    return zip(made.estimates.tolist(), made.low.tolist(), made.high.tolist(), strict=True)


def _shares(pair: tuple[float, float] | None) -> dict[str, float] | None:
    return None if pair is None else {"exactly": pair[0], "begins": pair[1]}
