"""Where layouts come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from deixis.errors import BadInput
from deixis.players.statement.neural.layouts import flat, parser
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
