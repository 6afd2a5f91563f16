"""Studies that a server runs: their plans, platforms and store, installed and kept in step."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select, update

from deixis import registry
from deixis.collect.clock import now
from deixis.collect.plan import Plan
from deixis.collect.platforms.platform import Platform
from deixis.collect.pools.pool import Line
from deixis.collect.store import slots
from deixis.collect.store.engine import Store
from deixis.collect.store.events import note
from deixis.collect.store.locks import locked
from deixis.collect.store.tables import studies
from deixis.collect.study import Study
from deixis.errors import BadInput


@dataclass(frozen=True)
class Running:
    """One study on a server.

    Attributes:
        id: its row in the store.
        plan: with its pool and trial types.
        platform: where its people come from.
    """

    id: int
    plan: Plan
    platform: Platform

    @property
    def study(self) -> Study:
        """What its file says."""
        return self.plan.study


def run_studies(
    store: Store, wanted: Sequence[Study], data: Path | None = None
) -> dict[str, Running]:
    """Make studies ready to be served.

    Args:
        store: where they are kept; what it knows of them is brought up to date.
        wanted: the studies.
        data: where datasets are.

    Returns:
        Each by its name.

    Raises:
        BadInput: a study is wrong, or has changed while its version has not.
    """
    made = {}
    for study in wanted:
        if study.name in made:
            raise BadInput(f"two studies are named {study.name!r}")
        plan = Plan(study, data)
        platform = make_platform(study)
        key = store.write(_install, plan)
        if isinstance(plan.pool, Line):
            _check_line(study, platform)
            plan.pool.attach(store)
            if plan.pooling:
                store.write(plan.pool.supply, key)
        made[study.name] = Running(key, plan, platform)
    known = store.read(lambda c: set(c.execute(select(studies.c.name)).scalars()))
    for study in wanted:
        with study.at("eligibility", "approved_in"):
            lost = [name for name in study.eligibility.approved_in if name not in known]
            if lost:
                raise BadInput(f"nobody can be approved in {lost[0]}: there is no such study here")
    return made


def make_platform(study: Study) -> Platform:
    """The platform of a study.

    Raises:
        BadInput: there is none of that name, or one of its options is wrong.
    """
    with study.at("platform"):
        kind = registry.find("collect.platforms", str(study.platform.get("name", "local")))
        platform: Platform = kind.model_validate(study.platform)
    return platform


def _check_line(study: Study, platform: Platform) -> None:
    """Nobody judges what they wrote: so it must be known who people are."""
    with study.at("platform"):
        if platform.name == "local":
            raise BadInput(
                "nobody may judge a sentence of their own, so the platform must say who people "
                'are: such as [platform] name = "generic"'
            )


def _install(c: Connection, plan: Plan) -> int:
    study, moment = plan.study, now()
    known = locked(select(studies).where(studies.c.name == study.name))
    row = c.execute(known).one_or_none()
    body = study.model_dump(mode="json", by_alias=True)
    fingerprint = plan.pool.fingerprint if plan.pool else ""
    values: dict[str, Any] = {
        "version": study.version,
        "hash": plan.hash,
        "title": study.title,
        "body": body,
        "fingerprint": fingerprint,
    }
    if row is None:
        fresh = {"name": study.name, "secret": secrets.token_hex(32), "state": "open"}
        made = insert(studies).values(values | fresh | {"installed_at": moment})
        key = int(c.execute(made.returning(studies.c.id)).scalar_one())
        note(c, key, None, "installed", moment, version=study.version, hash=plan.hash)
    else:
        key = int(row.id)
        same = (row.hash, row.fingerprint) == (plan.hash, fingerprint)
        if not same and study.version <= row.version:
            what = "the study" if row.hash != plan.hash else f"the data behind {study.pool}"
            raise BadInput(
                f"{study.name}: {what} changed since version {row.version} was installed: raise "
                "its version, so that answers tell what they are answers to"
            )
        if not same:
            c.execute(update(studies).where(studies.c.id == key).values(values))
            note(c, key, None, "new version", moment, version=study.version, hash=plan.hash)
    if plan.pool is not None:
        slots.install(c, key, plan.pool)
    return key
