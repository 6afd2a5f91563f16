"""The players clip, siglip and vilt as they are asked for on the command line."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.common.ensemble import Ensemble, Members
from deixis.players.common.neural import tiny
from deixis.players.common.neural.joint import Joint
from deixis.players.common.neural.tiny import Size
from deixis.players.common.neural.towers import Towers
from deixis.players.common.saved import saved
from deixis.players.reference.clip import TowerMatcher, clip
from deixis.players.reference.lessons import lessons
from deixis.players.reference.tuning import Tuner
from deixis.players.reference.vilt import JointMatcher, vilt
from deixis.replies import Replies
from deixis.runs.play import play
from deixis.runs.prepare import build, options_of, prepare
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task
from deixis.trials import Description, ReferenceView

Checkpoints = Mapping[str, Path]

NAMES = ("clip", "siglip", "vilt")


@pytest.fixture(scope="module")
def small(world: Dataset) -> Task:
    """Few games of five."""
    return make(world, "figures", k=5).limit(60)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How many inputs each tower was given, and how many pairs were scored."""
    counts = {"texts": 0, "pictures": 0, "pairs": 0, "embedded": 0}
    originals: dict[str, Any] = {
        "texts": (Towers, "texts"),
        "pictures": (Towers, "pictures"),
        "pairs": (Joint, "matches"),
        "embedded": (Joint, "pictures"),
    }
    for name, (kind, method) in originals.items():
        plain = getattr(kind, method)

        def counted(self: Any, first: Any, *rest: Any, name: str = name, plain: Any = plain) -> Any:
            counts[name] += len(first)
            return plain(self, first, *rest)

        monkeypatch.setattr(kind, method, counted)
    return counts


def scores(replies: Replies) -> np.ndarray[Any, Any]:
    assert replies.scores is not None
    return replies.scores


@pytest.mark.parametrize("name", ["clip", "siglip"])
def test_every_distinct_input_once_and_nothing_the_second_time(
    name: str, checkpoints: Checkpoints, small: Task, calls: dict[str, int]
) -> None:
    """The second player has vectors from the disk: it opens no model at all."""
    spec = f"{name}:{checkpoints[name]}"
    seen = views(small)
    first = build(spec, small)
    expected = scores(first.reply(seen))  # type: ignore[union-attr]
    assert calls["texts"] == len({str(t) for v in seen for t in v.texts})
    assert calls["pictures"] == len({p.key for v in seen for p in v.pictures})
    second: Any = build(spec, small)
    assert np.array_equal(scores(second.reply(seen)), expected)
    assert calls["texts"] == len({str(t) for v in seen for t in v.texts})
    assert second.encoder.kept._model is None
    without: Any = build(spec, small, cache="none")
    without.reply(seen[:1])
    assert without.encoder.kept._model is not None


def test_vilt_scores_every_distinct_pair_once(
    checkpoints: Checkpoints, small: Task, calls: dict[str, int]
) -> None:
    """k pairs for a context of k: the text with each picture, not every text with each."""
    player: Any = build(f"vilt:{checkpoints['vilt']}", small)
    seen = views(small)
    player.reply(seen)
    pairs = {(str(t), p.key) for v in seen for t in v.texts for p in v.pictures}
    assert calls["pairs"] == len(pairs) <= 5 * len(seen)
    player.reply(seen[:7])
    player.at(small.do("parts=drop")).reply(views(small.do("parts=drop")))
    more = {
        (str(t), p.key) for v in views(small.do("parts=drop")) for t in v.texts for p in v.pictures
    }
    assert calls["pairs"] == len(pairs | more)


@pytest.mark.parametrize("name", NAMES)
def test_both_directions_are_the_same_matrix(
    name: str, checkpoints: Checkpoints, world: Dataset
) -> None:
    """A text with its pictures, or a picture with its texts: the same pairs, the same scores."""
    player: Any = build(f"{name}:{checkpoints[name]}", make(world, "figures", k=5))
    tables = []
    for direction in ("text-to-picture", "picture-to-text"):
        task = make(world, "figures", k=5, direction=direction).limit(8)
        outcomes = score(task, player.at(task).reply(views(task)))
        assert outcomes.scores is not None
        tables.append(outcomes.scores)
        answers = [t.answer for t in task.trials]
        assert answers == [0] * 8
    assert np.allclose(tables[0][:, 0], tables[1][:, 0], atol=1e-5)
    assert not np.allclose(tables[0][:, 1:], tables[1][:, 1:], atol=1e-5)


@pytest.mark.parametrize("name", ["clip", "vilt"])
def test_in_several_processes_the_same_credits(
    name: str, checkpoints: Checkpoints, world: Dataset
) -> None:
    task = make(world, "figures", k=5)
    player = prepare(build(f"{name}:{checkpoints[name]}", task), task)
    here, there = (play(task, player, engine=engine).base[0] for engine in ("local", "process:2"))
    assert np.array_equal(here.credit, there.credit)
    assert np.array_equal(here.rank, there.rank)
    assert here.scores is not None
    assert there.scores is not None
    assert np.allclose(here.scores, there.scores, atol=1e-5)


@pytest.mark.parametrize("make_tiny", [tiny.clip, tiny.vilt], ids=["clip", "vilt"])
def test_texts_that_are_too_long_are_counted_and_reported(
    make_tiny: Any, world: Dataset, tmp_path: Path, deixis: Callable[..., Any]
) -> None:
    """A model that takes six tokens, marks included."""
    texts = [a.whole for a in world.records.values()]
    folder = make_tiny(tmp_path, texts, size=Size(width=16, depth=1, side=32, patch=8, limit=6))
    name = make_tiny.__name__
    asked = ["play", "figures", "--k", 4, "--limit", 30, "--player", f"{name}:{folder}"]
    told = deixis(*asked, "--json").json
    assert 20 < told["cut"] <= told["n"] == 30
    said = deixis(*asked).out
    assert f"{told['cut']} texts were longer than the player takes, and lost their end" in said
    short = deixis(*asked, "--do", "parts=drop,whole=drop", "--json").json
    assert short["cut"] == 0


def test_long_texts_one_by_one(checkpoints: Checkpoints, small: Task) -> None:
    seen = views(small)[:4]
    seen[1] = replace(seen[1], texts=(Description("dog " * 60),))
    for name in NAMES:
        player: Any = build(f"{name}:{checkpoints[name]}", small)
        cut = player.reply(seen).cut
        assert cut.tolist() == [False, True, False, False]


def test_scales_canvases_and_their_errors(checkpoints: Checkpoints, small: Task) -> None:
    spec = f"clip:{checkpoints['clip']}"
    seen = views(small)
    one, two = (scores(build(spec, small, scale=s).reply(seen)) for s in ("1", "3"))  # type: ignore[union-attr]
    assert np.allclose(3 * one, two, atol=1e-5)
    drawn: Any = build(spec, small, canvas="20", scale="1")
    assert not np.allclose(scores(drawn.reply(seen)), one, atol=1e-5)
    for option, message in [
        ({"scale": "0"}, "--scale"),
        ({"canvas": "x"}, "--canvas"),
        ({"batch": "x"}, "--batch"),
        ({"device": "abacus"}, "--device"),
        ({"precision": "int8"}, "--precision"),
        ({"tune": "x"}, "--tune"),
        ({"nothing": "x"}, "--nothing is no option of the player 'clip'"),
    ]:
        with pytest.raises(BadInput, match=message):
            build(spec, small, **option)


@pytest.mark.parametrize("name", NAMES)
def test_blocks_hold_what_the_player_scores(
    name: str, checkpoints: Checkpoints, small: Task
) -> None:
    """The matrix in training has texts in rows and pictures in columns."""
    learner: Any = build(f"{name}:{checkpoints[name]}", small, tune="tiny", device="cpu")
    matcher = learner.matcher(small, 0)
    given = lessons(small)
    contexts = [tuple(given[:4]), tuple(given[3:7])]
    matcher.module.eval()
    with torch.no_grad():
        blocks = matcher.blocks(contexts).numpy()
    player = matcher.player()
    asked = [
        ReferenceView(f"{c}/{i}", (one.text,), tuple(x.picture for x in context))
        for c, context in enumerate(contexts)
        for i, one in enumerate(context)
    ]
    assert blocks.shape == (2, 4, 4)
    assert np.allclose(scores(player.reply(asked)).reshape(2, 4, 4), blocks, atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_fine_tuned_kept_and_read_back(
    name: str, checkpoints: Checkpoints, world: Dataset, tmp_path: Path
) -> None:
    task = make(world, "figures", k=5)
    learner: Any = build(
        f"{name}:{checkpoints[name]}", task, tune="tiny", epochs="2", canvas="16", device="cpu"
    )
    told: list[tuple[Any, ...]] = []
    learner.progress = lambda *now: told.append(now)
    player, fitted = learner.fitted(task, dev=task, seed=0, folder=tmp_path / "training")
    assert told[-1][1] == told[-1][2]
    assert fitted.epochs == 2
    player.save(tmp_path / "kept")
    again: Any = saved(str(tmp_path / "kept"), task)
    seen = views(task)
    assert np.allclose(scores(again.reply(seen)), scores(player.reply(seen)), atol=1e-4)
    zero_shot: Any = build(f"{name}:{checkpoints[name]}", task)
    assert player.revision != zero_shot.revision
    sent = pickle.loads(pickle.dumps(player)).at(task)
    assert np.allclose(scores(sent.reply(seen)), scores(player.reply(seen)), atol=1e-6)
    plain = build(f"{name}:{tmp_path / 'kept'}", task, canvas="16")
    assert np.allclose(scores(plain.reply(seen)), scores(player.reply(seen)), atol=1e-4)  # type: ignore[union-attr]


def test_learning_lowers_the_loss_and_depends_on_the_seed(
    checkpoints: Checkpoints, world: Dataset
) -> None:
    task = make(world, "figures", k=5)
    learner: Any = build(f"clip:{checkpoints['clip']}", task, tune="tiny", epochs="6", device="cpu")
    (one, fitted), (two, _), (other, _) = (
        learner.fitted(task, dev=task, seed=s) for s in (0, 0, 1)
    )
    losses = [row["loss"] for row in fitted.history]
    assert losses[-1] < losses[0]
    assert one.revision == two.revision != other.revision


def test_members_and_cross_fitting_by_name(
    checkpoints: Checkpoints, world: Dataset, deixis: Callable[..., Any]
) -> None:
    task = make(world, "figures", k=5)
    spec = f"clip:{checkpoints['clip']}"
    learner = build(spec, task, tune="tiny", epochs="1", members="2", ensemble="sum", device="cpu")
    assert isinstance(learner, Members)
    player = learner.fit(task, dev=task, seed=0, folder=None)
    assert isinstance(player, Ensemble)
    assert len({p.revision for p in player.players}) == 2
    ended = deixis(
        "play", "figures", "--k", 4, "--limit", 40, "--player", spec,
        "--tune", "tiny", "--epochs", 1, "--device", "cpu", "--lessons", "random", "--json",
    )  # fmt: skip
    assert ended.json["n"] == 40


def test_published_presets_open_with_the_published_scale(
    checkpoints: Checkpoints, small: Task
) -> None:
    learner = build(f"clip:{checkpoints['clip']}", small, tune="clip-kilogram", device="cpu")
    assert isinstance(learner, Tuner)
    matcher: Any = learner.matcher(small, 0)
    assert isinstance(matcher, TowerMatcher)
    assert float(matcher.module.log_scale.exp().detach()) == pytest.approx(1 / 0.07)
    assert matcher.canvas == 224
    other = build(f"vilt:{checkpoints['vilt']}", small, tune="vilt-kilogram", device="cpu")
    assert isinstance(other, Tuner)
    assert isinstance(other.matcher(small, 0), JointMatcher)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_checkpoint_is_one_sentence(
    name: str, checkpoints: Checkpoints, refused: Callable[..., str], tmp_path: Path
) -> None:
    asked = ["play", "figures", "--limit", 5, "--player"]
    other = "vilt" if name != "vilt" else "clip"
    wrong = refused(*asked, f"{name}:{checkpoints[other]}")
    assert "a checkpoint of another architecture" in wrong
    assert "no config.json there" in refused(*asked, f"{name}:{tmp_path}")
    assert f"expected {name}:FOLDER or {name}:HUB_NAME" in refused(*asked, name)


def test_builders_are_found_with_their_options() -> None:
    shared = ["batch", "device", "precision", "canvas", "tune", "epochs", "lessons", "augment",
              "members", "ensemble"]  # fmt: skip
    assert options_of(clip) == ["cache", "scale", *shared]
    assert options_of(vilt) == shared
