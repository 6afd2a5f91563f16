"""Everything that a training needs to go on to the bit: one safetensors file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from deixis.errors import BadInput
from deixis.training import randomness, weights

NAME = "checkpoint.safetensors"


@dataclass
class State:
    """Where a training stands.

    Attributes:
        epoch: the running one, from 0.
        position: batches of it that are done.
        step: steps made.
        loss: sum of the losses of these batches.
        best: the best score so far.
        best_epoch: when it was reached; -1 for never.
        patience: in force now; it may have grown.
        waited: epochs since the best score.
        finished: whether training is over.
        history: a row for each epoch.
    """

    epoch: int = 0
    position: int = 0
    step: int = 0
    loss: float = 0.0
    best: float | None = None
    best_epoch: int = -1
    patience: float | None = None
    waited: int = 0
    finished: bool = False
    history: list[dict[str, float]] = field(default_factory=list)


def save(
    folder: Path,
    state: State,
    *,
    model: torch.nn.Module,
    optimiser: torch.optim.Optimizer,
    scaler: torch.amp.GradScaler | None,
    agreed: Mapping[str, str],
) -> None:
    """Write the checkpoint of a training, over the one before.

    Args:
        folder: of the training.
        state: where it stands.
        model: with its weights.
        optimiser: with its running means.
        scaler: of gradients, in half precision.
        agreed: what must be the same when it is resumed.

    Raises:
        BadInput: it cannot be written; the one before is as it was.
    """
    held = optimiser.state_dict()
    tensors = {f"model/{n}": t for n, t in model.state_dict().items()}
    tensors |= {f"random/{n}": t for n, t in randomness.states().items()}
    numbers: dict[str, dict[str, Any]] = {}
    for index, values in held["state"].items():
        for name, value in values.items():
            if isinstance(value, Tensor):
                tensors[f"optimiser/{index}/{name}"] = value
            else:
                numbers.setdefault(str(index), {})[name] = value
    content = {
        "state": asdict(state),
        "groups": held["param_groups"],
        "numbers": numbers,
        "scaler": scaler.state_dict() if scaler else None,
        "agreed": dict(agreed),
    }
    weights.write(folder / NAME, tensors, {"training": json.dumps(content)})


def resume(
    folder: Path,
    *,
    model: torch.nn.Module,
    optimiser: torch.optim.Optimizer,
    scaler: torch.amp.GradScaler | None,
    agreed: Mapping[str, str],
) -> State | None:
    """Bring a training to where its checkpoint stands; None where there is none.

    Args:
        folder: where the checkpoint is.
        model: gets its weights.
        optimiser: gets its state.
        scaler: of gradients in half precision, if there is one; gets its state.
        agreed: what must be as it was when the checkpoint was written, by name.

    Raises:
        BadInput: the file is broken, or was written by another training.
    """
    path = folder / NAME
    for unfinished in folder.glob("*.safetensors.*.tmp"):
        unfinished.unlink()
    if not path.is_file():
        return None
    tensors, about = weights.read(path)
    if "training" not in about:
        raise BadInput(f"{path}: weights, but not the checkpoint of a training")
    content = json.loads(about["training"])
    _same(path, content["agreed"], agreed)
    weights.load(model, _under("model/", tensors), path)
    optimiser.load_state_dict(
        {"state": _moments(tensors, content["numbers"]), "param_groups": content["groups"]}
    )
    if scaler and content["scaler"]:
        scaler.load_state_dict(content["scaler"])
    randomness.restore(_under("random/", tensors))
    return State(**content["state"])


def _moments(
    tensors: Mapping[str, Tensor], numbers: Mapping[str, Mapping[str, Any]]
) -> dict[int, dict[str, Any]]:
    moments: dict[int, dict[str, Any]] = {int(i): dict(v) for i, v in numbers.items()}
    for place, tensor in _under("optimiser/", tensors).items():
        index, _, name = place.partition("/")
        moments.setdefault(int(index), {})[name] = tensor
    return moments


def _under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}


def _same(path: Path, held: Mapping[str, str], wanted: Mapping[str, str]) -> None:
    for name in sorted({*held, *wanted}):
        was, now = held.get(name, "nothing"), wanted.get(name, "nothing")
        if was != now:
            raise BadInput(
                f"{path}: the checkpoint of another training: {name} was {was} there and is "
                f"{now} now; name another folder"
            )
