"""A live dialog with somebody else, or with a bot, about a picture that one of both sees.

What is said goes over a socket into the log, see `deixis.collect.live`; the answer to the trial
only says that the dialog is over, and the server looks whether it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field
from sqlalchemy import Connection

from deixis.collect.live.log import outcome
from deixis.collect.study import Model
from deixis.collect.trial import Act, Pictures, Profile, Refused, Score, TrialType


class Talk(Model):
    """What is talked about, and how.

    Attributes:
        source: ``NAME[:SPLIT[+SPLIT]]`` of guessing games.
        pool: pictures to guess among.
        rounds: in each dialog.
        do: alter messages on their way, as ``CHANNEL[/READER]=OP``.
        altered: whether people agreed to that.
        debriefing: what they are told about it in the end.
        bot: the seat that a bot takes: ``questioner`` or ``answerer``, which says what people said
            in the source; or with a player behind it, as ``answerer:saved:FOLDER``.
        lobby: seconds for which somebody waits for a partner.
        grace: seconds for which a partner may be away.
        ended: how the dialog of this trial ended; filled in by the server.
        owed: what the person is owed for it, likewise.
    """

    source: str
    pool: str = "first:20"
    rounds: int = Field(default=10, ge=1, le=100)
    do: tuple[str, ...] = ()
    altered: bool = False
    debriefing: str = ""
    bot: str = Field(default="", pattern=r"^((questioner|answerer)(:.+)?)?$")
    lobby: float = Field(default=300, gt=0)
    grace: float = Field(default=90, gt=0)
    ended: str = ""
    owed: str = ""


class Over(Model):
    """That the dialog is over, and milliseconds since the page was shown."""

    ms: float = Field(default=0, ge=0, le=1e12)


class DialogType(TrialType[Talk, Over]):
    """Whoever stayed is paid in full, whoever waited in vain for waiting; see `Pay`."""

    name = "dialog"
    stimulus = Talk
    response = Over

    def page(self, stimulus: Talk, pictures: Pictures) -> dict[str, Any]:
        """How many rounds, and whether messages may be altered; the rest comes by the socket."""
        return {
            "rounds": stimulus.rounds,
            "altered": stimulus.altered,
            "bot": bool(stimulus.bot),
        }

    def facts(self, c: Connection, step: str) -> dict[str, Any]:
        """How the dialog of a step stands, by its log."""
        ended, owed = outcome(c, step)
        return {"ended": ended, "owed": owed}

    def check(self, stimulus: Talk, response: Over) -> None:
        """It must really be over."""
        if not stimulus.ended:
            raise Refused("The dialog is still going on.")

    def score(self, stimulus: Talk, response: Over) -> Score:
        """How it ended."""
        flags = () if stimulus.ended == "completed" else (f"dialog: {stimulus.ended}",)
        return Score({"ended": stimulus.ended, "owed": stimulus.owed}, flags=flags)

    def simulate(self, stimulus: Talk, rng: np.random.Generator, profile: Profile) -> Over:
        """That it is over; simulated people talk over the socket before."""
        return Over(ms=round(float(rng.gamma(6, profile.seconds * 1000)), 1))

    def acts(self, stimulus: Talk, response: Over) -> list[Act]:
        """Go on when it is over."""
        return [Act("click", "[data-over] [data-go-on]")]


DIALOG = DialogType()
