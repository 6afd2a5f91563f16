"""SONA: students come by a link with a survey code, and get credit by going back with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlencode

from pydantic import Field

from deixis.collect.platforms.platform import LENGTH, Arrival, Completion, Leaving
from deixis.collect.study import Model
from deixis.collect.trial import Refused


class Sona(Model):
    """A SONA site; the study's address there ends in ``?id=%SURVEY_CODE%``.

    Attributes:
        name: ``sona``.
        site: such as ``https://school.sona-systems.com``.
        experiment: id of the experiment.
        credit_token: of the experiment's completion address.
        person: the parameter with the survey code.
        credited: outcomes that are given credit; SONA grants it once for each survey code.
    """

    name: Literal["sona"]
    site: str = Field(pattern=r"^https://[A-Za-z0-9.-]+$")
    experiment: str = Field(pattern=r"^\d+$")
    credit_token: str = Field(min_length=1)
    person: str = "id"
    credited: tuple[str, ...] = ("completed",)

    def arrival(self, parameters: Mapping[str, str]) -> Arrival:
        """The survey code is the person and the visit."""
        code = parameters.get(self.person, "").strip()[:LENGTH]
        if not code:
            raise Refused("This link lacks your survey code. Please open the study from SONA.")
        return Arrival(code, self.experiment, code)

    def completion(self, leaving: Leaving) -> Completion:
        """The way back that grants credit, or just the way back."""
        if leaving.outcome not in self.credited:
            return Completion("", f"{self.site}/", "Return to SONA")
        given = {
            "experiment_id": self.experiment,
            "credit_token": self.credit_token,
            "survey_code": leaving.session,
        }
        url = f"{self.site}/webstudy_credit.aspx?{urlencode(given)}"
        return Completion("", url, "Return to SONA and get your credit")
