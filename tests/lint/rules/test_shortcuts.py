"""Rules on shortcuts: balance, blind learners, position, numbers of parts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deixis.dataset import Choice, Dataset
from deixis.lint.rules.balance import balance, oracle
from deixis.lint.rules.blind import (
    blind_choices,
    blind_statements,
    crossfitted,
    dealt,
    finding,
    groups_of,
    measured,
    text_words,
)
from deixis.lint.rules.looks import picture_words
from deixis.lint.rules.part_count import part_count
from deixis.lint.rules.position import position
from deixis.sources import load


@pytest.fixture(scope="module")
def dev(nlvr2: Dataset) -> Dataset:
    return nlvr2.select("dev")


def test_balance_of_nlvr2(dev: Dataset, found) -> None:
    (made,) = found(balance, dev)
    said = made.evidence
    assert (said["unbalanced"], said["balanced"], said["single"]) == (3562, 2300, 1120)
    assert round(100 * said["picture_oracle"], 2) == 83.53
    assert said["majority"] == pytest.approx(0.5085935, abs=1e-7)
    assert made.severity == "warning"
    published = dev.extras["subsets"]["unbalanced"]
    assert set(made.ids) == {i for i in published if i.startswith("dev")}
    assert "3,562 of 6,982" in made.message
    assert "83.53 %" in made.message


def test_balance_where_each_pair_has_one_statement(statement, dataset, found) -> None:
    (made,) = found(balance, dataset([statement(i) for i in range(4)]))
    assert (made.severity, made.evidence["single"]) == ("note", 4)
    assert oracle({"a": [True, True, False]}) == pytest.approx(2 / 3)


def test_pictures_of_balanced_pairs_tell_nothing(statement, dataset, found) -> None:
    records = [
        statement(i, pair=f"p{i // 2}", pictures=((f"p{i // 2}", ""),), label=i % 2 == 0)
        for i in range(8)
    ]
    (made,) = found(balance, dataset(records))
    assert (made.severity, made.evidence["picture_oracle"]) == ("note", 0.5)


def written(statement, n: int, leak: float, seed: int = 0) -> list:
    """Statements whose word "really" goes with truth so often."""
    generator = np.random.default_rng(seed)
    made = []
    for i in range(n):
        label = bool(generator.random() < 0.5)
        told = label if generator.random() < leak else bool(generator.random() < 0.5)
        words = " ".join(generator.choice(list("abcdefgh"), 5))
        made.append(statement(i, label=label, sentence=f"{words} {'really' if told else 'not so'}"))
    return made


def test_a_text_that_gives_labels_away(statement, dataset, found) -> None:
    made = found(blind_statements, dataset(written(statement, 300, leak=0.8)))
    text = next(f for f in made if f.evidence["input"] == "text")
    assert text.severity == "error"
    assert text.evidence["score"] > 0.8


def test_texts_that_give_nothing_away(statement, dataset, found) -> None:
    made = found(blind_statements, dataset(written(statement, 300, leak=0.0)))
    assert {f.severity for f in made} == {"note"}


def test_pictures_that_give_labels_away(statement, dataset, found) -> None:
    from deixis.pictures.store import ArrayStore

    generator = np.random.default_rng(0)
    records = [statement(i, label=bool(i % 3)) for i in range(150)]
    arrays = {
        f"p{i}": np.full((40, 40, 3), 40 if i % 3 else 200, np.uint8)
        + generator.integers(0, 30, (40, 40, 3), dtype=np.uint8)
        for i in range(150)
    }
    made = found(blind_statements, dataset(records, store=ArrayStore(arrays)))
    pictures = next(f for f in made if f.evidence["input"] == "pictures")
    assert (pictures.severity, pictures.evidence["score"]) == ("error", 1.0)


def test_folds_that_leak_are_told_and_are_no_finding() -> None:
    """Of each pair of opposite labels one is learnt and the other asked."""
    bags = [[f"pair {i // 2}", f"again {i // 2}"] for i in range(200)]
    labels = np.arange(200) % 2 == 0
    alone = np.array([str(i) for i in range(200)])
    odds = crossfitted(bags, labels, alone, 10, 0)
    right = np.where(odds == 0, 0.5, (odds > 0) == labels)
    made = finding("dev", "pictures", measured(right, alone, 0.5))
    assert right.mean() < 0.3
    assert made.severity == "note"
    assert "this is no finding" in made.message
    pairs = np.array([str(i // 2) for i in range(200)])
    odds = crossfitted(bags, labels, pairs, 10, 0)
    assert np.where(odds == 0, 0.5, (odds > 0) == labels).mean() == pytest.approx(0.5, abs=0.1)


def test_what_folds_may_not_divide(statement, dataset) -> None:
    records = [
        statement(0, set="a", writer="w"),
        statement(1, set="a"),
        statement(2, set="b", pictures=(("p1", ""),)),
        statement(3, set="c", sentence="Number 2 is shown!"),
        statement(4, set="d", writer="w"),
        statement(5, set="e"),
    ]
    data = dataset(records)
    groups = groups_of(data, records)
    assert len(set(groups[:4])) == 1, "by set, by picture, by sentence"
    assert len(set(groups)) == 3


def test_what_a_writer_gives_away_is_not_learnt_from_that_writer(statement, dataset, found) -> None:
    """Four writers, each with a word of their own before all true statements."""
    records = [
        statement(i, writer=f"w{i % 4}", label=i % 8 < 4, set=f"set{i}",
                  sentence=f"{'Indeed' * (i % 8 < 4)}{i % 4} number {i} is shown.")
        for i in range(240)
    ]  # fmt: skip
    data = dataset(records)
    text = next(f for f in found(blind_statements, data) if f.evidence["input"] == "text")
    assert text.severity == "error"
    apart = found(blind_statements, data, by_writer=True)
    assert next(f for f in apart if f.evidence["input"] == "text").severity == "note"


def test_nothing_is_learnt_from_groups_of_what_is_held_out() -> None:
    """Of each pair one is of either writer: folds by writer leave nothing of it to learn from."""
    bags = [[f"pair {i // 2}", f"again {i // 2}"] for i in range(200)]
    labels = np.arange(200) % 2 == 0
    pairs = np.array([str(i // 2) for i in range(200)])
    writers = np.array([f"w{i % 20}" for i in range(200)])
    odds = crossfitted(bags, labels, pairs, 10, 0, together=writers)
    assert np.where(odds == 0, 0.5, (odds > 0) == labels).mean() == pytest.approx(0.5, abs=0.1)


def test_folds_hold_whole_groups_of_about_equal_size() -> None:
    groups = np.array([str(i // 3) for i in range(90)])
    fold = dealt(groups, 5, 0)
    assert all(len(set(fold[groups == g])) == 1 for g in set(groups))
    assert np.bincount(fold).tolist() == [18] * 5
    assert (dealt(groups, 5, 0) == fold).all()
    assert not (dealt(groups, 5, 1) == fold).all()
    assert len(set(dealt(np.array(["a", "b"]), 10, 0))) == 2


def test_too_few_or_all_alike_is_not_learnt_from(statement, dataset, found) -> None:
    assert found(blind_statements, dataset([statement(i) for i in range(10)])) == []
    alike = [statement(i, label=True) for i in range(60)]
    assert found(blind_statements, dataset(alike)) == []


def test_nlvr2_has_no_text_shortcut(dev: Dataset, found) -> None:
    few = replace(dev, splits={"dev": dev.splits["dev"][:1500]})
    made = found(blind_statements, few, folds=3)
    assert {f.evidence["input"] for f in made} == {"text", "pictures"}
    assert {f.severity for f in made} <= {"note", "warning"}
    text = next(f for f in made if f.evidence["input"] == "text")
    assert abs(text.evidence["score"] - 0.5) < 0.06


def test_what_is_seen_of_scenes_and_of_missing_photographs(data: Path, statement, dataset) -> None:
    nlvr = load("nlvr:dev", data)
    (seen,) = picture_words(nlvr, [next(iter(nlvr.records))])
    assert any("things" in w for w in seen)
    from deixis.pictures.photos import PhotoStore

    hidden = dataset([statement(0)], store=PhotoStore({"p0": "x"}, None, "nowhere"))
    assert picture_words(hidden, ["s0"]) is None
    queried = dataset([statement(0, query="two dogs3", synset="dog")])
    assert picture_words(queried, ["s0"]) == [["dog", "two", "dogs3", "dog"]]


def choices(n: int, place: float, tell: float, seed: int = 0) -> list[Choice]:
    """Questions whose answer is at the first place, or has a telling word, so often."""
    generator = np.random.default_rng(seed)
    made = []
    for i in range(n):
        answer = 0 if generator.random() < place else int(generator.integers(4))
        options = [" ".join(generator.choice(list("abcdef"), 3)) for _ in range(4)]
        if generator.random() < tell:
            options[answer] += " indeed, as all can see"
        made.append(
            Choice(f"c{i}", "Which?", (f"p{i}",), tuple(options), answer, ("picture", f"p{i}"))
        )
    return made


def test_positions_and_lengths(dataset, found) -> None:
    first, longest = found(position, dataset(choices(200, 0.5, 0.6), kind="choice"))
    assert first.severity == longest.severity == "warning"
    assert first.evidence["rule"] == "always option 1"
    assert longest.evidence["score"] > 0.6
    even = found(position, dataset(choices(200, 0.0, 0.0), kind="choice"))
    assert {f.severity for f in even} == {"note"}


def test_pictured_options_have_no_length(dataset, found) -> None:
    records = [
        Choice(f"c{i}", "?", (), ("x", "y"), i % 2, ("picture", str(i)), pictured=True)
        for i in range(12)
    ]
    made = found(position, dataset(records, kind="choice"))
    assert len(made) == 1
    assert found(blind_choices, dataset(records * 4, kind="choice")) == []


def test_options_that_give_answers_away(dataset, found) -> None:
    (made,) = found(blind_choices, dataset(choices(150, 0.0, 0.9), kind="choice"))
    assert (made.severity, made.evidence["input"]) == ("error", "options")
    (even,) = found(blind_choices, dataset(choices(150, 0.0, 0.0), kind="choice"))
    assert even.severity == "note"


def test_counting_parts(kilogram: Dataset, found) -> None:
    random, controlled = found(part_count, kilogram.select("dense10"))
    assert (random.severity, controlled.severity) == ("warning", "note")
    assert random.evidence["score"] > 0.3
    assert controlled.evidence["score"] == pytest.approx(0.1)


def test_too_few_for_contexts(kilogram: Dataset, found) -> None:
    few = dict(list(kilogram.select("dense10").records.items())[:12])
    small = replace(kilogram, records=few, splits={"few": tuple(few)})
    made = found(part_count, small)
    assert any("contexts to look at" in f.message for f in made)


def test_words_of_a_text() -> None:
    assert text_words("") == ["#0"]
    assert "two big dogs" in text_words("Two big dogs.")
