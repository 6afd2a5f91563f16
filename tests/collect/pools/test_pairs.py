"""Items move from study to study by the published rules; nobody judges what they wrote."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.collect.conftest import running_of
from tests.collect.small import START, Person, Session, names, pairs

from deixis.collect.items.collected import collected, collection, contents, summary
from deixis.collect.items.release import linted, release
from deixis.collect.pictures.gathered import Gathered
from deixis.collect.pools.pairs import WAITS
from deixis.collect.running import run_studies
from deixis.collect.state import current_step
from deixis.collect.store import people, things
from deixis.collect.store import slots as ledger
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import hands, reviews, steps, units, workers
from deixis.collect.trial import Profile, Refused
from deixis.errors import BadInput
from deixis.sources import load

UNKNOWN = {"sentence": "x y", "pictures": ["a", "b"], "truth": "true"}
STAGES = ("rate", "write", "judge", "again")


@dataclass
class Collection:
    """All stages on one store."""

    store: Store
    gathered: Gathered
    at: dict[str, Session] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for stage in STAGES:
            visit = 2 if stage in ("rate", "write") else 16
            caps = {"per_visit": visit, "visits": 90, "minutes": 15}
            study = pairs(stage, self.gathered.folder, caps=caps)
            self.at[stage] = Session(self.store, running_of(self.store, study))

    def comes(self, stage: str, name: str) -> Person:
        """Somebody follows the link of a stage, and agrees."""
        person = self.at[stage].arrives(name)
        if person.state.get("step", {}).get("type") == "consent":
            person.answers()
        return person

    def works(self, stage: str, *names: str) -> list[str | None]:
        """People do all that they get in one visit; how their visits end."""
        ends = []
        for name in names:
            person = self.comes(stage, name)
            person.profile = Profile(skill=1.0)
            while stage == "write" and (step := person.state.get("step")):
                person.answers(self.sentence(step["id"], int(name[1:])))
            ends.append(person.finishes().outcome)
        return ends

    def sentence(self, step: str, number: int) -> dict[str, Any]:
        """One of the things that are true of two pairs only: another one for each number."""
        plan = self.at["write"].running.plan
        examples: Any = current_step(self.store, plan, step)[1]
        one = examples.examples[number]
        return {"chosen": list(one.chosen), "sentence": one.sentence, "ms": 9000.0}

    def things(self, kind: str) -> list[Any]:
        return self.store.read(things.every, "pairs", "live", kind)


@pytest.fixture
def made(store: Store, gathered: Gathered) -> Collection:
    return Collection(store, gathered)


def sentences(made: Collection) -> Collection:
    """Until every set has two sentences."""
    made.works("rate", "r1", "r2", "r3")
    made.works("write", "w1", "w2")
    return made


def test_from_candidates_to_a_dataset(made: Collection, tmp_path: Path) -> None:
    assert made.works("write", "w9") == ["full"]  # nothing has come this far
    assert made.works("rate", "r1", "r2") == ["completed"] * 2
    assert made.things("eight") == []
    made.works("rate", "r3")
    sets = made.things("eight")
    assert [len(row.body["pictures"]) for row in sets if row.state == "kept"] == [8, 8]
    assert made.works("write", "w1", "w2", "w3") == ["completed", "completed", "full"]
    examples = made.things("example")
    assert len(examples) == 16
    assert Counter(row.body["pair"] for row in examples) == dict.fromkeys(range(4), 4)
    for stage in ("judge", "again"):
        made.works(stage, "w1", "w2", *(f"j{n}" for n in range(6)))
    done = made.things("example")
    assert {row.state for row in done} <= {"kept", "dropped"}
    rows = made.store.read(lambda c: list(c.execute(select(hands))))
    by_thing = Counter(row.thing_id for row in rows if row.role == "judged")
    for row in done:
        wanted = {"agreed": 1 if row.split == "train" else 5, "disputed": 5}.get(row.why, 1)
        assert by_thing[row.id] == wanted, (row.key, row.why)
    assert made.store.read(ledger.faults) == []
    whole = collection([s.running for s in made.at.values()])
    found = made.store.read(collected, whole)
    assert sum(summary(found).values()) == 16
    release(found, contents(whole), tmp_path / "out", year=2026)
    loaded = load("nlvr2", tmp_path / "out")
    assert len(loaded) == sum(row.state == "kept" for row in done) == 16
    for record in loaded.records.values():
        assert record.writer not in [j.worker for j in record.judgments]
    assert linted(tmp_path / "out")["error"] == 0
    table = {row["task"]: row for row in found.costs["rows"]}
    assert (table["image pruning"]["cost"], table["image pruning"]["workers"]) == ("0.60", 3)
    assert (table["sentence writing"]["cost"], table["sentence writing"]["workers"]) == ("0.40", 2)


def test_nobody_judges_what_they_wrote(made: Collection) -> None:
    sentences(made)
    own = {row.id for row in made.things("example")}
    seen: set[str] = set()
    person = made.comes("judge", "w1")
    while step := person.state.get("step"):
        seen.add(made.store.read(_key, step["id"]))
        person.answers()
    assert made.comes("judge", "w1").outcome == "full"
    wrote = made.store.read(
        lambda c: {
            row.thing_id
            for row in c.execute(
                select(hands)
                .join(workers, workers.c.person_id == hands.c.person_id)
                .where(hands.c.role == "wrote")
            )
            if row.person_id == _person(c, made, "w1")
        }
    )
    mine = {row.key for row in made.things("example") if row.id in wrote}
    assert len(own) == 16
    assert len(mine) == 8
    assert seen == {row.key for row in made.things("example")} - mine


def _key(c: Any, step: str) -> str:
    return str(c.execute(select(steps.c.key).where(steps.c.id == step)).scalar_one())


def _person(c: Any, made: Collection, name: str) -> int:
    worker = people.find(c, made.at["write"].running.study.name, name)
    return int(c.execute(select(workers.c.person_id).where(workers.c.id == worker)).scalar_one())


def test_what_a_writer_erases_is_gone_from_every_study(made: Collection) -> None:
    sentences(made)
    before = made.comes("judge", "j1")
    key = made.store.read(_key, before.step)
    row = made.store.read(things.find, "pairs", "example", key)
    writer = made.store.read(things.hands_of, row.id)[0].person_id
    name = next(n for n in ("w1", "w2") if made.store.read(_person, made, n) == writer)
    worker = made.store.read(people.find, "pairs-write", name)
    assert worker is not None
    made.store.write(people.erase, worker, made.at["write"].now)
    gone = [t for t in made.things("example") if t.why == "erased"]
    assert len(gone) == 8
    assert all("sentence" not in t.body for t in gone)
    # whoever had it before them gets another one, and the set another writer
    assert before.state["step"]["stimulus"]["sentence"] != row.body["sentence"]
    assert before.answers().status == 200
    assert made.works("write", "w3") == ["completed"]
    assert Counter(t.why for t in made.things("example"))[""] >= 15
    assert made.store.read(ledger.faults) == []


def test_what_a_judge_erases_is_judged_anew(made: Collection) -> None:
    sentences(made)
    first = made.comes("judge", "j1")
    for _ in range(2):
        first.answers()
    judged = [t for t in made.things("example") if t.state != "written"]
    assert len(judged) == 2
    worker = made.store.read(people.find, "pairs-judge", "j1")
    assert worker is not None
    made.store.write(people.erase, worker, made.at["judge"].now)
    assert {t.state for t in made.things("example")} == {"written"}
    open_ = made.store.read(
        lambda c: c.execute(
            select(units.c.taken).where(units.c.thing_id.in_([t.id for t in judged]))
        ).scalars().all()
    )  # fmt: skip
    made.at["judge"].store.write(
        things.supply, made.at["judge"].running.id, collection="pairs", kind="example",
        state=WAITS["judge"][1], wanted=1,
    )  # fmt: skip
    assert set(open_) == {0}
    made.works("judge", "j2")
    assert all(t.state != "written" for t in made.things("example"))


def test_the_same_sentence_twice_is_dropped(made: Collection) -> None:
    made.works("rate", "r1", "r2", "r3")
    for name in ("w1", "w2"):
        person = made.comes("write", name)
        while person.state.get("step"):
            person.answers({"chosen": [0, 1], "sentence": "Both show two dogs.", "ms": 5000.0})
    whys = Counter((t.state, t.why) for t in made.things("example"))
    assert whys == {("written", ""): 8, ("dropped", "repeated"): 8}


def test_previews_stay_apart(made: Collection) -> None:
    for name in ("r1", "r2", "r3"):
        made.at["rate"].arrives(name, mode="test").finishes()
    assert made.things("eight") == []
    test = made.store.read(things.every, "pairs", "test", "eight")
    assert [t.key for t in test] == ["test-1", "test-2"]
    assert made.works("write", "w1") == ["full"]
    assert made.at["write"].arrives("w1", mode="test").finishes().outcome == "completed"


def test_a_study_that_starts_late_catches_up(sqlite: Store, gathered: Gathered) -> None:
    first = Session(sqlite, running_of(sqlite, pairs("rate", gathered.folder)))
    for name in ("r1", "r2", "r3"):
        first.arrives(name).finishes()
    second = Session(sqlite, running_of(sqlite, pairs("write", gathered.folder)))
    assert second.arrives("w1").finishes().outcome == "completed"


def test_practice(sqlite: Store, gathered: Gathered) -> None:
    a, b = list(gathered.photos)[:2]
    known = {"sentence": "Both show it.", "pictures": [a, b], "truth": "false", "why": "One."}
    for stage, over in (("rate", {}), ("write", {}), ("judge", {"examples": [known]})):
        trial = {"rate": "rate_set", "write": "write_contrast", "judge": "validate_sentence"}[stage]
        phase = [{"name": "try", "type": trial, "use": "practice", "feedback": True}]
        study = pairs(stage, gathered.folder, pool=over, phase=phase, name=f"try-{stage}")
        person = Session(sqlite, running_of(sqlite, study)).arrives("ann")
        assert person.state["step"]["practice"]
        reply = person.answers()
        assert reply.status == 200
        if stage == "judge":
            assert reply.body["feedback"] == {"right": True, "truth": "false", "why": "One."}
    study = pairs("again", gathered.folder, phase=[
        {"name": "try", "type": "validate_sentence", "use": "practice"}], name="none")  # fmt: skip
    with pytest.raises(BadInput, match="nothing for practice"):
        Session(sqlite, running_of(sqlite, study)).arrives("ann")


def test_what_cannot_be_a_stage(sqlite: Store, gathered: Gathered, tmp_path: Path) -> None:
    folder = gathered.folder
    for study, said in (
        (pairs("judge", folder, platform={"name": "local"}), "who people are"),
        (pairs("judge", folder, pool={"people": 4}), "is done by 1 people"),
        (pairs("rate", tmp_path / "none"), "there is no folder"),
        (pairs("rate", folder, pool={"practice": 9}), "too few to practise"),
        (
            pairs("judge", folder, pool={"examples": [UNKNOWN]}),
            "no photograph 'a'",
        ),
    ):
        with pytest.raises(BadInput, match=said):
            run_studies(sqlite, [study])
    named = running_of(sqlite, names())
    with pytest.raises(BadInput, match="not of kind pairs"):
        collection([named])


def test_only_approved_people_go_on(sqlite: Store, gathered: Gathered) -> None:
    trial = [{"name": "try", "type": "write_contrast", "use": "practice"}]
    qualify = pairs("write", gathered.folder, name="qualify", phase=trial)
    write = pairs("write", gathered.folder, eligibility={"approved_in": ["qualify"]})
    first, second = (Session(sqlite, running_of(sqlite, s)) for s in (qualify, write))
    with pytest.raises(Refused, match="looked at and approved"):
        second.arrives("ann")
    person = first.arrives("ann").finishes()
    assert person.outcome == "completed"
    said = []
    for verdict in ("reject", "note", "approve", "note"):
        said.append(verdict)
        row = {"session_id": person.key, "verdict": verdict, "note": "", "by": "x", "at": START}
        sqlite.write(lambda c, row=row: c.execute(reviews.insert().values(row)) and None)
        if not any(v == "approve" for v in said):
            with pytest.raises(Refused):
                second.arrives("ann")
        else:
            assert second.arrives("ann").key
