"""Finished dialogs as VisDial v1.0 JSON, and as Replies like those of any player."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection, select

from deixis.collect.live import log
from deixis.collect.live.game import SEATS, Game
from deixis.collect.live.parlour import Parlour
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import seats, sessions, talks, workers
from deixis.interventions.condition import show
from deixis.outcomes import score
from deixis.players.guessing.converse import written
from deixis.players.guessing.ranked import ranked
from deixis.replies import TOP, Replies
from deixis.runs.cell import Cell
from deixis.runs.folder import RunFolder
from deixis.stats.ranks import Ranks
from deixis.tasks.see import see
from deixis.writing import write_text

SPLIT = "val"
FILE = f"visdial_1.0_{SPLIT}.json"
"""Named as the published file, so that ``deixis load visdial`` finds it."""

PLAYER = "people"
"""Who guesses in a run; ``people+answerer`` where a bot answers, and so on."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A finished dialog.

    Attributes:
        id: its number.
        trial: id of the trial.
        game: from beginning to end.
        rater: whom the study knows who guessed, or who answered a bot that did; empty if unknown.
    """

    id: int
    trial: str
    game: Game
    rater: str = ""


def finished(c: Connection, parlour: Parlour) -> Iterator[Talk]:
    """Dialogs that went through all their rounds, in the order in which they began."""
    role = next(s for s in SEATS if s not in parlour.room.bots)
    rows = (
        select(talks.c.id, talks.c.trial, workers.c.name)
        .join(seats, (seats.c.talk_id == talks.c.id) & (seats.c.role == role))
        .outerjoin(sessions, sessions.c.id == seats.c.session_id)
        .outerjoin(workers, workers.c.id == sessions.c.worker_id)
        .where(talks.c.room == parlour.name, talks.c.over == "completed")
        .order_by(talks.c.id)
    )
    for row in c.execute(rows).all():
        yield Talk(row.id, row.trial, log.game_of(c, parlour.room, row.id), row.name or "")


def visdial(parlour: Parlour, made: Sequence[Talk]) -> dict[str, Any]:
    """Dialogs in the form of VisDial v1.0: what was said, not what was read.

    There may be several about one picture, so each has a number too. Questions lose their question
    mark, as they do there. Pictures keep their names.
    """
    questions: dict[str, int] = {}
    answers: dict[str, int] = {}
    dialogs = []
    for talk in made:
        trial = parlour.trials[talk.trial]
        rounds = [
            {
                "question": questions.setdefault(t.question.rstrip("? "), len(questions)),
                "answer": answers.setdefault(t.answer, len(answers)),
            }
            for t in talk.game.turns
        ]
        image, caption = trial.image.source, trial.dialog.caption
        told = {"dialog_id": talk.id, "image_id": image, "caption": caption}
        dialogs.append(told | {"dialog": rounds})
    data = {"questions": list(questions), "answers": list(answers), "dialogs": dialogs}
    return {"version": "1.0", "split": SPLIT, "data": data}


def replies(parlour: Parlour, made: Sequence[Talk]) -> Replies:
    """Guesses after the caption and after each round, people being raters of one player.

    Somebody who names one picture says nothing of the others: a right guess ranks first, after a
    wrong one the target is tied with all that were not named.
    """
    trials = [parlour.trials[t.trial] for t in made]
    views = [see(parlour.task, t, "guesser") for t in trials]
    parts, raw = [], []
    for number in range(parlour.rounds + 1):
        places = np.array([t.game.guesses[number] for t in made], np.int64)
        right = places == np.array([t.answer for t in trials])
        sizes = np.array([len(t.pool.pictures) for t in trials], np.int64)
        top = np.full((len(made), TOP), -1, np.int64)
        top[:, 0] = places
        ranks = np.where(right, 1.0, (sizes + 2) / 2)
        parts.append(Ranks(ranks, np.where(right, 1, sizes - 1), top))
        raw.append([written(t.game.turns[number - 1]) if number else None for t in made])
    raters = tuple(t.rater for t in made) * len(parts)
    return replace(ranked(views, parts, raw), raters=raters)


def write_run(folder: Path, parlour: Parlour, made: Sequence[Talk], revision: str) -> int:
    """Write guesses as a run, for ``deixis compare``.

    Args:
        folder: of the run; must not exist.
        parlour: of the dialogs.
        made: finished ones.
        revision: hash of the study.

    Returns:
        How many dialogs are in it.
    """
    about = {t.trial for t in made}
    base, player = parlour.task, "+".join([PLAYER, *parlour.room.bots])
    trials = tuple(t for t in base.trials if t.id in about)
    task = replace(base, trials=trials)
    run = RunFolder(folder)
    run.open(
        {
            "task": base.kind,
            "source": base.name,
            "fingerprint": base.dataset.fingerprint,
            "options": dict(base.options),
            "condition": show(base.condition),
            "contexts_seed": base.seeds.contexts,
            "trials": len(base),
            "player": player,
        }
    )
    try:
        outcomes = score(task, replies(parlour, made))
        run.write(Cell(player, revision, outcomes.condition, task.seeds), outcomes)
    finally:
        run.close()
    return len(made)


def export_talks(store: Store, parlour: Parlour, folder: Path) -> dict[str, Any]:
    """Write finished dialogs into a folder, see `write_talks`."""
    return store.read(write_talks, parlour, folder)


def write_talks(
    c: Connection, parlour: Parlour, folder: Path, revision: str = ""
) -> dict[str, Any]:
    """Write finished dialogs: `FILE`, ``guesses.jsonl``, and ``people.run``.

    Args:
        c: of one state of the store.
        parlour: of the dialogs.
        folder: made if need be.
        revision: hash of the study; without one there is no run.

    Returns:
        The object that ``deixis collect talk --export --json`` prints.
    """
    made = list(finished(c, parlour))
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {"dialog": t.id, "trial": t.trial, "round": number, "place": place}
        | {"right": place == parlour.trials[t.trial].answer}
        for t in made
        for number, place in enumerate(t.game.guesses)
    ]
    contents = {
        FILE: json.dumps(visdial(parlour, made), ensure_ascii=False),
        "guesses.jsonl": "".join(f"{json.dumps(row)}\n" for row in rows),
    }
    for name, content in contents.items():
        write_text(folder / name, content)
    if made and revision:
        write_run(folder / f"{PLAYER}.run", parlour, made, revision)
    return {
        "schema": "deixis/talk/1",
        "study": parlour.name,
        "dialogs": len(made),
        "guesses": len(rows),
        "right": sum(bool(r["right"]) for r in rows),
    }
