from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.seeds import Seeds, below, digest, draw, keys, stream


def splitmix(state: int, n: int) -> list[int]:
    """SplitMix64 in plain integers."""
    mask, out = 2**64 - 1, []
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        out.append(z ^ (z >> 31))
    return out


def test_streams_are_splitmix64() -> None:
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert splitmix(1234567, 3) == published
    ids = keys(["a", "b"])
    rows = stream(1, "order", ids, 5)
    for row, key in zip(rows.tolist(), ids.tolist(), strict=True):
        # The start is one step of the same finaliser without the increment.
        start = splitmix((key ^ digest(1, "order")) - 0x9E3779B97F4A7C15, 1)[0]
        assert row == splitmix(start, 5)


def test_numbers_stay_the_same_from_version_to_version() -> None:
    """Every published result rests on these: if they change, all results do."""
    text = "1:05:words9:page1-1_0"
    short = hashlib.blake2b(text.encode(), digest_size=8).digest()
    assert digest(0, "words", "page1-1_0") == int.from_bytes(short, "little")
    assert digest(0, "words", "page1-1_0") == 365842816327309684
    assert draw(7, "parts", "page1-1_0").permutation(7).tolist() == [2, 5, 6, 4, 3, 0, 1]


def test_numbers_do_not_depend_on_the_process() -> None:
    code = "from deixis.seeds import digest; print(digest('a', 1, ('b', None)))"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={}
    )
    assert int(ran.stdout) == digest("a", 1, ("b", None))


@given(st.lists(st.text(max_size=5), min_size=2, max_size=4, unique=True))
def test_what_a_draw_is_for_matters(words: list[str]) -> None:
    assert digest(*words) != digest(*reversed(words))
    assert digest(*words) != digest(*words[1:])


@given(
    st.lists(st.text(max_size=8), min_size=1, max_size=20, unique=True),
    st.integers(0, 2**31),
    st.integers(1, 5),
)
def test_a_row_depends_on_its_own_id_alone(ids: list[str], seed: int, n: int) -> None:
    together = stream(seed, "order", keys(ids), n)
    for i, one in enumerate(ids):
        assert (stream(seed, "order", keys([one]), n)[0] == together[i]).all()
    backwards = stream(seed, "order", keys(ids[::-1]), n)
    assert (backwards[::-1] == together).all()
    longer = stream(seed, "order", keys(ids), n + 3)
    assert (longer[:, :n] == together).all()


def test_other_seeds_and_purposes_give_unrelated_numbers() -> None:
    ids = keys([str(i) for i in range(2000)])
    one, seed, purpose = stream(0, "a", ids, 4), stream(1, "a", ids, 4), stream(0, "b", ids, 4)
    for other in (seed, purpose):
        assert not (one == other).any()
        share = np.unpackbits((one ^ other).view(np.uint8)).mean()
        assert share == pytest.approx(0.5, abs=0.005)


def test_below_is_uniform_and_in_range() -> None:
    bits = stream(0, "below", keys([str(i) for i in range(30_000)]), 1)[:, 0]
    drawn = below(bits, 7)
    counts = np.bincount(drawn, minlength=7)
    assert len(counts) == 7
    expected = 30_000 / 7
    assert ((counts - expected) ** 2 / expected).sum() < 22.5  # chi-square with 6 d.f., p = .001


@given(st.integers(1, 2**50))
def test_below_never_reaches_its_bound(bound: int) -> None:
    ends = np.array([0, 2**64 - 1], np.uint64)
    low, high = below(ends, bound).tolist()
    assert low == 0
    assert high < bound


def test_replicates_keep_the_contexts() -> None:
    seeds = Seeds(contexts=3, order=1, operator=2, training=4)
    assert seeds.replicate(0) == seeds
    assert seeds.replicate(5) == Seeds(contexts=3, order=6, operator=7, training=9)
