"""Play a task under several conditions and seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from deixis.errors import BadInput
from deixis.interventions.condition import show
from deixis.outcomes import Outcomes, score
from deixis.players.protocols import Player
from deixis.progress import Progress, quiet
from deixis.replies import concatenate
from deixis.runs.cell import Cell
from deixis.runs.engine import engine as make_engine
from deixis.runs.engine import jobs
from deixis.runs.folder import RunFolder
from deixis.tasks.see import see
from deixis.tasks.task import Task


@dataclass(frozen=True)
class Run:
    """What one player did on one task.

    Attributes:
        task: with its base condition.
        player: name.
        revision: of the player.
        outcomes: for each condition, as written on top of the base, one for each replicate.
    """

    task: Task
    player: str
    revision: str
    outcomes: Mapping[str, tuple[Outcomes, ...]]

    @property
    def base(self) -> tuple[Outcomes, ...]:
        """Outcomes under the base condition."""
        return self.outcomes[""]


def play(
    task: Task,
    player: Player,
    conditions: Iterable[str] = (),
    *,
    replicates: int = 1,
    engine: str = "local",
    folder: RunFolder | None = None,
    trained: str = "",
    progress: Progress = quiet,
) -> Run:
    """Play the base condition, and each other condition on top of it.

    Args:
        task: with its base condition and seeds.
        player: who plays; one that is bound to its task is bound anew to each condition.
        conditions: interventions as written, each text a condition of its own.
        replicates: how often each is played, with the next seeds of order and operators.
        engine: ``local`` or ``process:N``.
        folder: an open folder; cells that it holds are not played again.
        trained: what the player's training lacked, for the record.
        progress: told of each chunk.

    Raises:
        BadInput: an intervention does not fit the task.
    """
    written = list(dict.fromkeys(["", *conditions]))
    grid = [(c, r) for c in written for r in range(replicates)]
    cells = {key: _cell(task, player, *key, trained) for key in grid}
    for condition in written:
        check(task, condition)
    done: dict[tuple[str, int], Outcomes] = {}
    for key, cell in cells.items():
        held = folder.read(cell) if folder else None
        if held is not None:
            done[key] = held
    missing = [key for key in grid if key not in done]
    if missing:
        for key, outcomes in _play(task, player, missing, engine, progress):
            done[key] = outcomes
            if folder:
                folder.write(cells[key], outcomes)
    by_condition = {c: tuple(done[c, r] for r in range(replicates)) for c in written}
    return Run(task, player.name, player.revision, by_condition)


def merge(runs: Sequence[Run]) -> Run:
    """Runs of players that differ in their training seed alone, as replicates of one.

    Raises:
        BadInput: they were not played under the same conditions.
    """
    first = runs[0]
    if any(set(r.outcomes) != set(first.outcomes) for r in runs):
        raise BadInput("runs of different conditions are no replicates")
    outcomes = {c: tuple(o for r in runs for o in r.outcomes[c]) for c in first.outcomes}
    revisions = "+".join(dict.fromkeys(r.revision for r in runs))
    return Run(first.task, first.player, revisions, outcomes)


def under(task: Task, condition: str, replicate: int = 0) -> Task:
    """The task of one cell."""
    altered = task.do(condition) if condition else task
    return altered.reseed(task.seeds.replicate(replicate))


def check(task: Task, condition: str) -> None:
    """See one trial under the condition, so that a wrong argument is found before long work.

    Raises:
        BadInput: it does not fit the task, or begins after the last round and would alter nothing.
    """
    altered = under(task, condition)
    for one in altered.condition:
        last = altered.last_round(one.channel)
        if one.since is not None and last is not None and one.since > last:
            raise BadInput(
                f"{one}: it would alter nothing: "
                f"{task.name} has no {one.channel} after round {last}"
            )
    for reader in altered.readers:
        see(altered, altered.trials[0], reader)


def _cell(task: Task, player: Player, condition: str, replicate: int, trained: str) -> Cell:
    altered = under(task, condition, replicate)
    return Cell(player.name, player.revision, show(altered.condition), altered.seeds, trained)


def _play(
    task: Task,
    player: Player,
    keys: Sequence[tuple[str, int]],
    engine: str,
    progress: Progress,
) -> Iterable[tuple[tuple[str, int], Outcomes]]:
    altered = {key: under(task, *key) for key in keys}
    batches = {key: jobs(t, t.condition, t.seeds) for key, t in altered.items()}
    total, finished = sum(map(len, batches.values())), 0
    progress(f"playing {player.name}", 0, total)
    with make_engine(engine, task, player) as run:
        replies = run([job for batch in batches.values() for job in batch])
        for key, batch in batches.items():
            parts = []
            for _ in batch:
                parts.append(next(replies))
                finished += 1
                progress(f"playing {player.name}", finished, total)
            yield key, score(altered[key], concatenate(parts))
