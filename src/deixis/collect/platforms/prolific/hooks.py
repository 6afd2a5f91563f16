"""Webhooks of Prolific: checked, taken once, and only a hint to ask how things stand."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import time
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, BackgroundTasks, Depends, Header, Request
from sqlalchemy import Connection, insert, select
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from deixis.collect.clock import now
from deixis.collect.context import Collect, collect_of
from deixis.collect.platforms.prolific.client import Client, Failed, Unknown
from deixis.collect.platforms.prolific.platform import Prolific
from deixis.collect.platforms.prolific.sync import Told, reconcile
from deixis.collect.running import Running
from deixis.collect.store.engine import Store
from deixis.collect.store.events import note
from deixis.collect.store.money import forgotten
from deixis.collect.store.tables import notices
from deixis.web.accounts import same
from deixis.web.frame import errors

FRESH = 300
"""Seconds for which a signature is taken: older ones may be replays."""

router = APIRouter(prefix="/hooks", responses=errors(400, 401, 404, 413, 422), tags=["platforms"])


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """What Prolific signs a notice with: base64 of HMAC-SHA256 over timestamp and body."""
    mac = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256)
    return base64.b64encode(mac.digest()).decode()


def client_for(running: Running) -> Client | None:
    """A client for a study on Prolific; None without a token or for other platforms."""
    token = os.environ.get("DEIXIS_PROLIFIC_TOKEN")
    platform = running.platform
    if not token or not isinstance(platform, Prolific) or not platform.study:
        return None
    return Client(platform.api, token)


def look(store: Store, running: Running) -> Told | None:
    """Reconcile a study if it can be; a failure is noted and tried again next time."""
    client = client_for(running)
    if client is None:
        return None
    store.write(forgotten, running.id, now())
    try:
        return reconcile(store, running, client)
    except (Failed, Unknown) as error:
        sentence = str(error)
        store.write(note, running.id, None, "platform silent", now(), why=sentence)
        return None
    finally:
        client.close()


@router.post("/prolific/{study}")
async def prolific(
    study: str,
    request: Request,
    background: BackgroundTasks,
    server: Annotated[Collect, Depends(collect_of)],
    signed: Annotated[str, Header(alias="X-Prolific-Request-Signature")],
    timestamp: Annotated[str, Header(alias="X-Prolific-Request-Timestamp")],
    event: Annotated[str, Header(alias="X-Event-ID", min_length=1, max_length=120)],
) -> dict[str, bool]:
    """Something changed on Prolific: believe that it did, and ask what."""
    running = server.named(study)
    secret = os.environ.get("DEIXIS_PROLIFIC_SECRET", "")
    body = await request.body()
    if not secret or not same(signature(secret, timestamp, body), signed) or not _fresh(timestamp):
        raise HTTPException(401, "the signature does not fit")
    try:
        content = json.loads(body)
    except ValueError:
        raise HTTPException(400, "no JSON") from None
    new = await run_in_threadpool(server.store.write, _take, event, content)
    if new:
        background.add_task(look, server.store, running)
    return {"new": new}


def _fresh(timestamp: str) -> bool:
    """Whether a time, in seconds since 1970 or as ISO 8601, is about now."""
    try:
        seconds = float(timestamp) if timestamp.isdigit() else _seconds(timestamp)
    except ValueError:
        return False
    return abs(time.time() - seconds) <= FRESH


def _seconds(timestamp: str) -> float:
    moment = datetime.fromisoformat(timestamp)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _take(c: Connection, event: str, content: Any) -> bool:
    """Keep a notice; False if it came before."""
    if c.execute(select(notices.c.id).where(notices.c.id == event)).one_or_none() is not None:
        return False
    told = content if isinstance(content, dict) else {}
    body = {"status": str(told.get("status", ""))[:40]}  # no ids: those of people can be erased
    kind = str(told.get("event_type", ""))[:60]
    values = {"id": event, "kind": kind, "body": body, "at": now()}
    c.execute(insert(notices).values(values))
    return True
