"""What an operator gets, for tests of operators alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from deixis.interventions.operator import Given
from deixis.text.vocabulary import Vocabulary

WORDS = Vocabulary((("the", 50), ("red", 30), ("dog", 15), ("runs", 5)))


@pytest.fixture
def given_() -> Callable[..., Given]:
    """Makes the surroundings of a value."""

    def make(
        argument: str = "",
        *,
        seed: int = 0,
        place: tuple[str, ...] = ("t1", "whole", "0"),
        donor: Any = None,
        partner: Any = None,
        vocabulary: Vocabulary = WORDS,
    ) -> Given:
        return Given(argument, seed, place, lambda: donor, lambda: partner, lambda: vocabulary)

    return make
