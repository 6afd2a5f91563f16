"""Runs that are killed or interrupted, in processes of their own."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deixis.runs.columns import read
from deixis.runs.folder import RunFolder

SLOW = """
import time, zlib
def score(view):
    time.sleep(0.002)
    return [zlib.crc32(repr((view.texts, p)).encode()) % 997 for p in view.pictures]
"""
SEEDS = 10
PLAY = ("play", "figures:test", "--player", "call:slow_player:score", "--do", "whole=words:0.5",
        "--limit", "50", "--seeds", str(SEEDS), "--json")  # fmt: skip


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts a run of ten cells, each of which takes a tenth of a second."""
    (tmp_path / "slow_player.py").write_text(SLOW)

    def run(*more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "deixis", *PLAY, *more],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # Where tests run in the background, the shell has them ignore interruptions.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )

    return run


def cells(folder: Path) -> list[Path]:
    return sorted((folder / "cells").glob("*.parquet"))


def wait_for(folder: Path, n: int, process: subprocess.Popen[str]) -> None:
    while len(cells(folder)) < n and process.poll() is None:
        time.sleep(0.005)
    assert process.poll() is None, process.communicate()


def ended(process: subprocess.Popen[str]) -> tuple[int, Any, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, json.loads(out) if out else None, err


def test_killed_anywhere_it_ends_with_the_same_numbers(
    start, deixis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, chance = tmp_path / "run", random.Random(0)
    done: dict[str, bytes] = {}
    for _ in range(2):
        process = start("--out", str(folder))
        wait_for(folder, len(done) + chance.randint(1, 3), process)
        time.sleep(chance.random() / 10)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        for path, content in done.items():
            assert (folder / path).read_bytes() == content, "what was done is not done again"
        done = {str(p.relative_to(folder)): p.read_bytes() for p in cells(folder)}
        assert all(len(read(folder / path)) == 50 for path in done)
    status, resumed, _ = ended(start("--out", str(folder)))
    assert status == 0
    assert len(cells(folder)) == SEEDS
    monkeypatch.chdir(tmp_path)
    assert resumed == deixis(*PLAY).json


@pytest.mark.parametrize("engine", ["local", "process:2"])
def test_interrupted_it_says_so_and_the_folder_is_valid(start, tmp_path: Path, engine: str) -> None:
    folder = tmp_path / "run"
    process = start("--out", str(folder), "--engine", engine)
    wait_for(folder, 2, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to every process of the group
    status, out, err = ended(process)
    assert (status, out) == (130, None)
    assert err == "deixis: interrupted; with --out, what is done is kept\n"
    assert 2 <= len(cells(folder)) < SEEDS
    assert [p for p in folder.rglob("*") if p.suffix == ".tmp"] == []
    assert all(len(read(p)) == 50 for p in cells(folder))
    assert RunFolder(folder).spec()["source"] == "figures:test"
