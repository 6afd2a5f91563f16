"""Live dialogs inside studies: which parlour a visit is in, by the trial that it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, select

from deixis.collect import flow
from deixis.collect.clock import now
from deixis.collect.live import log
from deixis.collect.live.making import make_parlour
from deixis.collect.live.parlour import Parlour
from deixis.collect.running import Running
from deixis.collect.store.engine import Store
from deixis.collect.store.sessions import session_of
from deixis.collect.store.tables import workers
from deixis.collect.trial_types.dialog import Talk


class Parlours:
    """Parlours of all studies of a server.

    Args:
        store: of visits and logs.
        studies: by name.

    Raises:
        BadInput: a dialog's source, bot or condition does not do.
    """

    def __init__(self, store: Store, studies: Mapping[str, Running]) -> None:
        self._store = store
        self._made: dict[tuple[str, str, str, str], Parlour] = {}
        for name, running in studies.items():
            for (phase, key), talk in running.plan.own("dialog").items():
                assert isinstance(talk, Talk)  # the plan has checked it
                place = running.plan.order.index(phase)
                with running.study.at("phase", place, "trials", int(key)):
                    parlour = _parlour(f"{name}/{phase}/{key}", talk, running.plan.data)
                for mode, room in (("live", parlour.name), ("test", f"{parlour.name} (test)")):
                    self._made[name, phase, key, mode] = replace(parlour, name=room)

    def __bool__(self) -> bool:
        return bool(self._made)

    def wake(self) -> None:
        """Let all bots be there before people come.

        Raises:
            BadInput: one of them cannot.
        """
        for bot in {id(p.bot): p.bot for p in self._made.values() if p.bot}.values():
            _ = bot.awake

    def of(self, study: str, mode: str = "live") -> list[Parlour]:
        """Those of a study."""
        return [p for (name, _, _, m), p in self._made.items() if (name, m) == (study, mode)]

    def find(self, study: str, token: str) -> tuple[Parlour, log.Guest] | None:
        """The parlour of the trial that a visit is shown, and who it is."""
        return self._store.read(self._find, study, token)

    def _find(self, c: Connection, study: str, token: str) -> tuple[Parlour, log.Guest] | None:
        here = session_of(c, token)
        step = None if here is None or here.outcome else flow.open_step(c, here.id)
        if here is None or step is None or step.type != "dialog":
            return None
        parlour = self._made.get((study, step.phase, step.key, here.mode))
        if parlour is None:
            return None
        person = select(workers.c.person_id).where(workers.c.id == here.worker_id)
        return parlour, log.Guest(step.id, here.id, c.execute(person).scalar_one())

    def reap(self) -> int:
        """End dialogs that somebody has left; see `log.reap`."""
        rooms = self._made.values()
        return sum(self._store.write(log.reap, p.room, p.policy, now()) for p in rooms)


def _parlour(name: str, talk: Talk, data: Path | None) -> Parlour:
    return make_parlour(
        name,
        talk.source,
        data=data,
        pool=talk.pool,
        rounds=talk.rounds,
        do=talk.do,
        altered=talk.altered,
        debriefing=talk.debriefing,
        bot=talk.bot,
        policy=log.Policy(grace=talk.grace, lobby=talk.lobby),
    )
