"""The world `rooms`: dialogs about rooms in which it is known what tells how much.

A room has sixteen attributes of two values. Some are told by the caption, some given away by
questions, some told by answers, the others by nobody; so the rank that a perfect guesser reaches
with any of these texts is known (`deixis.worlds.interiors.words.ideal`), and audits have a truth to
find. A picture is sixteen bits mixed into a vector of unit length, and can be drawn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from deixis.dataset import Conversation, Dataset, fingerprint
from deixis.errors import BadInput
from deixis.pictures.edits import blank, edit
from deixis.pictures.vectors import VectorStore
from deixis.seeds import digest, draw
from deixis.trials import BLANK, Picture
from deixis.worlds.interiors.attributes import ATTRIBUTES
from deixis.worlds.interiors.painting import paint
from deixis.worlds.interiors.words import Scene, Shares, careless, dialog

DIMENSIONS = 64
"""Length of a room's vector."""

NOISE = 0.1
"""Length of what is in a vector and in no word, against 1 for the sixteen attributes."""


class RoomStore(VectorStore):
    """Rooms as vectors, and as pixels.

    Attributes:
        scenes: the attributes of each room.
        mixer: from attributes to vectors, orthonormal columns, shape (64, 16).
    """

    def __init__(self, scenes: dict[str, Scene], seed: int) -> None:
        """Mix the attributes of each room into a vector."""
        self.scenes = scenes
        self.mixer = _mixer(seed)
        vectors = [_vector(name, scene, self.mixer, seed) for name, scene in scenes.items()]
        super().__init__(list(scenes), np.array(vectors, np.float32), f"rooms {seed}")

    def pixels(self, picture: Picture, size: int = 224) -> NDArray[np.uint8]:  # type: ignore[override]
        """The drawn room with edits made, shape (size, size, 3), RGB."""
        if picture.source == BLANK.source:
            return edit(blank(size), picture.edits)
        return edit(paint(self.scenes[picture.source], size), picture.edits)


def rooms(
    *,
    scenes: int = 3000,
    caption: int = 2,
    question: int = 1,
    answer: int = 3,
    echo: int = 1,
    rounds: int = 10,
    seed: int = 0,
) -> Dataset:
    """Make rooms and dialogs about them.

    The splits are ``train`` and ``test``, two to one; the extras hold the `Shares`. What a careless
    answerer says, who does not look, goes with each dialog under the name ``careless``.

    Args:
        scenes: how many rooms, from 3.
        caption: bits told by the caption; see `Shares` for these five.
        question: bits given away by questions.
        answer: bits told by answers.
        echo: bits of the caption that are asked for once more.
        rounds: of a dialog.
        seed: of all draws.

    >>> world = rooms(scenes=30)
    >>> len(world.splits["train"]), len(world.splits["test"])
    (20, 10)
    >>> one = world.records["room-0001"].dialog
    >>> one.caption, len(one.turns)
    ('a kitchen with blue walls', 10)

    Raises:
        BadInput: fewer than three rooms, or shares that cannot be.
    """
    if scenes < 3:
        raise BadInput(f"rooms: expected at least 3 scenes, got {scenes}")
    shares = Shares(caption, question, answer, echo, rounds)
    names = [f"room-{number:04}" for number in range(scenes)]
    made = {name: _scene(name, seed) for name in names}
    store = RoomStore(made, seed)
    records = {c.id: c for c in _conversations(made, shares, seed)}
    edge = scenes - scenes // 3
    return Dataset(
        name="rooms",
        kind="guessing",
        splits={"train": tuple(names[:edge]), "test": tuple(names[edge:])},
        records=records,
        store=store,
        fingerprint=fingerprint(_parts(store, records.values())),
        counts={f"bits of the {c}": len(shares.by(c)) for c in ("caption", "question", "answer")},
        extras={"shares": shares},
    )


def _scene(name: str, seed: int) -> Scene:
    return tuple(int(v) for v in draw(seed, "rooms", "scene", name).integers(0, 2, len(ATTRIBUTES)))


def _conversations(made: dict[str, Scene], shares: Shares, seed: int) -> Iterator[Conversation]:
    for name, scene in made.items():
        said = dialog(scene, shares, draw(seed, "rooms", "dialog", name))
        others = {"careless": careless(said, draw(seed, "rooms", "careless", name))}
        yield Conversation(name, name, said, others)


def _mixer(seed: int) -> NDArray[np.float64]:
    drawn = draw(seed, "rooms", "mixer").normal(size=(DIMENSIONS, len(ATTRIBUTES)))
    return np.linalg.qr(drawn)[0]


def _vector(name: str, scene: Scene, mixer: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    signs = 1 - 2 * np.array(scene)
    noise = draw(seed, "rooms", "noise", name).normal(size=DIMENSIONS)
    made = mixer @ signs / np.sqrt(len(scene)) + NOISE * noise / np.sqrt(DIMENSIONS)
    return np.asarray(made / np.linalg.norm(made))


def _parts(store: RoomStore, records: Iterable[Conversation]) -> Iterator[bytes]:
    yield repr(store.scenes).encode()
    for one in records:
        yield repr(one).encode()
    yield hashlib.sha256(str(digest(store.about)).encode()).digest()
