"""Texts as tokens, with those counted that a model cannot take whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from deixis.players.common.neural.pretrained import silent

_STEP = 8
"""Texts are padded to multiples of so many tokens, so what a text is padded to depends on it
alone: its vector is the same whatever it is encoded with."""


class Tokens:
    """A tokeniser with a limit."""

    def __init__(self, tokenizer: Any, limit: int, *, padded: bool = False) -> None:
        """Wrap a tokeniser of transformers.

        Args:
            tokenizer: cuts texts, adds marks at both ends, pads.
            limit: the most tokens that the model takes, marks included.
            padded: whether the model wants all texts padded to the limit, without a mask.
        """
        self.tokenizer = tokenizer
        self.limit = limit
        self.padded = padded

    def lengths(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Tokens of each text, marks included, uncut; shape (n,)."""
        if not texts:
            return np.zeros(0, np.int64)
        with silent():  # its advice on long texts is what `over` is for
            found = self.tokenizer(list(texts), truncation=False)["input_ids"]
        return np.array([len(f) for f in found], np.int64)

    def over(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Which texts are longer than the limit, and lose their end."""
        return np.asarray(self.lengths(texts) > self.limit)

    def buckets(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Positions of texts that are padded to the same length, bucket by bucket."""
        if self.padded:
            return [np.arange(len(texts))]
        width = np.minimum(-(-self.lengths(texts) // _STEP) * _STEP, self.limit)
        return [np.flatnonzero(width == w) for w in np.unique(width)]

    def __call__(
        self, texts: Sequence[str], device: torch.device | str = "cpu"
    ) -> dict[str, Tensor]:
        """Tokens cut at the limit and padded, as a model takes them; at least one text."""
        cut = self.tokenizer(list(texts), truncation=True, max_length=self.limit)["input_ids"]
        longest = max(len(c) for c in cut)
        width = self.limit if self.padded else min(-(-longest // _STEP) * _STEP, self.limit)
        made = self.tokenizer.pad(
            {"input_ids": cut}, padding="max_length", max_length=width, return_tensors="pt"
        )
        names = ("input_ids",) if self.padded else ("input_ids", "attention_mask")
        return {n: made[n].to(device) for n in names}
