from __future__ import annotations

from dataclasses import replace

import pytest

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.tasks.make import make


def test_presets_are_base_conditions(world: Dataset) -> None:
    task = make(world, presets=["text=whole", "black"])
    assert [str(i) for i in task.condition] == ["parts=drop", "color=drop"]
    assert make(world, presets=["text=parts", "color"]).condition == ()


def test_names(world: Dataset) -> None:
    assert make(world).name == "figures"
    assert make(world, "figures:test").name == "figures:test"


def test_a_kind_without_tasks(world: Dataset) -> None:
    with pytest.raises(BadInput, match=r"reference.* tasks, not haiku tasks"):
        make(replace(world, kind="haiku"))
