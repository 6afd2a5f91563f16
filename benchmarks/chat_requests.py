"""Overhead of a request at 64 at once, and resuming 1,000 items × 8 conditions, on a local server.

The server answers every request the same and does nothing else; it is another process. The obvious
alternative, httpx alone in as many threads, runs beside it in the same process.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import numpy as np

from deixis.dataset import Choice, Dataset
from deixis.pictures.store import ArrayStore
from deixis.players.chat.options import chat
from deixis.runs.folder import RunFolder
from deixis.runs.play import play
from deixis.tasks.make import make

SERVER = """
import asyncio, json
reply = {"model": "m", "choices": [{"message": {"content": "A"}, "finish_reason": "stop"}],
         "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
body = json.dumps(reply).encode()
answer = b"HTTP/1.1 200 OK\\r\\ncontent-length: %d\\r\\n\\r\\n" % len(body) + body
async def serve(reader, writer):
    try:
        while head := await reader.readuntil(b"\\r\\n\\r\\n"):
            size = next(h for h in head.lower().split(b"\\r\\n") if h.startswith(b"content-length"))
            await reader.readexactly(int(size.split(b":")[1]))
            writer.write(answer)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""
CONDITIONS = ("image=drop", "image=grey", "image=noise", "prompt=drop", "options=drop",
              "order=reverse", "image=blank")  # fmt: skip


def task(n: int = 1000):
    pictures = {f"p{i}": np.full((32, 32, 3), i % 250, np.uint8) for i in range(n)}
    records = {
        f"q{i}": Choice(f"q{i}", f"number {i}?", (f"p{i}",), ("a", "b"), 0, ("p", str(i)))
        for i in range(n)
    }
    return make(Dataset("bench", "choice", {}, records, ArrayStore(pictures)))


def alone(url: str, n: int) -> float:
    """Seconds for n requests by httpx alone."""
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "x" * 300}]}).encode()
    limits = httpx.Limits(max_connections=64, max_keepalive_connections=64)
    with httpx.Client(limits=limits, trust_env=False) as client, ThreadPoolExecutor(64) as pool:
        start = time.perf_counter()
        list(pool.map(lambda _: client.post(f"{url}/chat/completions", content=body), range(n)))
        return time.perf_counter() - start


def main() -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    url = f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
    try:
        with tempfile.TemporaryDirectory() as place:
            bare = task().do("image=drop")
            player = chat("m", bare, base_url=url, concurrency="64", self_test="none", size="64")
            player.keep(Path(place))
            start, worked = time.perf_counter(), time.process_time()
            play(bare, player)
            ours, worked = time.perf_counter() - start, time.process_time() - worked
            other = alone(url, 1000)
            print(
                f"1,000 requests, 64 at once: {ours:.2f} ms each, {worked:.2f} ms of processor "
                f"time; httpx alone {other:.2f} ms; ratio {ours / other:.2f}"
            )
            whole = task()
            folder = RunFolder(Path(place) / "run")
            folder.open({"task": "choice", "condition": ""})
            player = chat("m", whole, base_url=url, concurrency="64", self_test="none", size="64")
            player.keep(Path(place))
            start = time.perf_counter()
            play(whole, player, CONDITIONS, folder=folder)
            first = time.perf_counter() - start
            again = chat("m", whole, base_url=url, concurrency="64", self_test="none", size="64")
            again.keep(Path(place))
            start = time.perf_counter()
            play(whole, again, CONDITIONS, folder=folder)
            resumed = time.perf_counter() - start
            print(f"1,000 items x 8 conditions: {first:.1f} s, resumed in {resumed:.2f} s")
            for cell in (folder.path / "cells").iterdir():
                cell.unlink()  # as if it had been killed just before each cell was whole
            worst = chat("m", whole, base_url=url, concurrency="64", self_test="none", size="64")
            worst.keep(Path(place))
            start, worked = time.perf_counter(), time.process_time()
            play(whole, worst, CONDITIONS, folder=folder)
            resumed, worked = time.perf_counter() - start, time.process_time() - worked
            assert worst.shared.account.asked == 0
            print(f"from kept replies alone: {resumed:.2f} s, {worked:.2f} s of processor time")
    finally:
        server.kill()


if __name__ == "__main__":
    main()
