"""``bots`` talk and guess, ``qbot`` reads what people said: both are trained on dialogs of people.

``--player bots:PRESET`` trains a questioner who guesses and an answerer who sees the picture, then
lets them talk about each picture, starting from its caption; ``--player qbot:PRESET`` trains the
same and lets the questioner read the task's own dialogs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from deixis.errors import BadInput
from deixis.pictures.vectors import Vectors
from deixis.players.common.neural.devices import device_of
from deixis.players.common.saved import write_card
from deixis.players.guessing.bots.beginning import begin
from deixis.players.guessing.bots.design import Design, design_of
from deixis.players.guessing.bots.lessons import Lessons, Spelling, loss
from deixis.players.guessing.bots.lexicon import Lexicon
from deixis.players.guessing.bots.networks import CLIPPED, Pair
from deixis.players.guessing.bots.saying import Manner
from deixis.players.guessing.bots.speaking import Answerer, Questioner, Reader
from deixis.players.guessing.converse import converse
from deixis.players.guessing.linear import texts_of, vectors_of
from deixis.players.guessing.options import fraction, positive
from deixis.players.guessing.ranked import GuessPlayer, Prepared, rounds_of, trials_of
from deixis.progress import Progress, quiet
from deixis.replies import Replies
from deixis.tasks.edits import Edits
from deixis.tasks.see import see
from deixis.tasks.see import views as views_of
from deixis.tasks.task import Task
from deixis.training import weights
from deixis.training.batches import Batch, cut, shuffled
from deixis.training.loop import fit
from deixis.training.randomness import seeded
from deixis.training.recipe import Adam, Constant, Decay, Recipe
from deixis.trials import GuessTrial, GuessView

READERS = ("guesser", "questioner", "answerer")
"""Who reads in a game where two talk."""

DEFAULT = "hre-das2017-delta"
"""The preset of players named without one."""


@dataclass(frozen=True)
class Bots:
    """Two trained bots and how they talk.

    Attributes:
        pair: the networks.
        lexicon: their words.
        store: of the pictures' vectors.
        manner: how words are chosen.
        seed: where words are drawn.
        talk: whether they talk, or read what people said.
    """

    pair: Pair
    lexicon: Lexicon
    store: Vectors
    manner: Manner = field(default_factory=Manner)
    seed: int = 0
    talk: bool = True

    def seat(self, task: Task) -> Talking | GuessPlayer:
        """The player at a task."""
        questioner = Questioner(
            self.pair.questioner, self.lexicon, self.store, self.manner, self.seed
        )
        answerer = Answerer(self.pair.answerer, self.lexicon, self.store, self.manner, self.seed)
        revision = self.revision
        questioner.revision = f"{revision}-{self.manner.name}" if self.talk else revision
        if self.talk:
            return Talking(questioner, answerer, task, self)
        questioner.name = "qbot"
        return Reading(Reader(questioner), task, self)

    def marked(self, marks: str) -> Bots:
        """The same weights and other marks around what is read, see `Design.marks`."""
        held = self.pair
        pair = Pair(
            replace(held.design, marks=marks),
            self.lexicon.size,
            held.questioner.feature.out_features,
        )
        pair.load_state_dict(held.state_dict())
        return replace(self, pair=pair.to(held.questioner.feature.weight.device).eval())

    @property
    def revision(self) -> str:
        """Of the weights."""
        return weights.fingerprint(self.pair.state_dict())

    def save(self, folder: Path) -> None:
        """Write everything needed to load it again."""
        name = "bots" if self.talk else "qbot"
        write_card(folder, player=name, kind="guessing")
        weights.write(folder / "bots.safetensors", self.pair.state_dict())
        about = {
            "design": asdict(self.pair.design),
            "words": list(self.lexicon.words),
            "dimensions": self.pair.questioner.feature.out_features,
            "manner": asdict(self.manner),
            "seed": self.seed,
        }
        (folder / "bots.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")


class Talking:
    """The bots at a task: they talk about each picture, starting from its caption."""

    name = "bots"

    def __init__(
        self,
        questioner: Questioner,
        answerer: Answerer,
        task: Task,
        bots: Bots,
        pool: Prepared | None = None,
        edits: Mapping[str, Edits] | None = None,
    ) -> None:
        """Seat them; edits are made by hand in some trials, by their ids."""
        self.questioner, self.answerer, self.task, self.bots = questioner, answerer, task, bots
        self.guesser = Reader(questioner)
        self.revision = questioner.revision
        self.edits = edits or {}
        self._pool = pool or Prepared(self.guesser, task.trials)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_pool": Prepared(self.guesser, self.task.trials)}

    def edited(self, edits: Mapping[str, Edits]) -> Talking:
        """The same bots with edits made in some trials, by their ids."""
        return Talking(self.questioner, self.answerer, self.task, self.bots, self._pool, edits)

    def _see(self, trial: GuessTrial, reader: str) -> GuessView:
        view: GuessView = see(self.task, trial, reader, self.edits.get(trial.id, ()))
        return view

    def at(self, task: Task) -> Talking:
        """The same bots at the task under another condition."""
        pool = self._pool if task.trials is self.task.trials else None
        return Talking(self.questioner, self.answerer, task, self.bots, pool)

    def reply(self, views: Sequence[GuessView]) -> Replies:
        """Talk, and rank the pool after the caption and after every round."""
        trials = trials_of(self.task, views)
        rounds = rounds_of(self.task)
        speakers = (self.questioner, self.answerer, self.guesser)
        return converse(trials, *speakers, self._see, rounds, pool=self._pool)

    def save(self, folder: Path) -> None:
        """Write everything needed to load it again."""
        self.bots.save(folder)


class Reading(GuessPlayer):
    """Q-bot reads the dialogs of a task as they stand."""

    def __init__(self, guesser: Reader, task: Task, bots: Bots) -> None:
        """Seat it."""
        super().__init__(guesser, task)
        self.bots = bots

    def save(self, folder: Path) -> None:
        """Write everything needed to load it again."""
        self.bots.save(folder)


class BotsLearner:
    """Trains bots that talk: ``bots[:PRESET]``.

    Attributes:
        readers: who reads in the game that is played.
    """

    name = "bots"
    quick = False
    stochastic = True
    talk = True
    readers: tuple[str, ...] = READERS

    def __init__(
        self,
        argument: str = "",
        _: Task | None = None,
        *,
        hidden: str | int = "",
        embedding: str | int = "",
        epochs: str | int = "",
        batch: str | int = "",
        least: str | int = "",
        rate: str | float = "",
        gain: str | float = "",
        stretch: str | float = "",
        marks: str = "",
        saying: str = "greedy",
        device: str = "cpu",
    ) -> None:
        """Say what to train, and how it will talk.

        Args:
            argument: the preset.
            hidden: units, where not the preset's own; so the next five.
            embedding: length of word vectors.
            epochs: of training.
            batch: dialogs in a batch.
            least: how often a word must occur.
            rate: of learning.
            gain: see `Design.gain`.
            stretch: see `Design.stretch`.
            marks: see `Design.marks`.
            saying: ``greedy``, ``beam[:WIDTH]``, ``sampled`` or ``fresh``, see `Manner`.
            device: where.

        Raises:
            BadInput: there is no such preset, or an option is out of range.
        """
        given = {"hidden": hidden, "embedding": embedding, "epochs": epochs, "batch": batch}
        changes: dict[str, Any] = {
            name: positive(name, value)
            for name, value in {**given, "least": least}.items()
            if value != ""
        }
        if rate != "":
            changes["rate"] = fraction("rate", rate)
        if gain != "":
            changes["gain"] = fraction("gain", gain, 1e6)
        if stretch != "":
            changes["stretch"] = fraction("stretch", stretch, 1e6)
        if marks:
            changes["marks"] = marks
        self.design = design_of(argument or DEFAULT, **changes)
        self.manner, self.device = Manner.parse(saying), device
        self.progress: Progress = quiet

    def fit(
        self, task: Task, *, dev: Task | None = None, seed: int = 0, folder: Path | None = None
    ) -> Talking | GuessPlayer:
        """Learn from each dialog and its picture, as the task's condition shows them to a guesser.

        Both learn by predicting the words of people; there is no selection of a model, as in the
        published code, so `dev` changes nothing.

        Raises:
            BadInput: the task has no vectors, a dialog is empty, or a vector is not finite.
        """
        store, views = vectors_of(task, self.name), views_of(task, "guesser")
        check(views, task.name)
        lexicon = Lexicon.of((t for v in views for t in texts_of(v.dialog)), self.design.least)
        vectors = store.vectors([t.image for t in trials_of(task, views)])
        device = device_of(self.device)
        spelling = Spelling(lexicon, self.design, training=True)
        dialogs = [v.dialog for v in views]
        lessons = Lessons.of(dialogs, torch.from_numpy(vectors), spelling, device)
        with seeded(seed, "bots"):
            pair = Pair(self.design, lexicon.size, store.dimensions)
        if self.design.bags:
            begin(pair.questioner, lexicon, dialogs, lessons)
        fit(
            pair,
            batches(self.design, [v.id for v in views], seed),
            lambda batch: loss(pair, lessons, batch),
            recipe(self.design, seed, self.device),
            folder=folder,
            about=f"{task.name} {task.dataset.fingerprint} {self.design}",
            progress=self.progress,
            name=f"training {self.name}",
        )
        pair.questioner.stretch(self.design.stretch, lessons.vectors.mean(dim=0))
        return Bots(pair, lexicon, store, self.manner, talk=self.talk).seat(task)

    @classmethod
    def load(cls, folder: Path, task: Task) -> Talking | GuessPlayer:
        """Read saved bots."""
        return load(folder, task, talk=cls.talk)


class QbotLearner(BotsLearner):
    """Trains the same; its questioner reads what people said: ``qbot[:PRESET]``."""

    name = "qbot"
    talk = False
    readers = READERS[:1]


def check(views: Sequence[GuessView], where: str) -> None:
    """Refuse dialogs that nothing can be learnt from, before any long work.

    Raises:
        BadInput: a dialog has no rounds at all.
    """
    if not any(v.dialog.turns for v in views):
        raise BadInput(f"{where}: bots learn to talk from dialogs, and no dialog here has a round")


def recipe(design: Design, seed: int, device: str) -> Recipe:
    """The training of a design."""
    return Recipe(
        epochs=design.epochs,
        seed=seed,
        optimiser=Adam(lr=design.rate),
        schedule=Constant() if design.decay == 1 else Decay(design.decay, design.floor),
        clip_norm=design.clip_norm,
        clip_value=design.clip_value,
        clipped=CLIPPED if design.clip_value else (),
        device=device,
    )


def batches(design: Design, ids: Sequence[str], seed: int) -> Callable[[int], Sequence[Batch[int]]]:
    """The batches of an epoch, as rows of the lessons."""
    rows = range(len(ids))
    if design.ordered:
        whole = len(ids) >= design.batch
        made = cut(rows, design.batch, name=lambda i: ids[i], drop_last=whole)
        return lambda epoch: made
    return shuffled(rows, design.batch, seed=seed, name=lambda i: ids[i])


def load(folder: Path, task: Task, *, talk: bool) -> Talking | GuessPlayer:
    """Read saved bots and seat them."""
    return read_bots(folder, task, talk=talk).seat(task)


def read_bots(folder: Path, task: Task, *, talk: bool) -> Bots:
    """Read saved bots.

    Raises:
        BadInput: files are missing or of another architecture, or the task's vectors of another
            length.
    """
    about = json.loads((folder / "bots.json").read_text("utf-8"))
    try:
        design = Design(**{**about["design"], "longest": tuple(about["design"]["longest"])})
    except TypeError as error:
        raise BadInput(f"{folder / 'bots.json'}: of another version: {error}") from None
    lexicon = Lexicon(tuple(about["words"]))
    store = vectors_of(task, "bots")
    if store.dimensions != about["dimensions"]:
        raise BadInput(
            f"saved:{folder}: predicts vectors of length {about['dimensions']}, and those of "
            f"{task.name} have length {store.dimensions}"
        )
    pair = Pair(design, lexicon.size, store.dimensions)
    weights.load(pair, weights.read(folder / "bots.safetensors")[0], folder)
    pair.eval()
    return Bots(pair, lexicon, store, Manner(**about["manner"]), about["seed"], talk)
