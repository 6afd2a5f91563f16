"""A plan: a study with everything that is needed to run it, all in memory, all from files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from deixis import registry
from deixis.collect.pools.pool import Pool
from deixis.collect.study import Model, Phase, Study
from deixis.collect.trial import TrialType
from deixis.errors import BadInput
from deixis.pictures.photos import PhotoStore
from deixis.pictures.store import TangramStore
from deixis.trials import Paint
from deixis.web.drawing import painted, photograph


@dataclass(frozen=True, slots=True)
class Step:
    """One trial of one session, as the store knows it.

    Attributes:
        phase: name of its phase.
        type: name of its trial type.
        key: of the trial in its phase or pool.
        arm: the session's condition, or empty.
        seed: of the session.
    """

    phase: str
    type: str
    key: str
    arm: str
    seed: str


class Plan:
    """A study, its pool and its trial types.

    Args:
        study: what to run.
        data: where datasets are; as ``--data``.

    Raises:
        BadInput: a trial type, pool or platform is unknown, or a trial does not fit its type.
    """

    def __init__(self, study: Study, data: Path | None = None) -> None:
        self.study, self.data = study, data
        self.hash = study.hash
        self.phases = {p.name: p for p in study.phases}
        self.types: dict[str, TrialType[Any, Any]] = {}
        for place, phase in enumerate(study.phases):
            with study.at("phase", place, "type"):
                for name in phase.types:
                    self.types[name] = registry.find("collect.trial_types", name)
        self.pool: Pool | None = _pool(study, data)
        self._own: dict[tuple[str, str], Model] = {}
        for place, phase in enumerate(study.phases):
            self._check(place, phase)

    def _check(self, place: int, phase: Phase) -> None:
        """What a phase shows, and that it can be shown: found now, not by a participant."""
        if phase.use != "own" and self.pool is not None:
            other = [name for name in phase.types if name not in self.pool.types]
            with self.study.at("phase", place, "type"):
                if other:
                    shown = " or ".join(self.pool.types)
                    raise BadInput(f"the pool is for {shown}, not for {other[0]}")
        kind = self.types[phase.types[0]]
        for number, given in enumerate(phase.trials):
            with self.study.at("phase", place, "trials", number):
                made: Model = kind.stimulus.model_validate(given)
                kind.page(made, self.drawing)
            self._own[phase.name, str(number)] = made

    def own(self, kind: str) -> dict[tuple[str, str], Model]:
        """Stimuli that the study's file holds of a trial type, by phase and key."""
        return {
            place: made
            for place, made in self._own.items()
            if self.phases[place[0]].types[0] == kind
        }

    @cached_property
    def order(self) -> list[str]:
        """Names of phases, in order."""
        return list(self.phases)

    @cached_property
    def pooled(self) -> str | None:
        """Name of the first phase that needs the person to have a unit of the pool."""
        named = [p.name for p in self.study.phases if p.use != "own"]
        return named[0] if named else None

    @cached_property
    def pooling(self) -> bool:
        """Whether a phase uses the pool in earnest, not for practice only."""
        return any(p.use == "pool" for p in self.study.phases)

    def keys(self, phase: Phase, unit: str, seed: str) -> list[tuple[str, str]]:
        """Type and key of each trial of a phase, in the order in which one person gets them.

        Args:
            phase: of the study.
            unit: of the pool, for phases that use it in earnest.
            seed: of the session.
        """
        if phase.use == "own":
            keys = [str(n) for n in range(len(phase.trials))]
        else:
            assert self.pool is not None  # the study was checked
            practising = phase.use == "practice"
            keys = self.pool.practice(seed) if practising else self.pool.trials(unit, seed)
        return [(name, key) for key in keys for name in phase.types]

    def stimulus(self, step: Step, earlier: Mapping[str, Any]) -> Model:
        """The stimulus of a step; see `Pool.stimulus`."""
        if self.phases[step.phase].use == "own":
            return self._own[step.phase, step.key]
        assert self.pool is not None  # the study was checked
        return self.pool.stimulus(step.type, step.key, step.arm, step.seed, earlier)

    def drawing(self, source: str, paint: Paint | None = None) -> dict[str, Any]:
        """A picture of the pool's store, for texts.

        Raises:
            BadInput: there is no such picture.
        """
        store = self.pool.store if self.pool else None
        if isinstance(store, PhotoStore):
            return photograph(store.native(store.picture(source)))
        if not isinstance(store, TangramStore):
            raise BadInput(
                f"{self.study.name}: shows the tangram {source!r}, but its pool has none"
            )
        return painted(store.tangram(source), paint)


def _pool(study: Study, data: Path | None) -> Pool | None:
    if not study.pool:
        return None
    with study.at("pool"):
        options = registry.find("collect.pools", str(study.pool.get("kind")))
        made: Pool = options.model_validate(study.pool).build(data)
    return made
