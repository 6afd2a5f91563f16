from __future__ import annotations

from pathlib import Path

from deixis.dataset import Dataset
from deixis.measures.participants import participants, summary
from deixis.measures.section import Options


def dataset(surveys: dict) -> Dataset:
    return Dataset("s", "people", {}, {}, None, extras={"surveys": surveys})  # type: ignore[arg-type]


def spoken(*languages: str, level: int = 3) -> list[dict]:
    return [{"language": name, "level": level} for name in languages]


def test_languages() -> None:
    found = summary([spoken("English"), spoken("English", "Hindi"), spoken("Hindi", level=5)])
    assert found["answers"] == {"English": 2, "Hindi": 2}
    assert found["levels"] == {"English": 3.0, "Hindi": 4.0}
    assert found["several"] == 1


def test_a_language_named_twice_is_one_person() -> None:
    assert summary([spoken("Hindi", "Hindi"), spoken("Hindi")])["answers"] == {"Hindi": 2}
    assert summary([spoken("Hindi", "Hindi")])["several"] == 0


def test_rare_answers_are_not_named() -> None:
    found = summary(["I live in the lighthouse of …", "no", "no"])
    assert found["answers"] == {"no": 2, "answers of fewer than 2 people": 1}


def test_numbers() -> None:
    found = summary([1, 3])
    assert (found["mean"], found["sd"], found["min"], found["max"]) == (2.0, 1.0, 1.0, 3.0)


def test_the_section() -> None:
    surveys = {
        "a": {"first": "Yes", "languages": spoken("English"), "age": 20},
        "b": {"first": "Yes", "languages": spoken("English", "Hindi"), "age": 30},
        "c": {"first": "Yes", "languages": [], "age": ""},
    }
    said = participants(dataset(surveys), Options())
    questions = said.fields["participants"]["questions"]
    assert questions["first"]["answers"] == {"Yes": 3}
    assert questions["languages"]["people"] == 2
    rows = [tuple(r) for r in said.tables[0].rows]
    assert ("languages", "left open", "1", "", "") in rows
    assert ("age", "mean 25.00 ± 5.00", "2", "", "") in rows
    assert participants(dataset({}), Options()).fields == {}


def test_names_without_games(deixis, tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text(
        '{"worker": "w", "key": "0", "type": "survey", "detail": {"answers": {"first": "Yes"}}}\n'
    )
    said = deixis("measure", tmp_path, "--json").json
    assert (said["records"], said["participants"]["people"]) == (0, 1)
