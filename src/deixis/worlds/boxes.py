"""The worlds `boxes`, `strips` and `towers`: statements about boxes with things in them.

In `boxes` each picture of a pair is one box, in `strips` one picture shows three boxes, as in
NLVR; in `towers` sentences too are like NLVR's, and half of the pictures show stacks. Everything
is made from a seed: sentences of many kinds with their meaning as a layout, and for each sentence
four pairs of pictures, two that it is true of and two that it is false of.
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
"""Sentences of each split; a sentence's words stand in one split only."""

TRUE, FALSE = "Clearly", "Supposedly"
"""What sentences begin with that tell their label."""

_CHANGES = 60
"""Changes of a scene after which another sentence is tried."""


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

    The splits are ``train``, ``dev`` and ``test``, which share no sentence and no picture. The
    extras hold ``layouts``, the meaning of each sentence, and ``subsets`` by phenomenon; where some
    labels are told, also ``balanced`` (sentences with both labels) and ``unbalanced``.

    Args:
        sentences: how many; each with four pairs of pictures.
        kinds: of sentences, from `deixis.worlds.scenes.sentences.MAKERS`.
        left: share of sentences that speak of the left picture only.
        right: share that speak of the right picture only.
        told: share whose label can be told from the sentence alone: it begins with ``Clearly``
            where it is true of all four pairs, with ``Supposedly`` where it is false of all.
        seed: of all draws.

    Raises:
        BadInput: a share is out of range, or there is no such kind.

    >>> world = boxes(sentences=2, kinds=("existence",))
    >>> [r.label for r in world.records.values()].count(True)
    4
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
class _Set:
    """A sentence with its four scenes and labels."""

    sentence: Sentence
    scenes: tuple[Scene, ...]
    labels: tuple[bool, ...]

    @property
    def balance(self) -> str:
        """Whether it is true of some and false of others."""
        return "balanced" if len(set(self.labels)) > 1 else "unbalanced"


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
    if sentences < 1 or not kinds or not set(kinds) <= set(known):
        raise BadInput(
            f"{shape.name} needs a sentence at least, of the kinds {', '.join(known)}; "
            f"got {sentences} of {', '.join(kinds)}"
        )
    sets = [_set(shape, n, kinds, shares, told, seed) for n in range(sentences)]
    records: dict[str, Statement] = {}
    scenes: dict[str, Scene] = {}
    layouts: dict[str, Layout] = {}
    subsets: dict[str, list[str]] = {}
    for number, one in enumerate(sets):
        layouts[one.sentence.text] = one.sentence.layout
        split = _split(one.sentence.text, seed)
        for place, (scene, label) in enumerate(zip(one.scenes, one.labels, strict=True)):
            names = _pictures(shape, f"{number}-{place}", scene, scenes)
            record = Statement(
                id=f"{number}-{place}",
                sentence=one.sentence.text,
                label=label,
                pictures=(names,),
                split=split,
                set=str(number),
                pair=f"{number}-{place}",
            )
            records[record.id] = record
            for name in (*one.sentence.phenomena, *([one.balance] if told else [])):
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


def _set(
    shape: Shape,
    number: int,
    kinds: tuple[str, ...],
    shares: tuple[float, ...],
    told: float,
    seed: int,
) -> _Set:
    """A sentence that is true of some scenes and false of others close to them."""
    generator = draw(seed, shape.name, number)
    n = shape.pictures * shape.boxes
    while True:
        side = str(generator.choice([LEFT, RIGHT, WHOLE], p=shares))
        able = [k for k in kinds if side == WHOLE or k not in OF_ALL] or list(kinds)
        kind = able[int(generator.integers(len(able)))]
        sentence = (MAKERS | USUAL)[kind](generator, Scope(side, shape.box, n))
        placing = STACKED if kind == "stacked" else SCATTERED
        pairs = [_opposites(generator, sentence.layout, n, placing) for _ in range(2)]
        scenes = [
            (s, label)
            for pair in pairs
            if pair
            for s, label in zip(pair, (True, False), strict=True)
        ]
        if len(scenes) == 4:
            break
    if generator.random() < told:
        label = bool(generator.integers(2))
        fitting = [s for s, own in scenes if own == label]
        return _told(generator, sentence, fitting, label, n, placing)
    order = generator.permutation(4)
    return _Set(sentence, tuple(scenes[i][0] for i in order), tuple(scenes[i][1] for i in order))


def _opposites(
    generator: Generator, layout: Layout, n: int, placing: Placing
) -> tuple[Scene, Scene] | None:
    """A scene that the layout is true of and one, close to it, that it is false of."""
    liked = tuple(w for m in layout.postfix() if m.module == "find" for w in m.words.split())
    drawn, changed = placing
    scene = drawn(generator, n, liked)
    first = evaluate(layout, scene)
    for _ in range(_CHANGES):
        other = changed(generator, scene, liked)
        if evaluate(layout, other) != first:
            return (scene, other) if first else (other, scene)
        scene = other
    return None


def _told(
    generator: Generator,
    sentence: Sentence,
    scenes: list[Scene],
    label: bool,
    n: int,
    placing: Placing,
) -> _Set:
    """A sentence that begins with its label, and four scenes of that label."""
    while len(scenes) < 4:
        pair = _opposites(generator, sentence.layout, n, placing)
        if pair is not None:
            scenes.append(pair[0 if label else 1])
    text = f"{TRUE if label else FALSE}, {sentence.text[0].lower()}{sentence.text[1:]}"
    told = Sentence(text, sentence.layout, sentence.phenomena)
    return _Set(told, tuple(scenes), (label,) * 4)


def _pictures(shape: Shape, name: str, scene: Scene, scenes: dict[str, Scene]) -> tuple[str, str]:
    """Keep a scene's pictures; returns their names, left and right."""
    if shape.pictures == 1:
        scenes[name] = scene
        return name, ""
    half = shape.boxes
    scenes[f"{name}-left"], scenes[f"{name}-right"] = scene[:half], scene[half:]
    return f"{name}-left", f"{name}-right"


def _split(text: str, seed: int) -> str:
    """The split of a sentence, by a hash of its words."""
    place = digest(seed, "split", text) / 2**64
    for split, share in SHARES.items():
        if place < share:
            return split
        place -= share
    return split


def _fingerprint(records: Mapping[str, Statement], scenes: Mapping[str, Scene]) -> str:
    parts = chain((repr(r) for r in records.values()), (repr(s) for s in scenes.items()))
    return fingerprint(p.encode() for p in parts)
