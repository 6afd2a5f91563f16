"""How things move from study to study of a collection: the rules, applied in the store.

Sets of candidates are rated; what is left of them, eight pictures, is written about; the sentence
with each of its four pairs is judged, and in dev and test judged again. See
`deixis.collect.items.item` for the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from deixis.collect.items.item import PAIRS, eight
from deixis.collect.items.split import next_split
from deixis.collect.store import things
from deixis.collect.store.tables import AnyRow, answers, claims, sessions, steps, units, workers
from deixis.seeds import draw

TEST = "test-"
"""What keys of things from previews and simulations begin with."""


def named(key: str, mode: str) -> str:
    """The key of a thing: those of tests are apart.

    >>> named("7", "live"), named("7", "test")
    ('7', 'test-7')
    """
    return key if mode == "live" else TEST + key


def done(c: Connection, claim: int) -> AnyRow | None:
    """Whose unit was just completed; None where its place had gone to somebody else."""
    rows = (
        select(
            claims.c.unit_id,
            claims.c.session_id,
            units.c.key,
            units.c.wanted,
            units.c.thing_id,
            sessions.c.study_id,
            sessions.c.mode,
            workers.c.person_id,
        )
        .join(units, units.c.id == claims.c.unit_id)
        .join(sessions, sessions.c.id == claims.c.session_id)
        .join(workers, workers.c.id == sessions.c.worker_id)
        .where(claims.c.id == claim, claims.c.state == "done")
    )
    return c.execute(rows).one_or_none()


def details(c: Connection, unit: int) -> list[Mapping[str, Any]]:
    """What was said of a unit by all whose claims are done, in order."""
    rows = (
        select(answers.c.detail)
        .join(steps, steps.c.id == answers.c.step_id)
        .join(claims, claims.c.id == steps.c.claim_id)
        .where(claims.c.unit_id == unit, claims.c.state == "done", answers.c.final)
        .order_by(answers.c.id)
    )
    return list(c.execute(rows).scalars())


def rated(
    c: Connection,
    collection: str,
    given: AnyRow,
    synset: str,
    query: str,
    pictures: Sequence[str],
    now: datetime,
) -> None:
    """A set has one more rating; with enough of them it becomes eight pictures, or is dropped."""
    said = details(c, given.unit_id)
    if len(said) < given.wanted:
        return
    kept, why = eight(pictures, [d["marks"] for d in said])
    order = draw(0, "pairs", collection, given.key).permutation(len(kept))
    split = ""
    if kept:
        counts = things.counted(c, collection, given.mode, "split")
        every = {s: sum(n.get(s, 0) for n in counts.values()) for s in ("train", "dev", "test1")}
        split = next_split(counts.get(synset, {}), every)
    things.add(
        c,
        collection=collection,
        mode=given.mode,
        kind="eight",
        key=named(given.key, given.mode),
        synset=synset,
        split=split,
        state="kept" if kept else "dropped",
        why=why,
        body={"set": given.key, "query": query, "pictures": [kept[i] for i in order]},
        now=now,
    )


def written(c: Connection, collection: str, given: AnyRow, now: datetime) -> None:
    """A sentence about a set of eight: four examples, unless it is one that is there already."""
    about = things.find(c, collection, "eight", given.key, lock=True)
    said = next(reversed(_own(c, given)))
    before = things.every(c, collection, given.mode, "example", within=f"{given.key}-")
    taken = {row.body["number"] for row in before if row.why != "erased"}
    number = min({0, 1} - taken, default=None)
    if number is None:
        return
    repeated = any(row.body.get("sentence") == said["sentence"] for row in before)
    again = sum(row.body["number"] == number for row in before) // PAIRS
    for pair in range(PAIRS):
        body = {
            "set": about.body["set"],
            "query": about.body["query"],
            "number": number,
            "pair": pair,
            "sentence": said["sentence"],
            "pictures": about.body["pictures"],
            "chosen": said["chosen"],
        }
        key = f"{about.body['set']}-{pair}-{number}" + (f"-{again}" if again else "")
        made = things.add(
            c,
            collection=collection,
            mode=given.mode,
            kind="example",
            key=named(key, given.mode),
            synset=about.synset,
            split=about.split,
            state="dropped" if repeated else "written",
            why="repeated" if repeated else "",
            body=body,
            now=now,
        )
        assert made is not None  # the number was free, and the set is locked
        things.touch(c, made, given.person_id, given.study_id, "wrote", "", now)


def judged(c: Connection, collection: str, given: AnyRow, now: datetime) -> None:
    """An example has one more judgment."""
    about = things.find(c, collection, "example", given.key, lock=True)
    said = next(reversed(_own(c, given)))
    things.touch(c, about.id, given.person_id, given.study_id, "judged", str(said["verdict"]), now)
    if "sentence" in about.body:
        things.settle(c, about)


def _own(c: Connection, given: AnyRow) -> list[Mapping[str, Any]]:
    """What the session said of the unit."""
    rows = (
        select(answers.c.detail)
        .join(steps, steps.c.id == answers.c.step_id)
        .join(claims, claims.c.id == steps.c.claim_id)
        .where(
            claims.c.unit_id == given.unit_id,
            claims.c.session_id == given.session_id,
            answers.c.final,
        )
        .order_by(answers.c.id)
    )
    return list(c.execute(rows).scalars())
