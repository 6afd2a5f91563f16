"""KiloGram's Figure 9 (four conditions × states of training × players) and Figure 10 (parts).

``tiny`` runs whole on the data at hand, with CLIP and ViLT of a few thousand weights drawn at
random, which show that all of it works and little else; what learns there is `aligned`. ``paper``
is the same code with the checkpoints, numbers and splits of the paper; it needs the upstream
``full.json`` and a graphics processor.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from deixis.dataset import Dataset
from deixis.outcomes import Outcomes
from deixis.players.common.ensemble import Ensemble
from deixis.players.common.neural import tiny
from deixis.players.common.neural.tiny import Size
from deixis.players.protocols import Player
from deixis.players.reference.lessons import lessons
from deixis.progress import Progress
from deixis.reproduce.kilogram import tables
from deixis.reproduce.kilogram.design import CONDITIONS, HUMAN, RICHEST, Design, Entrant, Exam
from deixis.reproduce.kilogram.numbers import Cell, Point, cell, curve
from deixis.reproduce.kilogram.presets import PRESETS, chosen
from deixis.reproduce.kilogram.training import School
from deixis.reproduce.report import Asked, Reproduced
from deixis.runs.play import play
from deixis.sources import load
from deixis.tasks.task import Task

SMALL = Size(width=24, depth=1, side=48, patch=16)
"""Of checkpoints that are drawn at random."""


def kilogram_fig9(asked: Asked) -> Reproduced:
    """Make both figures.

    Options: ``players`` (names joined by commas), ``clip``, ``vilt`` (a folder or hub name instead
    of the preset's), ``device``; for the paper's appendix ``lessons`` (contexts in training) and
    ``contexts`` (in tests), ``controlled`` or ``random``; ``validation``: ``shared`` as published,
    or ``disjoint`` to keep its pictures out of training and to choose by text to picture.

    Raises:
        BadInput: an option is wrong, or data or a checkpoint are missing.
    """
    asked.only("players", "clip", "vilt", "device", "lessons", "contexts", "validation")
    design = chosen(asked.chosen(PRESETS, "tiny"), asked)
    dataset = load(design.source, asked.data)
    for split in {design.train, *(t.split for t in design.tests), design.curve.split} - {""}:
        dataset.select(split)
    with checkpoints(design, dataset, asked.out) as ready:
        return Showing(ready, dataset, asked.out, asked.progress).shown(asked.preset or "tiny")


@contextmanager
def checkpoints(design: Design, dataset: Dataset, out: Path | None) -> Iterator[Design]:
    """The design with tiny checkpoints, drawn at random, for entrants that name none."""
    lacking = [e for e in design.entrants if e.untrained is not None and not e.argument]
    if not lacking:
        yield design
        return
    records = dataset.select(*([design.train] if design.train else [])).records
    texts = [t for a in records.values() for t in (a.whole, *a.parts)]
    with tempfile.TemporaryDirectory() as temporary:
        root = (out or Path(temporary)) / "checkpoints"
        makers = {"clip": tiny.clip, "vilt": tiny.vilt}
        places = {e.name: makers[e.player](root / e.player, texts, size=SMALL) for e in lacking}
        entrants = (
            replace(e, argument=str(places[e.name])) if e in lacking else e for e in design.entrants
        )
        yield replace(design, entrants=tuple(entrants))


@dataclass
class Showing:
    """Plays a design, and shows what came of it.

    Attributes:
        design: complete with checkpoints.
        dataset: all of it.
        out: where trainings are kept; None keeps nothing.
        progress: told of everything that takes time.
    """

    design: Design
    dataset: Dataset
    out: Path | None
    progress: Progress

    def __post_init__(self) -> None:
        folder = self.out / "players" if self.out else None
        self.school = School(self.design, self.dataset, folder, self.progress)

    def shown(self, preset: str) -> Reproduced:
        """Tables, figures and numbers."""
        cells = [c for test in self.design.tests for c in self.cells(test)]
        points = [p for entrant in self.design.entrants for p in self.points(entrant)]
        chance = 1 / self.design.k
        return Reproduced(
            name="kilogram-fig9",
            content={
                "preset": preset,
                "dataset": self.dataset.name,
                "fingerprint": self.dataset.fingerprint,
                "train": self.design.train,
                "lessons": self.design.lessons,
                "augment": self.design.augment,
                "seeds": self.design.seeds,
                "chance": chance,
                "human": {c: list(levels) for c, levels in HUMAN.items()},
                "cells": [asdict(c) for c in cells],
                "curve": [asdict(p) for p in points],
            },
            tables=[tables.bars(cells), tables.curves(points)],
            figures={
                "kilogram-fig9": lambda: _plots().bars(cells, chance),
                "kilogram-fig10": lambda: _plots().curves(points, chance),
            },
            notes=_notes(preset, self.design),
        )

    def cells(self, test: Exam) -> Iterator[Cell]:
        """The bars of one test."""
        games = self.design.games(self.dataset, test)
        for entrant in self.design.entrants:
            for state in entrant.states:
                for condition in test.conditions:
                    if state == "augmented" and condition != RICHEST:
                        continue
                    where = {
                        "test": test.name,
                        "player": entrant.name,
                        "state": state,
                        "condition": condition,
                    }
                    yield self._cell(where, entrant, test, games)

    def _cell(self, where: Mapping[str, str], entrant: Entrant, test: Exam, games: Task) -> Cell:
        players = self.school.players(entrant, where["state"], where["condition"], test, games)
        seen = games.do(*CONDITIONS[where["condition"]])
        runs = [self._played(seen, p) for p in players]
        joined = self._played(seen, Ensemble(players)) if len(players) > 1 else runs[0]
        pictures = {lesson.id: lesson.picture.key for lesson in lessons(seen)}
        return cell(where, joined, runs, pictures)

    def points(self, entrant: Entrant) -> list[Point]:
        """A player's curve, after augmented training."""
        test = self.design.curve
        games = self.design.games(self.dataset, test)
        players = self.school.players(entrant, "augmented", RICHEST, test, games)
        player = Ensemble(players) if len(players) > 1 else players[0]
        return curve(entrant.name, self._played(games, player))

    def _played(self, task: Task, player: Player) -> Outcomes:
        return play(task, player, progress=self.progress).base[0]


def _notes(preset: str, design: Design) -> list[str]:
    notes = ["people: the means of the two groups in parts+color that the paper prints"]
    if preset == "tiny":
        notes.append(
            "clip and vilt are a few thousand weights drawn at random: no result of theirs"
        )
    if design.seeds > 1:
        notes.append(f"of {design.seeds} training runs each, joined by the product of softmaxes")
    return notes


def _plots() -> Any:
    """Drawn only where figures are written."""
    from deixis.reproduce.kilogram import plots

    return plots
