"""A page to read, with pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from deixis.collect.study import Model, Text
from deixis.collect.trial import Act, Pictures, Profile, Score, TrialType
from deixis.collect.trial_types.shown import Shown


class Page(Model):
    """What is read, pictures beside it, and the word of the button."""

    text: Text
    pictures: tuple[Shown, ...] = ()
    button: str = "Continue"


class Done(Model):
    """Nothing but having read it."""


class ReadType(TrialType[Page, Done]):
    """Instructions and the like."""

    name = "read"
    stimulus = Page
    response = Done

    def page(self, stimulus: Page, pictures: Pictures) -> dict[str, Any]:
        """Everything, pictures drawn."""
        shown = [p.page(pictures) for p in stimulus.pictures]
        return {"text": stimulus.text, "button": stimulus.button, "pictures": shown}

    def score(self, stimulus: Page, response: Done) -> Score:
        """Nothing to score."""
        return Score()

    def simulate(self, stimulus: Page, rng: np.random.Generator, profile: Profile) -> Done:
        """Everybody goes on."""
        return Done()

    def acts(self, stimulus: Page, response: Done) -> list[Act]:
        """Press the button."""
        return [Act("click", "[data-continue]")]


READ = ReadType()
