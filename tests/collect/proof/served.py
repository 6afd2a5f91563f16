"""A server in a process of its own, to be killed and started again; and what must hold after."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import Connection, select

from deixis.collect.export.counts import counts, faults
from deixis.collect.running import Running, run_studies
from deixis.collect.simulate.population import Person
from deixis.collect.simulate.visits import Tally, Visit
from deixis.collect.store.engine import Store
from deixis.collect.store.opening import open_store
from deixis.collect.store.tables import answers
from deixis.collect.study import load_study
from deixis.collect.trial import Profile
from deixis.seeds import draw

STUDY = """
name = "proof"
version = 1
title = "Proof"
summary = "Which one?"
minutes = 1
[pool]
kind = "games"
source = "figures:test"
world = {{ variants = 2 }}
limit = 8
packet = {packet}
people = 200
practice = 1
catch = 0
[pool.conditions]
"parts, color" = ""
"whole, black" = "parts=drop,color=drop"
[[phase]]
name = "consent"
type = "consent"
trials = [{{ text = "Shall we?" }}]
[[phase]]
name = "practice"
type = "choose_target"
use = "practice"
feedback = true
[[phase]]
name = "main"
type = "choose_target"
use = "pool"
"""


@dataclass
class Served:
    """A server that another process runs.

    Attributes:
        home: its folder.
        url: of its store.
        port: the same after every start.
        store: the same store, read from here.
        running: its study.
        starts: how often it was started.
    """

    home: Path
    url: str
    port: int
    store: Store
    running: Running
    starts: int = 0
    process: subprocess.Popen[str] | None = field(default=None, repr=False)

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "deixis", "serve", str(self.home / "proof.toml")]
        command += ["--home", str(self.home), "--store", self.url, "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, text=True)
        self.starts += 1
        while True:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}")
            try:
                httpx.get(f"{self.address}/study/proof", timeout=5)
                return
            except httpx.TransportError:
                time.sleep(0.02)

    def kill(self) -> None:
        """SIGKILL: no goodbye, nothing flushed, nothing closed."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def cpu_seconds(self) -> float:
        """Processor time that it has used since its last start (Linux)."""
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(port: int, url: str = "", packet: int = 4, text: str = STUDY) -> Iterator[Served]:
    """A started server of the proof's study on a store; gone after the block."""
    with tempfile.TemporaryDirectory(prefix="deixis-proof-") as folder:
        home = Path(folder)
        (home / "proof.toml").write_text(text.format(packet=packet))
        url = url or f"sqlite:///{home / 'answers.sqlite'}"
        store = open_store(url)
        study = load_study(home / "proof.toml")
        made = Served(home, url, port, store, run_studies(store, [study])["proof"])
        try:
            made.start()
            yield made
        finally:
            if made.process is not None and made.process.poll() is None:
                made.kill()
            store.close()


def crowd(n: int, seed: int) -> list[Person]:
    """People who all stay to the end."""
    profile = Profile(skill=0.8, seconds=8)
    return [Person(i, profile, draw(seed, "proof", i)) for i in range(n)]


Made = Callable[..., Visit]


async def visit_all(
    site: Served, people: Sequence[Person], tally: Tally, address: str = "", made: Made = Visit
) -> None:
    """All these people at once, each trying again until told."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    base = address or site.address
    async with httpx.AsyncClient(base_url=base, timeout=10, limits=limits) as client:
        visits = [made(client, site.store, site.running, p, tally) for p in people]
        await asyncio.gather(*(v.run() for v in visits))


def wrongs(store: Store, study: int, tally: Tally, n: int) -> list[str]:
    """What is not as it must be: answers lost, doubled or altered, counts that do not add up."""
    found = store.read(faults, study, "live")
    rows = store.read(_finals)
    by_step: dict[str, list[Any]] = {}
    for step, response in rows:
        by_step.setdefault(step, []).append(response)
    found += [f"{s}: {len(r)} final answers" for s, r in by_step.items() if len(r) > 1]
    for step, _, response in tally.acknowledged:
        kept = by_step.get(step)
        if kept is None:
            found.append(f"{step}: acknowledged, then lost")
        elif kept[0] != response:
            found.append(f"{step}: another answer than was acknowledged")
    steps = [step for step, _, _ in tally.acknowledged]
    found += [f"{s}: acknowledged twice" for s in set(steps) if steps.count(s) > 1]
    ended = store.read(counts, study, "live")["sessions"]
    if ended != {"completed": n} or tally.outcomes != {"completed": n}:
        found.append(f"{n} people came, {ended} in the store, {dict(tally.outcomes)} were told so")
    return found


def _finals(c: Connection) -> list[tuple[str, Any]]:
    rows = select(answers.c.step_id, answers.c.response).where(answers.c.final)
    return [(row.step_id, row.response) for row in c.execute(rows)]
