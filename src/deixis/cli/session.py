"""From the options of a command to a player at its task."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from deixis.cli.options import PlayOptions, TaskOptions
from deixis.cli.show import progress
from deixis.errors import BadInput
from deixis.players.protocols import Keeping, Learner, Player, Seated
from deixis.progress import Progress
from deixis.runs.folder import RunFolder
from deixis.runs.play import Run, merge, play
from deixis.runs.prepare import build, prepare
from deixis.seeds import digest
from deixis.sources import Source, known
from deixis.tasks.task import Task

_PATHS = ("data", "features")
"""Options of a task that are paths; they are kept whole, whatever the current folder."""


def own_options(options: Mapping[str, str]) -> dict[str, str]:
    """The player's own options, written as keywords."""
    return {name.lstrip("-").replace("-", "_"): value for name, value in options.items()}


@dataclass
class Session:
    """A player, or a learner still to be trained, at its task.

    A learner whose training is random is trained anew for each of ``--seeds``; any other player
    plays as many replicates.

    Attributes:
        made: the player or learner.
        task: what is played, with its base condition.
        train: what to train on, where it was named.
        how: the common options.
        folder: of the run, where one was named.
        progress: told of everything that takes time.
    """

    made: Player | Learner
    task: Task
    train: Task | None
    how: PlayOptions
    folder: RunFolder | None
    progress: Progress

    def __post_init__(self) -> None:
        self._trained: dict[tuple[str, int], Player] = {}

    @property
    def quick(self) -> bool:
        """Whether it trains in seconds."""
        return isinstance(self.made, Learner) and self.made.quick

    @property
    def stochastic(self) -> bool:
        """Whether another training seed makes another player."""
        return isinstance(self.made, Learner) and self.made.stochastic

    def player(self, trained: str = "", run: int = 0) -> Player:
        """The player whose training lacked something, trained once for each seed."""
        key = (trained, run)
        if key not in self._trained:
            lacking = self.task.do(trained) if trained else self.task
            train = self.train.do(trained) if trained and self.train else self.train
            folder = self.folder.path / "players" if self.folder else None
            what = f" under {trained}" if trained else ""
            self._trained[key] = prepare(
                self.made,
                lacking,
                train=train,
                seed=self.task.seeds.training + run,
                folder=folder / f"{digest(*key):016x}" if folder else None,
                allow=self.how.allow_overlap,
                progress=lambda doing, i, n: self.progress(doing + what, i, n),
            )
            if self.folder and not trained and run == 0:
                self.folder.claim("revision", self._trained[key].revision)
        return self._trained[key]

    def other(self, spec: str) -> Session:
        """A session of another player at the same task; one that trains does so on the same."""
        made = build(spec, self.task)
        return replace(self, made=made, train=self.train if isinstance(made, Learner) else None)

    def play(self, conditions: Sequence[str], trained: str = "") -> Run:
        """Play the base and these conditions, every replicate of them."""
        runs, replicates = (self.how.seeds, 1) if self.stochastic else (1, self.how.seeds)
        return merge(
            [
                play(
                    self.task.reseed(self.task.seeds.replicate(run)),
                    self.player(trained, run),
                    conditions,
                    replicates=replicates,
                    engine=self.how.engine,
                    folder=self.folder,
                    trained=trained,
                    progress=self.progress,
                )
                for run in range(runs)
            ]
        )


@dataclass(frozen=True)
class Asked:
    """What a command was asked to play.

    Attributes:
        source: the source, as written.
        player: ``NAME[:ARGUMENT]``.
        making: how the task is made.
        how: how it is played.
        options: the player's own, as written.
    """

    source: str
    player: str
    making: TaskOptions
    how: PlayOptions
    options: Mapping[str, str]

    def recalled(self) -> Asked:
        """The same; or, where the source is a run's folder, what that run was asked for.

        Raises:
            BadInput: the folder is no run that can be asked for again.
        """
        folder = run_of(self.source)
        if folder is None:
            return self
        held = RunFolder(folder).spec().get("arguments")
        if not held:
            raise BadInput(
                f"{folder}: run.json does not say how the run was asked for; one of people is set "
                "beside others by deixis compare"
            )
        making = TaskOptions(**_with_paths(held["making"], _PATHS))
        how = PlayOptions(**held["how"], out=folder)
        how = replace(how, allow_overlap=tuple(how.allow_overlap), engine=self.how.engine)
        return Asked(held["source"], held["player"], making, how, held["options"])

    def task(self) -> Task:
        """Load the source and make its task."""
        return self.making.task(self.source)

    def json(self) -> dict[str, Any]:
        """What `recalled` reads."""
        how = asdict(self.how)
        del how["out"]
        making = asdict(self.making)
        for name in _PATHS:
            making[name] = str(making[name].resolve()) if making[name] else None
        return {
            "source": _wherever(self.source),
            "player": self.player,
            "making": making,
            "how": how,
            "options": dict(self.options),
        }


def run_of(source: str) -> Path | None:
    """The source as a run's folder, if it is one.

    A dataset's or a world's name means that, whatever lies in the folder one works in: else the
    same command would mean something else there. A run of that name is told of on stderr.
    """
    folder = Path(source)
    if not (folder / "run.json").is_file():
        return None
    if not known(source.partition(":")[0].partition(",")[0]):
        return folder
    print(
        f"note: {source} is taken as the source of that name; for the run in the folder "
        f"{source}, write .{os.sep}{source}",
        file=sys.stderr,
    )
    return None


def _wherever(source: str) -> str:
    """The source as it can be named in any folder."""
    parsed = Source.parse(source)
    return (
        str(replace(parsed, name=str(Path(parsed.name).resolve()))) if parsed.is_table else source
    )


def _with_paths(given: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {**given, **{n: Path(given[n]) if given.get(n) else None for n in names}}


@contextmanager
def session(asked: Asked, task: Task) -> Iterator[Session]:
    """Everything between the options of a command and its answer.

    Args:
        asked: what was asked for.
        task: what is played.
    """
    how = asked.how
    if how.seeds < 1:
        raise BadInput(f"--seeds: expected at least 1, got {how.seeds}")
    made = build(asked.player, task, **own_options(asked.options))
    if isinstance(made, Seated):
        task = replace(task, readers=made.readers)
    train = asked.making.training(how.train_on) if how.train_on else None
    train = replace(train, readers=task.readers) if train else None
    with run_folder(asked, task) as folder, progress() as told, _kept(made, folder):
        yield Session(made, task, train, how, folder, told)


@contextmanager
def _kept(made: Player | Learner, folder: RunFolder | None) -> Iterator[None]:
    """Keep what a player pays for in the run's folder, and tell at the end what it was."""
    if not isinstance(made, Keeping):
        yield
        return
    if folder:
        made.keep(folder.path)
    try:
        yield
    finally:
        account = made.close()
        if folder:
            folder.note("account.json", account.json())
    print(f"{made.name}: {account}", *account.table(), sep="\n", file=sys.stderr)


@contextmanager
def run_folder(asked: Asked, task: Task) -> Iterator[RunFolder | None]:
    """The run's folder, opened and locked, or None where none was named."""
    if asked.how.out is None:
        yield None
        return
    folder = RunFolder(asked.how.out)
    folder.open(
        {
            "task": task.kind,
            "source": task.name,
            "fingerprint": task.dataset.fingerprint,
            "options": dict(task.options),
            "condition": ",".join(map(str, task.condition)),
            "contexts_seed": task.seeds.contexts,
            "trials": len(task),
            "player": asked.player,
        },
        asked.json(),
    )
    try:
        yield folder
    finally:
        folder.close()
