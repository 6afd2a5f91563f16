"""From ``--player film --preset small`` to a learner, and from a folder to a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from deixis import registry
from deixis.encodings import Cache, Disk, Memory
from deixis.errors import BadInput
from deixis.pictures.scenestore import SceneStore
from deixis.players.reference.options import whole
from deixis.players.statement.neural.baseline import WEIGHTS, Learning, Senses, Trained, read_card
from deixis.players.statement.neural.layouts import parser
from deixis.players.statement.neural.looks import Blind, Looks, Named, Pixels, Seen
from deixis.players.statement.neural.net import ANSWERS, Preset, Setting
from deixis.players.statement.neural.sentences import Words
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.task import Task
from deixis.training import weights

SIMPLEST = ("existence",)
"""The kind of sentences that is learnt before all others where a world is learnt first."""

KEPT = ("player", "regime", "preset", "layouts", "eye", "words", "spelt", "shape", "width", "batch")
"""What a kept model's card says of it."""


@dataclass(frozen=True)
class Baseline:
    """Builds the learner of one model; ``NAME[:REGIME]``.

    Attributes:
        name: of the player.
        presets: by name; the first is the default.
        regimes: stages of training by what stands behind the colon; the first is the default.
        parsed: whether it needs layouts.
    """

    name: str
    presets: Mapping[str, Preset]
    regimes: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"": (ANSWERS,)})
    parsed: bool = False

    def __call__(
        self,
        argument: str,
        task: Task,
        *,
        preset: str = "",
        epochs: str = "",
        vectors: str = "",
        layouts: str = "",
        before: str = "",
        sentences: str = "",
        eye: str = "",
        device: str = "auto",
    ) -> Learning:
        """Build it.

        Args:
            argument: the regime.
            task: what it will play.
            preset: ``small`` or ``paper``.
            epochs: instead of the preset's, in every stage.
            vectors: a file of word vectors in GloVe's text form.
            layouts: as `layouts.parser` reads them.
            before: a world of boxes to learn from first, such as ``towers``.
            sentences: how many of them it makes.
            eye: a ResNet by folder or hub name, for presets that look through one.
            device: where it is trained.

        Raises:
            BadInput: a name or a number is wrong.
        """
        regime = argument or next(iter(self.regimes))
        if regime not in self.regimes:
            known = " or ".join(r for r in self.regimes if r) or "nothing"
            raise BadInput(f"{self.name}: expected {known} behind the colon, got {argument!r}")
        chosen = self._preset(preset, epochs)
        if layouts and not self.parsed:
            raise BadInput(f"--layouts: {self.name} looks at no layouts")
        if sentences and not before:
            raise BadInput("--sentences: are of the world that --before names, which is missing")
        worlds = registry.names("worlds", "statement")
        if before and before not in worlds:
            raise BadInput(f"--before: expected {' or '.join(worlds)}, got {before!r}")
        looks = _looks(chosen.looks, eye)
        first = _world(before, whole("sentences", sentences)) if before else ()
        card = {
            "player": self.name,
            "regime": regime,
            "preset": preset or next(iter(self.presets)),
            "layouts": layouts,
            "eye": eye,
        }
        return Learning(
            name=f"{self.name}:{argument}" if argument else self.name,
            preset=chosen,
            senses=partial(self._senses, looks, layouts),
            card=card,
            stages=self.regimes[regime],
            before=first,
            vectors=Path(vectors) if vectors else None,
            device=device,
        )

    def _preset(self, name: str, epochs: str) -> Preset:
        if name and name not in self.presets:
            known = " or ".join(self.presets)
            raise BadInput(f"--preset: expected {known}, got {name!r}")
        chosen = self.presets[name or next(iter(self.presets))]
        limit = whole("epochs", epochs)
        if limit is None:
            return chosen
        stages = {s: replace(r, epochs=limit) for s, r in chosen.stages.items()}
        return replace(chosen, stages=stages)

    def _senses(self, looks: Looks, layouts: str, tasks: Sequence[Task]) -> Senses:
        """How the tasks become numbers; words are those of their sentences."""
        scenes = all(isinstance(t.store, SceneStore) for t in tasks)
        sentences = sorted({t.sentence for task in tasks for t in task.trials})
        if not self.parsed:
            return Senses(looks, Words.of(sentences, spelt=scenes), None, _cache(looks))
        read = parser(layouts, tasks)
        named = [m.words for s in sentences for m in read(s).postfix() if m.words]
        return Senses(looks, Words.of(sentences, named, spelt=scenes), read, _cache(looks))

    def load(self, folder: Path, task: Task) -> Trained:
        """Read a kept model."""
        card = read_card(folder)
        chosen = self.presets[card["preset"]]
        words = Words(tuple(card["words"]), card["spelt"])
        read = parser(card["layouts"], [task]) if self.parsed else None
        looks = _looks(chosen.looks, card["eye"])
        senses = Senses(looks, words, read, _cache(looks))
        tensors, _ = weights.read(folder / WEIGHTS)
        shape, width = tuple(card["shape"]), card["width"]
        net = chosen.make(Setting(words, shape, looks.salient, width=width))
        weights.load(net, tensors, folder / WEIGHTS)
        return Trained(self.name, net, senses, task.store, {n: card[n] for n in KEPT})


@lru_cache(maxsize=1)
def _world(name: str, sentences: int | None) -> tuple[Task, ...]:
    """What is learnt of a world, the simplest kind of sentence first.

    With all kinds from the start, modules settle on answers that depend on nothing. Models that
    are built one after the other share the tasks.
    """
    own: dict[str, Any] = {} if sentences is None else {"sentences": sentences}
    simple = load(name, **own, kinds=SIMPLEST)
    return make(simple, f"{name}, {' and '.join(SIMPLEST)}"), make(load(name, **own), name)


def _looks(kind: str, eye: str) -> Looks:
    name, *numbers = kind.split(":")
    if name == "backbone":
        from deixis.players.statement.neural.backbone import Backbone

        return Backbone.find(eye, *map(int, numbers))
    made: Mapping[str, Callable[..., Looks]] = {
        "eye": Seen,
        "named": Named,
        "pixels": Pixels,
        "nothing": Blind,
    }
    if eye:
        raise BadInput("--eye: this preset has an eye of its own, or none")
    return made[name](*map(int, numbers))


def _cache(looks: Looks) -> Cache:
    """Large features stay on disk; those of the small eye are quick to make again."""
    large = "backbone" in type(looks).__module__
    return Disk(user_cache_path("deixis") / "features") if large else Memory()
