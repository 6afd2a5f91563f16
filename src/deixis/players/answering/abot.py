"""``abot:FOLDER``: the answerer of bots that were trained before ranks given answers.

An answer's score is the log-probability of saying it, summed over its words and END, as in the code
of Das et al. (2017): not divided by its length, so long answers stand low.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deixis.errors import BadInput
from deixis.players.common.saved import CARD, Saved, lessons_of
from deixis.players.guessing.bots.learner import Bots, read_bots
from deixis.players.guessing.bots.speaking import Answerer
from deixis.replies import Replies
from deixis.tasks.task import Task
from deixis.trials import AnswerView

_ROWS = 64
"""Questions scored at a time."""


class Ranking:
    """A-bot at a task: it reads the dialog, sees the picture, and scores each answer."""

    name = "abot"

    def __init__(self, bots: Bots) -> None:
        """Seat the answerer of a pair."""
        self.answerer = Answerer(bots.pair.answerer, bots.lexicon, bots.store, bots.manner)
        self.revision = bots.revision

    def reply(self, views: Sequence[AnswerView]) -> Replies:
        """Log-probabilities of all options."""
        scores: list[Any] = []
        for start in range(0, len(views), _ROWS):
            some = views[start : start + _ROWS]
            scores.extend(self.answerer.options(some, [v.options for v in some]))
        return Replies.scored(views, scores)


def abot(argument: str, task: Task) -> Ranking | Saved:
    """Load it.

    Raises:
        BadInput: there are no bots in the folder, or the task's pictures have other vectors.
    """
    folder = Path(argument)
    if not argument or not (folder / CARD).is_file():
        raise BadInput(
            f"abot:{argument}: no {CARD} there; train bots with deixis train … --player bots --out"
        )
    card = json.loads((folder / CARD).read_text("utf-8"))
    if card.get("player") not in ("bots", "qbot"):
        raise BadInput(f"abot:{argument}: {card.get('player')!r} has no answerer; train bots")
    made = Ranking(read_bots(folder, task, talk=True))
    learnt = lessons_of(folder)
    return made if learnt is None else Saved(made, learnt)
