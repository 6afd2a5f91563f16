"""Reference games for people: packets of games, each under one condition.

As in KiloGram's human study (Ji et al., EMNLP 2022): for each condition the games are shuffled
once and cut into packets; a person gets one packet, so the condition follows the packet; practice
comes before it, and one game with an obvious answer stands somewhere in it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from deixis.collect.pools.pool import Unit, loaded
from deixis.collect.study import Model
from deixis.collect.trial_types.choose_target import BACKGROUNDS, Game, Part, Text
from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.interventions.condition import parse_condition
from deixis.pictures.store import SQUARE, TangramStore
from deixis.seeds import Seeds, draw
from deixis.tasks.make import make
from deixis.tasks.see import see
from deixis.tasks.task import Task
from deixis.trials import Description, ReferenceTrial
from deixis.web.drawing import drawing

CATCH = "catch"
DRAWN = 4096
"""Drawings that are kept: many people see the same pictures."""

OBVIOUS = ("parts=drop", "color=drop")
"""The interventions under which a catch game's answer stays obvious; others leave it alone."""


class Games(Model):
    """Options of the pool.

    Attributes:
        kind: ``games``.
        source: what the games are made of.
        training: what practice games are made of; the source where left out.
        world: options of an embedded world, such as its number of variants.
        options: of the task, as on the command line: ``contexts``, ``k``, ``template``.
        context_seed: of the draw of contexts, and of the shuffling into packets.
        limit: the first so many games in a drawn order.
        conditions: interventions by the name of the condition.
        packet: games that a person plays.
        people: how many should play each packet.
        practice: how many games are for practice.
        catch: how many games have an obvious answer, in each packet.
    """

    kind: Literal["games"]
    source: str
    training: str = ""
    world: dict[str, int] = Field(default_factory=dict)
    options: dict[str, str | int] = Field(default_factory=dict)
    context_seed: int = 0
    limit: int | None = Field(default=None, ge=1)
    conditions: dict[str, str] = Field(min_length=1)
    packet: int = Field(default=20, ge=1)
    people: int = Field(default=3, ge=1)
    practice: int = Field(default=10, ge=0)
    catch: int = Field(default=1, ge=0)

    @model_validator(mode="after")
    def _options(self) -> Games:
        if "direction" in self.options and self.catch:
            raise ValueError("catch games go from text to picture: say catch = 0")
        if len(set(self.conditions.values())) < len(self.conditions):
            raise ValueError("two conditions are the same")
        return self

    def task(self, data: Path | None, source: str = "") -> Task:
        """The task without condition.

        Raises:
            BadInput: the source is not of reference games, or an option is wrong.
        """
        wanted = source or self.source
        dataset = loaded(wanted, data, self.world)
        if dataset.kind != "reference":
            raise BadInput(f"{wanted}: a pool of games needs reference games")
        own: dict[str, Any] = {} if source else dict(self.options)
        task = make(dataset, wanted, seeds=Seeds(contexts=self.context_seed), **own)
        return task if source or self.limit is None else task.limit(self.limit)

    def build(self, data: Path | None) -> GamePool:
        """Load the source and make the packets."""
        task = self.task(data)
        training = self.task(data, self.training) if self.training else task
        return GamePool(task, training, self)


class GamePool:
    """See `deixis.collect.pools.pool.Pool`.

    A trial's key is ``main/ID``, ``practice/ID`` or ``catch/NUMBER``.
    """

    types = ("choose_target",)
    one_by_one = False

    def __init__(self, task: Task, training: Task, options: Games) -> None:
        self.store = task.store
        self.fingerprint = task.dataset.fingerprint
        self.arms = dict(options.conditions)
        self.task = task
        self._options = options
        self._drawn = lru_cache(maxsize=DRAWN)(partial(drawing, task.store))
        self._practice = _practice(training, options)
        tasks = {"main": task, "practice": training, CATCH: _catch(task, options.catch)}
        self._tasks = {
            (kind, arm): under(t, condition, only=OBVIOUS if kind == CATCH else None)
            for kind, t in tasks.items()
            for arm, condition in options.conditions.items()
        }
        for altered in self._tasks.values():  # what cannot be shown is found now, not by a person
            if altered.trials:
                see(altered, altered.trials[0])
        self._places = {
            kind: {t.id: i for i, t in enumerate(k.trials)} for kind, k in tasks.items()
        }
        self._packets = {
            f"{arm}/{number}": packet
            for arm in options.conditions
            for number, packet in enumerate(packets(task, arm, options.packet))
        }
        self.units = [Unit(k, k.rpartition("/")[0], options.people) for k in self._packets]

    def trials(self, unit: str, seed: str) -> list[str]:
        """The packet's games and the catch games, shuffled for the person."""
        keys = [f"main/{i}" for i in self._packets[unit]]
        keys += [f"{CATCH}/{n}" for n in range(self._options.catch)]
        return [keys[i] for i in draw(0, "trials", seed).permutation(len(keys))]

    def practice(self, seed: str) -> list[str]:
        """The same games for everybody, shuffled for the person."""
        order = draw(0, "practice", seed).permutation(len(self._practice))
        return [f"practice/{self._practice[i]}" for i in order]

    def stimulus(
        self, trial_type: str, key: str, arm: str, seed: str, earlier: Mapping[str, Any]
    ) -> Model:
        """The View that a model gets of the same trial, candidates shuffled for the person."""
        kind, _, trial_id = key.partition("/")
        task = self._tasks[kind, arm]
        place = self._places[kind][trial_id]
        trial = task.trials[place]
        shuffle = draw(0, "order", seed, key).permutation(trial.k)
        view = see(task, trial).shown(shuffle)
        order = task.order(place)[shuffle]
        colored = any(p.paint is not None for p in view.pictures)
        return Game(
            texts=tuple(_text(t, colored) for t in view.texts),
            drawings=tuple(self._drawn(p) for p in view.pictures),
            tokens=tuple(token(seed, key, i) for i in range(view.k)),
            order=tuple(int(i) for i in order),
            answer=int(trial.answer),
            catch=kind == CATCH,
        )


def under(task: Task, condition: str, only: Sequence[str] | None = None) -> Task:
    """The task under a condition as written, or those of its interventions that are in `only`."""
    written = [str(i) for i in parse_condition(condition)] if condition else []
    return task.do(*(w for w in written if only is None or w in only))


def packets(task: Task, arm: str, size: int) -> list[list[str]]:
    """Ids of the task's trials, shuffled once for the arm and cut; the last may be smaller."""
    ids = [t.id for t in task.trials]
    order = draw(task.seeds.contexts, "packets", arm).permutation(len(ids))
    return [[ids[i] for i in order[s : s + size]] for s in range(0, len(ids), size)]


def token(seed: str, key: str, place: int) -> str:
    """The opaque name of a candidate: it tells nothing without the person's seed."""
    return hmac.new(seed.encode(), f"{key}\x1f{place}".encode(), hashlib.sha256).hexdigest()[:16]


def _text(description: Description, colored: bool) -> Text:
    backgrounds: Sequence[str] = BACKGROUNDS if colored else [""] * len(BACKGROUNDS)
    parts = [
        Part(name=name, color=color)
        for name, color in zip(description.parts, backgrounds, strict=False)
    ]
    return Text(whole=description.whole, parts=tuple(parts))


def _practice(training: Task, options: Games) -> list[str]:
    ids = [t.id for t in training.trials]
    order = draw(options.context_seed, "practice games").permutation(len(ids))
    return [ids[i] for i in order[: options.practice]]


def _catch(task: Task, n: int) -> Task:
    """Games that ask for the square that all seven pieces make, among the task's own pictures."""
    if not n:
        return replace(task, trials=())
    if not isinstance(task.store, TangramStore):
        raise BadInput(f"{task.name}: only tangrams have catch games: say catch = 0")
    square = replace(task.store.picture(SQUARE.source), paint=(1, 1, 0, 1, 1, 0, 1))
    asked = Description("perfect square", ("top", "bottom"))
    trials = []
    for number in range(n):
        others = task.trials[int(draw(0, "catch", number).integers(len(task)))]
        trials.append(
            ReferenceTrial(
                id=str(number),
                item=str(number),
                texts=(asked, *others.texts[1:]),
                pictures=(square, *others.pictures[1:]),
                answer=0,
                clusters=(("tangram", SQUARE.source),),
            )
        )
    dataset = Dataset("catch", "reference", {}, {}, task.store)
    return Task("reference", "catch", dataset, tuple(trials))
