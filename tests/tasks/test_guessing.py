"""Guessing games: trials, pools, channels by round and reader, units, lists by round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from deixis.audit.rows import open_channels
from deixis.dataset import Conversation, Dataset
from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.pictures.vectors import NameStore, VectorStore
from deixis.replies import Replies
from deixis.runs.summary import measured
from deixis.seeds import Seeds
from deixis.tasks.guessing import GUESSING, fixed_ranking, told
from deixis.tasks.make import make
from deixis.tasks.pools import nearest
from deixis.tasks.see import dose, see, views
from deixis.tasks.task import Task
from deixis.trials import Dialog, Turn
from deixis.units import MEASURES, stack


def conversation(i: int, rounds: int = 3, picture: int | None = None) -> Conversation:
    turns = tuple(Turn(f"question {i} {r}?", f"answer {i} {r}") for r in range(1, rounds + 1))
    others = {"bot": tuple(f"bot {i} {r}" for r in range(1, rounds + 1))}
    name = f"p{i if picture is None else picture}"
    return Conversation(f"d{i}", name, Dialog(f"caption {i}", turns), others)


def dataset(n: int = 12, **more: Any) -> Dataset:
    made = [conversation(i, **more) for i in range(n)]
    table = np.arange(n, dtype=np.float32)[:, None] ** [[1, 2]]
    names = list(dict.fromkeys(f"p{i}" for i in range(n)))
    return Dataset(
        "talks", "guessing", {}, {c.id: c for c in made}, VectorStore(names, table), (), "f"
    )


def task(**options: Any) -> Task:
    return make(dataset(), seeds=Seeds(operator=3), **options)


def shown(made: Task, reader: str = "guesser", trial: int = 0) -> Dialog:
    dialog: Dialog = see(made, made.trials[trial], reader).dialog
    return dialog


def test_trials_know_their_picture_and_views_do_not() -> None:
    made = task()
    one = made.trials[4]
    assert one.image.source == "p4"
    assert one.clusters == (("picture", "p4"),)
    assert see(made, one).image is None
    assert see(made, one, "answerer").image == one.image
    assert made.chance == 50


def test_pools_of_all_the_first_and_the_nearest() -> None:
    assert {len(t.pool.pictures) for t in task().trials} == {12}
    first = task(pool="first:5")
    assert [t.id for t in first.trials] == ["d0", "d1", "d2", "d3", "d4"]
    assert len(first.dataset) == 5
    hard = task(pool="hard:3").trials[6]
    assert [p.source for p in hard.pool.pictures] == ["p5", "p6", "p7"] or hard.answer == 1
    assert hard.image.source == "p6"


def test_nearest_breaks_ties_by_position_and_holds_the_picture_itself() -> None:
    same = np.zeros((4, 2), np.float32)
    assert nearest(same, 2).tolist() == [[0, 1], [0, 1], [0, 2], [0, 3]]


@pytest.mark.parametrize("pool", ["none", "first:0", "first:13", "hard:x", "hard:1"])
def test_pools_that_cannot_be_made(pool: str) -> None:
    with pytest.raises(BadInput, match="--pool"):
        task(pool=pool)


def test_hard_pools_need_vectors() -> None:
    made = dataset()
    names = Dataset("t", "guessing", {}, made.records, NameStore(["p"], "t"), (), "f")
    with pytest.raises(BadInput, match="no vectors to tell what is near"):
        make(names, pool="hard:3")


def test_no_dialogs() -> None:
    with pytest.raises(BadInput, match="there are no dialogs"):
        make(Dataset("t", "guessing", {}, {}, NameStore([], "t"), (), "f"))


def test_the_best_fixed_ranking_is_chance_where_all_are_targets() -> None:
    assert told(task()) == {"name": "all", "size": 12, "fixed_ranking": 50.0}


def test_the_best_fixed_ranking_of_some_targets_is_not() -> None:
    """2 targets of 12: ranking them first gives mid-rank 1.5 each, (12 - 1.5) / 11."""
    assert fixed_ranking(task().limit(2)) == pytest.approx(100 * 10.5 / 11)


def test_presets_keep_channels() -> None:
    kept = {
        "caption": ("caption 0", "", ""),
        "caption+dialog": ("caption 0", "question 0 1?", "answer 0 1"),
        "dialog": ("", "question 0 1?", "answer 0 1"),
        "questions": ("", "question 0 1?", ""),
        "answers": ("", "", "answer 0 1"),
    }
    for name, expected in kept.items():
        dialog = shown(make(dataset(), presets=[f"text={name}"]))
        assert (dialog.caption, dialog.turns[0].question, dialog.turns[0].answer) == expected


def test_rounds_count_from_one_and_the_caption_is_round_0() -> None:
    made = task()
    dialog = shown(made.do("answer=drop@2"))
    assert [t.answer for t in dialog.turns] == ["answer 0 1", "", ""]
    assert shown(made.do("caption=drop@1")).caption == "caption 0"
    assert shown(made.do("caption=drop@0")).caption == ""
    assert [t.question for t in shown(made.do("question=drop@3")).turns][2] == ""


def test_interventions_for_one_reader() -> None:
    made = task().do("question/answerer=drop")
    assert shown(made, "guesser").turns[0].question == "question 0 1?"
    assert shown(made, "answerer").turns[0].question == ""
    with pytest.raises(BadInput, match="is read by guesser, questioner, answerer"):
        task().do("question/player=drop")


def test_draws_are_the_same_for_every_reader() -> None:
    made = task().do("answer=words:1")
    assert shown(made, "guesser") == shown(made, "questioner") == shown(made, "answerer")
    assert shown(made, "guesser") != shown(task())


def test_shuffled_values_come_from_a_dialog_about_another_picture() -> None:
    made = task().do("answer=shuffle")
    for i, trial in enumerate(made.trials):
        turns = shown(made, trial=i).turns
        lenders = {t.answer.split()[1] for t in turns}
        assert len(lenders) == 1
        assert lenders != {trial.id[1:]}
        assert [t.answer.split()[2] for t in turns] == ["1", "2", "3"]


def test_answers_of_another_source() -> None:
    made = task().do("answer=from:bot@2")
    assert [t.answer for t in shown(made).turns] == ["answer 0 1", "bot 0 2", "bot 0 3"]
    with pytest.raises(BadInput, match=r"nobody named 'cat' answered dialog d0 too \(known: bot\)"):
        shown(task().do("answer=from:cat"))
    with pytest.raises(BadInput, match="question has no other source"):
        task().do("question=from:bot")


def test_the_image_is_an_input_only_where_somebody_looks_at_it() -> None:
    made = task()
    assert made.readers == ("guesser",)
    assert open_channels(made) == ("caption", "question", "answer")
    from dataclasses import replace

    talking = replace(made, readers=("guesser", "questioner", "answerer"))
    assert open_channels(talking) == ("caption", "question", "answer", "image")
    altered = talking.do("image=shuffle")
    given = see(altered, altered.trials[0], "answerer").image
    assert given is not None
    assert given.source != "p0"
    assert dose(altered, talking, made.trials[0], "answerer").values == 3
    assert not dose(altered, talking, made.trials[0], "guesser").altered
    assert talking.only({"d1", "d2", "d3"}).readers == talking.readers


def test_a_task_made_anew_forgets_what_is_left_out() -> None:
    made = task(pool="first:5").only({"d0", "d3"})
    assert made.options["pool"] == "all"
    assert {p.source for t in made.trials for p in t.pool.pictures} == {"p0", "p3"}


def replies(made: Task, ranks: Mapping[int, float], skip: int = -1) -> Replies:
    seen = [v for i, v in enumerate(views(made)) if i != skip]
    n = len(seen)
    return Replies(
        ids=tuple(v.id for v in seen) * len(ranks),
        status=np.zeros(n * len(ranks), np.uint8),
        rounds=np.repeat(list(ranks), n),
        ranks=np.repeat(list(ranks.values()), n).astype(np.float64),
        ties=np.ones(n * len(ranks), np.int64),
        sizes=np.full(n * len(ranks), 12),
    )


def test_measures_are_lists_by_round_and_units_are_those_of_the_last() -> None:
    made = task()
    outcomes = score(made, replies(made, {0: 12, 1: 6, 2: 1}))
    values, intervals = measured(GUESSING.measures, [outcomes])
    assert values["percentile_rank"] == pytest.approx([0, 100 * 6 / 11, 100])
    assert values["recall_at_5"] == [0, 0, 1]
    assert values["median_rank"] == [12, 6, 1]
    assert len(intervals["recall_at_1"]) == 3
    names = stack(MEASURES["percentile_rank"], [outcomes])[1].names
    assert sorted(names)[0] == "d0@2"


def test_a_dialog_without_reply_is_missing_after_every_round() -> None:
    made = task()
    outcomes = score(made, replies(made, {0: 12, 1: 1}, skip=4))
    assert outcomes.statuses == {"ok": 22, "missing": 2}
    values, _ = measured(["percentile_rank"], [outcomes])
    assert values["percentile_rank"] == pytest.approx([50 / 12, (11 * 100 + 50) / 12])
    ends = [
        measured(["percentile_rank"], [outcomes.filled(c)])[0]["percentile_rank"] for c in (0, 1)
    ]
    assert ends[0] == pytest.approx([0, 1100 / 12])
    assert ends[1] == pytest.approx([100 / 12, 100])


def test_a_guess_is_chance_in_every_measure() -> None:
    made = task()
    guess = score(made, replies(made, {0: 12, 1: 1})).guessed()
    values, _ = measured(GUESSING.measures, [guess])
    assert values["percentile_rank"] == [50.0, 50.0]
    assert values["recall_at_5"] == pytest.approx([5 / 12] * 2)
    assert values["median_rank"] == [6.5, 6.5]
