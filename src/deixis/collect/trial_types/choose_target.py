"""Which of these does the description mean? One trial of a reference game.

The browser gets candidates in a drawn order, each under a random token; which is meant, where the
pictures come from and how the trial orders them stays on the server.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from deixis.collect.study import Model
from deixis.collect.trial import Act, Pictures, Profile, Refused, Score, TrialType

QUICK = 2.0
"""Seconds; an answer that comes sooner was dropped in the published analysis."""

BACKGROUNDS = ("#ee865b", "#fad849", "#98ccf6", "#f4b9c2", "#60b077", "#a9a9a9", "#d3d2d4")
"""Published colors behind the names of parts, by position."""


class Part(Model):
    """The name of a part, and the color behind it where pictures are painted."""

    name: str
    color: str = ""


class Text(Model):
    """A description as its reader gets it."""

    whole: str
    parts: tuple[Part, ...] = ()


class Game(Model):
    """One game as one person gets it, with its answer.

    Attributes:
        texts: the description; or several, where they are the candidates.
        drawings: the pictures; or the one that is meant.
        tokens: opaque names of the candidates, in shown order.
        order: for each shown candidate its place in the trial's own order.
        answer: the place in the trial's own order of the one that is meant.
        catch: whether it is there to see if somebody pays attention.
    """

    texts: tuple[Text, ...]
    drawings: tuple[dict[str, Any], ...]
    tokens: tuple[str, ...]
    order: tuple[int, ...]
    answer: int
    catch: bool = False

    @property
    def target(self) -> str:
        """The token of the one that is meant."""
        return self.tokens[self.order.index(self.answer)]


class Choice(Model):
    """The token of the chosen candidate, and milliseconds since the page was shown."""

    token: str = Field(max_length=64)
    ms: float = Field(ge=0, le=1e12)


class ChooseTargetType(TrialType[Game, Choice]):
    """A description above a grid of pictures, or a picture above a list of descriptions."""

    name = "choose_target"
    stimulus = Game
    response = Choice

    def page(self, stimulus: Game, pictures: Pictures) -> dict[str, Any]:
        """Descriptions, drawings and tokens, in shown order."""
        return stimulus.model_dump(include={"texts", "drawings", "tokens"})

    def check(self, stimulus: Game, response: Choice) -> None:
        """The choice is one of the candidates."""
        if response.token not in stimulus.tokens:
            raise Refused("That is none of the candidates; please reload the page.")

    def score(self, stimulus: Game, response: Choice) -> Score:
        """The choice in the trial's own order, and whether it is right."""
        choice = stimulus.order[stimulus.tokens.index(response.token)]
        right, seconds = choice == stimulus.answer, response.ms / 1000
        flags = [f"quicker than {QUICK:g} s"] if seconds <= QUICK else []
        if stimulus.catch and not right:
            flags.append("failed the catch trial")
        detail = {"choice": choice, "shown": list(stimulus.order), "seconds": round(seconds, 4)}
        if stimulus.catch:
            detail["catch"] = True
        return Score(detail, right=right, flags=tuple(flags))

    def feedback(self, stimulus: Game, response: Choice) -> dict[str, Any]:
        """Which one was meant."""
        return {"right": response.token == stimulus.target, "target": stimulus.target}

    def simulate(self, stimulus: Game, rng: np.random.Generator, profile: Profile) -> Choice:
        """The right one as often as the profile is skilled, else any."""
        token = stimulus.target
        if rng.random() >= profile.skill:
            token = str(rng.choice(stimulus.tokens))
        return Choice(token=token, ms=round(float(rng.gamma(6, profile.seconds * 1000 / 6)), 1))

    def acts(self, stimulus: Game, response: Choice) -> list[Act]:
        """Click the candidate."""
        return [Act("click", f"[data-token='{response.token}']")]


CHOOSE_TARGET = ChooseTargetType()
