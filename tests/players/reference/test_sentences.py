"""Vectors of short texts."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.errors import BadInput
from deixis.players.reference import sentences as module
from deixis.players.reference.sentences import Hashed, minilm, sentences

WORDS = st.lists(st.sampled_from(["dog", "cat", "left leg", "right leg", "hat"]), min_size=1)


@given(WORDS)
def test_hashed_vectors_have_length_one_and_depend_on_their_text_alone(texts: list[str]) -> None:
    encoder = Hashed()
    together = encoder(texts)
    assert together.shape == (len(texts), encoder.width)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)
    assert np.array_equal(together, np.concatenate([encoder([t]) for t in texts]))


def test_nothing_in_a_text_is_nothing_in_its_vector() -> None:
    assert not Hashed()([""]).any()
    assert Hashed()([]).shape == (0, Hashed.width)


def test_minilm_knows_meanings_and_not_only_letters() -> None:
    """A puppy is nearer to a dog than a hat is; the published model, from its package."""
    encoder = minilm()
    dog, puppy, hat, empty = encoder(["dog", "puppy", "hat", " "])
    assert dog @ puppy > 0.7 > dog @ hat
    assert not empty.any()
    assert np.allclose([dog @ dog, hat @ hat], 1, atol=1e-5)
    assert encoder.width == 384
    assert minilm() is encoder
    long = "a dog with " + "a very long tail and " * 9
    alone = encoder([long])[0]
    assert np.allclose(encoder(["dog", long, "hat"])[1], alone, atol=1e-5)


def test_kinds_that_are_none_or_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="--words: expected minilm or hashed, got 'x'"):
        sentences("x")
    assert isinstance(sentences("hashed"), Hashed)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    module.minilm.cache_clear()
    with pytest.raises(BadInput, match=r"pip install 'deixis\[sentences\]'"):
        sentences("minilm")
    module.minilm.cache_clear()
