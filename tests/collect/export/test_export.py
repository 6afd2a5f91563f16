"""Exports: nothing is lost, nobody is named, counts add up, and what is read back is the same."""

from __future__ import annotations

import csv
import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet
from sqlalchemy import select, update
from tests.collect.export.jobs import wait_for_exports
from tests.collect.small import Session, names

from deixis.collect.export import jobs
from deixis.collect.export.counts import counts
from deixis.collect.export.export import export_study
from deixis.collect.export.files import write_tables
from deixis.collect.export.games import PUBLISHED, Exclusions, choices
from deixis.collect.running import run_studies
from deixis.collect.store.engine import Store
from deixis.collect.store.tables import answers, claims, steps, units
from deixis.datasets.kilogram import kilogram
from deixis.datasets.kilogram import replay as read_log
from deixis.errors import BadInput
from deixis.players.common.constant import constant
from deixis.runs.folder import RunFolder
from deixis.runs.held import hold
from deixis.runs.play import play


def export(at: Session, folder: Path, **options: Any) -> dict[str, Any]:
    return export_study(at.store, at.running, folder, **options)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_three_formats_hold_the_same_rows(played: Session, tmp_path: Path) -> None:
    for i in range(3):
        played.arrives(f"p{i}").finishes()
    leaver = played.arrives("gone").until("choose_target")
    told = export(played, tmp_path / "out")
    assert told["rows"] == {"answers": 25, "sessions": 4, "payments": 0}
    assert told["counts"] == played.store.read(counts, played.running.id, "live")
    assert json.loads((tmp_path / "out/manifest.json").read_text()) == told
    for table in ("answers", "sessions"):
        objects = lines(tmp_path / f"out/{table}.jsonl")
        with (tmp_path / f"out/{table}.csv").open(newline="", encoding="utf-8") as file:
            cells = list(csv.DictReader(file))
        arrow = parquet.read_table(tmp_path / f"out/{table}.parquet").to_pylist()
        assert len(objects) == len(cells) == len(arrow) == told["rows"][table]
        for one, other, third in zip(objects, cells, arrow, strict=True):
            assert one["worker"] == other["worker"] == third["worker"]
            assert str(one["arm"]) == other["arm"] == third["arm"]
            if table == "answers":
                assert one["response"] == json.loads(third["response"])
                assert one["at"] == third["at"] == other["at"]
    assert leaver.step
    assert [f.name for f in tmp_path.iterdir() if "tmp" in f.name] == []


def test_no_raw_id_leaves(played: Session, tmp_path: Path) -> None:
    played.arrives("5f1e-raw-id").finishes()
    export(played, tmp_path / "out")
    for path in (tmp_path / "out").rglob("*"):
        if path.is_file():
            assert b"5f1e-raw-id" not in path.read_bytes(), path


def test_people_in_earnest_and_tests_are_apart(played: Session, tmp_path: Path) -> None:
    played.arrives("p").finishes()
    played.arrives("me", mode="test").until("choose_target")
    assert export(played, tmp_path / "live")["rows"]["sessions"] == 1
    assert export(played, tmp_path / "test", mode="test")["rows"] == {
        "answers": 1,
        "sessions": 1,
        "payments": 0,
    }


def test_what_stands_there_is_not_overwritten(played: Session, tmp_path: Path) -> None:
    export(played, tmp_path / "out")
    with pytest.raises(BadInput, match="there already"):
        export(played, tmp_path / "out")


def test_counts_that_do_not_add_up_are_not_exported(sqlite: Store, tmp_path: Path) -> None:
    at = Session(sqlite, run_studies(sqlite, [names()])["names"])
    at.arrives("p").finishes()
    sqlite.write(lambda c: c.execute(update(units).where(units.c.id == 1).values(taken=3)) and None)
    with pytest.raises(BadInput, match=r"names: does not add up: unit 1 counts 3 slots"):
        export(at, tmp_path / "out")
    assert list(tmp_path.glob("out*")) == []


def test_formulas_stay_text(tmp_path: Path) -> None:
    rows = [{"text": "=1+1", "n": 1}, {"text": "@x", "n": None}, {"text": "a=b", "n": -2}]
    assert write_tables(tmp_path, "t", {"text": "string", "n": "int64"}, rows) == 3
    assert (tmp_path / "t.csv").read_bytes().decode() == "text,n\r\n'=1+1,1\r\n'@x,\r\na=b,-2\r\n"
    assert lines(tmp_path / "t.jsonl") == rows
    assert parquet.read_table(tmp_path / "t.parquet").to_pylist() == rows


def test_annotations_are_read_back_by_the_loader(named: Session, tmp_path: Path) -> None:
    for i in range(3):
        named.arrives(f"p{i}").finishes()
    unfinished = named.arrives("gone").until("annotate_parts")
    told = export(named, tmp_path / "out")
    assert told["kilogram"] == {"tangrams": len({*_units(named)}), "annotations": 6}
    dataset = kilogram(tmp_path / "out/kilogram")
    assert {one.what for one in dataset.irregularities} <= {"a part is UNKNOWN"}
    stored = {
        (row["key"], row["worker"]): row
        for row in lines(tmp_path / "out/answers.jsonl")
        if row["type"] == "annotate_parts"
    }
    assert len(dataset.records) == len(stored) == 6
    store = named.running.plan.pool.store  # type: ignore[union-attr]
    for record in dataset.records.values():
        row = stored[record.picture, record.worker]
        assert record.pieces is not None
        by_piece = {str(i): record.parts[p] for i, p in enumerate(record.pieces, start=1)}
        assert by_piece == row["detail"]["parts"]
        assert {str(k): v for k, v in read_log(record.actions).items()} == by_piece
        ours = store.tangram(record.picture).pieces
        for one, other in zip(dataset.store.tangram(record.picture).pieces, ours, strict=True):
            assert (one.id, one.type) == (other.id, other.type)
            np.testing.assert_allclose(one.points, other.points, atol=1e-6)
    table = parquet.read_table(tmp_path / "out/kilogram/annotations.parquet").to_pylist()
    assert {(r["picture"], r["worker"]) for r in table} == set(stored)
    assert unfinished.step


def _units(at: Session) -> set[str]:
    rows = units.join(claims, claims.c.unit_id == units.c.id)
    query = units.select().select_from(rows).where(claims.c.state == "done")
    return {row.key for row in at.store.read(lambda c: c.execute(query).all())}


def test_any_script_is_kept_as_it_was_typed(named: Session, tmp_path: Path) -> None:
    typed = "  Ein Schwa\u0308n 天鹅 🦢 – “x”"
    person = named.arrives("p").until("describe_whole")
    assert person.answers({"text": typed}).status == 200
    person.finishes()
    export(named, tmp_path / "out")
    rows = [r for r in lines(tmp_path / "out/answers.jsonl") if r["response"] == {"text": typed}]
    assert len(rows) == 1
    found = {a.whole for a in kilogram(tmp_path / "out/kilogram").records.values()}
    assert "Ein Schwän 天鹅 🦢 – “x”" in found  # NFC


def test_people_s_run_beside_a_model_s(played: Session, tmp_path: Path, deixis: Any) -> None:
    """The same cells that a model leaves behind, so both are compared as they are."""
    for i in range(8):
        played.arrives(f"p{i}").finishes()
    told = export(played, tmp_path / "out")
    assert {arm: (n["trials"], n["choices"]) for arm, n in told["run"].items()} == {
        "parts, color": (8, 16),
        "whole, black": (8, 16),
    }
    mine = hold(tmp_path / "out/people.run").outcomes
    rows = [r for r in lines(tmp_path / "out/answers.jsonl") if r["key"].startswith("main/")]
    for condition, arm in (("", "parts, color"), ("parts=drop,color=drop", "whole, black")):
        (outcomes,) = mine[condition]
        assert len(outcomes) == 16
        right = [r["right"] for r in rows if r["arm"] == arm]
        assert float(np.mean(outcomes.credit)) == pytest.approx(np.mean(right))
        assert set(outcomes.raters) == {r["worker"] for r in rows if r["arm"] == arm}
    task = played.running.plan.pool.task  # type: ignore[union-attr]
    spec = json.loads((tmp_path / "out/people.run/run.json").read_text())
    folder = RunFolder(tmp_path / "model.run")
    folder.open({k: v for k, v in spec.items() if k not in ("schema", "version", "arguments")})
    play(task, constant("", task), folder=folder)
    folder.close()
    both = (tmp_path / "out/people.run", tmp_path / "model.run")
    compared = deixis("compare", *both, "--json").json
    assert [r["n"] for r in compared["runs"]] == [8, 8]


def test_published_exclusions(played: Session) -> None:
    good = played.arrives("good").finishes()
    careless = played.arrives("careless").until("choose_target")
    careless.profile = careless.profile.__class__(skill=0.0)
    careless.finishes()
    everybody = _choices(played, Exclusions())
    kept = _choices(played, PUBLISHED)
    caught = played.store.read(
        lambda c: c.scalars(
            select(answers.c.right)
            .join(steps, steps.c.id == answers.c.step_id)
            .where(answers.c.session_id == careless.key, answers.c.final)
            .where(steps.c.key.like("catch/%"))
        ).all()
    )
    assert len(everybody) == 8
    assert caught
    # Whoever does not look may still guess the catch: nobody is left out then.
    left_out = {one.rater for one in everybody} - {one.rater for one in kept}
    assert len(left_out) == (not all(caught))
    assert all(one.seconds > PUBLISHED.seconds for one in kept)
    assert good.outcome == "completed"


def _choices(at: Session, exclude: Exclusions) -> list[Any]:
    found = at.store.read(choices, at.running.id, "live", exclude)
    return [one for group in found.values() for one in group]


def test_exports_run_while_people_go_on(played: Session, tmp_path: Path) -> None:
    done, going = threading.Event(), []

    def crowd() -> None:
        while not done.is_set():
            going.append(played.arrives(f"c{len(going)}").finishes())

    crowd_thread = threading.Thread(target=crowd)
    crowd_thread.start()
    try:
        for i in range(3):
            told = export(played, tmp_path / f"out{i}")
            assert told["rows"]["answers"] == told["counts"]["finals"]
    finally:
        done.set()
        crowd_thread.join()
    assert going


def test_a_job_says_how_it_ended(played: Session, tmp_path: Path) -> None:
    played.arrives("p").finishes()
    key = jobs.start_export(played.store, played.running, "live", "ada", tmp_path)
    wait_for_exports()
    (row,) = played.store.read(jobs.list_exports, played.running.id)
    assert (row.state, row.note, row.by) == ("done", "8 answers", "ada")
    assert jobs.archive(tmp_path, key).is_file()
    assert [f.name for f in (tmp_path / "exports").iterdir()] == [f"export-{key}.zip"]
    again = tmp_path / "exports" / f"games-{key + 1}"
    again.mkdir()
    jobs.start_export(played.store, played.running, "published", "ada", tmp_path)
    wait_for_exports()
    row = played.store.read(jobs.list_exports, played.running.id)[0]
    assert row.state == "failed"
    assert "there already" in row.note
