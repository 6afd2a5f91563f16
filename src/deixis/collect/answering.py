"""A write from a browser: checked and scored outside the store's transaction, kept inside it.

Every write carries a key that the browser made; a repeat gets the first reply. What is
acknowledged is on disk.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from sqlalchemy import Connection, bindparam, select

from deixis.collect import flow
from deixis.collect.plan import Plan, Step
from deixis.collect.store import answers as kept
from deixis.collect.store import slots
from deixis.collect.store.engine import Store
from deixis.collect.store.events import note
from deixis.collect.store.sessions import change, session
from deixis.collect.store.tables import AnyRow, steps
from deixis.collect.study import first_fault
from deixis.collect.trial import Refused, Score, TrialType


class Write(BaseModel):
    """What the browser sends.

    Attributes:
        key: made by the browser, the same in every repeat.
        step: which trial it is for.
        kind: a draft, or the final answer.
        version: counts up with every draft of a step.
        response: as the trial type says; any object for drafts.
        ms: milliseconds since the trial was shown, by the browser's own clock.
    """

    model_config = ConfigDict(extra="forbid")

    key: str = Field(pattern=r"^[A-Za-z0-9-]{8,64}$")
    step: str = Field(pattern=r"^[A-Za-z0-9_-]{1,32}$")
    kind: Literal["draft", "final"]
    version: int = Field(default=0, ge=0, lt=2**31)
    response: dict[str, JsonValue]
    ms: float | None = Field(default=None, ge=0, le=1e12, allow_inf_nan=False)

    @property
    def digest(self) -> str:
        """Hash of all it says."""
        text = json.dumps(self.model_dump(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Reply:
    """What the browser is told: a status of HTTP, and an object."""

    status: int
    body: dict[str, Any] = field(default_factory=dict)


_STEP = select(steps).where(steps.c.id == bindparam("step"), steps.c.session_id == bindparam("key"))
GONE = Reply(404, {"error": "This trial is not yours, or no longer there."})
ENDED = Reply(409, {"error": "This session has ended.", "reload": True})
ANSWERED = Reply(409, {"error": "This trial has been answered already.", "reload": True})
EARLY = Reply(409, {"error": "Another trial comes first.", "reload": True})
MISUSED = Reply(409, {"error": "This key was used for another write."})


def answer(store: Store, plan: Plan, key: int, write: Write, now: datetime) -> Reply:
    """Take a write.

    Args:
        store: where it is kept.
        plan: of the session's study.
        key: the session.
        write: from the browser.
        now: the time.
    """
    found = store.read(_look, key, write)
    if isinstance(found, Reply):
        return found
    if write.kind == "draft":
        return store.write(_keep, plan, key, write, None, {}, now)
    here, step, earlier = found
    kind = plan.types[step.type]
    stimulus = plan.stimulus(as_step(here, step), earlier)
    facts = store.read(kind.facts, step.id) if overridden(kind, "facts") else {}
    stimulus = stimulus.model_copy(update=facts)
    try:
        response = kind.response.model_validate(write.response)
        kind.check(stimulus, response)
    except ValidationError as error:
        return Reply(422, {"error": f"That cannot be read: {first_fault(error)}"})
    except Refused as error:
        return Reply(422, {"error": str(error)})
    score = kind.score(stimulus, response)
    wanted = plan.phases[step.phase].feedback or score.end is not None
    told = kind.feedback(stimulus, response) if wanted else {}
    return store.write(_keep, plan, key, write, score, told, now)


def overridden(kind: TrialType[Any, Any], method: str) -> bool:
    """Whether a trial type has a method of its own: most need no look into the store."""
    return getattr(type(kind), method) is not getattr(TrialType, method)


def as_step(here: AnyRow, step: AnyRow) -> Step:
    """The step as a plan knows it."""
    return Step(step.phase, step.type, step.key, here.arm, here.seed)


def _look(c: Connection, key: int, write: Write) -> Reply | tuple[AnyRow, AnyRow, dict[str, Any]]:
    """The session, the step, and what came before; or the reply at once."""
    repeated = _repeated(c, key, write)
    if repeated is not None:
        return repeated
    step = _step(c, key, write.step)
    if step is None:
        return GONE
    return session(c, key), step, kept.earlier(c, step.claim_id, step.position)


def _repeated(c: Connection, key: int, write: Write) -> Reply | None:
    before = kept.first_reply(c, key, write.key)
    if before is None:
        return None
    return Reply(before.status, before.reply) if before.digest == write.digest else MISUSED


def _step(c: Connection, key: int, step: str) -> AnyRow | None:
    return c.execute(_STEP, {"step": step, "key": key}).one_or_none()


def _keep(
    c: Connection,
    plan: Plan,
    key: int,
    write: Write,
    score: Score | None,
    told: dict[str, Any],
    now: datetime,
) -> Reply:
    """The transaction: one write of one session after the other."""
    here = session(c, key, lock=True)
    repeated = _repeated(c, key, write)
    if repeated is not None:
        return repeated
    step = _step(c, key, write.step)
    if step is None:
        return GONE
    if here.outcome is not None and not _kept_late(here, step, write):
        return ENDED
    change(c, key, seen_at=now)
    slots.renew(c, key, flow.lease(plan, now), now)
    if score is None:
        kept.add_draft(c, step, write.version, write.response, write.ms, now)
        reply = Reply(200, {"saved": True})
    else:
        barred = _barred(c, key, step)
        if barred is not None:
            return barred
        if step.claim_id is not None:
            slots.retake(c, step.claim_id, flow.lease(plan, now))
        kept.add_final(c, step, write.version, write.response, write.ms, score, now)
        if here.outcome is None:
            told = told | _go_on(c, plan, here, step, score, now)
        reply = Reply(200, {"saved": True, "feedback": told})
    kept.remember(c, key, write.key, write.digest, reply.status, reply.body, now)
    return reply


def _kept_late(here: AnyRow, step: AnyRow, write: Write) -> bool:
    """Whether an answer is kept though the session has ended.

    It was given before the place went to somebody else, and only arrived after. Whoever left or
    never agreed gave nothing to be kept.
    """
    ended_by_us = here.outcome in ("full", "completed")
    return ended_by_us and step.state == "dropped" and write.kind == "final"


def _barred(c: Connection, key: int, step: AnyRow) -> Reply | None:
    """Why a final answer cannot be taken now. One whose place was given away is still kept."""
    if step.state == "done":
        return ANSWERED
    first = flow.open_step(c, key)
    if step.state == "open" and first is not None and first.id != step.id:
        return EARLY
    return None


def _go_on(
    c: Connection, plan: Plan, here: AnyRow, step: AnyRow, score: Score, now: datetime
) -> dict[str, Any]:
    """What follows from a final answer; says whether the trial comes once more."""
    end = score.end or _not_eligible(plan, step, score)
    if end is None:
        flow.after_final(c, plan, here, step, now)
        return {}
    tried = flow.attempts(c, step)
    if tried < score.attempts:
        flow.try_again(c, here, step)
        flow.advance(c, plan, here.id, now)
        return {"again": score.attempts - tried}
    note(c, here.study_id, here.id, "ended", now, by=step.phase)
    flow.finish(c, plan, here, end, now)
    return {}


def _not_eligible(plan: Plan, step: AnyRow, score: Score) -> str | None:
    """Compare a survey's country and languages with who may take part."""
    wanted, given = plan.study.eligibility, score.detail.get("answers")
    if step.type != "survey" or not isinstance(given, dict):
        return None
    if wanted.countries and "country" in given and given["country"] not in wanted.countries:
        return "not_eligible"
    if wanted.fluent and "languages" in given:
        spoken = {one["language"] for one in given["languages"]}
        if spoken.isdisjoint(wanted.fluent):
            return "not_eligible"
    return None
