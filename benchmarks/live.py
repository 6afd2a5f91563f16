"""Fifty live dialogs at once: how long a message takes until it is on disk and acknowledged.

python benchmarks/live.py [DIALOGS]
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import websockets

from deixis.collect.live.app import make_live
from deixis.collect.live.output import finished
from deixis.collect.live.parlour import Parlour
from deixis.collect.store.opening import open_store
from deixis.tasks.make import make
from deixis.web.address import Address
from deixis.web.server import running
from deixis.worlds.rooms import rooms

THINK = 1.0
"""Seconds that people take for a message, on average; real people take far longer."""


async def person(url, waits, rng):
    """Say whatever is one's turn, until the dialog is over."""
    async with websockets.connect(url, max_size=2**24) as socket:
        await socket.send(json.dumps({"token": secrets.token_hex(16)}))
        sent, done, number = {}, set(), 0
        while True:
            said = json.loads(await socket.recv())
            if "page" not in said:
                waits.append(perf_counter() - sent.pop(said["key"]))
                assert "error" not in said, said
                continue
            page = said["page"]
            if page["over"]:
                return page["over"]
            move = (page["move"], len(page.get("turns", ())), len(page.get("guesses", ())))
            if not page["move"] or move in done:
                continue
            done.add(move)
            await asyncio.sleep(rng.exponential(THINK))
            number += 1
            body = {"place": 0} if page["move"] == "guess" else {"text": f"message {number}"}
            message = {"key": f"k{number}", "kind": page["move"], "body": body}
            sent[message["key"]] = perf_counter()
            await socket.send(json.dumps(message))


async def everybody(url, dialogs):
    waits, rng = [], np.random.default_rng(0)
    people = [person(url, waits, rng) for _ in range(2 * dialogs)]
    return await asyncio.gather(*people), waits


def main(dialogs):
    task = make(rooms(scenes=60), "rooms", pool="first:20")
    task = replace(task, readers=("guesser", "questioner", "answerer"))
    parlour = Parlour("bench", task)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{Path(folder) / 'answers.sqlite'}")
        with running(make_live(store, parlour, Address(port=0))) as url:
            start, spent = perf_counter(), process_time()
            socket = f"{url.replace('http', 'ws')}/live/bench"
            ends, waits = asyncio.run(everybody(socket, dialogs))
            seconds, spent = perf_counter() - start, process_time() - spent
        whole = len(store.read(lambda c: list(finished(c, parlour))))
        store.close()
    p50, p95 = 1000 * np.quantile(waits, [0.5, 0.95])
    told = ends.count("completed")
    print(f"{dialogs} dialogs, {whole} finished; {told} of {len(ends)} people were told so")
    print(f"{len(waits)} messages in {seconds:.0f} s: p50 {p50:.0f} ms, p95 {p95:.0f} ms")
    each = 1000 * spent / len(waits)
    print(f"{each:.1f} ms of processor time a message, server and generator together")
    print("load average: " + ", ".join(f"{n:.1f}" for n in os.getloadavg()))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
