"""Small studies, and people who take part in them by calling what the server calls."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from deixis.collect import flow
from deixis.collect.answering import Reply, Write, answer
from deixis.collect.arriving import arrive, resume
from deixis.collect.platforms.platform import Arrival
from deixis.collect.pools.pairs import TYPES
from deixis.collect.running import Running
from deixis.collect.state import current_step, settled, state
from deixis.collect.store.engine import Store
from deixis.collect.study import Study
from deixis.collect.trial import Profile
from deixis.seeds import draw

START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)

CONSENT = {"name": "consent", "type": "consent", "trials": [{"text": "Shall we?"}]}
SURVEY = {
    "name": "survey",
    "type": "survey",
    "trials": [
        {
            "questions": [
                {"id": "country", "kind": "choice", "text": "Where?", "options": ["US", "CA"]},
                {"id": "languages", "kind": "languages", "text": "Which?", "options": ["English"]},
                {"id": "more", "kind": "text", "text": "More?", "optional": True},
            ]
        }
    ],
}
QUIZ = {
    "name": "quiz",
    "type": "quiz",
    "trials": [
        {
            "attempts": 2,
            "questions": [
                {"id": "one", "text": "1 + 1?", "options": ["2", "3"], "answer": 0, "why": "so."},
                {"id": "two", "text": "1 + 2?", "options": ["2", "3"], "answer": 1, "why": "so."},
            ],
        }
    ],
}


def games(**over: Any) -> Study:
    """Reference games: consent, practice, two packets for each of two conditions, survey."""
    pool = {
        "kind": "games",
        "source": "figures:test",
        "training": "figures:train",
        "world": {"variants": 2},
        "limit": 8,
        "packet": 4,
        "people": 2,
        "practice": 1,
        "conditions": {"parts, color": "", "whole, black": "parts=drop,color=drop"},
    } | over.pop("pool", {})
    return Study.model_validate(
        {
            "name": "games",
            "version": 1,
            "title": "Games",
            "summary": "Which one?",
            "minutes": 2,
            "pool": pool,
            "phase": [
                CONSENT,
                {"name": "practice", "type": "choose_target", "use": "practice", "feedback": True},
                {"name": "main", "type": "choose_target", "use": "pool"},
                SURVEY,
            ],
        }
        | over
    )


def names(**over: Any) -> Study:
    """Annotation: consent and quiz once, then two tangrams a visit, three people for each."""
    pool = {
        "kind": "tangrams",
        "source": "figures",
        "world": {"variants": 1},
        "limit": 4,
        "people": 3,
    } | over.pop("pool", {})
    return Study.model_validate(
        {
            "name": "names",
            "version": 1,
            "title": "Names",
            "summary": "What is it?",
            "minutes": 2,
            "pool": pool,
            "caps": {"per_visit": 2, "visits": 3, "minutes": 15},
            "phase": [
                CONSENT | {"once": True},
                QUIZ | {"once": True},
                {"name": "shapes", "type": ["describe_whole", "annotate_parts"], "use": "pool"},
            ],
        }
        | over
    )


def pairs(stage: str, folder: Path, **over: Any) -> Study:
    """One stage of a collection: consent, then two items a visit."""
    pool = {"kind": "pairs", "collection": "pairs", "folder": str(folder), "stage": stage}
    work = {"name": "work", "type": TYPES[stage], "use": "pool"}
    return Study.model_validate(
        {
            "name": f"pairs-{stage}",
            "version": 1,
            "title": "Pairs",
            "summary": "What is true?",
            "minutes": 2,
            "pool": pool | {"practice": 1} | over.pop("pool", {}),
            "caps": {"per_visit": 2, "visits": 90, "minutes": 15},
            "platform": {"name": "generic"},
            "pay": {"per_item": 0.1, "round_full": 2, "round_small": 1},
            "phase": [CONSENT | {"once": True}, work],
        }
        | over
    )


@dataclass
class Session:
    """A study and a clock that moves when told to."""

    store: Store
    running: Running
    now: datetime = START
    people: int = 0

    def later(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)

    def arrives(self, person: str = "", mode: str = "live", given: Arrival | None = None) -> Person:
        """Somebody follows the link."""
        self.people += 1
        token = secrets.token_hex(16)
        arrival = given or Arrival(person, "", person)
        key = self.store.write(arrive, self.running.plan, arrival, token, mode, self.now)
        return Person(self, key, token)


@dataclass
class Person:
    """Somebody in a session."""

    at: Session
    key: int
    token: str
    profile: Profile = field(default_factory=lambda: Profile(skill=1.0))

    @property
    def state(self) -> dict[str, Any]:
        """What the page shows; what has lapsed is looked after first, as the server does."""
        store, running = self.at.store, self.at.running
        if not store.read(settled, self.key, self.at.now):
            store.write(resume, running.plan, self.key, self.at.now)
        return state(store, running.plan, running.platform, self.key)

    @property
    def step(self) -> str:
        """Id of the trial that is shown."""
        found: str = self.state["step"]["id"]
        return found

    @property
    def outcome(self) -> str | None:
        """How the session ended, if it did."""
        finish = self.state.get("finish")
        return finish["outcome"] if finish else None

    def response(self, seed: int = 0, step: str = "") -> dict[str, Any]:
        """What this person would answer now."""
        step = step or self.step
        kind, stimulus = current_step(self.at.store, self.at.running.plan, step)
        rng = draw(seed, self.key, step)
        made: dict[str, Any] = kind.simulate(stimulus, rng, self.profile).model_dump(mode="json")
        return made

    def write(self, kind: str, response: Any, **over: Any) -> Reply:
        """One write."""
        given = {"key": secrets.token_hex(8), "step": over.pop("step", None) or self.step}
        body = given | {"kind": kind, "response": response, "ms": 100.0} | over
        made = Write.model_validate(body)
        return answer(self.at.store, self.at.running.plan, self.key, made, self.at.now)

    def answers(self, response: dict[str, Any] | None = None, step: str = "") -> Reply:
        """The final answer to the trial that is shown."""
        step = step or self.step
        return self.write("final", response or self.response(step=step), step=step)

    def until(self, kind: str) -> Person:
        """Answer until a trial of a type is shown, or the end."""
        while (now := self.state.get("step")) and now["type"] != kind:
            assert self.answers(step=now["id"]).status == 200
        return self

    def finishes(self) -> Person:
        """Answer to the end."""
        return self.until("")

    @property
    def open_step(self) -> Any:
        """The row of the open step."""
        return self.at.store.read(flow.open_step, self.key)
