"""Two stores behind one face: ``read(job)`` and ``write(job)``, each job one transaction.

SQLite has one writer: a thread that takes all waiting jobs, runs each in a savepoint and commits
them together, so that nobody waits for a lock, and one flush to disk serves many answers. A job's
result is given out after its commit only. PostgreSQL runs jobs side by side; they
hold rows by `deixis.collect.store.locks`.
"""

from __future__ import annotations

import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

T = TypeVar("T")
P = ParamSpec("P")
Job = Callable[[Connection], T]

ATTEMPTS = 8
"""How often a job that met another one is run."""

_BATCH = 64
_CONFLICTS = ("40001", "40P01", "23505")  # serialisation, deadlock, a row that was just made


class Store(ABC):
    """Where everything is kept.

    Attributes:
        url: as SQLAlchemy writes it.
        engine: for reading.
    """

    url: str
    engine: Engine

    @property
    def shown(self) -> str:
        """The URL without its password."""
        return make_url(self.url).render_as_string(hide_password=True)

    def read(
        self, job: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """Run a job that only reads, on one state of the store.

        Args:
            job: gets a connection, then what follows.
            args: of the job.
            named: of the job.
        """
        with self.engine.connect() as connection:
            return job(connection, *args, **named)

    def write(
        self, job: Callable[Concatenate[Connection, P], T], *args: P.args, **named: P.kwargs
    ) -> T:
        """Run a job as one transaction; when this returns, it is on disk.

        A job may be run again if it met another one, so it must change nothing but the store.

        Args:
            job: gets a connection, then what follows.
            args: of the job.
            named: of the job.
        """
        return self.run(lambda connection: job(connection, *args, **named))

    @abstractmethod
    def run(self, job: Job[T]) -> T:
        """Run a job as one transaction, see `write`."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections."""


class SqliteStore(Store):
    """A file, in write-ahead mode, flushed to disk on each commit.

    Args:
        url: ``sqlite:///PATH``.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        path = Path(url.removeprefix("sqlite:///"))
        path.parent.mkdir(parents=True, exist_ok=True)
        self.engine = create_engine(url, poolclass=QueuePool, pool_size=8, max_overflow=32)
        self.writer = create_engine(url, poolclass=QueuePool, pool_size=1, max_overflow=0)
        for engine, begin in ((self.engine, "BEGIN"), (self.writer, "BEGIN IMMEDIATE")):
            event.listen(engine, "connect", _prepare)
            event.listen(engine, "begin", lambda c, begin=begin: c.exec_driver_sql(begin))
        self._jobs: queue.SimpleQueue[tuple[Job[Any], Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="deixis-writer", daemon=True)
        self._thread.start()

    def run(self, job: Job[T]) -> T:
        """See `Store.run`."""
        promised: Future[T] = Future()
        self._jobs.put((job, promised))
        return promised.result()

    def close(self) -> None:
        """See `Store.close`; jobs that wait are done first."""
        self._jobs.put(None)
        self._thread.join()
        self.engine.dispose()
        self.writer.dispose()

    def _work(self) -> None:
        going = True
        while going:
            batch = [self._jobs.get()]
            while len(batch) < _BATCH and batch[-1] is not None:
                try:
                    batch.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            going = batch[-1] is not None
            waiting = [entry for entry in batch if entry is not None]
            if waiting:
                _settle(self.writer, waiting)


def _settle(engine: Engine, batch: list[tuple[Job[Any], Future[Any]]]) -> None:
    """Run jobs in one transaction, each in a savepoint; tell results after the commit."""
    results: list[tuple[Future[Any], Any, BaseException | None]] = []
    try:
        with engine.connect() as connection, connection.begin():
            for job, promised in batch:
                try:
                    with connection.begin_nested():
                        results.append((promised, job(connection), None))
                except Exception as error:
                    results.append((promised, None, error))
    except Exception as error:  # the commit failed: nothing of the batch is kept
        results = [(promised, None, error) for _, promised in batch]
    for promised, result, fault in results:
        if fault is None:
            promised.set_result(result)
        else:
            promised.set_exception(fault)


def _prepare(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions are ours to begin
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {pragma}")


class PostgresStore(Store):
    """A server; several of ours may share it.

    Args:
        url: ``postgresql+psycopg://…``.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.writer = create_engine(url, pool_size=10, max_overflow=30, pool_pre_ping=True)
        # Reads of one job see one state of the store, however long it takes.
        self.engine = self.writer.execution_options(isolation_level="REPEATABLE READ")

    def run(self, job: Job[T]) -> T:
        """See `Store.run`."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with self.writer.begin() as connection:
                    return job(connection)
            except DBAPIError as error:
                state = getattr(error.orig, "sqlstate", None)
                if state not in _CONFLICTS or attempt == ATTEMPTS:
                    raise
        raise AssertionError("unreachable")

    def close(self) -> None:
        """See `Store.close`."""
        self.writer.dispose()
