"""Tensors in safetensors files: written whole or not at all, read with errors that say why."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from deixis.errors import BadInput
from deixis.writing import whole

Tensors = Mapping[str, Tensor]


def write(path: Path, tensors: Tensors, about: Mapping[str, str] | None = None) -> None:
    """Write tensors whole: what was there stays till then.

    Args:
        path: the file; its folder is made.
        tensors: by name, on any device; some may share memory.
        about: texts to keep with them.

    Raises:
        BadInput: the disk is full or the folder cannot be written; the old file is as it was.
    """
    apart = {n: t.detach().to("cpu", copy=True).contiguous() for n, t in tensors.items()}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{path.parent}: could not be made ({error})") from None
    try:
        with whole(path, synced=True) as temporary:
            save_file(apart, temporary, dict(about or {}))
    except (OSError, SafetensorError) as error:
        kept = "; the one from before is as it was" if path.is_file() else ""
        raise BadInput(f"{path}: could not be written ({error}){kept}") from None


def read(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Tensors by name, and the texts kept with them.

    Raises:
        BadInput: there is no such file, or it is cut short or of another format.
    """
    try:
        with safe_open(path, "pt") as file:
            return {n: file.get_tensor(n) for n in list(file.keys())}, dict(file.metadata() or {})
    except FileNotFoundError:
        raise BadInput(f"{path}: there is no such file of weights") from None
    except (OSError, SafetensorError) as error:
        raise BadInput(f"{path}: no safetensors file, or one cut short ({error})") from None


def load(module: nn.Module, tensors: Tensors, where: Path | str) -> None:
    """Put weights into a module of the same architecture.

    Args:
        module: gets them.
        tensors: by the names of its parameters and buffers.
        where: how errors name the source.

    Raises:
        BadInput: a name or a shape differs.
    """
    own = module.state_dict()
    for name in own:
        if name not in tensors:
            raise BadInput(f"{where}: weights of another architecture: {name} is missing")
        expected, found = list(own[name].shape), list(tensors[name].shape)
        if expected != found:
            raise BadInput(
                f"{where}: weights of another architecture: {name} has shape {found}, "
                f"expected {expected}"
            )
    for name in tensors:
        if name not in own:
            raise BadInput(f"{where}: weights of another architecture: it has no {name}")
    module.load_state_dict(dict(tensors))


def fingerprint(tensors: Tensors) -> str:
    """Hash over names, types, shapes and values, 16 hex digits: the revision of a model.

    >>> fingerprint({"a": torch.zeros(2)}) != fingerprint({"a": torch.zeros(2, 1)})
    True
    """
    total = hashlib.sha256()
    for name in sorted(tensors):
        tensor = tensors[name].detach().cpu().contiguous()
        total.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        total.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return total.hexdigest()[:16]
