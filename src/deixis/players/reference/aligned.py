"""A neural listener that learns here: it aligns each part's text with the pieces in its color.

Two small networks for each way of comparing (see `listener`): one from a text's vector, which is
known before training, one from a group of pieces, described by its measurements and its coverage.
A text and a group that belong together are brought near to each other, and apart from the other
texts and groups of the same context.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.pictures.store import TangramStore
from deixis.players.common.constant import Constant
from deixis.players.common.saved import CARD, write_card
from deixis.players.protocols import Learner, Player
from deixis.players.reference.alignment import (
    Choices,
    Network,
    Table,
    known_vectors,
    loss,
    raw_features,
)
from deixis.players.reference.lessons import (
    Context,
    Lesson,
    augmented,
    by_parts,
    controlled_contexts,
    lessons,
    random_contexts,
)
from deixis.players.reference.listener import Group, Listener, tangrams, visible
from deixis.players.reference.options import joined, whole
from deixis.players.reference.sentences import sentences
from deixis.players.reference.tuning import AUGMENT, CONTEXTS
from deixis.progress import Progress, quiet
from deixis.seeds import digest, draw
from deixis.tasks.task import Task
from deixis.training import weights
from deixis.training.batches import Batch, cut
from deixis.training.loop import fit
from deixis.training.randomness import seeded

Floats = NDArray[np.floating]

WEIGHTS = "aligned.safetensors"


class Aligned(Listener):
    """The trained listener."""

    def __init__(
        self,
        store: TangramStore,
        network: Network,
        sizes: dict[str, Any],
        *,
        cache: str = "",
        name: str = "aligned",
    ) -> None:
        """Play with a trained network.

        Args:
            store: of tangrams.
            network: in evaluation mode.
            sizes: what it was built from.
            cache: where vectors of sentences are kept, see `options.cache_of`.
            name: as the user named it.
        """
        super().__init__(store, parts=1.0)
        self.name = name
        self.network = network
        self.sizes = sizes
        self.cache = cache
        self.revision = (
            f"{digest(weights.fingerprint(network.state_dict()), sorted(sizes.items())):016x}"
        )

    def looking(self, store: TangramStore) -> Aligned:
        """See `Listener`."""
        return Aligned(store, self.network, self.sizes, cache=self.cache, name=self.name)

    def texts(self, way: str, texts: list[str]) -> Floats:
        """Vectors as long as the scale."""
        known = torch.from_numpy(known_vectors(texts, self.sizes["words"], self.cache))
        with torch.inference_mode():
            return np.asarray(self.network.way(way).text(known).numpy())

    def shapes(self, way: str, groups: list[Group]) -> Floats:
        """Vectors of length 1."""
        raw = torch.from_numpy(raw_features(self.store, groups))
        with torch.inference_mode():
            return np.asarray(self.network.way(way).shape(self.network.scaled(raw)).numpy())

    def save(self, folder: Path) -> None:
        """Write weights and sizes; `load` reads them."""
        write_card(folder, player="aligned", kind="reference", sizes=self.sizes)
        weights.write(folder / WEIGHTS, self.network.state_dict())


@dataclass
class AlignedLearner:
    """Fits `Aligned`.

    Attributes:
        choices: its numbers.
        cache: where vectors of sentences are kept.
        progress: told of batches.
    """

    choices: Choices = field(default_factory=Choices)
    cache: str = ""
    name: str = "aligned"
    quick: bool = False
    stochastic: bool = True
    progress: Progress = field(default=quiet, repr=False)

    def fit(
        self, task: Task, *, dev: Task | None = None, seed: int = 0, folder: Path | None = None
    ) -> Player:
        """Learn from a task's lessons as its condition shows them.

        It trains for a fixed number of epochs: `dev` changes nothing.
        """
        given = [x for x in lessons(task) if visible(x.picture)]
        if not given:
            return Constant()
        choices, store = self.choices, tangrams(task, self.name)
        table = Table(store, given, choices, self.cache)
        with seeded(seed, "aligned"):
            network = Network(sentences(choices.words).width, choices.sizes)
        network.centre, network.spread = table.scale(choices.coverage)
        fit(
            network,
            batches(given, choices, seed),
            lambda batch: loss(network, table, batch.items[0], choices.noise),
            replace(choices.recipe, seed=seed),
            folder=folder,
            about=f"{task.dataset.fingerprint} {digest(*(x.id for x in given)):x} {task.condition}",
            progress=self.progress,
            name=f"training {self.name}",
        )
        return Aligned(store, network, choices.sizes, cache=self.cache, name=self.name)


def batches(
    given: Sequence[Lesson], choices: Choices, seed: int
) -> Callable[[int], list[Batch[Context]]]:
    """One context to a batch, drawn anew every epoch, as the loop takes them."""
    k = min(choices.k, len({x.figure for x in given}))

    def epoch(number: int) -> list[Batch[Context]]:
        own = augmented(given, choices.augment, seed, number)
        generator = draw(seed, "contexts", number)
        if choices.contexts == "random":
            made = random_contexts(own, k, generator)
        else:
            made = controlled_contexts(own, k, generator, by_parts)
        return cut(made, 1, name=lambda c: "/".join(x.id for x in c))

    return epoch


class Builder:
    """Builds ``aligned``, and reads a saved one."""

    def __call__(
        self,
        argument: str = "",
        task: Task | None = None,
        *,
        words: str = "minilm",
        epochs: str = "",
        lessons: str = "controlled",
        augment: str = "none",
        members: str = "1",
        ensemble: str = "product",
        cache: str = "",
    ) -> Learner:
        """Build it.

        Args:
            argument: nothing.
            task: what will be played; not needed.
            words: the encoder of texts, ``minilm`` or ``hashed``.
            epochs: instead of the chosen number.
            lessons: contexts in training, ``controlled`` or ``random``.
            augment: ``none``, ``sampled`` or ``all`` subsets of parts.
            members: how many to train and join.
            ensemble: ``product`` or ``sum``.
            cache: where vectors of texts are kept: a folder, ``none``, or the user's cache.

        Raises:
            BadInput: an option is wrong, or the encoder is not installed.
        """
        if argument:
            raise BadInput(f"aligned takes no argument, got {argument!r}")
        for name, value, known in (("lessons", lessons, CONTEXTS), ("augment", augment, AUGMENT)):
            if value not in known:
                raise BadInput(f"--{name}: expected one of {', '.join(known)}, got {value!r}")
        sentences(words)
        chosen = Choices(words=words, contexts=lessons, augment=augment)
        recipe = replace(chosen.recipe, epochs=whole("epochs", epochs) or chosen.recipe.epochs)
        learner = AlignedLearner(replace(chosen, recipe=recipe), cache)
        return joined(learner, members, ensemble)

    def load(self, folder: Path, task: Task) -> Aligned:
        """Read a saved listener."""
        sizes = json.loads((folder / CARD).read_text("utf-8"))["sizes"]
        network = Network(sentences(sizes["words"]).width, sizes)
        tensors, _ = weights.read(folder / WEIGHTS)
        weights.load(network, tensors, folder / WEIGHTS)
        return Aligned(tangrams(task, "aligned"), network.eval(), sizes)


aligned = Builder()
