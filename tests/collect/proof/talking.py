"""Live dialogs under SIGKILL and over a network that cuts connections: what must hold after."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import select
from tests.collect.proof.served import Served, crowd, visit_all

from deixis.collect.live.log import hashed
from deixis.collect.simulate.visits import Tally, Visit, complete
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import lines, seats, talks
from deixis.seeds import draw

STUDY = """
name = "proof"
version = 1
title = "Proof"
summary = "Talk."
minutes = 1
[platform]
name = "generic"
[[phase]]
name = "talk"
type = "dialog"
trials = [{{ source = "rooms", pool = "first:{packet}", rounds = 3 }}]
"""
MESSAGES = 2 + 1 + 3 * 3
"""Of each dialog: ready twice, a first guess, and three rounds of question, answer and guess."""


@dataclass
class Shaky:
    """A network that cuts connections now and then, before or after what was said arrived.

    Attributes:
        target: host and port of the server.
        rng: what it is drawn with.
        cut: the chance with each piece that the connection ends.
        delay: seconds, of which each piece takes up to.
        fates: how often what happened.
    """

    target: tuple[str, int]
    rng: np.random.Generator
    cut: float = 0.04
    delay: float = 0.02
    fates: Counter[str] = field(default_factory=Counter)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection: pieces go both ways until one is lost."""
        try:
            there, back = await asyncio.open_connection(*self.target)
        except OSError:
            writer.close()
            return
        ways = [
            asyncio.create_task(self.pump(reader, back)),
            asyncio.create_task(self.pump(there, writer)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        for end in (writer, back):
            end.close()

    async def pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pieces one way."""
        try:
            while piece := await reader.read(1 << 16):
                await asyncio.sleep(float(self.rng.random()) * self.delay)
                fate = "sent"
                if self.rng.random() < self.cut:
                    fate = "lost before" if self.rng.random() < 0.5 else "lost after"
                self.fates[fate] += 1
                if fate != "lost before":
                    writer.write(piece)
                    await writer.drain()
                if fate != "sent":
                    return
        except OSError:
            return


@asynccontextmanager
async def between(network: Shaky) -> AsyncIterator[str]:
    """The network on a free port; gives the address for browsers."""
    server = await asyncio.start_server(network.handle, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.close()


@dataclass
class Talked:
    """What came of it: visits, and sentences on what is not as it must be."""

    visits: list[Visit]
    tally: Tally
    wrong: list[str]

    @property
    def lost(self) -> int:
        """Connections that ended too early."""
        return sum(m.lost for v in self.visits for m in v.minds.values())

    @property
    def acknowledged(self) -> int:
        """Messages that the server said are on disk."""
        return sum(len(m.acknowledged) for v in self.visits for m in v.minds.values())


def run(site: Served, people: int, seed: int, address: str = "") -> Talked:
    """Let people talk to the end, and look at the log."""
    visits: list[Visit] = []

    def made(*args: Any) -> Visit:
        visits.append(Visit(*args))
        return visits[-1]

    tally = Tally()
    complete(visit_all(site, crowd(people, seed), tally, address, made))
    return Talked(visits, tally, wrongs(site.store, visits))


def crash(site: Served, *, people: int, kills: int, seed: int) -> Talked:
    """Kill the server whenever the log has grown past a drawn number of lines."""
    points = sorted(draw(seed, "kill").choice(people // 2 * MESSAGES - 4, kills, replace=False))
    ended = threading.Event()

    def killer() -> None:
        for point in points:
            while site.store.read(_lines) < point and not ended.wait(0.005):
                pass
            if ended.is_set():
                return
            site.kill()
            site.start()

    thread = threading.Thread(target=killer)
    thread.start()
    try:
        return run(site, people, seed)
    finally:
        ended.set()
        thread.join()


def bad_network(site: Served, network: Shaky, *, people: int, seed: int) -> Talked:
    """The same over a network that cuts connections."""
    started: list[str] = []
    stop = threading.Event()

    async def serve() -> None:
        async with between(network) as address:
            started.append(address)
            while not stop.is_set():
                await asyncio.sleep(0.02)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    while not started:
        time.sleep(0.005)
    try:
        return run(site, people, seed, started[0])
    finally:
        stop.set()
        thread.join()


def wrongs(store: Store, visits: list[Visit]) -> list[str]:
    """What is not as it must be: messages lost or doubled, gaps in logs, dialogs without an end."""
    found = []
    talked = store.read(lambda c: c.execute(select(talks)).all())
    for talk in talked:
        own = select(lines).where(lines.c.talk_id == talk.id).order_by(lines.c.seq)
        log = store.read(lambda c, own=own: c.execute(own).all())
        if [row.seq for row in log] != list(range(1, len(log) + 1)):
            found.append(f"dialog {talk.id}: numbers {[row.seq for row in log]}")
        if (talk.over, len(log)) != ("completed", MESSAGES):
            found.append(f"dialog {talk.id}: {talk.over or 'goes on'} after {len(log)} lines")
    for visit in visits:
        for step, mind in visit.minds.items():
            seat = store.read(
                lambda c, step=step: c.execute(
                    select(seats).where(seats.c.token == hashed(step))
                ).one()
            )
            own = select(lines.c.key, lines.c.seq, lines.c.body).where(
                lines.c.talk_id == seat.talk_id, lines.c.by == seat.role
            )
            kept = {
                row.key.partition("/")[2]: (row.seq, row.body)
                for row in store.read(lambda c, own=own: c.execute(own).all())
            }
            for key, seq in mind.acknowledged.items():
                if kept.get(key) != (seq, mind.said[key]["body"]):
                    found.append(f"{key} of {step}: told {seq}, kept {kept.get(key)}")
            if set(kept) != set(mind.said):
                found.append(f"{step}: said {len(mind.said)}, kept {len(kept)}")
    return found


def _lines(c: Any) -> int:
    return len(c.execute(select(lines.c.id)).all())
