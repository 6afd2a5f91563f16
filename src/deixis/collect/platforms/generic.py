"""Links that anybody can give out, and any panel that puts an id into a link.

A panel is described by the parameter that holds the person's id, others to keep, and how people go
back: by a code, by a redirect, or both.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Literal
from urllib.parse import quote

from pydantic import Field, field_validator

from deixis.collect.platforms.platform import LENGTH, PARAMETERS, Arrival, Completion, Leaving
from deixis.collect.study import Model
from deixis.collect.trial import Refused


class Local(Model):
    """No platform: whoever has the link may take part, and nobody is paid through it."""

    name: Literal["local"] = "local"

    def arrival(self, parameters: Mapping[str, str]) -> Arrival:
        """Nobody says who it is."""
        return Arrival()

    def completion(self, leaving: Leaving) -> Completion:
        """Nothing to take home."""
        return Completion()


class Generic(Model):
    """A panel.

    Attributes:
        name: ``generic``.
        person: the parameter with the person's id.
        session: the parameter with the id of the visit, if there is one.
        keep: other parameters to keep.
        required: whether somebody without id is sent away.
        codes: completion codes by outcome; signed ones are made for outcomes without.
        redirect: where people go in the end, ``{code}``, ``{session}`` and ``{outcome}`` filled in.
    """

    name: Literal["generic"]
    person: str = Field(default="id", min_length=1)
    session: str = ""
    keep: tuple[str, ...] = Field(default=(), max_length=PARAMETERS)
    required: bool = True
    codes: dict[str, str] = Field(default_factory=dict)
    redirect: str = ""

    @field_validator("redirect")
    @classmethod
    def _safe(cls, value: str) -> str:
        if value and not value.startswith(("https://", "http://")):
            raise ValueError("expected an address that begins with https://")
        return value

    def arrival(self, parameters: Mapping[str, str]) -> Arrival:
        """Id, visit, and what is to be kept."""
        person = parameters.get(self.person, "").strip()[:LENGTH]
        if self.required and not person:
            raise Refused(
                "This link lacks your participant number. Please open the study from the page "
                "that invited you."
            )
        captured = {k: parameters[k][:LENGTH] for k in self.keep if k in parameters}
        return Arrival(person, "", parameters.get(self.session, "")[:LENGTH], captured)

    def completion(self, leaving: Leaving) -> Completion:
        """A code that says the outcome, and the way back."""
        code = self.codes.get(leaving.outcome) or signed_code(leaving)
        filled = self.redirect
        for key, value in (
            ("{code}", code),
            ("{session}", leaving.session),
            ("{outcome}", leaving.outcome),
        ):
            filled = filled.replace(key, quote(value, safe=""))
        return Completion(code, filled, "Return to the panel" if filled else "")


def signed_code(leaving: Leaving) -> str:
    """A code that proves its outcome: nobody can turn one into another."""
    text = f"{leaving.worker}\x1f{leaving.session}\x1f{leaving.outcome}".encode()
    mac = hmac.new(leaving.secret.encode(), text, hashlib.sha256).hexdigest()[:8].upper()
    return f"{_SHORT[leaving.outcome]}-{mac}"


_SHORT = {
    "completed": "DONE",
    "no_consent": "NOCO",
    "not_eligible": "NOTE",
    "failed_quiz": "QUIZ",
    "full": "FULL",
    "withdrawn": "LEFT",
    "returned": "BACK",
}
