"""What a study file says of Prolific, who arrives from there, and the way back."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from deixis.collect.platforms.platform import Arrival, Completion, Leaving
from deixis.collect.study import OUTCOMES, Model, Study
from deixis.collect.trial import Refused

_ID = re.compile(r"[0-9A-Za-z_-]{4,64}")

CODE_TYPES = {
    "completed": "COMPLETED",
    "no_consent": "NO_CONSENT",
    "not_eligible": "OTHER",
    "failed_quiz": "FAILED_ATTENTION_CHECK",
    "full": "OTHER",
    "withdrawn": "OTHER",
    "returned": "OTHER",
}
"""How Prolific calls the kind of code that each outcome has."""


class Prolific(Model):
    """A study on Prolific.

    Attributes:
        name: ``prolific``.
        study: its id there; visits from other studies are sent away.
        codes: completion codes by outcome; made from the study's key where left out.
        approve: whether completed submissions are approved by themselves, or after a look.
        api: address of the interface.
        places: how many people are wanted there; by default as many as there are places.
    """

    name: Literal["prolific"]
    study: str = ""
    codes: dict[str, str] = Field(default_factory=dict)
    approve: Literal["automatic", "manual"] = "manual"
    api: str = Field(default="https://api.prolific.com/api/v1/", pattern="^https?://.*/$")
    places: int | None = Field(default=None, ge=1)

    def arrival(self, parameters: Mapping[str, str]) -> Arrival:
        """The three ids of the link."""
        person, study, session = (
            parameters.get(name, "").strip() for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
        )
        if not all(_ID.fullmatch(one) for one in (person, study, session)):
            raise Refused("This link lacks your Prolific id. Please open the study from Prolific.")
        if self.study and study != self.study:
            raise Refused("This link belongs to another study on Prolific.")
        return Arrival(person, study, session)

    def completion(self, leaving: Leaving) -> Completion:
        """The outcome's code, and the address that hands it in."""
        code = self.code(leaving.outcome, leaving.secret)
        url = f"https://app.prolific.com/submissions/complete?cc={code}"
        return Completion(code, url, "Return to Prolific")

    def code(self, outcome: str, secret: str) -> str:
        """The code of an outcome: the same for everybody, and not to be guessed."""
        given = self.codes.get(outcome)
        if given:
            return given
        mac = hmac.new(secret.encode(), f"prolific\x1f{outcome}".encode(), hashlib.sha256)
        return mac.hexdigest()[:10].upper()

    def draft(self, study: Study, secret: str, url: str, places: int) -> dict[str, Any]:
        """What Prolific is told to make a study of, not published yet.

        Args:
            study: ours.
            secret: its key, for the codes.
            url: of its page, public and HTTPS.
            places: how many people are wanted.
        """
        ids = "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
        return {
            "name": study.title,
            "internal_name": f"{study.name} v{study.version}",
            "description": study.summary,
            "external_study_url": f"{url}?{ids}",
            "prolific_id_option": "url_parameters",
            "completion_codes": [self._coded(o, secret) for o in OUTCOMES if o != "returned"],
            "total_available_places": self.places or places,
            "estimated_completion_time": round(study.minutes),
            "reward": round(float(study.pay.reward) * 100),
            "device_compatibility": ["desktop", "tablet", "mobile"],
            "filters": _filters(study),
        }

    def _coded(self, outcome: str, secret: str) -> dict[str, Any]:
        approved = outcome == "completed" and self.approve == "automatic"
        action = "AUTOMATICALLY_APPROVE" if approved else "MANUALLY_REVIEW"
        return {
            "code": self.code(outcome, secret),
            "code_type": CODE_TYPES[outcome],
            "actor": "participant",
            "actions": [{"action": action}],
        }


def _filters(study: Study) -> list[dict[str, Any]]:
    """Who may take part, as far as Prolific can tell by itself."""
    wanted = study.eligibility
    made: list[dict[str, Any]] = []
    if wanted.countries:
        chosen = list(wanted.countries)
        made.append({"filter_id": "current-country-of-residence", "selected_values": chosen})
    if wanted.fluent:
        made.append({"filter_id": "fluent-languages", "selected_values": list(wanted.fluent)})
    if wanted.approval_rate:
        rate = {"lower": wanted.approval_rate, "upper": 100}
        made.append({"filter_id": "approval_rate", "selected_range": rate})
    return made
