"""Consent: nothing else happens before somebody has agreed."""

from __future__ import annotations

from typing import Any

import numpy as np

from deixis.collect.study import Model, Text
from deixis.collect.trial import Act, Pictures, Profile, Score, TrialType


class Consent(Model):
    """What people are told, and the words of the two buttons."""

    text: Text
    agree: str = "I agree – let’s start"
    decline: str = "No, thank you"


class Decision(Model):
    """Whether somebody agrees."""

    agrees: bool


class ConsentType(TrialType[Consent, Decision]):
    """Asks once; a no ends the session kindly, with a completion code of its own."""

    name = "consent"
    stimulus = Consent
    response = Decision

    def page(self, stimulus: Consent, pictures: Pictures) -> dict[str, Any]:
        """Everything."""
        return stimulus.model_dump()

    def score(self, stimulus: Consent, response: Decision) -> Score:
        """A no ends the session."""
        return Score({"agrees": response.agrees}, end=None if response.agrees else "no_consent")

    def simulate(self, stimulus: Consent, rng: np.random.Generator, profile: Profile) -> Decision:
        """Most agree."""
        return Decision(agrees=bool(rng.random() < profile.agrees))

    def acts(self, stimulus: Consent, response: Decision) -> list[Act]:
        """Press one of the two buttons."""
        return [Act("click", f"[data-agrees={str(response.agrees).lower()}]")]


CONSENT = ConsentType()
