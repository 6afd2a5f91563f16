"""What a player is, and what can be made into one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from deixis.dataset import Store
from deixis.progress import Progress
from deixis.replies import Replies
from deixis.stats.ranks import Affine, Blocks
from deixis.tasks.task import Task
from deixis.trials import Description, Dialog, GuessView, Picture

Floats = NDArray[np.floating]


class Player(Protocol):
    """Replies to views, in any number at a time.

    Attributes:
        name: as the user named it.
        revision: changes whenever replies could.
    """

    name: str
    revision: str

    def reply(self, views: Sequence[Any]) -> Replies:
        """One reply for each view."""


@runtime_checkable
class Bound(Protocol):
    """A player that knows the task it plays, such as one made from a file of replies."""

    def at(self, task: Task) -> Player:
        """The same player for another condition or other seeds of its task."""


@runtime_checkable
class Learner(Protocol):
    """Becomes a player by training.

    Attributes:
        name: as the user named it.
        quick: whether it trains in seconds, so that retraining is the default.
        stochastic: whether another training seed makes another player.
    """

    name: str
    quick: bool
    stochastic: bool

    def fit(self, task: Task, *, dev: Task | None, seed: int, folder: Path | None) -> Player:
        """Train on a task, through its condition.

        Args:
            task: what to learn from.
            dev: what to stop by, where the learner stops early.
            seed: the training seed.
            folder: where checkpoints may be kept.
        """


@runtime_checkable
class Saveable(Protocol):
    """A trained player that can be kept."""

    def save(self, folder: Path) -> None:
        """Write everything needed to load it again."""


@runtime_checkable
class Looking(Protocol):
    """An encoder or scorer that looks at the pictures of a store."""

    def at(self, store: Store) -> Any:
        """The same one looking at another store's pictures."""


@runtime_checkable
class Limited(Protocol):
    """An encoder or scorer that takes texts up to some length."""

    def over(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Which texts are longer, and lose their end; shape (n,)."""


@runtime_checkable
class Telling(Protocol):
    """A learner that tells how far its training is.

    Attributes:
        progress: whom to tell.
    """

    progress: Progress


@runtime_checkable
class Teachable(Protocol):
    """A learner that learns something else first, and may do so once for many trainings."""

    def taught(self, task: Task, *, seed: int = 0, folder: Path | None = None) -> Learner:
        """The learner with its first lessons learnt.

        Args:
            task: what it will learn from then.
            seed: of the lessons.
            folder: where checkpoints may be kept.
        """


class DualEncoder(Protocol):
    """Encodes texts and pictures apart; their dot product is the score.

    Attributes:
        name: of the model.
        revision: of its weights.
    """

    name: str
    revision: str

    def texts(self, texts: Sequence[str]) -> Floats:
        """Vectors of shape (n, d)."""

    def pictures(self, pictures: Sequence[Picture]) -> Floats:
        """Vectors of shape (n, d)."""


class PairScorer(Protocol):
    """Scores texts against pictures jointly.

    Attributes:
        name: of the model.
        revision: of its weights.
    """

    name: str
    revision: str

    def pairs(self, texts: Sequence[Description], pictures: Sequence[Picture]) -> Floats:
        """The score of each text with the picture at its place, shape (n,)."""


class Guesser(Protocol):
    """Reads dialogs and says where in a space of vectors the picture must be.

    Attributes:
        name: as the user named it.
        revision: changes whenever predictions could.
    """

    name: str
    revision: str

    def pictures(self, pictures: Sequence[Picture]) -> Floats:
        """Vectors of a pool's pictures in the space of predictions, shape (N, d)."""

    def read(self, dialogs: Sequence[Dialog]) -> Affine | Blocks:
        """What n dialogs say so far, by the caption and the rounds that they have.

        Either predicted vectors, to which the nearest picture is the best; or scores of the pool's
        pictures in blocks of dialogs.
        """


class Questioner(Protocol):
    """Asks about a picture that it does not see."""

    def ask(self, views: Sequence[GuessView]) -> list[str]:
        """The next question of each dialog."""


class Answerer(Protocol):
    """Answers questions about the picture that it sees."""

    def answer(self, views: Sequence[GuessView]) -> list[str]:
        """The answer to the last question of each dialog, whose own answer is still empty."""


@runtime_checkable
class Conversing(Protocol):
    """A player whose game is a conversation.

    Attributes:
        questioner: asks.
        answerer: sees the picture, and answers.
        guesser: reads what both said.
    """

    questioner: Questioner
    answerer: Answerer
    guesser: Guesser


class Accounted(Protocol):
    """What a player asked of others, and what it cost; its text is one line."""

    def json(self) -> dict[str, Any]:
        """As it is written beside a run."""

    def table(self) -> list[str]:
        """What stands below the line, for people; none where there is nothing more to say."""


@runtime_checkable
class Keeping(Protocol):
    """A player that keeps what it has paid for."""

    def keep(self, folder: Path) -> None:
        """Keep it in a run's folder."""

    def close(self) -> Accounted:
        """Let go of everything; what was asked and paid so far."""


@runtime_checkable
class Seated(Protocol):
    """A player or learner whose game has other readers than the first of its kind.

    Attributes:
        readers: who reads in its game, the one that replies first.
    """

    readers: tuple[str, ...]
