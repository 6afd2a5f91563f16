"""How pictures reach a model: once, box by box, as interventions leave them."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from PIL import Image

from deixis.encodings import Memory
from deixis.pictures.store import ArrayStore
from deixis.players.statement.neural.inputs import Epoch, Table
from deixis.players.statement.neural.looks import Blind, Pixels, Seen, gallery, native
from deixis.players.statement.neural.sentences import Words
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task
from deixis.trials import BLANK


@pytest.fixture(scope="module")
def strips() -> Task:
    return make(load("strips", sentences=4))


def test_shapes(learnt: Task, strips: Task) -> None:
    assert Seen().shape(learnt.store) == (1, 49, 13, 13)
    assert Seen(2).shape(learnt.store) == (1, 49, 7, 7)
    assert Seen().shape(strips.store) == (3, 49, 13, 13)
    assert Pixels().shape(strips.store) == (1, 3, 100, 400)
    assert Blind().shape(strips.store) == (1, 1, 1, 1)


def test_boxes_are_seen_one_by_one(strips: Task) -> None:
    """Features of a strip's box are those of the box alone."""
    picture = strips.trials[0].left
    whole = Seen()(strips.store, [picture]).reshape(3, -1)
    pixels = native(strips.store, picture)
    for number in range(3):
        alone = ArrayStore({"box": pixels[:, number * 150 : number * 150 + 100]})
        own = Seen()(alone, [alone.picture("box")])[0]
        np.testing.assert_allclose(own, whole[number], atol=2e-2)


def test_each_picture_is_looked_at_once(learnt: Task) -> None:
    calls: list[int] = []

    class Counting(Pixels):
        def __call__(self, store, pictures):
            calls.append(len(pictures))
            return super().__call__(store, pictures)

    seen, cache = views(learnt), Memory()
    _, rows = gallery(Counting(), learnt.store, seen + seen, cache)
    assert rows.shape == (2 * len(seen), 2)
    assert sum(calls) == len({p.key for v in seen for p in (v.left, v.right)})
    gallery(Counting(), learnt.store, seen, cache)
    assert len(calls) == 1 + (sum(calls) > 256)


def test_a_blank_picture_is_white(strips: Task) -> None:
    held = Pixels()(strips.store, [BLANK])
    assert (held == 255).all()
    blanked = views(strips.do("image=blank"))
    _, rows = gallery(Pixels(), strips.store, blanked, Memory())
    assert rows.max() == 0


def test_other_pictures_become_one_box() -> None:
    wide = np.asarray(Image.new("RGB", (300, 150), (0, 0, 0)))
    store = ArrayStore({"photo": wide})
    assert native(store, store.picture("photo")).shape == (100, 100, 3)
    assert Pixels().shape(store) == (1, 3, 100, 100)


def test_a_table_gives_back_what_views_show(learnt: Task) -> None:
    seen = views(learnt)
    words = Words.of(v.sentence for v in seen)
    labels = [t.label for t in learnt.trials]
    table = Table(seen, learnt.store, Pixels(), words, Memory(), labels=labels)
    batch = table.batch([3, 1])
    assert batch.ids == (seen[3].id, seen[1].id)
    assert batch.labels is not None
    assert batch.labels.tolist() == [labels[3], labels[1]]
    left = torch.from_numpy(native(learnt.store, seen[3].left).transpose(2, 0, 1).copy())
    assert (batch.boxes[0, 0] == left).all()
    assert batch.tokens.shape[1] == int(batch.lengths.max())
    epoch = Epoch(table, 7, 0, 0)
    shown = [i for part in range(len(epoch)) for i in epoch[part].ids]
    assert sorted(shown) == sorted(table.ids)
    assert shown != list(table.ids)
    assert [i for part in Epoch(table, 7, 0, 1) for i in part.ids] != shown
