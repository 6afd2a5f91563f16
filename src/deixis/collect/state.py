"""Where a session stands, as the browser gets it: one trial, or the end."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select

from deixis.collect import flow
from deixis.collect.answering import as_step
from deixis.collect.plan import Plan
from deixis.collect.platforms.platform import Leaving, Platform
from deixis.collect.store import answers as kept
from deixis.collect.store.engine import Store
from deixis.collect.store.sessions import session
from deixis.collect.store.slots import COUNTED
from deixis.collect.store.tables import AnyRow, claims, steps, studies, workers
from deixis.collect.study import Model
from deixis.collect.trial import TrialType

THANKS = {
    "completed": "Thank you! Everything you did has been saved.",
    "no_consent": "Thank you for your time. Nothing was recorded beyond your decision.",
    "not_eligible": "Thank you! This study looks for other participants, so it ends here for you.",
    "failed_quiz": "Thank you for trying. The study ends here, since the questions were not "
    "answered as the instructions say.",
    "full": "Thank you for coming. There is nothing left to do in this study just now.",
    "withdrawn": "You have left the study. Thank you for the time you gave.",
    "returned": "You have given your place back. Thank you for the time you gave.",
}


def settled(c: Connection, key: int, now: datetime) -> bool:
    """Whether a session can be shown as it is; else it has to be gone on with first."""
    here = session(c, key)
    if here.outcome is not None:
        return True
    step = flow.open_step(c, key)
    if step is None:
        return False
    if step.claim_id is None:
        return True
    held = select(claims.c.state, claims.c.until).where(claims.c.id == step.claim_id)
    state, until = c.execute(held).one()
    return bool(state == "live" and until >= now)


def state(store: Store, plan: Plan, platform: Platform, key: int) -> dict[str, Any]:
    """What the browser shows now."""
    found = store.read(_read, plan, key)
    here, step = found["session"], found["step"]
    if here.outcome is not None:
        return {"finish": _finish(plan, platform, found)}
    kind = plan.types[step.type]
    stimulus = plan.stimulus(as_step(here, step), found["earlier"])
    phase = plan.phases[step.phase]
    draft = found["draft"]
    return {
        "step": {
            "id": step.id,
            "type": step.type,
            "stimulus": kind.page(stimulus, plan.drawing),
            "title": phase.title,
            "practice": phase.use == "practice",
            "feedback": phase.feedback,
            "draft": draft.response if draft else None,
            "version": draft.version if draft else 0,
        },
        "progress": found["progress"],
        "may_stop": found["may_stop"],
    }


def current_step(store: Store, plan: Plan, step: str) -> tuple[TrialType[Any, Any], Model]:
    """The trial type and the stimulus of a step, with its answer: for simulated people."""

    def job(c: Connection) -> tuple[AnyRow, AnyRow, dict[str, Any]]:
        row = c.execute(select(steps).where(steps.c.id == step)).one()
        return session(c, row.session_id), row, kept.earlier(c, row.claim_id, row.position)

    here, row, earlier = store.read(job)
    return plan.types[row.type], plan.stimulus(as_step(here, row), earlier)


def _read(c: Connection, plan: Plan, key: int) -> dict[str, Any]:
    here = session(c, key)
    found: dict[str, Any] = {"session": here, "step": None}
    step = None if here.outcome else flow.open_step(c, key)
    if step is None:
        study = select(studies.c.secret).where(studies.c.id == here.study_id)
        worker = select(workers.c.name).where(workers.c.id == here.worker_id)
        found |= {"secret": c.execute(study).scalar_one(), "worker": c.execute(worker).scalar_one()}
        return found
    return found | {
        "step": step,
        "earlier": kept.earlier(c, step.claim_id, step.position),
        "draft": kept.draft(c, step.id),
        "progress": _progress(c, plan, here, step),
        "may_stop": _may_stop(c, plan, here, step),
    }


def _progress(c: Connection, plan: Plan, here: AnyRow, step: AnyRow) -> dict[str, Any]:
    """How far the person is: in this phase, and which phase of how many."""
    phase = plan.phases[step.phase]
    done, of = _within(c, plan, here, step)
    return {
        "number": done + 1,
        "of": of,
        "phase": plan.order.index(phase.name) + 1,
        "phases": len(plan.order),
    }


def _within(c: Connection, plan: Plan, here: AnyRow, step: AnyRow) -> tuple[int, int]:
    """Trials of the phase that are done, and all of them; items where they come one by one."""
    phase = plan.phases[step.phase]
    if phase.use == "pool" and plan.pool is not None and plan.pool.one_by_one:
        own = claims.c.session_id == here.id
        done = select(func.count()).where(own, claims.c.state.in_(COUNTED))
        done = done.where(claims.c.id != step.claim_id)
        return c.execute(done).scalar_one(), plan.study.caps.per_visit
    own = (steps.c.session_id == here.id) & (steps.c.phase == step.phase)
    counts = select(steps.c.state, func.count()).where(own).group_by(steps.c.state)
    by_state = _dict(c, counts)
    done_steps = by_state.get("done", 0)
    return done_steps, done_steps + by_state.get("open", 0)


def _dict(c: Connection, query: Any) -> dict[str, int]:
    return {str(name): int(n) for name, n in c.execute(query)}


def _may_stop(c: Connection, plan: Plan, here: AnyRow, step: AnyRow) -> bool:
    """Whether one may stop here with what is done: among items that come one by one."""
    phase = plan.phases[step.phase]
    if phase.use != "pool" or plan.pool is None or not plan.pool.one_by_one:
        return False
    return _within(c, plan, here, step)[0] > 0


def _finish(plan: Plan, platform: Platform, found: dict[str, Any]) -> dict[str, Any]:
    here = found["session"]
    leaving = Leaving(
        here.outcome, found["worker"], here.platform_session, here.captured, found["secret"]
    )
    given = platform.completion(leaving)
    text = plan.study.debrief.get(here.outcome) or THANKS[here.outcome]
    return {
        "outcome": here.outcome,
        "text": text,
        "code": given.code,
        "url": given.url,
        "label": given.label,
        "contact": plan.study.contact,
    }
