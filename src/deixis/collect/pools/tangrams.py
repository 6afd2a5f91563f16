"""Tangrams to be annotated, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from deixis.collect.pools.pool import Unit, loaded
from deixis.collect.study import Model
from deixis.collect.trial_types.annotate_parts import Example, Figure
from deixis.collect.trial_types.describe_whole import Whole
from deixis.dataset import Annotation, Dataset
from deixis.errors import BadInput
from deixis.pictures.store import TangramStore
from deixis.seeds import digest, draw
from deixis.web.drawing import labelled


class Tangrams(Model):
    """Options of the pool.

    Attributes:
        kind: ``tangrams``.
        source: where the tangrams come from; those of its records only, where it has splits.
        world: options of an embedded world, such as its number of variants.
        people: how many should annotate each.
        limit: the first so many in a drawn order.
        dense: tangrams that more people should annotate, by name.
        dense_people: how many.
    """

    kind: Literal["tangrams"]
    source: str
    world: dict[str, int] = Field(default_factory=dict)
    people: int = Field(default=10, ge=1)
    limit: int | None = Field(default=None, ge=1)
    dense: tuple[str, ...] = ()
    dense_people: int = Field(default=50, ge=1)

    def build(self, data: Path | None) -> TangramPool:
        """Load the source.

        Raises:
            BadInput: it holds no tangrams, or lacks one that is named.
        """
        return TangramPool(loaded(self.source, data, self.world), self)


class TangramPool:
    """See `deixis.collect.pools.pool.Pool`; a trial's key is the tangram's name."""

    one_by_one = True
    types = ("describe_whole", "annotate_parts")
    arms: Mapping[str, str] = {"all": ""}

    def __init__(self, dataset: Dataset, options: Tangrams) -> None:
        if not isinstance(dataset.store, TangramStore):
            raise BadInput(f"{options.source}: holds no tangrams")
        self.store = dataset.store
        self.fingerprint = dataset.fingerprint
        self._examples: dict[str, list[Annotation]] = {}
        for record in dataset.records.values():
            self._examples.setdefault(record.picture, []).append(record)
        names = list(self._examples) if ":" in options.source else self.store.names
        for name in options.dense:
            if name not in names:
                raise BadInput(f"{options.source}: there is no tangram {name!r} to be dense")
        if options.limit is not None:
            kept = sorted(names, key=lambda n: (n not in options.dense, digest("limit", n)))
            names = sorted(kept[: options.limit], key=names.index)
        self.units = [
            Unit(n, "all", options.dense_people if n in options.dense else options.people)
            for n in names
        ]

    def trials(self, unit: str, seed: str) -> list[str]:
        """The tangram itself."""
        return [unit]

    def practice(self, seed: str) -> list[str]:
        """Three tangrams, drawn for the person."""
        drawn = draw(0, "practice", seed).permutation(len(self.units))[:3]
        return [self.units[i].key for i in drawn]

    def stimulus(
        self, trial_type: str, key: str, arm: str, seed: str, earlier: Mapping[str, Any]
    ) -> Model:
        """The drawing, and what is known of the tangram for simulated people."""
        drawing = labelled(self.store.tangram(key))
        known = self._examples.get(key, [])
        if trial_type == "describe_whole":
            return Whole(drawing=drawing, examples=tuple(a.whole for a in known))
        examples = [Example(parts=a.parts, pieces=a.pieces) for a in known if a.pieces is not None]
        whole = earlier.get("describe_whole", {}).get("text", "")
        return Figure(drawing=drawing, whole=whole, examples=tuple(examples))
