"""What a pool is: units of work, each to be done by so many people, under arms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from deixis.collect.study import Model
from deixis.dataset import Dataset, Store
from deixis.sources import Source, load

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from deixis.collect.store.engine import Store as Answers


@dataclass(frozen=True, slots=True)
class Unit:
    """What one person takes on at a time.

    Attributes:
        key: its name.
        arm: the condition it is done under.
        wanted: how many people should do it.
    """

    key: str
    arm: str
    wanted: int


def loaded(source: str, data: Path | None, world: Mapping[str, int]) -> Dataset:
    """The dataset behind a source; worlds and files are read once for all pools of a process.

    Args:
        source: ``NAME[,OPTION=VALUE][:SPLIT[+SPLIT]]``.
        data: where datasets are.
        world: options of an embedded world, such as its size.

    Raises:
        BadInput: there is no such source, or it takes no such option.
    """
    parsed = Source.parse(source)
    whole = replace(parsed, splits=())
    return _whole(whole, data, tuple(sorted(world.items()))).select(*parsed.splits)


@lru_cache(maxsize=4)
def _whole(source: Source, data: Path | None, world: tuple[tuple[str, int], ...]) -> Dataset:
    return load(source, data, **dict(world))


class Pool(Protocol):
    """Units, and the stimuli of their trials."""

    @property
    def store(self) -> Store:
        """Where its pictures come from."""

    @property
    def types(self) -> Sequence[str]:
        """Names of the trial types that it has stimuli for."""

    @property
    def arms(self) -> Mapping[str, str]:
        """The condition of each arm, as written."""

    @property
    def units(self) -> Sequence[Unit]:
        """What is handed out."""

    @property
    def one_by_one(self) -> bool:
        """Whether a person gets unit after unit, or a single one."""

    @property
    def fingerprint(self) -> str:
        """Hash of the data behind it."""

    def trials(self, unit: str, seed: str) -> list[str]:
        """Keys of a unit's trials, in the order in which one person gets them."""

    def practice(self, seed: str) -> list[str]:
        """Keys of practice trials, in order."""

    def stimulus(
        self, trial_type: str, key: str, arm: str, seed: str, earlier: Mapping[str, Any]
    ) -> Model:
        """The stimulus of a trial.

        Args:
            trial_type: name of its type.
            key: of the trial.
            arm: the person's condition.
            seed: of the person's draws.
            earlier: details of the scores of the unit's trials that came before, by type.
        """


@runtime_checkable
class Line(Pool, Protocol):
    """A pool that takes on what other studies made, and hands on what is made of it."""

    @property
    def collection(self) -> str:
        """What the studies have in common."""

    @property
    def stage(self) -> str:
        """Which of them it is."""

    def attach(self, store: Answers) -> None:
        """Where things are kept."""

    def supply(self, c: Connection, study: int) -> int:
        """Take on what has come this far; how many units are new."""

    def done(self, c: Connection, claim: int, now: datetime) -> None:
        """Hand on what somebody has done, in the transaction of the answer."""
