"""Is the sentence true of the two pictures, false, or no sense at all?"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from pydantic import Field

from deixis.collect.study import Model
from deixis.collect.trial import Act, Pictures, Profile, Score, TrialType

QUICK = 1.0
"""Seconds in which nobody has read a sentence."""

Verdict = Literal["true", "false", "nonsense"]


class Claim(Model):
    """A sentence and two pictures; what it is to be, and why, for practice and simulation."""

    sentence: str
    drawings: tuple[dict[str, Any], ...] = Field(min_length=2, max_length=2)
    truth: Verdict | None = None
    why: str = ""


class Judged(Model):
    """The judgment, and milliseconds since the page was shown."""

    verdict: Verdict
    ms: float = Field(default=0, ge=0, le=1e12)


class ValidateSentenceType(TrialType[Claim, Judged]):
    """One click is the answer."""

    name = "validate_sentence"
    stimulus = Claim
    response = Judged

    def page(self, stimulus: Claim, pictures: Pictures) -> dict[str, Any]:
        """Sentence and pictures."""
        return {"sentence": stimulus.sentence, "drawings": list(stimulus.drawings)}

    def score(self, stimulus: Claim, response: Judged) -> Score:
        """The judgment; right is not for the server to say."""
        quick = response.ms / 1000 <= QUICK
        flags = (f"quicker than {QUICK:g} s",) if quick else ()
        return Score({"verdict": response.verdict, "seconds": response.ms / 1000}, flags=flags)

    def feedback(self, stimulus: Claim, response: Judged) -> dict[str, Any]:
        """What would have been right, and why, in practice."""
        if stimulus.truth is None:
            return {}
        right = response.verdict == stimulus.truth
        return {"right": right, "truth": stimulus.truth, "why": stimulus.why}

    def simulate(self, stimulus: Claim, rng: np.random.Generator, profile: Profile) -> Judged:
        """The truth as often as the profile is skilled, else true or false by a coin."""
        ms = round(float(rng.gamma(6, profile.seconds * 500)), 1)
        if stimulus.truth is not None and rng.random() < profile.skill:
            return Judged(verdict=stimulus.truth, ms=ms)
        return Judged(verdict="true" if rng.random() < 0.5 else "false", ms=ms)

    def acts(self, stimulus: Claim, response: Judged) -> list[Act]:
        """Click the judgment."""
        return [Act("click", f"[data-verdict='{response.verdict}']")]


VALIDATE_SENTENCE = ValidateSentenceType()
