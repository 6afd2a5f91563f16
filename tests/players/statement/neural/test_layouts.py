"""Where layouts come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from deixis.errors import BadInput
from deixis.players.statement.neural.layouts import by_dependencies, flat, parser
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.task import Task
from deixis.text.grammar import parse


def test_gold_first_then_the_grammar_then_all_words_at_once(learnt: Task) -> None:
    gold = learnt.dataset.extras["layouts"]
    sentence = learnt.trials[0].sentence
    read = parser("", [learnt])
    assert read(sentence) == gold[sentence]
    assert read("There is a blue square!") == parse("There is a blue square!")
    assert read("What a pity!") == flat("What a pity!")
    assert parser("grammar", [])("There is a circle.").plan == ("find", "exist")


def test_the_grammar_reads_the_world_as_it_is_meant(learnt: Task) -> None:
    gold = learnt.dataset.extras["layouts"]
    read = parser("grammar", [learnt])
    assert {s: read(s) for s in gold} == gold


def test_no_such_source(learnt: Task) -> None:
    with pytest.raises(BadInput, match="--layouts: expected gold, grammar"):
        parser("frob", [learnt])


def test_gold_is_of_worlds_only(data: Path) -> None:
    with pytest.raises(BadInput, match="has no layouts of its own"):
        parser("gold", [make(load("nlvr:dev", data))])


def test_trees_of_a_file_then_the_grammar(tmp_path: Path) -> None:
    trees = tmp_path / "trees.txt"
    trees.write_text(
        "(S (NP (EX There)) (VP (VBZ is) (NP (DT a) (NN dog))) (. .))\n\n(S (VB Go))\n"
    )
    read = parser(f"brackets:{trees}", [])
    assert str(read("there is a dog")) == "exist(find[dog])"
    assert read("Go") == flat("Go"), "no rule fits the tree, and the grammar does not reach"
    assert read("There is a circle.") == parse("There is a circle.")
    trees.write_text("(S (NN dog))\n(S (NN dog)\n")
    with pytest.raises(BadInput, match=r"trees.txt:2: the tree '\(S \(NN dog\)' ends too early"):
        parser(f"brackets:{trees}", [])
    with pytest.raises(BadInput, match="there is no file"):
        parser(f"brackets:{tmp_path / 'none'}", [])


def test_dependencies_then_the_grammar() -> None:
    read = parser("spacy", [])
    assert str(read("There are two dogs.")) == "count[exactly two](find[dogs])"


@pytest.mark.parametrize(("source", "reached"), [("nlvr:dev", 0.9), ("nlvr2:dev", 0.8)])
def test_reach_of_rules_on_parses(source: str, reached: float, data: Path) -> None:
    """The share of sentences, of the first hundred, that get a layout; said in docs."""
    sentences = sorted({r.sentence for r in load(source, data).records.values()})[:100]
    found = [by_dependencies(s) is not None for s in sentences]
    assert sum(found) / len(found) >= reached - 0.05
