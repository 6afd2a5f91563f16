"""The world rooms: what it tells is what it says it tells."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from deixis.audit.audit import Spec, audit
from deixis.audit.rows import coalition
from deixis.errors import BadInput
from deixis.pictures.vectors import Vectors
from deixis.runs.play import play
from deixis.runs.prepare import build
from deixis.runs.summary import measured
from deixis.tasks.make import make
from deixis.trials import BLANK
from deixis.worlds.interiors.attributes import ATTRIBUTES, IDLE
from deixis.worlds.interiors.painting import paint
from deixis.worlds.interiors.words import Shares, ideal, known
from deixis.worlds.rooms import RoomStore, rooms

CHANNELS = ("caption", "question", "answer")


@pytest.mark.parametrize("shares", [(2, 1, 3, 1), (0, 2, 1, 0), (3, 0, 2, 2)])
def test_a_perfect_guesser_stands_where_the_shares_say(shares: tuple[int, ...]) -> None:
    """All eight coalitions of channels, against 100 - 50 · 2^-bits."""
    names = ("caption", "question", "answer", "echo")
    world = rooms(scenes=700, **dict(zip(names, shares, strict=True)))
    task = make(world)
    absent = {c: f"{c}=drop" for c in CHANNELS}
    player = build("ideal", task)
    coalitions = [c for n in range(4) for c in combinations(CHANNELS, n)]
    run = play(task, player, [coalition(absent, c) for c in coalitions])  # type: ignore[arg-type]
    for present in coalitions:
        outcomes = run.outcomes[coalition(absent, present)]
        found = measured(["percentile_rank"], outcomes)[0]["percentile_rank"][-1]  # type: ignore[index]
        truth = ideal(Shares(*shares).bits(present))
        assert found == pytest.approx(truth, abs=1.2), present


def test_an_audit_of_the_perfect_guesser_gives_back_the_shares() -> None:
    task = make(rooms(scenes=500))
    player = build("ideal", task)
    answer = audit(task, lambda c: play(task, player, c), Spec(shapley=True))  # type: ignore[arg-type]
    worth = {c: ideal(Shares().bits(c)) for n in range(4) for c in combinations(CHANNELS, n)}
    gaps = {c.of.partition("=")[0]: c for c in answer.of("gap")}
    for channel in CHANNELS:
        rest = tuple(c for c in CHANNELS if c != channel)
        assert gaps[channel].value == pytest.approx(worth[CHANNELS] - worth[rest], abs=1.5)
    total = sum(c.value for c in answer.of("shapley"))
    assert total == pytest.approx(answer.all - answer.none)


def test_dialogs_tell_what_they_should_and_nothing_else() -> None:
    world = rooms(scenes=60, caption=2, question=2, answer=4, echo=2, rounds=12)
    shares: Shares = world.extras["shares"]
    told = {a.name for c in CHANNELS for a in shares.by(c)}
    assert isinstance(world.store, RoomStore)
    for one in world.records.values():
        assert len(one.dialog.turns) == 12
        scene = dict(
            zip((a.name for a in ATTRIBUTES), world.store.scenes[one.picture], strict=True)
        )
        assert known(one.dialog) == {name: scene[name] for name in told}


def test_pictures_are_unit_vectors_and_pixels() -> None:
    world = rooms(scenes=12)
    store = world.store
    assert isinstance(store, Vectors)
    pictures = [store.picture(n) for n in world.records]  # type: ignore[attr-defined]
    vectors = store.vectors(pictures)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(12), abs=1e-5)
    assert store.pixels(pictures[0], 64).shape == (64, 64, 3)  # type: ignore[attr-defined]
    assert (store.pixels(BLANK, 32) == 255).all()  # type: ignore[attr-defined]
    noisy = store.pixels(replace(pictures[0], edits=("noise:raw:1",)), 64)  # type: ignore[attr-defined]
    assert noisy.std() > 60


def test_every_attribute_can_be_seen() -> None:
    plain = (0,) * len(ATTRIBUTES)
    base = paint(plain)
    for i, one in enumerate(ATTRIBUTES):
        other = paint(tuple(int(i == j) for j in range(len(ATTRIBUTES))))
        assert (base != other).any(axis=2).mean() > 0.001, one.name


def test_a_careless_answerer_answers_what_was_asked() -> None:
    world = rooms(scenes=40)
    same = []
    for one in world.records.values():
        for turn, other in zip(one.dialog.turns, one.others["careless"], strict=True):
            found = [a for a in ATTRIBUTES if a.question == turn.question]
            if found:
                assert other in found[0].answers
                same.append(other == turn.answer)
            else:
                assert other == turn.answer
    assert 0.3 < np.mean(same) < 0.7


def test_rooms_depend_on_the_seed_and_on_nothing_else() -> None:
    small, large, other = rooms(scenes=9), rooms(scenes=12), rooms(scenes=9, seed=1)
    assert [large.records[i] for i in small.records] == list(small.records.values())
    assert small.fingerprint == rooms(scenes=9).fingerprint
    assert len({small.fingerprint, large.fingerprint, other.fingerprint}) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scenes": 2}, "at least 3 scenes"),
        ({"caption": 9, "answer": 8}, "16 attributes to tell, not 18"),
        ({"caption": -1}, "attributes to tell"),
        ({"caption": 0, "echo": 1}, "cannot echo more"),
        ({"rounds": 4}, "expected 5 to 15 rounds"),
        ({"rounds": 16}, "expected 5 to 15 rounds"),
    ],
)
def test_shares_that_cannot_be(options: dict[str, int], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        rooms(**{"scenes": 5, **options})


def test_idle_questions_are_about_nothing() -> None:
    asked = {a.question for a in ATTRIBUTES} | {q for a in ATTRIBUTES for q in a.presumed}
    assert not asked & {q for q, _ in IDLE}
    assert len(asked) == 3 * len(ATTRIBUTES)


def test_the_perfect_guesser_knows_rooms_only(data: object) -> None:
    from deixis.sources import load

    with pytest.raises(BadInput, match="ideal knows the world rooms, and vispro is none"):
        build("ideal", make(load("vispro", str(data))))
    with pytest.raises(BadInput, match="ideal takes no argument"):
        build("ideal:x", make(rooms(scenes=5)))
