"""Engines: how the chunks of a task are replied to, in this process or in several.

Work is cut into the same chunks whatever the engine, so results do not depend on it.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace

from deixis.errors import BadInput
from deixis.interventions.condition import Condition
from deixis.players.protocols import Bound, Player
from deixis.replies import Replies
from deixis.seeds import Seeds
from deixis.tasks.see import see
from deixis.tasks.task import Task

CHUNK = 512
"""Trials in a chunk."""

Job = tuple[Condition, Seeds, int, int]
"""A condition, seeds, and the first and last trial (exclusive) of a chunk."""

Engine = Callable[[Sequence[Job]], Iterator[Replies]]
"""Replies to jobs, in their order."""


def jobs(task: Task, condition: Condition, seeds: Seeds) -> list[Job]:
    """The chunks of a task under a condition."""
    starts = range(0, len(task), CHUNK)
    return [(condition, seeds, a, min(a + CHUNK, len(task))) for a in starts]


@contextmanager
def engine(spec: str, task: Task, player: Player) -> Iterator[Engine]:
    """Make an engine for one player of one task.

    Args:
        spec: ``local``, or ``process:N`` for N processes.
        task: without condition; jobs bring their own.
        player: replies.

    Raises:
        BadInput: there is no such engine.
    """
    name, _, number = spec.partition(":")
    if spec == "local":
        work = _Work(task, player)
        yield lambda batch: (work(job) for job in batch)
    elif name == "process" and number.isdigit() and int(number) > 0:
        with _processes(int(number), task, player) as pool:
            yield lambda batch: _ordered(pool, batch)
    else:
        raise BadInput(f"there is no engine {spec!r}: expected local or process:N")


class _Work:
    """Replies to one job after another; keeps what the next job of a condition can use."""

    def __init__(self, task: Task, player: Player) -> None:
        self.task, self.player = task, player
        self._latest: tuple[Condition, Seeds] | None = None

    def __call__(self, job: Job) -> Replies:
        condition, seeds, start, stop = job
        if self._latest != (condition, seeds):
            self._latest = (condition, seeds)
            self._task = replace(self.task, condition=condition, seeds=seeds)
            self._player = (
                self.player.at(self._task) if isinstance(self.player, Bound) else self.player
            )
        views = [see(self._task, t) for t in self._task.trials[start:stop]]
        return self._player.reply(views)


_work: _Work | None = None


def _begin(sent: bytes) -> None:
    global _work
    # Ctrl-C reaches every process; the one that was called decides what is done about it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _work = _Work(*pickle.loads(sent))


def _do(job: Job) -> Replies:
    assert _work is not None  # _begin has run in this process
    return _work(job)


@contextmanager
def _processes(n: int, task: Task, player: Player) -> Iterator[ProcessPoolExecutor]:
    try:
        sent = pickle.dumps((task, player))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise BadInput(
            f"the player {player.name!r} cannot be sent to other processes, play it with "
            f"--engine local: {error}"
        ) from None
    context = multiprocessing.get_context("spawn")
    threads = str(max(1, (os.cpu_count() or 1) // n))
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    before = {name: os.environ.get(name) for name in names}
    # Children read these when they start; several processes with all threads each would be slow.
    os.environ.update(dict.fromkeys(names, threads))
    try:
        others = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(n, context, _begin, (sent,))
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            # A chunk may take minutes; nobody waits for it any more.
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()
            raise
        pool.shutdown()
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _ordered(pool: ProcessPoolExecutor, batch: Sequence[Job]) -> Iterator[Replies]:
    futures: list[Future[Replies]] = [pool.submit(_do, job) for job in batch]
    for future in futures:
        try:
            yield future.result()
        except BrokenProcessPool:
            raise BadInput(
                "a process of the engine died, perhaps for lack of memory; what is done is kept"
            ) from None
