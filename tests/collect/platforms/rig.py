"""A study on the fake Prolific, and people who come from there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.collect.platforms.fake_prolific import Fake
from tests.collect.small import QUIZ, Person, Session, games

from deixis.collect.platforms.platform import Arrival
from deixis.collect.platforms.prolific.client import Client
from deixis.collect.running import run_studies
from deixis.collect.store.engine import Store
from deixis.collect.store.sessions import session
from deixis.collect.store.tables import AnyRow, payments
from deixis.collect.study import Study

PAY = {"reward": "1.50", "per_right": "0.05", "screened": "0.20", "currency": "GBP", "fee": 0.25}


def on_prolific(url: str, **over: Any) -> Study:
    """A tiny study of games on Prolific: consent, quiz, one game for each of eight people."""
    consent, _, main, _ = games().model_dump(mode="json", by_alias=True)["phase"]
    given = {
        "platform": {"name": "prolific", "study": "study1", "api": url},
        "pay": PAY,
        "pool": {"limit": 4, "packet": 1, "people": 1, "practice": 0, "catch": 0},
        "phase": [consent, QUIZ, main],
    }
    return games(**(given | over))


@dataclass
class Rig:
    """A study, the fake, and a client between them."""

    at: Session
    fake: Fake
    client: Client

    def comes(self, name: str) -> tuple[Person, str]:
        """Somebody takes a place on Prolific and follows the link; gives the submission too."""
        key = self.fake.submit(name)
        return self.at.arrives(given=Arrival(name, "study1", key)), key

    def completes(self, name: str) -> tuple[Person, str]:
        """Somebody does everything and hands it in."""
        person, key = self.comes(name)
        assert person.finishes().outcome == "completed"
        self.fake.submissions[key]["status"] = "AWAITING REVIEW"
        return person, key

    def owed(self, person: Person) -> dict[str, tuple[int, str]]:
        """Amount and state of each payment of a person, by its kind."""
        own = payments.c.session_id == person.key
        rows = self.at.store.read(lambda c: c.execute(payments.select().where(own)).all())
        return {row.kind: (row.amount, row.state) for row in rows}

    def here(self, person: Person) -> AnyRow:
        """The row of a person's visit."""
        return self.at.store.read(session, person.key)


def rig_of(store: Store, fake: Fake, client: Client, **over: Any) -> Rig:
    """A study on the fake, in a store."""
    study = on_prolific(fake.url, **over)
    return Rig(Session(store, run_studies(store, [study])["games"]), fake, client)
