"""Eight pictures in four pairs: choose two, and write what is true of these only."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from deixis.collect.study import Model
from deixis.collect.trial import Act, Pictures, Profile, Refused, Score, TrialType
from deixis.collect.trial_types.guidelines import FEW, RULES, hints
from deixis.collect.trial_types.texts import check_text, normal

PAIRS = 4


class Contrast(Model):
    """A sentence and the two pairs that it is true of: what simulated people write."""

    sentence: str
    chosen: tuple[int, int]


class Pairs(Model):
    """Eight pictures, pairs side by side, and examples for simulation."""

    drawings: tuple[dict[str, Any], ...] = Field(min_length=2 * PAIRS, max_length=2 * PAIRS)
    examples: tuple[Contrast, ...] = ()


class Written(Model):
    """The chosen pairs, the sentence as typed, and milliseconds since the page was shown."""

    chosen: tuple[int, ...] = Field(max_length=PAIRS)
    sentence: str = Field(max_length=2_000)
    ms: float = Field(default=0, ge=0, le=1e12)


class WriteContrastType(TrialType[Pairs, Written]):
    """Guidelines are checked as hints: a person may know better."""

    name = "write_contrast"
    stimulus = Pairs
    response = Written

    def page(self, stimulus: Pairs, pictures: Pictures) -> dict[str, Any]:
        """Pictures in pairs, and the words that bring hints."""
        rules = [{"why": why, "words": list(words)} for why, words in RULES.values()]
        return {"drawings": list(stimulus.drawings), "rules": rules, "few": FEW}

    def check(self, stimulus: Pairs, response: Written) -> None:
        """Two different pairs, and a sentence."""
        pairs = set(response.chosen)
        if len(response.chosen) != 2 or len(pairs) != 2 or not pairs <= set(range(PAIRS)):
            raise Refused("Please choose two of the four pairs.")
        check_text(response.sentence, "The sentence")
        if len(response.sentence.split()) < 2:
            raise Refused("Please write a sentence, not a single word.")

    def score(self, stimulus: Pairs, response: Written) -> Score:
        """The sentence in normal form, and the guidelines that it seems to break."""
        flags = tuple(f"guideline: {rule}" for rule in hints(response.sentence))
        detail = {"sentence": normal(response.sentence), "chosen": sorted(response.chosen)}
        return Score(detail, flags=flags)

    def simulate(self, stimulus: Pairs, rng: np.random.Generator, profile: Profile) -> Written:
        """An example, or for the unskilled a sentence that says little of any two pairs."""
        ms = round(float(rng.gamma(6, profile.seconds * 1500)), 1)
        if stimulus.examples and rng.random() < profile.skill:
            one = stimulus.examples[int(rng.integers(len(stimulus.examples)))]
            return Written(chosen=one.chosen, sentence=one.sentence, ms=ms)
        chosen = sorted(int(i) for i in rng.permutation(PAIRS)[:2])
        return Written(chosen=tuple(chosen), sentence="There are nice things here.", ms=ms)

    def acts(self, stimulus: Pairs, response: Written) -> list[Act]:
        """Choose pairs, type, send."""
        made = [Act("click", f"[data-pair='{p}']") for p in response.chosen]
        return [
            *made,
            Act("fill", "[data-sentence]", response.sentence),
            Act("click", "[data-submit]"),
        ]


WRITE_CONTRAST = WriteContrastType()
