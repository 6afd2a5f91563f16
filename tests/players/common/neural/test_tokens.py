"""Tokens, and texts that are too long."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from deixis.players.common.neural.tiny import Size, tokenizer_of
from deixis.players.common.neural.tokens import Tokens

WORDS = ["a dog", "head", "tail", "left leg", "a standing person with a hat"]
SIZE = Size(vocabulary=200, limit=13)
WRAPPED = tokenizer_of(WORDS, SIZE, "<s>", "</s>")
LINES = st.lists(st.sampled_from(["dog", "leg", "head", "xyz", "a"]), max_size=20).map(" ".join)


@pytest.fixture
def tokens() -> Tokens:
    return Tokens(WRAPPED, SIZE.limit)


def test_marks_limit_and_what_is_over(tokens: Tokens) -> None:
    texts = ["", "a dog", " ".join(["dog"] * 11), " ".join(["dog"] * 12)]
    lengths = tokens.lengths(texts)
    assert lengths[0] == 2
    assert tokens.over(texts).tolist() == (lengths > 13).tolist() == [False, False, False, True]
    made = tokens(texts)
    assert made["input_ids"].shape == (4, 13)
    begin, end = WRAPPED.bos_token_id, WRAPPED.eos_token_id
    assert (made["input_ids"][:, 0] == begin).all()
    last = made["attention_mask"].sum(1) - 1
    assert (made["input_ids"][torch.arange(4), last] == end).all()


def test_advice_of_the_tokeniser_is_not_printed(
    tokens: Tokens, capfd: pytest.CaptureFixture[str]
) -> None:
    tokens.over([" ".join(["dog"] * 50)])
    assert capfd.readouterr().err == ""


@settings(max_examples=30)
@given(st.lists(LINES, min_size=1, max_size=12), LINES)
def test_a_text_is_padded_the_same_in_any_bucket(texts: list[str], text: str) -> None:
    tokens = Tokens(WRAPPED, SIZE.limit)
    together = [*texts, text]
    bucket = next(b for b in tokens.buckets(together) if len(texts) in b)
    alone = tokens([text])["input_ids"][0]
    row = bucket.tolist().index(len(texts))
    assert torch.equal(tokens([together[i] for i in bucket])["input_ids"][row], alone)


@given(st.lists(LINES, max_size=12))
def test_buckets_hold_every_text_once(texts: list[str]) -> None:
    buckets = Tokens(WRAPPED, SIZE.limit).buckets(texts)
    assert sorted(i for b in buckets for i in b.tolist()) == list(range(len(texts)))


def test_padded_to_the_limit_without_a_mask() -> None:
    tokens = Tokens(WRAPPED, 13, padded=True)
    made = tokens(["dog", "a"])
    assert set(made) == {"input_ids"}
    assert made["input_ids"].shape == (2, 13)
    assert [b.tolist() for b in tokens.buckets(["dog", "head tail"])] == [[0, 1]]


def test_no_texts(tokens: Tokens) -> None:
    assert tokens.over([]).shape == (0,)
    assert np.array_equal(tokens.lengths([]), np.zeros(0))
