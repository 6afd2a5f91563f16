"""Which pictures of a set can be used? Marks for those without the thing, or without interest."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from pydantic import Field

from deixis.collect.study import Model
from deixis.collect.trial import Act, Pictures, Profile, Refused, Score, TrialType

Mark = Literal["fine", "absent", "uninteresting"]
MARKS: tuple[Mark, ...] = ("fine", "absent", "uninteresting")


class Candidates(Model):
    """Pictures that are to show something, and what is known of them for simulation."""

    synset: str
    drawings: tuple[dict[str, Any], ...] = Field(min_length=8, max_length=16)
    truth: tuple[Mark, ...] = ()


class Marks(Model):
    """A mark for each picture, and milliseconds since the page was shown."""

    marks: tuple[Mark, ...] = Field(max_length=16)
    ms: float = Field(default=0, ge=0, le=1e12)


class RateSetType(TrialType[Candidates, Marks]):
    """A picture is interesting if it shows several of the things, or one that does something."""

    name = "rate_set"
    stimulus = Candidates
    response = Marks

    def page(self, stimulus: Candidates, pictures: Pictures) -> dict[str, Any]:
        """Pictures and the name of the thing."""
        return {"synset": stimulus.synset, "drawings": list(stimulus.drawings)}

    def check(self, stimulus: Candidates, response: Marks) -> None:
        """As many marks as pictures."""
        n = len(stimulus.drawings)
        if len(response.marks) != n:
            raise Refused(
                f"Each of the {n} pictures needs a mark; there are {len(response.marks)}."
            )

    def score(self, stimulus: Candidates, response: Marks) -> Score:
        """The marks, with hints for reviewers."""
        flags = []
        if len(set(response.marks)) == 1 and response.marks[0] != "fine":
            flags.append("all pictures are marked alike")
        return Score({"marks": list(response.marks)}, flags=tuple(flags))

    def simulate(self, stimulus: Candidates, rng: np.random.Generator, profile: Profile) -> Marks:
        """What is true as often as the profile is skilled, else any mark."""
        fine: Mark = "fine"
        truth = stimulus.truth or (fine,) * len(stimulus.drawings)
        sure = rng.random(len(truth)) < profile.skill
        other = rng.integers(len(MARKS), size=len(truth))
        drawn = zip(truth, sure, other, strict=True)
        marks: list[Mark] = [t if s else MARKS[int(o)] for t, s, o in drawn]
        return Marks(marks=tuple(marks), ms=round(float(rng.gamma(6, profile.seconds * 400)), 1))

    def acts(self, stimulus: Candidates, response: Marks) -> list[Act]:
        """Choose a mark for each picture that is not fine, then send."""
        made = [
            Act("click", f"[data-picture='{n}'] [data-mark='{mark}']")
            for n, mark in enumerate(response.marks)
            if mark != "fine"
        ]
        return [*made, Act("click", "[data-submit]")]


RATE_SET = RateSetType()
