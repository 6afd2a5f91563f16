"""Options that the neural listeners share, as they are written on the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, cast

from platformdirs import user_cache_path

from deixis.encodings import Cache, Disk, Memory
from deixis.errors import BadInput, unknown
from deixis.players.common.ensemble import Members
from deixis.players.protocols import Learner
from deixis.players.reference.tuning import PRESETS, Matcher, Tuner, Tuning
from deixis.tasks.task import Task


class Running(TypedDict, total=False):
    """How a pre-trained model runs.

    Attributes:
        batch: inputs encoded at a time: a number, or ``auto`` to halve until they fit.
        device: ``auto``, ``cpu``, ``cuda``, ``mps`` …
        precision: ``float32``, ``bf16`` or ``fp16``.
    """

    batch: str
    device: str
    precision: str


class Pretrained(Running, total=False):
    """Options of pre-trained listeners, which may be fine-tuned first.

    Attributes:
        canvas: side at which pictures are drawn before the model's own resizing.
        tune: fine-tune first, by a name in `tuning.PRESETS`.
        epochs: instead of the preset's.
        lessons: contexts in training, ``controlled`` or ``random``.
        augment: ``none``, ``sampled`` or ``all``.
        members: how many to train and join.
        ensemble: ``product`` or ``sum``.
    """

    canvas: str
    tune: str
    epochs: str
    lessons: str
    augment: str
    members: str
    ensemble: str


def running(options: Pretrained) -> Running:
    """Those of the options that say how the model runs."""
    given: Any = {name: options[name] for name in Running.__annotations__ if name in options}  # type: ignore[literal-required]
    return cast(Running, given)


def fine_tuned(
    name: str, opening: Callable[[Tuning], Callable[[Task, int], Matcher]], options: Pretrained
) -> Learner | None:
    """The learner that the options ask for, or None where nothing is to be tuned.

    Args:
        name: of the player.
        opening: makes the model of a `Tuning` anew for each training.
        options: as they are written.

    Raises:
        BadInput: there is no such preset, or a value is wrong.
    """
    if not options.get("tune"):
        return None
    tuning = tuned(
        options["tune"],
        device=options.get("device", "auto"),
        epochs=options.get("epochs", ""),
        contexts=options.get("lessons", ""),
        augment=options.get("augment", ""),
        canvas=options.get("canvas", ""),
    )
    learner = Tuner(name, opening(tuning), tuning)
    return joined(learner, options.get("members", ""), options.get("ensemble", "product"))


def tuned(
    preset: str,
    *,
    device: str = "auto",
    epochs: str = "",
    contexts: str = "",
    augment: str = "",
    canvas: str = "",
) -> Tuning:
    """A preset with what is written instead of its own numbers.

    Raises:
        BadInput: there is no such preset, or a value is wrong.
    """
    if preset not in PRESETS:
        raise unknown(f"--tune: there is no preset {preset!r}", preset, PRESETS)
    tuning = PRESETS[preset]
    recipe = replace(
        tuning.recipe, device=device, epochs=whole("epochs", epochs) or tuning.recipe.epochs
    )
    written: dict[str, Any] = {
        "contexts": contexts,
        "augment": augment,
        "canvas": whole("canvas", canvas),
    }
    return replace(tuning, recipe=recipe, **{n: v for n, v in written.items() if v})


def joined(learner: Learner, members: str, how: str) -> Learner:
    """The learner itself, or several of it as an ensemble."""
    n = whole("members", members) or 1
    return learner if n == 1 else Members(learner, n, how)


def cache_of(written: str) -> Cache:
    """Where vectors are kept: a folder, ``none``, or nothing for the user's cache."""
    if written == "none":
        return Memory()
    return Disk(Path(written) if written else user_cache_path("deixis") / "vectors")


def whole(name: str, written: str) -> int | None:
    """A whole number from 1, or None where nothing is written.

    Raises:
        BadInput: it is none.
    """
    if not written:
        return None
    if not written.isdigit() or int(written) < 1:
        raise BadInput(f"--{name}: expected a whole number from 1, got {written!r}")
    return int(written)


def positive(name: str, written: str) -> float | None:
    """A number above 0, or None where nothing is written.

    Raises:
        BadInput: it is none.
    """
    try:
        value = float(written) if written else None
    except ValueError:
        value = 0.0
    if value is not None and not 0 < value < float("inf"):
        raise BadInput(f"--{name}: expected a number above 0, got {written!r}")
    return value
