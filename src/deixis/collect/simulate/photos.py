"""A made world of pictures for simulated collections: what is in each is known."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from deixis.collect.pictures.provider import COLUMNS
from deixis.collect.pictures.queries import Query, Synset, queries
from deixis.pictures.scene import COLORS, SHAPES, Scene, Thing, draw_scene
from deixis.seeds import draw
from deixis.worlds.scenes.placing import random_scene

SCALE = 3
NUMBERS = ("no", "exactly one", "exactly two", "exactly three", "exactly four", "exactly five")
LICENCES = (
    ("CC0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ("CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
)


def make_photos(folder: Path, n: int, seed: int) -> dict[str, Scene]:
    """Write so many pictures, and a few files that are none, with their table.

    Args:
        folder: made if need be.
        n: pictures.
        seed: of everything in them.

    Returns:
        The scene of each picture by its address.
    """
    folder.mkdir(parents=True, exist_ok=True)
    scenes: dict[str, Scene] = {}
    rows = []
    for number in range(n):
        rng = draw(seed, "photo", number)
        shape = SHAPES[number % len(SHAPES)]
        scene, file = random_scene(rng, 2, (shape,)), f"{number:05}.png"
        small = Image.fromarray(draw_scene(scene))
        large = small.resize((small.width * SCALE, small.height * SCALE), Image.Resampling.NEAREST)
        large.save(folder / file)
        url = f"https://pictures.example/{file}"
        scenes[url] = scene
        words = f"{shape} {shape}s two three some many group of"
        rows.append([file, words, url, f"{url}?page", *LICENCES[number % 2], f"Maker {number % 7}"])
    rows += _faulty(folder, rows)
    with (folder / "pictures.csv").open("w", encoding="utf-8", newline="") as table:
        csv.writer(table).writerows([COLUMNS, *rows])
    return scenes


def wanted() -> list[Query]:
    """What to search for among made pictures."""
    return [q for s in SHAPES for q in queries(Synset(s, f"{s}s", ("group",)))]


def _faulty(folder: Path, rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """A page that poses as a picture, a stub, a small one, a copy, one that is sold, a lost one."""
    (folder / "page.jpg").write_text("<html><body>not found</body></html>")
    (folder / "stub.png").write_bytes((folder / rows[0][0]).read_bytes()[:200])
    Image.new("RGB", (150, 150), "red").save(folder / "small.png")
    (folder / "copy.png").write_bytes((folder / rows[0][0]).read_bytes())
    made = [
        [f, "square squares", f"https://pictures.example/{f}", "", "", "", ""]
        for f in ("page.jpg", "stub.png", "small.png", "copy.png", "lost.png")
    ]
    sold = [rows[1][0], "square", f"https://www.shutterstock.com/{rows[1][0]}", "", "", "", ""]
    return [*made, sold]


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence about a pair of pictures that can be checked.

    Attributes:
        scope: one, both, left, right or sum.
        number: how many there are.
        color: of the things; empty for any.
        shape: of the things.
    """

    scope: str
    number: int
    color: str
    shape: str

    def text(self) -> str:
        """As people write it.

        >>> Fact("both", 2, "blue", "circle").text()
        'Both images show exactly two blue circles.'
        """
        plural = "" if self.number == 1 else "s"
        what = (
            f"{NUMBERS[self.number]} {f'{self.color} ' if self.color else ''}{self.shape}{plural}"
        )
        start = {
            "one": "At least one of the images shows",
            "both": "Both images show",
            "left": "The left image shows",
            "right": "The right image shows",
            "sum": "Together the images show",
        }[self.scope]
        return f"{start} {what}."

    def true(self, left: Scene, right: Scene) -> bool:
        """Whether it holds."""
        counts = (self._count(left), self._count(right))
        if self.scope == "sum":
            return sum(counts) == self.number
        fits = [n == self.number for n in counts]
        return {"one": any(fits), "both": all(fits), "left": fits[0], "right": fits[1]}[self.scope]

    def _count(self, scene: Scene) -> int:
        return sum(self._is(thing) for box in scene for thing in box)

    def _is(self, thing: Thing) -> bool:
        return thing.shape == self.shape and self.color in ("", thing.color)


def facts() -> Iterator[Fact]:
    """Everything that simulated people think of."""
    for scope in ("one", "left", "right", "sum", "both"):
        for number in range(len(NUMBERS)):
            for color in ("", *COLORS):
                for shape in SHAPES:
                    yield Fact(scope, number, color, shape)


@cache
def known() -> dict[str, Fact]:
    """The fact behind each sentence that simulated people can write."""
    return {fact.text(): fact for fact in facts()}


def contrasts(scenes: Sequence[Scene]) -> list[tuple[Fact, tuple[int, int]]]:
    """Facts that are true of exactly two of four pairs, with these two.

    Args:
        scenes: eight, pairs side by side.
    """
    found = []
    for fact in facts():
        true = [p for p in range(4) if fact.true(scenes[2 * p], scenes[2 * p + 1])]
        if len(true) == 2:
            found.append((fact, (true[0], true[1])))
    return found


def interesting(scene: Scene, shape: str) -> str:
    """The mark of a picture: fine if it shows more than one thing and the wanted shape."""
    things = [t for box in scene for t in box]
    if not any(t.shape == shape for t in things):
        return "absent"
    return "fine" if len(things) > 2 else "uninteresting"


def pick(rng: np.random.Generator, names: Sequence[str], barred: set[str]) -> str:
    """Any of these names but the barred ones."""
    free = [n for n in names if n not in barred]
    return free[int(rng.integers(len(free)))]
