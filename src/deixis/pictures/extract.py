"""Feature vectors of pictures, by any vision encoder that transformers can load."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from deixis.errors import BadInput, extra
from deixis.writing import whole

Floats32 = NDArray[np.float32]

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")


def extract(
    folder: Path,
    model: str,
    out: Path,
    *,
    batch: int = 32,
    progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> int:
    """Write ``image_id`` and ``features`` of every picture below a folder to an HDF5 file.

    The features are what the model itself gives for a picture (CLIP and its kin), else its pooled
    output if it was trained with one, else the mean of its last layer. Attributes of the file name
    the model and its weights.

    Args:
        folder: of pictures.
        model: a folder or a name on the hub.
        out: the file to write.
        batch: pictures encoded at a time.
        progress: told how far it is.

    Returns:
        The number of pictures.

    Raises:
        BadInput: there are no pictures, one cannot be read, or the model cannot be loaded.
    """
    h5py = extra("h5py", "features")
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES)
    if not paths:
        raise BadInput(f"{folder}: no pictures there ({', '.join(SUFFIXES)})")
    encoder, revision = _encoder(model)
    made = []
    for start in range(0, len(paths), batch):
        progress("encoding pictures", start, len(paths))
        made.append(encoder(list(_pictures(paths[start : start + batch]))))
    with whole(out) as temporary, h5py.File(temporary, "w") as file:
        names = [p.relative_to(folder).as_posix() for p in paths]
        file.create_dataset("image_id", data=names, dtype=h5py.string_dtype())
        file.create_dataset("features", data=np.vstack(made))
        file.attrs["model"], file.attrs["revision"] = model, revision
    return len(paths)


def _pictures(paths: Sequence[Path]) -> Iterator[Image.Image]:
    for path in paths:
        try:
            with Image.open(path) as opened:
                # Cameras store pictures turned, with a note how to turn them back.
                yield ImageOps.exif_transpose(opened).convert("RGB")
        except (UnidentifiedImageError, OSError) as error:
            raise BadInput(f"{path}: not a readable picture: {error}") from None


def _encoder(name: str) -> tuple[Callable[[list[Image.Image]], Floats32], str]:
    """The model's function from pictures to vectors of shape (n, d), and a hash of its weights."""
    torch, transformers = extra("torch", "torch"), extra("transformers", "torch")
    try:
        model, told = transformers.AutoModel.from_pretrained(name, output_loading_info=True)
        processor = transformers.AutoImageProcessor.from_pretrained(name)
    except (OSError, ValueError) as error:
        raise BadInput(f"{name}: no vision encoder: {str(error).splitlines()[0]}") from None
    # A layer that the weights lack is drawn at random: what it gives says nothing.
    pooled = not any(key.startswith("pooler.") for key in told["missing_keys"])
    lacking = [key for key in told["missing_keys"] if not key.startswith("pooler.")]
    if lacking:
        raise BadInput(f"{name}: its weights lack {len(lacking)} layers, {lacking[0]} among them")
    model.eval()

    def encode(pictures: list[Image.Image]) -> Floats32:
        inputs = processor(pictures, return_tensors="pt")
        with torch.inference_mode():
            made = _vectors(model, inputs, pooled)
        return np.asarray(made.float().numpy(), np.float32)

    return encode, _revision(model, told["missing_keys"])


def _vectors(model: Any, inputs: Any, pooled: bool) -> Any:
    if hasattr(model, "get_image_features"):
        made = model.get_image_features(**inputs)
        return getattr(made, "pooler_output", made)
    found = model(**inputs)
    if pooled and getattr(found, "pooler_output", None) is not None:
        return found.pooler_output.flatten(1)
    last = found.last_hidden_state
    # A map is (n, d, height, width), a sequence (n, length, d).
    return last.flatten(2).mean(2) if last.ndim == 4 else last.mean(1)


def _revision(model: Any, missing: Collection[str]) -> str:
    total = hashlib.sha256()
    for name, value in sorted(model.state_dict().items()):
        if name not in missing:
            total.update(name.encode())
            total.update(value.detach().float().cpu().numpy().tobytes())
    return total.hexdigest()[:16]
