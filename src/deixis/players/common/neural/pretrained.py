"""Checkpoints of transformers models, from a folder or by their hub name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import snapshot_download
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn
from transformers import AutoTokenizer
from transformers.utils import logging as _logging

from deixis.errors import BadInput
from deixis.players.common.neural.transforms import Transform, to_config

logging: Any = _logging
"""Its functions have no types."""

_SMALL = ("*.json", "*.txt", "*.model")
_WEIGHTS = ("model*.safetensors", "pytorch_model*.bin")


@dataclass(frozen=True)
class Checkpoint:
    """A folder with a configuration, weights, and what prepares texts and pictures.

    Attributes:
        name: as the user wrote it.
        folder: where it lies.
        config: content of ``config.json``.
        revision: hash of all its files.
    """

    name: str
    folder: Path
    config: Mapping[str, Any]
    revision: str

    def json(self, name: str) -> dict[str, Any]:
        """The content of one of its JSON files; empty where it is absent."""
        return _json(self.folder / name) if (self.folder / name).is_file() else {}


def find(argument: str, player: str, types: Sequence[str]) -> Checkpoint:
    """A checkpoint by folder or hub name.

    Args:
        argument: what stands behind the player's colon.
        player: its name, for errors.
        types: the ``model_type`` of checkpoints that fit.

    Raises:
        BadInput: there is none, or it is of another architecture.
    """
    if not argument:
        raise BadInput(f"{player}: expected {player}:FOLDER or {player}:HUB_NAME")
    folder = Path(argument) if Path(argument).is_dir() else _download(argument, player)
    if not (folder / "config.json").is_file():
        raise BadInput(f"{player}:{argument}: no config.json there, so it is no checkpoint")
    config = _json(folder / "config.json")
    found = config.get("model_type")
    if found not in types:
        raise BadInput(
            f"{player}:{argument}: a checkpoint of another architecture: expected "
            f"{' or '.join(types)}, got {found}"
        )
    files = _files(folder)
    if not any(f.match(w) for f in files for w in _WEIGHTS):
        raise BadInput(f"{player}:{argument}: no weights there (model.safetensors)")
    return Checkpoint(argument, folder, config, _revision(files))


def load_model(checkpoint: Checkpoint, kind: Any, *, may_lack: Sequence[str] = ()) -> nn.Module:
    """The model with its weights, in evaluation mode, in float32.

    Args:
        checkpoint: where from.
        kind: a class of transformers, with ``from_pretrained``.
        may_lack: weights that need not be there.

    Raises:
        BadInput: weights are missing, of other shapes, or the file is cut short.
    """
    try:
        with silent():
            model, info = kind.from_pretrained(
                checkpoint.folder,
                local_files_only=True,
                output_loading_info=True,
                dtype=torch.float32,
            )
    except (OSError, RuntimeError, ValueError, SafetensorError) as error:
        raise BadInput(
            f"{checkpoint.folder}: weights that cannot be read: {_line(error)}"
        ) from None
    lacking = sorted(set(info["missing_keys"]) - set(may_lack))
    if lacking:
        raise BadInput(
            f"{checkpoint.folder}: weights of another architecture: {lacking[0]} is missing"
        )
    made: nn.Module = model.eval()
    return made


def load_tokenizer(checkpoint: Checkpoint, vocabulary: int) -> Any:
    """What cuts texts into tokens.

    Args:
        checkpoint: where from.
        vocabulary: how many tokens the model knows.

    Raises:
        BadInput: its files are missing or broken, or it makes tokens that the model does not know.
    """
    try:
        with silent():
            tokenizer = AutoTokenizer.from_pretrained(checkpoint.folder, local_files_only=True)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{checkpoint.folder}: no tokenizer there: {_line(error)}") from None
    if len(tokenizer) <= len(tokenizer.all_special_tokens):
        raise BadInput(f"{checkpoint.folder}: no tokenizer there: its vocabulary is empty")
    if len(tokenizer) > vocabulary:
        raise BadInput(
            f"{checkpoint.folder}: the tokenizer of another model: it makes {len(tokenizer)} "
            f"different tokens, the model knows {vocabulary}"
        )
    return tokenizer


def save(folder: Path, model: nn.Module, tokenizer: Any, transform: Transform) -> None:
    """Write a checkpoint that transformers and this module read.

    Args:
        folder: gets it.
        model: of transformers.
        tokenizer: of transformers.
        transform: how pictures are prepared.
    """
    kept: Any = model
    with silent():
        kept.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    config = json.dumps(to_config(transform), indent=1)
    (folder / "preprocessor_config.json").write_text(config + "\n", "utf-8")


def tensors(checkpoint: Checkpoint, names: Sequence[str]) -> dict[str, Tensor]:
    """Those of the named weights that the checkpoint's files hold."""
    found: dict[str, Tensor] = {}
    for path in _files(checkpoint.folder):
        if path.suffix == ".safetensors":
            with safe_open(path, "pt") as file:
                held = set(file.keys())
                found |= {n: file.get_tensor(n) for n in names if n in held}
        elif path.suffix == ".bin":
            loaded = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
            found |= {n: loaded[n] for n in names if n in loaded}
    return found


@contextmanager
def silent() -> Iterator[None]:
    """Without the progress bars and advice that transformers prints while loading."""
    before = logging.get_verbosity()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        logging.enable_progress_bar()


def _download(name: str, player: str) -> Path:
    try:
        folder = Path(snapshot_download(name, allow_patterns=[*_SMALL, "model*.safetensors"]))
        if not list(folder.glob("model*.safetensors")):
            snapshot_download(name, allow_patterns="pytorch_model*.bin")
    except (OSError, ValueError) as error:
        raise BadInput(
            f"{player}:{name}: no such folder, and the hub does not give it: {_line(error)}"
        ) from None
    return folder


def _files(folder: Path) -> list[Path]:
    """Files that matter: one set of weights, safetensors if there are any, and small ones."""
    held = sorted(p for pattern in _SMALL for p in folder.glob(pattern))
    weights = next((w for p in _WEIGHTS if (w := sorted(folder.glob(p)))), [])
    return held + weights


def _revision(files: Sequence[Path]) -> str:
    total = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        total.update(f"{path.name} {content}\n".encode())
    return total.hexdigest()[:16]


def _json(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadInput(f"{path}: no JSON: {_line(error)}") from None
    return content


def _line(error: Exception) -> str:
    """The first line of an error's text, shortened."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:200].rstrip(". ")
