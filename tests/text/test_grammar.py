"""The grammar on NLVR: how much it reaches, and that what it reads is what people meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.statement.grammar import grammar
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.text.grammar import parse

READ = {
    "There is a tower with exactly two blue blocks.": (
        "boxes[a](count_in[exactly two](find[blue object]))"
    ),
    "there are no black squares": "not(exist(find[black square]))",
    "There is a box with only yellow items.": "boxes[a](all_in(find[object], find[yellow object]))",
    "There are more circles than squares.": "more(find[circle], find[square])",
}


@pytest.mark.parametrize("sentence", READ)
def test_some_sentences(sentence: str) -> None:
    assert str(parse(sentence)) == READ[sentence]


@pytest.mark.parametrize("sentence", ["", "What a pity!", "There is", "There is a box with."])
def test_what_it_does_not_reach(sentence: str) -> None:
    assert parse(sentence) is None


def test_reach_and_truth_on_nlvr(data: Path) -> None:
    """Labels are majority votes of people: nobody is right in all of them."""
    dev = load("nlvr:dev", data)
    reached = {i for i, r in dev.records.items() if parse(r.sentence) is not None}
    assert len(reached) / len(dev) > 0.8
    task = make(dev).only(reached)
    assert score(task, grammar("", task).reply(views(task))).credit.mean() > 0.93


def test_it_reads_scenes_only(data: Path) -> None:
    task = make(load("nlvr2:dev", data))
    with pytest.raises(BadInput, match="reads scenes of boxes"):
        grammar("", task)
