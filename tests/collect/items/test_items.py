"""Items from written to kept or dropped, splits, rounds, costs; and the trial types behind them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deixis.collect.items.item import Item, Writing, decide, eight, items, judge, needed
from deixis.collect.items.split import split
from deixis.collect.items.workers import Paid, bonus, cost_table, sample
from deixis.collect.trial import Profile, Refused
from deixis.collect.trial_types.rate_set import RATE_SET, Candidates, Marks
from deixis.collect.trial_types.validate_sentence import VALIDATE_SENTENCE, Claim, Judged
from deixis.collect.trial_types.write_contrast import WRITE_CONTRAST, Contrast, Pairs, Written
from deixis.errors import BadInput
from deixis.seeds import draw

WRITING = Writing("7", 0, "ann", "Two dogs play.", tuple("abcdefgh"), (0, 2))


def test_a_sentence_has_four_examples_two_of_them_true() -> None:
    made = items(WRITING)
    assert [i.label for i in made] == [True, False, True, False]
    assert [i.id for i in made] == ["7-0-0", "7-1-0", "7-2-0", "7-3-0"]
    assert [needed(made[0], extra) for extra in (0, 4)] == [1, 5]


@pytest.mark.parametrize("chosen", [(0,), (1, 1), (0, 4), (0, 1, 2)])
def test_a_sentence_is_true_of_two_pairs(chosen: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="true of two of four pairs"):
        Writing("7", 0, "ann", "x", tuple("abcdefgh"), chosen)


def test_the_writer_never_judges_and_nobody_twice() -> None:
    one = items(WRITING)[0]
    with pytest.raises(BadInput, match="of their own"):
        judge(one, "ann", "true")
    judged = judge(one, "bob", "true")
    with pytest.raises(BadInput, match="bob has judged it already"):
        judge(judged, "bob", "true")
    dropped = judge(one, "bob", "false")
    assert (dropped.state, dropped.why) == ("dropped", "not as written")
    with pytest.raises(BadInput, match="dropped already"):
        judge(dropped, "cid", "true")


VERDICTS = st.sampled_from(["true", "false", "nonsense"])


@given(st.lists(VERDICTS, min_size=5, max_size=5), st.integers(0, 3))
def test_dev_and_test_keep_what_at_most_one_of_four_disputes(said: list[str], pair: int) -> None:
    item: Item = items(WRITING)[pair]
    right = "true" if item.label else "false"
    for worker, verdict in enumerate(said):
        if needed(item, 4):
            item = judge(item, str(worker), verdict)  # type: ignore[arg-type]
    done = decide(item, extra=4)
    against = sum(v != right for v in said[1:])
    kept = said[0] == right and against <= 1
    assert done.state == ("kept" if kept else "dropped")
    assert needed(done, 4) == 0
    if said[0] == "nonsense":
        assert done.why == "nonsense"
    elif said[0] == right and not kept:
        assert done.why == "disputed"


def test_decisions_wait_for_their_judgments() -> None:
    judged = judge(items(WRITING)[1], "bob", "false")
    with pytest.raises(BadInput, match="0 of 4 further judgments"):
        decide(judged, extra=4)
    assert decide(judged).why == "agreed"
    assert decide(items(WRITING)[1]).state == "written"


def test_eight_pictures_by_the_majority() -> None:
    fine, absent = ["fine"] * 10, ["absent"] * 10
    assert eight("abcdefghij", [fine, absent]) == (tuple("abcdefgh"), "kept")
    assert eight("abcdefghij", [fine, absent, absent])[0] == ()


@given(st.lists(st.integers(3, 90), min_size=1, max_size=6), st.integers(0, 5))
def test_splits_have_equal_shares_of_each_synset(sizes: list[int], seed: int) -> None:
    sets = {f"{s}/{i}": str(s) for s, n in enumerate(sizes) for i in range(n)}
    made = split(sets, seed=seed)
    assert set(made) == set(sets)
    for synset, n in enumerate(sizes):
        own = [made[f"{synset}/{i}"] for i in range(n)]
        for name, share in (("train", 0.7), ("dev", 0.15), ("test1", 0.15)):
            assert abs(own.count(name) - share * n) < 1.5
    assert split(dict(reversed(sets.items())), seed=seed) == made


def test_bonuses_by_twenty_sampled_sentences() -> None:
    assert [bonus(n, 20) for n in (20, 15, 14, 10, 9)] == ["full"] * 2 + ["small"] * 2 + ["none"]
    ids = [str(i) for i in range(50)]
    read = sample(ids, "w", 1)
    assert len(set(read)) == 20
    assert read == sample(ids, "w", 1) != sample(ids, "w", 2)
    assert len(sample(ids[:7], "w", 1)) == 7


def test_the_table_of_costs_adds_up_as_published() -> None:
    published = {
        "image pruning": ("1310.76", 53),
        "set construction": ("1798.84", 46),
        "sentence writing": ("9570.46", 99),
        "validation": ("6452.37", 125),
    }
    paid = []
    for task, (cost, n) in published.items():
        each = (Decimal(cost) / n).quantize(Decimal("0.01"))
        paid += [Paid(task, f"w{i}", each) for i in range(n - 1)]
        paid.append(Paid(task, f"w{n - 1}", Decimal(cost) - each * (n - 1)))
    made = cost_table(paid, 29_680, 107_292)
    assert [(r["task"], r["cost"]) for r in made["rows"]] == [
        *((t, c) for t, (c, _) in published.items()),
        ("total", "19132.43"),
    ]
    assert (made["per_sentence"], made["per_example"]) == ("0.64", "0.18")
    empty = cost_table([], 0, 0)
    assert [(r["task"], r["cost"]) for r in empty["rows"]] == [
        *((task, "0.00") for task in (*published, "total")),
    ]
    assert (empty["per_sentence"], empty["per_example"]) == (None, None)


def test_rating_a_set() -> None:
    stimulus = Candidates(synset="yak", drawings=({"pixels": ""},) * 8, truth=("absent",) * 8)
    assert set(RATE_SET.page(stimulus, lambda *_: {})) == {"synset", "drawings"}
    with pytest.raises(Refused, match="Each of the 8"):
        RATE_SET.check(stimulus, Marks(marks=("fine",)))
    made = RATE_SET.simulate(stimulus, draw(0, "r"), Profile(skill=1))
    RATE_SET.check(stimulus, made)
    scored = RATE_SET.score(stimulus, made)
    assert scored.detail["marks"] == ["absent"] * 8
    assert scored.flags == ("all pictures are marked alike",)
    assert len(RATE_SET.acts(stimulus, made)) == 9
    bare = Candidates(synset="yak", drawings=({},) * 8)
    assert set(RATE_SET.simulate(bare, draw(0, "r"), Profile(skill=1)).marks) == {"fine"}


def test_writing_a_contrast() -> None:
    example = Contrast(sentence="Both images show two yaks.", chosen=(0, 3))
    stimulus = Pairs(drawings=({},) * 8, examples=(example,))
    page = WRITE_CONTRAST.page(stimulus, lambda *_: {})
    assert "examples" not in page
    assert page["few"] == 4
    good = WRITE_CONTRAST.simulate(stimulus, draw(0, "w"), Profile(skill=1))
    WRITE_CONTRAST.check(stimulus, good)
    assert WRITE_CONTRAST.score(stimulus, good).detail == {
        "sentence": "Both images show two yaks.",
        "chosen": [0, 3],
    }
    lazy = WRITE_CONTRAST.simulate(stimulus, draw(0, "w"), Profile(skill=0))
    WRITE_CONTRAST.check(stimulus, lazy)
    assert WRITE_CONTRAST.score(stimulus, lazy).flags == ("guideline: opinion",)
    assert len(WRITE_CONTRAST.acts(stimulus, good)) == 4
    for chosen, sentence, said in (
        ((0,), "Two yaks lie.", "two of the four"),
        ((0, 0), "Two yaks lie.", "two of the four"),
        ((0, 7), "Two yaks lie.", "two of the four"),
        ((0, 1), " ", "at least one letter"),
        ((0, 1), "Yaks.", "not a single word"),
    ):
        with pytest.raises(Refused, match=said):
            WRITE_CONTRAST.check(stimulus, Written(chosen=chosen, sentence=sentence))


def test_judging_a_sentence() -> None:
    claim = Claim(sentence="Two yaks.", drawings=({}, {}), truth="false")
    assert "truth" not in VALIDATE_SENTENCE.page(claim, lambda *_: {})
    sure = VALIDATE_SENTENCE.simulate(claim, draw(0, "v"), Profile(skill=1))
    assert sure.verdict == "false"
    coin = {
        VALIDATE_SENTENCE.simulate(claim, draw(i, "v"), Profile(skill=0)).verdict for i in range(20)
    }
    assert coin == {"true", "false"}
    assert VALIDATE_SENTENCE.score(claim, Judged(verdict="true", ms=500)).flags
    assert not VALIDATE_SENTENCE.score(claim, Judged(verdict="true", ms=5000)).flags
    assert VALIDATE_SENTENCE.acts(claim, sure)[0].where == "[data-verdict='false']"
