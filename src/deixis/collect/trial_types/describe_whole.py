"""What does the whole look like? The first stage of annotating a tangram."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from deixis.collect.study import Model
from deixis.collect.trial import Act, Pictures, Profile, Score, TrialType
from deixis.collect.trial_types.texts import check_text, normal


class Whole(Model):
    """The picture, and what simulated people would say of it."""

    drawing: dict[str, Any]
    examples: tuple[str, ...] = ()


class Words(Model):
    """What somebody wrote, as typed."""

    text: str = Field(max_length=2_000)


class DescribeWholeType(TrialType[Whole, Words]):
    """One picture in gray, one line of text; it is kept as typed, and in NFC."""

    name = "describe_whole"
    stimulus = Whole
    response = Words

    def page(self, stimulus: Whole, pictures: Pictures) -> dict[str, Any]:
        """The picture."""
        return {"drawing": stimulus.drawing}

    def check(self, stimulus: Whole, response: Words) -> None:
        """At least a letter or digit of any script."""
        check_text(response.text, "The description")

    def score(self, stimulus: Whole, response: Words) -> Score:
        """The text in normal form."""
        return Score({"text": normal(response.text)})

    def simulate(self, stimulus: Whole, rng: np.random.Generator, profile: Profile) -> Words:
        """An example, or for the unskilled any word."""
        known = bool(stimulus.examples) and rng.random() < profile.skill
        return Words(
            text=str(rng.choice(stimulus.examples if known else ["thing", "shape 2", "物"]))
        )

    def acts(self, stimulus: Whole, response: Words) -> list[Act]:
        """Type and press Enter."""
        return [Act("fill", "[data-whole]", response.text), Act("press", "[data-whole]", "Enter")]


DESCRIBE_WHOLE = DescribeWholeType()
