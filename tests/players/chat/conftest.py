"""A task with colored pictures, and a server whose model sees colors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest
from tests.players.chat.fake import Asked, Fake, options, serving

from deixis.dataset import Choice, Dataset
from deixis.pictures.store import ArrayStore
from deixis.players.chat.options import chat
from deixis.players.chat.player import Chat
from deixis.tasks.make import make
from deixis.tasks.task import Task

COLORS = {"red": (255, 0, 0), "green": (0, 128, 0), "blue": (0, 0, 255)}


def colored(n: int = 9) -> Task:
    """Which color is the picture?"""
    values, names = list(COLORS.values()), tuple(COLORS)
    arrays = {f"p{i}": np.full((20 + i, 30, 3), values[i % 3], np.uint8) for i in range(n)}
    records = {
        f"q{i}": Choice(f"q{i}", "Which color?", (f"p{i}",), names, i % 3, ("picture", f"p{i}"))
        for i in range(n)
    }
    return make(Dataset("colors", "choice", {"all": tuple(records)}, records, ArrayStore(arrays)))


def color_of(picture: Any) -> str:
    """The name of the color in the middle of a picture."""
    middle = picture[picture.shape[0] // 2, picture.shape[1] // 2].astype(int)
    return min(COLORS, key=lambda c: np.abs(middle - COLORS[c]).sum())


def sees(asked: Asked) -> str | dict[str, float]:
    """The model: nine parts in ten on the label of the color that it sees; A without a picture."""
    listed = options(asked)
    right = color_of(asked.pictures[0]) if asked.pictures else ""
    label = next((n for n, t in listed.items() if t == right), "A")
    return {n: 0.9 if n == label else 0.1 / (len(listed) - 1) for n in listed}


def says(asked: Asked) -> str:
    """What that model writes."""
    shares = sees(asked)
    assert isinstance(shares, dict)
    return max(shares, key=lambda name: shares[name])


@pytest.fixture
def fake() -> Iterator[Fake]:
    with serving(Fake(sees)) as made:
        yield made


@pytest.fixture
def task() -> Task:
    return colored()


@pytest.fixture
def player(fake: Fake) -> Iterator[Callable[..., Chat]]:
    """Makes a player of the fake server; waits between tries are not waited for."""
    with ExitStack() as stack:

        def made(task: Task, **given: str) -> Chat:
            built = chat("fake", task, base_url=fake.url, **{"size": "128", **given})
            built.shared.server.sleep = lambda seconds: None
            stack.callback(built.close)
            return built

        yield made
