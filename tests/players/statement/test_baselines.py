"""Every neural baseline: sizes, training, keeping, blindness; figures in long form."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from deixis import registry
from deixis.audit.audit import Spec, audit
from deixis.encodings import Memory
from deixis.errors import BadInput
from deixis.players.common.saved import saved
from deixis.players.statement.neural.builder import Baseline
from deixis.players.statement.neural.net import Setting, parameters
from deixis.players.statement.neural.sentences import Words
from deixis.runs.play import play
from deixis.runs.prepare import build
from deixis.tasks.see import views
from deixis.tasks.task import Task

NAMES = ("rnn", "cnn", "cnn-rnn", "film", "mac", "nmn", "n2nmn")
WORDS = Words(tuple(f"w{i}" for i in range(98)))
"""With the two numbers that stand for no word, a hundred."""

LSTM_4096 = 4 * 4096 * (300 + 4096 + 2)
CNN = 3 * 32 * 64 + 32 + 32 * 32 * 16 + 32 + 32 * 32 * 4 + 32
FILM_BLOCK = (128 + 3) * 128 + 128 + 128 * 128 * 9 + 128
FILM = 100 * 200 + 3 * 4096 * (200 + 4096 + 2) + 4096 * 1024 + 1024 + 4 * FILM_BLOCK
FILM_HEAD = (128 + 3) * 512 + 512 + 512 * 1024 + 1024 + 1024 + 1
MAC_CELL = 3 * (1024 * 512 + 512) + 2 * (512 * 512 + 512) + 2 * (512 + 1)
MAC = 100 * 300 + 2 * 4 * 256 * (300 + 256 + 2) + 12 * (512 * 512 + 512) + 2 * 512
BOTH_WAYS = 2 * 4 * 500 * (300 + 500 + 2) + 2 * 4 * 500 * (1000 + 500 + 2)
DECODER = 24 * 1000 + 1001 * 2000 + 4 * 1000 * (2000 + 1000 + 2) + 1001 * 1000 + 2001 * 23
KNOWN = 2048 + 2 + 1
"""Of a cell: features, down and across, which box."""

EYES = 2 * (KNOWN + 1) * 500 + (KNOWN + 4 + 1) * 500 + 2049 + 501 * 4
READING = 2 * 301 * 501 + 301 * 3 * 1001 + 301 * 10 + 301 * 2 + 2
SIZES = {
    ("n2nmn", "paper"): 100 * 300 + BOTH_WAYS + DECODER + EYES + READING,
    ("rnn", "paper"): 100 * 300 + LSTM_4096 + 4096 * 1024 + 1024 + 1024 + 1,
    ("rnn", "paper-nlvr"): 1600 + 4 * 128 * (16 + 128 + 2) + 128 * 128 + 128 + 129,
    ("cnn", "paper-nlvr"): CNN + 960 * 256 + 256 + 256 * 128 + 128 + 129,
    ("cnn-rnn", "paper-nlvr"): CNN
    + 1600
    + 4 * 128 * (16 + 128 + 2)
    + 960 * 256
    + 256
    + (256 + 128) * 128
    + 128
    + 129,
    ("film", "paper"): FILM + (1024 + 3) * 128 * 9 + 128 + FILM_HEAD,
    ("film", "paper-nlvr"): FILM + (3 + 3) * 128 * 9 + 128 + 3 * (128 * 128 * 9 + 128) + FILM_HEAD,
    ("mac", "paper"): MAC
    + (1024 + 3) * 512 * 9
    + 512
    + 512 * 512 * 9
    + 512
    + MAC_CELL
    + 1024 * 512
    + 512
    + 513,
}
"""Counted by hand from what the papers and their code say."""

SHAPES = {
    "backbone:3:224": (1, 1024, 14, 14),
    "backbone:4:448": (1, 2048, 14, 14),
    "pixels": (1, 3, 100, 400),
    "nothing": (1, 1, 1, 1),
}


@pytest.mark.parametrize(("name", "preset"), SIZES)
def test_published_sizes(name: str, preset: str) -> None:
    baseline: Baseline = registry.find("players", name, "statement")
    chosen = baseline.presets[preset]
    with torch.device("meta"):
        net = chosen.make(Setting(WORDS, SHAPES[chosen.looks]))
    assert parameters(net) == SIZES[name, preset]


def fitted(spec: str, task: Task, **options: str):
    return build(spec, task, **{"epochs": "1", **options}).fit(task, seed=0)


@pytest.mark.parametrize(
    "spec", [*NAMES, "n2nmn:tuning", "n2nmn:reinforcement"], ids=lambda s: s.replace(":", " ")
)
def test_learns_plays_and_is_kept(spec: str, learnt: Task, played: Task, tmp_path: Path) -> None:
    player = fitted(spec, learnt)
    replies = player.reply(views(played))
    assert replies.scores is not None
    assert np.isfinite(replies.scores).all()
    player.save(tmp_path / "kept")
    again = saved(str(tmp_path / "kept"), played)
    assert again.revision == player.revision
    np.testing.assert_array_equal(again.reply(views(played)).scores, replies.scores)
    sent = pickle.loads(pickle.dumps(player.at(played)))
    np.testing.assert_array_equal(sent.reply(views(played)).scores, replies.scores)


def test_the_same_seed_is_the_same_player(learnt: Task) -> None:
    one, same = fitted("cnn-rnn", learnt), fitted("cnn-rnn", learnt)
    other = build("cnn-rnn", learnt, epochs="1").fit(learnt, seed=1)
    assert one.revision == same.revision != other.revision


@pytest.mark.parametrize(("name", "channel"), [("rnn", "image"), ("cnn", "sentence")])
def test_blind_models_are_blind(name: str, channel: str, learnt: Task, played: Task) -> None:
    """What a model does not get changes nothing."""
    player = fitted(name, learnt)
    told = player.reply(views(played)).scores
    drawn = player.reply(views(played.do(f"{channel}=shuffle"))).scores
    np.testing.assert_array_equal(told, drawn)


@pytest.mark.parametrize("name", ["cnn-rnn", "film", "mac", "nmn", "n2nmn"])
def test_the_others_are_not(name: str, learnt: Task, played: Task) -> None:
    player = fitted(name, learnt)
    told = player.reply(views(played)).scores
    for channel in ("sentence", "left", "right"):
        drawn = player.reply(views(played.do(f"{channel}=shuffle"))).scores
        assert not np.array_equal(told, drawn), channel


def test_one_that_was_kept_is_audited(learnt: Task, played: Task, tmp_path: Path) -> None:
    fitted("nmn", learnt).save(tmp_path / "kept")
    do = [f"{c}={op}" for c in ("sentence", "left", "right") for op in ("blank", "shuffle")]
    do += ["image=blank", "image=swap", "sentence=words:0.5"]
    kept = saved(str(tmp_path / "kept"), played)
    found = audit(played, partial(play, played, kept), Spec(tuple(do), resamples=200))
    assert [c.of for c in found.of("gap")] == do
    for condition in found.conditions:
        assert 0 <= condition["measures"]["consistency"] <= condition["measures"]["accuracy"] <= 1
    blind = next(c for c in found.conditions if c["do"] == "image=blank")
    assert blind["measures"]["accuracy"] == 0.5, "each sentence is true of two of its four pairs"


def test_a_world_may_be_learnt_from_first(learnt: Task, tmp_path: Path) -> None:
    """The simplest of its sentences, then all of them, then the task."""
    learner = build("cnn-rnn", learnt, epochs="1", before="boxes", sentences="8")
    player = learner.fit(learnt, seed=0, folder=tmp_path / "own")
    simple, every = learner.before
    assert set(simple.dataset.extras["subsets"]) == {"existential quantifier"}
    assert len(simple) == len(every) == 32
    assert {p.name for p in (tmp_path / "own").iterdir()} == {"before", "answers"}
    assert {p.name for p in (tmp_path / "own/before").iterdir()} == {"0", "1"}
    taught = learner.taught(learnt)
    assert taught.fit(learnt, seed=0).revision == player.revision
    with pytest.raises(BadInput, match="another training"):
        build("cnn-rnn", learnt, epochs="1").fit(learnt, seed=0, folder=tmp_path / "own")


def test_lessons_are_learnt_once(learnt: Task) -> None:
    """Trainings differ, and all begin where the lessons ended."""
    taught = build("cnn-rnn", learnt, epochs="1", before="boxes", sentences="8").taught(learnt)
    same = [replace(taught, stages=()).fit(learnt, seed=s).revision for s in (0, 1)]
    assert same[0] == same[1]
    assert taught.fit(learnt, seed=0).revision != taught.fit(learnt, seed=1).revision
    plain = build("cnn-rnn", learnt, epochs="1")
    assert plain.taught(learnt) is plain


def test_what_pictures_look_like_is_kept_with_them(learnt: Task) -> None:
    """Models that look through the same eye share what it saw, run after run."""
    fitted("film", learnt)
    seen: Memory = learnt.store.derived("features", Memory)
    known = len(seen._vectors)
    assert known
    fitted("mac", learnt)
    assert len(seen._vectors) == known


def test_vectors_from_a_file(learnt: Task, played: Task, tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("circle 1 0 0\nsquare 0 1 0\nthere 0 0 1\n")
    player = fitted("rnn", learnt, vectors=str(tmp_path / "glove.txt"))
    player.save(tmp_path / "kept")
    assert player.net.read.vectors.weight.shape[1] == 3
    again = saved(str(tmp_path / "kept"), played)
    assert again.revision == player.revision


@pytest.mark.parametrize(
    ("spec", "options", "sentence"),
    [
        ("film:frob", {}, "film: expected nothing behind the colon"),
        ("n2nmn:frob", {}, "expected cloning or tuning or reinforcement behind the colon"),
        ("film", {"preset": "large"}, "--preset: expected small or paper or paper-nlvr"),
        ("film", {"layouts": "gold"}, "--layouts: film looks at no layouts"),
        ("film", {"eye": "x"}, "--eye: this preset has an eye of its own"),
        ("film", {"preset": "paper"}, "--eye: expected --eye:FOLDER"),
        ("rnn", {"epochs": "none"}, "--epochs: expected a whole number"),
        ("rnn", {"sentences": "4"}, "--sentences: are of the world that --before names"),
        ("rnn", {"before": "nlvr"}, "--before: expected boxes or strips or towers, got 'nlvr'"),
    ],
)
def test_what_is_refused(spec: str, options: dict[str, str], sentence: str, learnt: Task) -> None:
    with pytest.raises(BadInput, match=sentence):
        build(spec, learnt, **options)


def test_one_cluster_is_too_few(learnt: Task) -> None:
    one = learnt.only({t.item for t in learnt.trials if t.clusters == learnt.trials[0].clusters})
    alone = learnt.only({learnt.trials[0].item})
    assert len(one) >= len(alone)
    with pytest.raises(BadInput, match="too few sets to learn from some and stop by others"):
        build("rnn", alone, epochs="1").fit(alone)
