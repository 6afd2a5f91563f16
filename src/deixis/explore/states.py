"""States of the page of edits: a trial and the edits in it, as links hold them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from deixis.errors import BadInput
from deixis.explore.opened import Opened
from deixis.tasks.edits import Edits, check, edits_of


@dataclass(frozen=True)
class State:
    """A trial with edits that fit it."""

    trial: Any
    edits: Edits

    @property
    def link(self) -> str:
        """The parameters of a link to it."""
        return link(self.trial.id, self.edits)


def link(trial: str, edits: Edits) -> str:
    """The parameters of a link to a trial with edits.

    >>> link("a", ())
    'id=a'
    """
    rows = [one.json() for one in edits]
    written = {"edits": json.dumps(rows, ensure_ascii=False)} if rows else {}
    return urlencode({"id": trial, **written})


def given_state(opened: Opened, given: Mapping[str, str]) -> State:
    """Read a link's parameters.

    Raises:
        BadInput: there is no such trial, or the edits are none or do not fit it.
    """
    trial = opened.task.trials[opened.position(given.get("id", ""))]
    text = given.get("edits", "")
    try:
        rows = json.loads(text) if text else []
    except json.JSONDecodeError as error:
        raise BadInput(f"edits: not JSON: {error.msg}") from None
    edits = edits_of(rows, "edits")
    check(opened.task, trial, edits)
    return State(trial, edits)
