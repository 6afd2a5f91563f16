"""Holds what commands print as JSON against the schemas in the docs."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

FOLDER = Path(__file__).parent.parent / "docs/schemas"


@cache
def validator(name: str) -> Draft202012Validator:
    """The schema of one command's object."""
    schema = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def valid(said: dict[str, Any]) -> dict[str, Any]:
    """The object, which is as its ``schema`` field's schema says it is."""
    package, name, version = said["schema"].split("/")
    assert (package, version) == ("deixis", "1")
    validator(name).validate(said)
    return said
