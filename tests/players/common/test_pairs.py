from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from deixis.encodings import Disk, Memory
from deixis.outcomes import score
from deixis.players.common.pairs import DualPlayer, PairPlayer, dots
from deixis.seeds import Seeds, digest
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task
from deixis.trials import Description, Picture


class Encoder:
    """Vectors from hashes; counts what it is asked."""

    name, revision = "hashes", "1"

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def _vector(self, what: str) -> np.ndarray:
        self.asked[what] += 1
        return np.random.default_rng(digest(what)).normal(size=16).astype(np.float32)

    def texts(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([self._vector(f"text {t}") for t in texts])

    def pictures(self, pictures: Sequence[Picture]) -> np.ndarray:
        return np.array([self._vector(f"picture {p.key}") for p in pictures])


class Scorer:
    """The same scores, one pair at a time."""

    name, revision = "pairs", "1"

    def __init__(self) -> None:
        self.asked: Counter[tuple[str, str]] = Counter()
        self.largest = 0

    def pairs(self, texts: Sequence[Description], pictures: Sequence[Picture]) -> np.ndarray:
        encoder = Encoder()
        self.largest = max(self.largest, len(texts))
        self.asked.update((str(t), p.key) for t, p in zip(texts, pictures, strict=True))
        made = zip(encoder.texts([str(t) for t in texts]), encoder.pictures(pictures), strict=True)
        return np.array([float(t.astype(float) @ p) for t, p in made])


@pytest.fixture(scope="module", params=["text-to-picture", "picture-to-text"])
def task(request: pytest.FixtureRequest, world) -> Task:
    return make(world, k=6, per_target=2, direction=request.param).limit(120)


def test_each_distinct_input_is_encoded_once(task: Task) -> None:
    encoder = Encoder()
    player = DualPlayer(encoder)
    seen = views(task)
    player.reply(seen)
    assert set(encoder.asked.values()) == {1}
    texts = {str(t) for v in seen for t in v.texts}
    pictures = {p.key for v in seen for p in v.pictures}
    assert len(encoder.asked) == len(texts) + len(pictures)
    player.reply(seen[:9])
    assert set(encoder.asked.values()) == {1}, "nor again in a second call"


def test_scores_are_dot_products(task: Task) -> None:
    seen = views(task)[:20]
    encoder = Encoder()
    replies = DualPlayer(encoder).reply(seen)
    for row, view in zip(replies.scores, seen, strict=True):
        texts = encoder.texts([str(t) for t in view.texts]).astype(float)
        pictures = encoder.pictures(view.pictures).astype(float)
        assert row == pytest.approx((texts @ pictures.T).ravel(), rel=1e-5, abs=1e-5)


def test_each_distinct_pair_is_scored_once(task: Task) -> None:
    scorer = Scorer()
    player = PairPlayer(scorer, batch=50)
    seen = views(task)
    replies = player.reply(seen)
    assert set(scorer.asked.values()) == {1}
    assert scorer.largest == 50
    pairs = {(str(t), p.key) for v in seen for t in v.texts for p in v.pictures}
    assert set(scorer.asked) == pairs
    before = sum(scorer.asked.values())
    again = player.reply(seen[::-1])
    assert sum(scorer.asked.values()) == before
    assert (again.scores[::-1] == replies.scores).all()


def test_both_adapters_play_alike(task: Task) -> None:
    seen = views(task)
    one = score(task, DualPlayer(Encoder()).reply(seen))
    other = score(task, PairPlayer(Scorer()).reply(seen))
    assert one.scores == pytest.approx(other.scores, rel=1e-4, abs=1e-5)
    assert (one.credit == other.credit).all()


@pytest.mark.parametrize("adapter", [DualPlayer, PairPlayer])
def test_order_of_views_and_candidates_changes_nothing(task: Task, adapter) -> None:
    def player():
        return adapter(Encoder() if adapter is DualPlayer else Scorer(), batch=37)

    whole = score(task, player().reply(views(task)))
    order = np.random.default_rng(0).permutation(len(task))
    mixed = score(task, player().reply([views(task)[i] for i in order]))
    moved = task.reseed(Seeds(order=7))
    turned = score(moved, player().reply(views(moved)))
    for other in (mixed, turned):
        assert (other.credit == whole.credit).all()
        assert (other.rank == whole.rank).all()


def test_equal_inputs_tie_exactly(task: Task) -> None:
    blank = task.do("image=blank") if len(views(task)[0].texts) == 1 else task.do(
        "whole=drop,parts=drop"
    )  # fmt: skip
    for player in (DualPlayer(Encoder()), PairPlayer(Scorer())):
        outcomes = score(blank, player.reply(views(blank)))
        assert (outcomes.credit == 1 / 6).all()


def test_caches_outlive_the_player(task: Task, tmp_path) -> None:
    DualPlayer(Encoder(), Disk(tmp_path)).reply(views(task))
    encoder = Encoder()
    replies = DualPlayer(encoder, Disk(tmp_path)).reply(views(task))
    assert not encoder.asked
    assert (replies.scores == DualPlayer(Encoder(), Memory()).reply(views(task)).scores).all()


def test_dots_in_blocks() -> None:
    generator = np.random.default_rng(0)
    texts, pictures = generator.normal(size=(30, 8)), generator.normal(size=(40, 8))
    t, p = generator.integers(0, 30, 40_000), generator.integers(0, 40, 40_000)
    assert dots(texts, pictures, t, p) == pytest.approx((texts @ pictures.T)[t, p])
    assert dots(texts, pictures, t[:0], p[:0]).shape == (0,)
