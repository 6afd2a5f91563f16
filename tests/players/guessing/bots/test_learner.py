"""Bots that are trained, talk, are kept, and rank options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch

from deixis.errors import BadInput
from deixis.players.common.saved import saved
from deixis.players.guessing.bots.beginning import begin
from deixis.players.guessing.bots.design import Design, design_of
from deixis.players.guessing.bots.learner import READERS, BotsLearner, QbotLearner, Talking
from deixis.players.guessing.bots.lessons import Lessons, Spelling, Texts, loss, memories
from deixis.players.guessing.bots.lexicon import Lexicon
from deixis.players.guessing.bots.networks import Pair, State
from deixis.players.guessing.bots.saying import Manner, best_texts, say
from deixis.players.guessing.converse import turn_of, unanswered
from deixis.runs.play import play
from deixis.runs.summary import measured
from deixis.tasks.make import make
from deixis.tasks.see import see, views
from deixis.tasks.task import Task
from deixis.training.batches import Batch
from deixis.training.randomness import seeded
from deixis.trials import Dialog, Turn
from deixis.worlds.rooms import rooms

SMALL = {"hidden": 12, "embedding": 8, "least": 1, "batch": 10, "rate": 0.01}


def task(scenes: int = 24, rounds: int = 5) -> Task:
    return replace(make(rooms(scenes=scenes, rounds=rounds)), readers=READERS)


@pytest.fixture(scope="module")
def trained() -> Talking:
    made = BotsLearner(**SMALL, epochs=2).fit(task(), seed=1)  # type: ignore[arg-type]
    assert isinstance(made, Talking)
    return made


def percentile(player: Talking, made: Task, condition: str = "") -> list[float]:
    run = play(made, player, [condition] if condition else [])
    values = measured(["percentile_rank"], run.outcomes[condition])[0]["percentile_rank"]
    assert isinstance(values, list)
    return values


def test_they_talk_from_the_caption_and_know_no_human_turn(trained: Talking) -> None:
    made = trained.task
    mute = replace(
        made,
        trials=tuple(
            replace(t, dialog=Dialog(t.dialog.caption, (Turn("what?", "that"),) * 5))
            for t in made.trials
        ),
    )
    one, other = (play(t, trained).base[0] for t in (made, mute))
    assert one.rank.tolist() == other.rank.tolist()
    assert one.raw is not None
    assert all(turn_of(r).question and turn_of(r).answer for r in one.at(3).raw.tolist())  # type: ignore[union-attr]


def test_conditions_share_the_rounds_they_agree_on(trained: Talking) -> None:
    """Up to the round of the intervention everything is the same, to the bit."""
    made = trained.task
    run = play(made, trained, ["answer=words:1@3", "image=noise@3", "image=noise:per-round@5"])
    base = run.base[0]
    for condition, since in (("answer=words:1@3", 3), ("image=noise@3", 3)):
        for r in range(since):
            assert run.outcomes[condition][0].at(r).rank.tolist() == base.at(r).rank.tolist()
    said = run.outcomes["image=noise:per-round@5"][0]
    assert said.at(4).raw.tolist() == base.at(4).raw.tolist()  # type: ignore[union-attr]


@pytest.mark.long
def test_the_same_on_two_processes(trained: Talking) -> None:
    made = trained.task
    one, two = (play(made, trained, engine=e).base[0] for e in ("local", "process:2"))
    assert one.rank.tolist() == two.rank.tolist()
    assert one.raw.tolist() == two.raw.tolist()  # type: ignore[union-attr]


def test_seeds_and_manners_of_speaking(trained: Talking) -> None:
    again = BotsLearner(**SMALL, epochs=2).fit(task(), seed=1)  # type: ignore[arg-type]
    assert again.revision == trained.revision
    for saying in ("sampled", "beam:2"):
        other = BotsLearner(**SMALL, epochs=1, saying=saying).fit(task(), seed=2)  # type: ignore[arg-type]
        one, two = (play(task(), other).base[0].rank.tolist() for _ in range(2))
        assert one == two
        assert other.revision != trained.revision


def test_they_can_be_kept(trained: Talking, tmp_path: Path) -> None:
    trained.save(tmp_path)
    again = saved(str(tmp_path), trained.task)
    assert again.revision == trained.revision
    assert play(trained.task, again).base[0].rank.tolist() == (
        play(trained.task, trained).base[0].rank.tolist()
    )
    narrow = trained.task.dataset
    from deixis.pictures.vectors import VectorStore

    names = [c.picture for c in narrow.records.values()]
    short = replace(narrow, store=VectorStore(names, np.zeros((len(names), 3), np.float32)))
    with pytest.raises(BadInput, match="predicts vectors of length 64"):
        saved(str(tmp_path), make(short))
    about = tmp_path / "bots.json"
    about.write_text(about.read_text("utf-8").replace('"bags"', '"pictured"'), "utf-8")
    with pytest.raises(BadInput, match=r"of another version: .*pictured"):
        saved(str(tmp_path), trained.task)


def test_qbot_reads_what_people_said(trained: Talking, tmp_path: Path) -> None:
    made = QbotLearner(**SMALL, epochs=2).fit(replace(task(), readers=READERS[:1]), seed=1)  # type: ignore[arg-type]
    altered = made.task.do("answer=drop")
    assert play(made.task, made).base[0].raw is None
    ranks = [play(t, made).base[0].at(5).rank.tolist() for t in (made.task, altered)]
    assert ranks[0] != ranks[1]
    made.save(tmp_path)  # type: ignore[attr-defined]
    assert saved(str(tmp_path), made.task).name == "qbot"


def test_log_probabilities_of_options_are_those_of_all_texts(trained: Talking) -> None:
    """Over all texts of up to two words, and longer ones, probabilities sum to 1 at most."""
    made, answerer = trained.task, trained.answerer
    asked = [unanswered(see(made, t, "answerer")) for t in made.trials[:2]]
    words = [w for w in answerer.lexicon.words if w != "UNK"]
    texts = ["", *words, *(" ".join(p) for p in product(words[:9], repeat=2))]
    scores = answerer.options(asked, [texts, texts])
    assert scores.shape == (2, len(texts))
    assert (np.exp(scores).sum(axis=1) <= 1 + 1e-5).all()
    said = answerer.answer(asked)
    own = answerer.options(asked, [[s] for s in said])
    assert (own[:, 0] >= scores[:, 1:].max(axis=1) - 1).all()


def test_the_best_of_a_wide_beam_is_the_best_of_all() -> None:
    with seeded(0, "beam"):
        pair = Pair(design_of("hre-das2017", hidden=6, embedding=4), 7, 3).eval()
        lexicon = Lexicon(("a", "b", "c", "UNK"))
        bot = pair.questioner
        state = bot.blank(3)
        start = state.__class__(torch.randn(2, 3, 6), torch.randn(2, 3, 6))
        with torch.inference_mode():
            said = say(bot, start, lexicon, 2, Manner("beam", 40))
            texts = [list(p) for n in (1, 2) for p in product(range(1, 5), repeat=n)]
            table = Texts.of(texts)
            for i, text in enumerate(said):
                own = start.take(torch.full((len(texts),), i))
                marks = (lexicon.start, lexicon.end)
                total = -bot.losses(own, table.numbers, table.lengths, marks)
                best = (total / (table.lengths + 1)).argmax()
                assert text == lexicon.decode(texts[int(best)])


def test_fresh_questions_are_never_asked_twice() -> None:
    """Greedily where it can; nothing else changes, and answers may be given twice."""
    plain = BotsLearner(**SMALL, epochs=3).fit(task(), seed=3)  # type: ignore[arg-type]
    made = BotsLearner(**SMALL, epochs=3, saying="fresh").fit(task(), seed=3)  # type: ignore[arg-type]
    one, other = (play(task(), p).base[0] for p in (plain, made))
    assert one.at(1).raw.tolist() == other.at(1).raw.tolist()  # type: ignore[union-attr]
    said = [[turn_of(r).question for r in o.at(n).raw] for o in (one, other) for n in range(1, 6)]  # type: ignore[union-attr]
    repeats = [[len(set(d)) < 5 for d in zip(*said[a : a + 5], strict=True)] for a in (0, 5)]
    assert any(repeats[0])
    assert not any(repeats[1])


def test_a_beam_gives_its_texts_best_first() -> None:
    with seeded(0, "beam"):
        pair = Pair(design_of("hre-das2017", hidden=6, embedding=4), 7, 3).eval()
        start = State(torch.randn(2, 2, 6), torch.randn(2, 2, 6))
    lexicon = Lexicon(("a", "b", "c", "UNK"))
    with torch.inference_mode():
        found = best_texts(pair.questioner, start, lexicon, 2, 40)
        assert [len(set(texts)) >= 20 for texts in found] == [True, True]
        said = say(pair.questioner, start, lexicon, 2, Manner("fresh"), taken=[(), ()])
        again = say(pair.questioner, start, lexicon, 2, Manner("fresh", 20), taken=[(said[0],), ()])
    assert again[0] == next(t for t in found[0] if t != said[0])
    assert again[1] == said[1]


def test_gain_is_as_if_vectors_were_longer() -> None:
    """Eight times the vectors, or weights of a layer eight times as large."""
    with seeded(0, "pair"):
        one = Pair(design_of("hre-das2017", hidden=6, embedding=4, gain=8.0), 7, 3).eval()
    vectors = torch.randn(5, 3)
    bare = one.answerer.image(vectors * 8)  # type: ignore[misc]
    assert torch.allclose(one.answerer.look(vectors), bare)


def test_q_bot_begins_with_what_its_words_tell() -> None:
    """Before any step: each dialog is told by the words that go with its picture alone."""
    turns = (Turn("is it big?", "no"),) * 5
    dialogs = [Dialog(f"the {what}", turns) for what in ("dog", "dog", "cat", "cat")]
    vectors = torch.tensor([[1.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0]])
    design = design_of("hre-bags", hidden=6, embedding=3)
    lexicon = Lexicon(("the", "dog", "cat", "UNK"))
    held = Lessons.of(dialogs, vectors, Spelling(lexicon, design, training=True))
    with seeded(0, "pair"):
        pair = Pair(design, lexicon.size, 3)
    bot = pair.questioner
    before = bot.words.weight[lexicon.end].clone()
    begin(bot, lexicon, dialogs, held)
    the, dog, cat = bot.words.weight.detach()[1:4]
    assert the.norm() < 1e-5
    assert torch.allclose(dog, -cat, atol=1e-5)
    assert dog.norm() > 1
    assert torch.equal(bot.words.weight[lexicon.end], before)
    guess = bot.predict(memories(bot, held))[:, 0].detach()
    assert (guess[:2, 0] > guess[:2, 1]).all()
    assert (guess[2:, 0] < guess[2:, 1]).all()
    assert torch.allclose(guess.mean(dim=0), vectors.mean(dim=0), atol=1e-5)
    same = replace(held, vectors=torch.ones(4, 3))
    begin(bot, lexicon, dialogs, same)
    assert torch.equal(bot.words.weight[2], dog)
    assert bot.feature.bias.tolist() == [1, 1, 1]


def test_stretched_predictions_are_farther_from_the_mean() -> None:
    with seeded(0, "pair"):
        bot = Pair(design_of("hre-das2017", hidden=6, embedding=4), 7, 3).eval().questioner
    memory, mean = torch.randn(5, 6), torch.tensor([0.1, 0.2, 0.3])
    with torch.no_grad():
        plain = bot.predict(memory)
        bot.stretch(1, mean)
        assert torch.equal(bot.predict(memory), plain)
        bot.stretch(10, mean)
        assert torch.allclose(bot.predict(memory) - mean, 10 * (plain - mean), atol=1e-5)


def test_forget_gates_begin_open_where_told_so() -> None:
    """By the bias alone a state is kept to sigmoid(1); everything else is drawn the same."""
    made = []
    for keeping in (0.0, 1.0):
        with seeded(0, "pair"):
            made.append(
                Pair(design_of("hre-das2017", hidden=3, embedding=2, keeping=keeping), 7, 3)
            )
    one, other = (dict(p.named_parameters()) for p in made)
    for name, parameter in one.items():
        change = (other[name] - parameter).tolist()
        expected = [0.0] * 3 + [1.0] * 3 + [0.0] * 6
        if ".bias_ih_" in name:
            assert change == pytest.approx(expected)
        else:
            assert not np.any(change)


def lessons(design: Design, made: Task) -> tuple[Pair, Lessons]:
    seen = views(made, "guesser")
    lexicon = Lexicon.of((t for v in seen for t in texts(v.dialog)), 1)
    vectors = torch.from_numpy(made.store.vectors([t.image for t in made.trials]))  # type: ignore[attr-defined]
    spelling = Spelling(lexicon, design, training=True)
    with seeded(0, "pair"):
        pair = Pair(design, lexicon.size, vectors.shape[1])
    return pair.eval(), Lessons.of([v.dialog for v in seen], vectors, spelling)


def texts(dialog: Dialog) -> list[str]:
    return [dialog.caption, *(x for t in dialog.turns for x in (t.question, t.answer))]


def batch(*rows: int) -> Batch[int]:
    return Batch(tuple(map(str, rows)), rows)


@pytest.mark.parametrize("name", ["hre-das2017", "hre-interventions2017"])
def test_the_loss_of_a_batch_is_put_together_as_published(name: str) -> None:
    design = design_of(name, hidden=6, embedding=4, image=0)
    made = task(9, 5)
    pair, held = lessons(design, made)
    whole, parts = loss(pair, held, batch(0, 1, 2))
    each = [loss(pair, held, batch(i))[1] for i in range(3)]
    for what in ("questions", "answers"):
        assert parts[what] == pytest.approx(np.mean([p[what] for p in each]), rel=1e-5)
    words = (parts["questions"] + parts["answers"]) * (1 if design.loss == "mse" else 5)
    expected = design.language * words + design.vectors * parts["vectors"]
    assert float(whole.detach()) == pytest.approx(expected, rel=1e-5)
    if design.loss == "mse":
        assert parts["vectors"] == pytest.approx(np.mean([p["vectors"] for p in each]), rel=1e-5)
    else:
        assert parts["vectors"] < np.mean([p["vectors"] for p in each])


def test_rounds_that_are_not_there_cost_nothing() -> None:
    """A short dialog loses nothing by standing beside a long one."""
    design = design_of("hre-interventions2017", hidden=6, embedding=4, vectors=0.0)
    made = task(9, 5)
    cut = [replace(t, dialog=t.dialog.upto(2 if i else 5)) for i, t in enumerate(made.trials)]
    short = replace(made, trials=tuple(cut))
    pair, held = lessons(design, short)
    both = float(loss(pair, held, batch(0, 1))[0].detach())
    apart = [float(loss(pair, held, batch(i))[0].detach()) for i in (0, 1)]
    assert both == pytest.approx(np.mean(apart), rel=1e-5)


@pytest.mark.parametrize(
    ("marks", "training", "fact", "question"),
    [
        ("none", True, [1, 2, 3], [1, 2]),
        ("both", False, [8, 1, 2, 9, 8, 3, 9], [8, 1, 2, 9]),
        ("train", True, [8, 1, 2, 9, 8, 3, 9], [8, 1, 2, 9]),
        ("train", False, [1, 2, 3], [1, 2, 9]),
    ],
)
def test_marks_around_texts(
    marks: str, training: bool, fact: list[int], question: list[int]
) -> None:
    """The mismatch of the released code: marks in training, none in play but END of questions."""
    lexicon = Lexicon(("why", "?", "so", "x", "y", "z", "UNK"))
    made = Spelling(lexicon, design_of("hre-das2017", marks=marks), training=training)
    assert made.fact(Turn("why?", "so")) == fact
    assert made.question("why?") == question
    assert made.said("why?", 0) == [1, 2]


def test_the_same_weights_with_other_marks(trained: Talking) -> None:
    """What was trained with marks, and plays without, can play with them as well."""
    bots = trained.bots.marked("train")
    sane = bots.marked("both")
    assert bots.revision == sane.revision == trained.bots.revision
    said = [b.seat(trained.task).questioner.spelling.question("why?") for b in (bots, sane)]  # type: ignore[union-attr]
    assert said[1] == [bots.lexicon.start, *said[0]]


def test_what_cannot_be_trained() -> None:
    learner = BotsLearner()
    made = task(9)
    mute = replace(made, trials=tuple(replace(t, dialog=t.dialog.upto(0)) for t in made.trials))
    with pytest.raises(BadInput, match="no dialog here has a round"):
        learner.fit(mute)
    cases: list[tuple[Callable[[], object], str]] = [
        (partial(BotsLearner, epochs="0"), "--epochs: expected a number from 1, got '0'"),
        (partial(BotsLearner, rate="x"), "--rate: expected a number above 0"),
        (partial(BotsLearner, gain="0"), "--gain: expected a number above 0, at most 1e"),
        (partial(BotsLearner, marks="some"), "--marks: expected none"),
        (partial(BotsLearner, saying="aloud"), "--saying: expected greedy"),
        (partial(BotsLearner, "x"), "there are no bots 'x'"),
    ]
    for call, sentence in cases:
        with pytest.raises(BadInput, match=sentence):
            call()
