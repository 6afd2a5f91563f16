"""Entrants become players: zero-shot as they are, or trained, each training once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from deixis.dataset import Dataset
from deixis.players.protocols import Player
from deixis.progress import Progress, quiet
from deixis.reproduce.kilogram.design import CONDITIONS, Design, Entrant, Exam
from deixis.runs.prepare import build, prepare
from deixis.tasks.task import Task


@dataclass
class School:
    """Trains the players of a design, and remembers them.

    Attributes:
        design: what is compared.
        dataset: all of it.
        folder: where trainings are kept and gone on with; None keeps nothing.
        progress: told of batches.
    """

    design: Design
    dataset: Dataset
    folder: Path | None = None
    progress: Progress = field(default=quiet, repr=False)

    def __post_init__(self) -> None:
        self._players: dict[tuple[str, str, str, str], list[Player]] = {}
        self._training = self.design.training(self.dataset)
        self._development = self.design.development(self.dataset)

    def players(
        self, entrant: Entrant, state: str, condition: str, test: Exam, games: Task
    ) -> list[Player]:
        """The runs of an entrant in a state, one for each training seed; one if nothing is drawn.

        Args:
            entrant: who.
            state: of training; see `design.STATES`.
            condition: by name; training sees what the test will show.
            test: what will be played.
            games: its task, with everything to be seen.
        """
        if state == "zero-shot":
            key = (entrant.name, state, "", "")
        else:
            key = (entrant.name, state, condition, test.name if test.folds else "")
        if key not in self._players:
            self._players[key] = self._made(entrant, state, condition, test, games)
        return self._players[key]

    def _made(
        self, entrant: Entrant, state: str, condition: str, test: Exam, games: Task
    ) -> list[Player]:
        if state == "zero-shot":
            made = build(entrant.spec, games, **(entrant.untrained or {}))
            return [prepare(made, games)]
        return [
            self._trained(entrant, state, condition, test, games, seed)
            for seed in range(self.design.seeds)
        ]

    def _trained(
        self, entrant: Entrant, state: str, condition: str, test: Exam, games: Task, seed: int
    ) -> Player:
        augment = self.design.augment if state == "augmented" else "none"
        seen = games.do(*CONDITIONS[condition])
        learner = build(
            entrant.spec, seen, **entrant.trained, lessons=self.design.lessons, augment=augment
        )
        crossed = test.folds > 0
        dev = self._development
        return prepare(
            learner,
            seen,
            train=None if crossed else self._training.do(*CONDITIONS[condition]),
            dev=None if crossed or dev is None else dev.do(*CONDITIONS[condition]),
            seed=seed,
            folds=test.folds,
            folder=self._folder(entrant, state, condition, test, seed),
            progress=lambda what, i, n: self.progress(f"{what}, {state} in {condition}", i, n),
        )

    def _folder(
        self, entrant: Entrant, state: str, condition: str, test: Exam, seed: int
    ) -> Path | None:
        if self.folder is None:
            return None
        where = test.name if test.folds else "all"
        return self.folder / entrant.name / where / f"{state}-{condition}-{seed}"
