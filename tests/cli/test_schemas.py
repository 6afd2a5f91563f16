"""Every command's object has a schema, and every schema a command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.schemas import FOLDER, validator

import deixis
from deixis import registry

SOURCE = Path(deixis.__file__).parent

USED = sorted(
    {
        name
        for path in SOURCE.rglob("*.py")
        for name in re.findall(r'"deixis/([\w-]+)/1"', path.read_text("utf-8"))
    }
    | {f"reproduce-{name}" for name in registry.names("reproduce")}
)


@pytest.mark.parametrize("name", USED)
def test_what_is_printed_has_a_schema(name: str) -> None:
    schema = validator(name).schema
    assert schema["$id"] == f"deixis/{name}/1"
    assert schema["required"][0] == "schema"


def test_no_schema_is_left_over() -> None:
    assert {p.stem for p in FOLDER.glob("*.json")} <= set(USED)


def test_every_field_says_what_it_is() -> None:
    for name in USED:
        for field, about in validator(name).schema["properties"].items():
            assert field == "schema" or about.get("description"), f"{name}: {field}"
