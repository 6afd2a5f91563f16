"""Options that the neural listeners share, as they are written on the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from deixis.encodings import Cache, Disk, Memory
from deixis.errors import BadInput, unknown
from deixis.players.common.ensemble import Members
from deixis.players.protocols import Learner
from deixis.players.reference.tuning import PRESETS, Tuning


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
