"""The networks behind `aligned`, and the loss that trains them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import normalize

from deixis.encodings import encode
from deixis.pictures.store import TangramStore
from deixis.players.reference.lessons import Context, Lesson
from deixis.players.reference.listener import ALL, WAYS, Group, colored, describe, visible
from deixis.players.reference.options import cache_of
from deixis.players.reference.sentences import sentences
from deixis.players.reference.tuning import contrastive
from deixis.training.recipe import Adam, Cosine, Recipe

MEASURED = 45
"""Measurements of a group; its coverage, 256 numbers, comes behind them."""

FEATURES = MEASURED + 256


@dataclass(frozen=True)
class Choices:
    """What was chosen by folds of KiloGram's dense split, see benchmarks/choices.py.

    Attributes:
        words: the encoder of texts, see `sentences.sentences`.
        width: of the space where texts and groups meet.
        hidden_text: of the networks from texts.
        hidden_shape: of the networks from groups.
        dropout: of hidden layers and of text vectors; half of it on groups.
        noise: deviation of noise on groups in training.
        coverage: weight of coverage against measurements.
        k: lessons in a context.
        contexts: ``controlled`` or ``random``.
        augment: ``none``, ``all`` or ``sampled`` subsets of parts.
        recipe: of the loop.
    """

    words: str = "minilm"
    width: int = 192
    hidden_text: int = 256
    hidden_shape: int = 384
    dropout: float = 0.5
    noise: float = 0.1
    coverage: float = 0.6
    k: int = 30
    contexts: str = "controlled"
    augment: str = "none"
    recipe: Recipe = field(
        default_factory=lambda: Recipe(
            epochs=8,
            optimiser=Adam(lr=2e-3, weight_decay=0.05, decoupled=True),
            schedule=Cosine(),
            clip_norm=1.0,
            device="cpu",
        )
    )

    @property
    def sizes(self) -> dict[str, Any]:
        """What the networks are built from."""
        names = ("words", "width", "hidden_text", "hidden_shape", "dropout")
        return {n: getattr(self, n) for n in names}


class Way(nn.Module):
    """Brings texts and groups into one space, for one way of comparing them."""

    def __init__(self, texts: int, width: int, hidden_text: int, hidden_shape: int, dropout: float):
        super().__init__()
        self.texts = _network(texts, hidden_text, width, dropout, dropout)
        self.shapes = _network(FEATURES, hidden_shape, width, dropout / 2, dropout)
        self.log_scale = nn.Parameter(torch.tensor(1.5))

    def text(self, vectors: Tensor) -> Tensor:
        """Vectors as long as the scale; zero for a text without words."""
        there = (vectors != 0).any(dim=-1, keepdim=True)
        # Unit vectors have small numbers; layers start from numbers of about 1.
        scaled = vectors * vectors.shape[-1] ** 0.5
        return normalize(self.texts(scaled), dim=-1) * self.log_scale.exp() * there

    def shape(self, features: Tensor) -> Tensor:
        """Vectors of length 1."""
        return normalize(self.shapes(features), dim=-1)


class Network(nn.Module):
    """All three ways, and how features of groups are brought to a common scale."""

    centre: Tensor
    spread: Tensor

    def __init__(self, texts: int, sizes: dict[str, Any]) -> None:
        super().__init__()
        given = {n: v for n, v in sizes.items() if n != "words"}
        self.ways = nn.ModuleDict({way: Way(texts, **given) for way in WAYS})
        self.register_buffer("centre", torch.zeros(FEATURES))
        self.register_buffer("spread", torch.ones(FEATURES))

    def way(self, name: str) -> Way:
        """One way of comparing."""
        found = self.ways[name]
        assert isinstance(found, Way)  # made so above
        return found

    def scaled(self, features: Tensor) -> Tensor:
        """Features on a common scale."""
        return (features - self.centre) / self.spread


class Table:
    """Vectors of all texts and features of all groups of the lessons, made once."""

    def __init__(
        self, store: TangramStore, given: Sequence[Lesson], choices: Choices, cache: str
    ) -> None:
        self._names = {x.id: joined_names(x) for x in given}
        texts = {t: None for x in given for t in (x.text.whole, joined_names(x), *x.text.parts)}
        groups = {g: None for x in given for g in ((visible(x.picture), ALL), *shown(x))}
        self._rows = {t: i for i, t in enumerate(texts)}
        self._places = {g: i for i, g in enumerate(groups)}
        self.vectors = torch.from_numpy(known_vectors(list(texts), choices.words, cache))
        self.features = torch.from_numpy(raw_features(store, list(groups)))

    def scale(self, coverage: float) -> tuple[Tensor, Tensor]:
        """Mean of the features, and what they are divided by."""
        deviation = self.features.std(dim=0, unbiased=False)
        common = deviation[MEASURED:].mean().clamp_min(1e-6) / coverage
        spread = torch.cat([deviation[:MEASURED] + 0.05, common.expand(FEATURES - MEASURED)])
        return self.features.mean(dim=0), spread

    def names(self, lesson: Lesson) -> str:
        """The joined names of a lesson; of a subset of its parts, those of the whole lesson.

        So augmented training asks for no text that is not known before.
        """
        whole = lesson.id if lesson.id in self._names else lesson.id[: lesson.id.rindex("[")]
        return self._names[whole]

    def texts(self, texts: Sequence[str]) -> Tensor:
        """Known vectors, shape (n, d)."""
        return self.vectors[[self._rows[t] for t in texts]]

    def groups(self, groups: Sequence[Group]) -> Tensor:
        """Raw features, shape (n, 301)."""
        return self.features[[self._places[g] for g in groups]]


def loss(network: Network, table: Table, context: Context, noise: float) -> Tensor:
    """Sum of the contrastive losses of all ways that the context's lessons show.

    The whole against figures; where there are names, all of them joined against figures; where
    colors show groups, single names against the groups in their place, and all together.

    Args:
        network: in training.
        table: of everything the lessons show.
        context: k lessons.
        noise: deviation of noise on features.
    """
    k = len(context)
    figures = [(visible(x.picture), ALL) for x in context]

    def blocks(way: str, texts: Sequence[str], groups: Sequence[Group]) -> Tensor:
        """Logits of k texts with k groups, one block after the other, shape (blocks, k, k)."""
        own = network.way(way)
        features = network.scaled(table.groups(groups))
        features = features + noise * torch.randn_like(features)
        left, right = own.text(table.texts(texts)), own.shape(features)
        width = left.shape[1]
        return left.reshape(-1, k, width) @ right.reshape(-1, k, width).transpose(1, 2)

    whole = blocks("whole", [x.text.whole for x in context], figures)
    total = contrastive(whole)
    names = [table.names(x) for x in context]
    if any(names):
        total = total + contrastive(blocks("names", names, figures))
    groups = [shown(x) for x in context]
    count = min(len(g) for g in groups)
    if not count:
        return total
    single = [x.text.parts[i] for i in range(count) for x in context]
    parts = blocks("parts", single, [g[i] for i in range(count) for g in groups])
    together = contrastive(whole + parts.sum(dim=0))
    return total + together + contrastive(_apart(parts, single))


def _apart(parts: Tensor, names: Sequence[str]) -> Tensor:
    """Without the pairs of lessons that use the same name: neither is wrong."""
    index: dict[str, int] = {}
    codes = torch.tensor([index.setdefault(n, len(index)) for n in names])
    codes = codes.reshape(parts.shape[:2])
    same = codes[:, :, None] == codes[:, None, :]
    own = torch.eye(parts.shape[1], dtype=torch.bool)
    return parts.masked_fill(same & ~own, -1e4)


def shown(lesson: Lesson) -> list[Group]:
    """The group of pieces of each part that a color shows, in the order of the parts."""
    figure = visible(lesson.picture)
    return [(figure, pieces) for _, pieces in colored(lesson.picture, len(lesson.text.parts))]


def joined_names(lesson: Lesson) -> str:
    """The names of all parts as one text."""
    return " ".join(lesson.text.parts)


def known_vectors(texts: Sequence[str], words: str, cache: str) -> NDArray[np.float32]:
    """Vectors that are known before training, kept on disk, shape (n, d)."""
    encoder = sentences(words)
    by = f"{words}@{encoder.revision}"
    made, rows = encode(texts, key=str, encoder=encoder, by=by, cache=cache_of(cache))
    return np.asarray(made[rows], np.float32)


def raw_features(store: TangramStore, groups: Sequence[Group]) -> NDArray[np.float32]:
    """Measurements and coverage of groups, shape (n, 301)."""
    return np.array([np.concatenate(describe(store, g)) for g in groups], np.float32)


def _network(given: int, hidden: int, made: int, before: float, between: float) -> nn.Sequential:
    return nn.Sequential(
        nn.Dropout(before),
        nn.Linear(given, hidden),
        nn.GELU(),
        nn.Dropout(between),
        nn.Linear(hidden, made),
    )
