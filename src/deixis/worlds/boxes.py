"""The worlds `boxes`, `strips` and `towers`: statements about boxes with things in them.

In `boxes` each picture of a pair is one box, in `strips` one picture shows three boxes, as in
NLVR; in `towers` sentences too are like NLVR's, and half of the pictures show stacks. Everything
is made from a seed: sentences of many kinds with their meaning as a layout, and pictures. As in
NLVR2, two sentences share four pairs of pictures. One of the two is true wherever the other is
false: so each sentence is true of two pairs and false of two, and each pair stands with one true
and one false sentence. Who ignores either input is right in half of the statements, neither more
nor less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from deixis.dataset import Dataset, Statement, fingerprint
from deixis.errors import BadInput
from deixis.pictures.scene import Scene
from deixis.pictures.scenestore import SceneStore
from deixis.seeds import digest, draw
from deixis.text.layout import Layout
from deixis.worlds.scenes.meaning import evaluate
from deixis.worlds.scenes.placing import changed, random_scene, random_stacks, restacked
from deixis.worlds.scenes.sentences import LEFT, MAKERS, OF_ALL, RIGHT, WHOLE, Scope, Sentence
from deixis.worlds.scenes.usual import MAKERS as USUAL

Generator = np.random.Generator

Placing = tuple[
    Callable[[Generator, int, tuple[str, ...]], Scene],
    Callable[[Generator, Scene, tuple[str, ...]], Scene],
]
"""How scenes are drawn, and how they are changed a little."""

SCATTERED: Placing = (random_scene, changed)
STACKED: Placing = (random_stacks, restacked)

SHARES = {"train": 0.7, "dev": 0.1, "test": 0.2}
"""Sentences of each split; a sentence's words stand in one split only, whatever the seed."""

TRUE, FALSE = "Clearly", "Supposedly"
"""What sentences begin with that tell their label."""

_STARTS, _CHANGES, _WALKS = 4, 60, 20
"""Scenes to begin with, changes of one, and such walks: then another second sentence is tried."""

_OTHERS = 40
"""Second sentences after which another first one is tried."""


@dataclass(frozen=True)
class Shape:
    """What pictures look like.

    Attributes:
        name: of the world.
        box: what a box is called.
        pictures: in a pair.
        boxes: in a picture.
    """

    name: str
    box: str
    pictures: int
    boxes: int


PAIR = Shape("boxes", "image", 2, 1)
STRIP = Shape("strips", "box", 1, 3)
TOWER = Shape("towers", "box", 1, 3)


def boxes(
    *,
    sentences: int = 1000,
    kinds: Sequence[str] = tuple(MAKERS),
    left: float = 0.25,
    right: float = 0.25,
    told: float = 0.0,
    seed: int = 0,
) -> Dataset:
    """Make statements about pairs of pictures of one box each.

    The splits are ``train``, ``dev`` and ``test``, which share no sentence and no picture; nor does
    one share a sentence with another of another seed. The extras hold ``layouts``, the meaning of
    each sentence, and ``subsets`` by phenomenon; where some labels are told, also ``balanced``
    (sentences with both labels) and ``unbalanced``.

    Args:
        sentences: how many, an even number; every two of them share four pairs of pictures.
        kinds: of sentences, from `deixis.worlds.scenes.sentences.MAKERS`.
        left: share of sentences that speak of the left picture only.
        right: share that speak of the right picture only.
        told: share whose label can be told from the sentence alone: it begins with ``Clearly``
            where it is true of all four pairs, with ``Supposedly`` where it is false of all.
        seed: of all draws.

    Raises:
        BadInput: a share is out of range, or there is no such kind.

    >>> world = boxes(sentences=2, kinds=("existence",))
    >>> [r.label for r in world.records.values()].count(True), world.counts["pictures"]
    (4, 8)
    """
    shares = (left, right, max(1 - left - right, 0.0))
    if not 0 <= told <= 1 or min(left, right) < 0 or left + right > 1:
        raise BadInput(f"boxes: expected shares from 0 to 1, got {left}, {right} and {told}")
    return _make(PAIR, sentences, tuple(kinds), shares, told, seed)


def strips(
    *,
    sentences: int = 1000,
    kinds: Sequence[str] = tuple(MAKERS),
    told: float = 0.0,
    seed: int = 0,
) -> Dataset:
    """Make statements about pictures of three boxes, as in NLVR; see `boxes`."""
    return _make(STRIP, sentences, tuple(kinds), (0.0, 0.0, 1.0), told, seed)


def towers(
    *,
    sentences: int = 1000,
    kinds: Sequence[str] = tuple(USUAL),
    told: float = 0.0,
    seed: int = 0,
) -> Dataset:
    """Make statements as people wrote them for NLVR, about scattered things and stacks.

    The kinds of `strips` may be asked for too; see `boxes`.
    """
    return _make(TOWER, sentences, tuple(kinds), (0.0, 0.0, 1.0), told, seed)


@dataclass(frozen=True)
class _Two:
    """Two sentences and four scenes, each with one that is true of it and one that is false.

    Attributes:
        sentences: both; of one split.
        scenes: all four.
        first: whether the first sentence is true of each scene, and the second false.
        split: of both sentences.
    """

    sentences: tuple[Sentence, Sentence]
    scenes: tuple[Scene, ...]
    first: tuple[bool, ...]
    split: str

    @property
    def balance(self) -> str:
        """Whether each sentence is true of some scenes and false of others."""
        return "balanced" if len(set(self.first)) > 1 else "unbalanced"


def _make(
    shape: Shape,
    sentences: int,
    kinds: tuple[str, ...],
    shares: tuple[float, ...],
    told: float,
    seed: int,
) -> Dataset:
    if not 0 <= told <= 1:
        raise BadInput(f"{shape.name}: expected a share from 0 to 1, got {told}")
    known = MAKERS | USUAL if shape is TOWER else MAKERS
    if sentences < 2 or sentences % 2 or not kinds or not set(kinds) <= set(known):
        raise BadInput(
            f"{shape.name} needs an even number of sentences, of the kinds {', '.join(known)}; "
            f"got {sentences} of {', '.join(kinds)}"
        )
    records: dict[str, Statement] = {}
    scenes: dict[str, Scene] = {}
    layouts: dict[str, Layout] = {}
    subsets: dict[str, list[str]] = {}
    for number in range(sentences // 2):
        two = _two(shape, number, kinds, shares, told, seed)
        pairs = [_pictures(shape, f"{number}-{i}", s, scenes) for i, s in enumerate(two.scenes)]
        for which, sentence in enumerate(two.sentences):
            layouts[sentence.text] = sentence.layout
            for place, (names, first) in enumerate(zip(pairs, two.first, strict=True)):
                record = Statement(
                    id=f"{number}-{place}-{which}",
                    sentence=sentence.text,
                    label=first == (which == 0),
                    pictures=(names,),
                    split=two.split,
                    set=str(number),
                    pair=f"{number}-{place}",
                    sentence_id=str(which),
                )
                records[record.id] = record
                for name in (*sentence.phenomena, *([two.balance] if told else [])):
                    subsets.setdefault(name, []).append(record.id)
    return Dataset(
        name=shape.name,
        kind="statement",
        splits={s: tuple(i for i, r in records.items() if r.split == s) for s in SHARES},
        records=records,
        store=SceneStore(scenes),
        fingerprint=_fingerprint(records, scenes),
        counts={"sentences": len(layouts), "pictures": len(scenes)},
        extras={
            "layouts": layouts,
            "subsets": {name: tuple(subsets[name]) for name in sorted(subsets)},
        },
    )


def _two(
    shape: Shape,
    number: int,
    kinds: tuple[str, ...],
    shares: tuple[float, ...],
    told: float,
    seed: int,
) -> _Two:
    """Two sentences of one scope and split, and scenes of which one or the other is true."""
    generator = draw(seed, shape.name, number)
    n = shape.pictures * shape.boxes
    tells = bool(generator.random() < told)
    while True:
        split = str(generator.choice(list(SHARES), p=list(SHARES.values())))
        scope = Scope(str(generator.choice([LEFT, RIGHT, WHOLE], p=shares)), shape.box, n)
        one, placing = _sentence(generator, scope, kinds, split)
        for _ in range(_OTHERS):
            other, placed = _sentence(generator, scope, kinds, split)
            if placed is not placing:
                continue
            layouts = (one.layout, other.layout)
            pairs = _several(generator, layouts, n, placing, 4 if tells else 2)
            if pairs is None:
                continue
            if tells:
                label = bool(generator.integers(2))
                sentences = _telling(one, label), _telling(other, not label)
                return _Two(sentences, tuple(p[not label] for p in pairs), (label,) * 4, split)
            scenes = [(s, first) for p in pairs for s, first in zip(p, (True, False), strict=True)]
            shown = [scenes[i] for i in generator.permutation(4)]
            return _Two((one, other), tuple(s for s, _ in shown), tuple(f for _, f in shown), split)


def _sentence(
    generator: Generator, scope: Scope, kinds: tuple[str, ...], split: str
) -> tuple[Sentence, Placing]:
    """A sentence of some kind and of a split, and how its scenes are drawn."""
    able = [k for k in kinds if scope.side == WHOLE or k not in OF_ALL] or list(kinds)
    while True:
        kind = able[int(generator.integers(len(able)))]
        sentence = (MAKERS | USUAL)[kind](generator, scope)
        if _split(sentence.text) == split:
            return sentence, STACKED if kind == "stacked" else SCATTERED


def _several(
    generator: Generator, layouts: tuple[Layout, Layout], n: int, placing: Placing, number: int
) -> list[tuple[Scene, Scene]] | None:
    """Opposites, several times; None where they are hard to come by."""
    found: list[tuple[Scene, Scene]] = []
    for _ in range(_WALKS):
        pair = _opposites(generator, layouts, n, placing)
        if pair is not None:
            found.append(pair)
        elif not found:
            return None
        if len(found) == number:
            return found
    return None


def _opposites(
    generator: Generator, layouts: tuple[Layout, Layout], n: int, placing: Placing
) -> tuple[Scene, Scene] | None:
    """A scene of which the first layout alone is true, and one close to it, of which the second.

    From the one changes lead to the other; a change that turns a truth back is not made.
    """
    modules = (m for layout in layouts for m in layout.postfix() if m.module == "find")
    liked = tuple(w for m in modules for w in m.words.split())
    drawn, changed = placing
    for _ in range(_STARTS):
        start = scene = drawn(generator, n, liked)
        first, second = (evaluate(layout, scene) for layout in layouts)
        if first != second:
            break
    else:
        return None
    turned = 0
    for _ in range(_CHANGES):
        other = changed(generator, scene, liked)
        now = (evaluate(layouts[0], other) != first) + (evaluate(layouts[1], other) != second)
        if now == 2:
            return (start, other) if first else (other, start)
        if now >= turned:
            scene, turned = other, now
    return None


def _telling(sentence: Sentence, label: bool) -> Sentence:
    """The sentence with its label before it."""
    text = f"{TRUE if label else FALSE}, {sentence.text[0].lower()}{sentence.text[1:]}"
    return Sentence(text, sentence.layout, sentence.phenomena)


def _pictures(shape: Shape, name: str, scene: Scene, scenes: dict[str, Scene]) -> tuple[str, str]:
    """Keep a scene's pictures; returns their names, left and right."""
    if shape.pictures == 1:
        scenes[name] = scene
        return name, ""
    half = shape.boxes
    scenes[f"{name}-left"], scenes[f"{name}-right"] = scene[:half], scene[half:]
    return f"{name}-left", f"{name}-right"


def _split(text: str) -> str:
    """The split of a sentence, by a hash of its words."""
    place = digest("split", text) / 2**64
    for split, share in SHARES.items():
        if place < share:
            return split
        place -= share
    return split


def _fingerprint(records: Mapping[str, Statement], scenes: Mapping[str, Scene]) -> str:
    parts = chain((repr(r) for r in records.values()), (repr(s) for s in scenes.items()))
    return fingerprint(p.encode() for p in parts)
