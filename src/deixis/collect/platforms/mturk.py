"""Old result files of Mechanical Turk, which closed in 2026: read, never run.

Two forms are known: the CSV file of a batch, as the requester's site gave it out, and JSON with
``Assignments`` as the interface did, whose answers are XML. Worker ids become keyed hashes.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from xml.parsers import expat

from deixis.collect.store.people import worker_name
from deixis.errors import BadInput

COLUMNS = {
    "assignment": "string",
    "hit": "string",
    "worker": "string",
    "status": "string",
    "accepted_at": "string",
    "submitted_at": "string",
    "seconds": "float64",
    "input": "string",
    "answer": "string",
}
"""What a row holds; `input` and `answer` are objects by field."""

_ZONES = {"UTC": 0, "GMT": 0, "PDT": -7, "PST": -8, "EDT": -4, "EST": -5}
_NEEDED = ("AssignmentId", "HITId", "WorkerId", "AssignmentStatus", "AcceptTime", "SubmitTime")


def assignments(path: Path, secret: str) -> Iterator[dict[str, Any]]:
    """The assignments of a file, one after the other.

    Args:
        path: ``.csv`` or ``.json``.
        secret: the key of the hashes that stand in for worker ids.

    Raises:
        BadInput: the file is missing, of another kind, or a row is broken.
    """
    if not path.is_file():
        raise BadInput(f"there is no file {path}")
    readers = {".csv": _csv, ".json": _json}
    if path.suffix not in readers:
        raise BadInput(f"{path}: expected a batch's .csv, or .json with Assignments")
    for where, row in readers[path.suffix](path):
        missing = [name for name in _NEEDED if row.get(name) in (None, "")]
        if missing:
            raise BadInput(f"{where}: {missing[0]} is missing")
        accepted, submitted = (_time(where, row[n]) for n in ("AcceptTime", "SubmitTime"))
        yield {
            "assignment": row["AssignmentId"],
            "hit": row["HITId"],
            "worker": worker_name(secret, "mturk", row["WorkerId"]),
            "status": row["AssignmentStatus"],
            "accepted_at": accepted,
            "submitted_at": submitted,
            "seconds": (submitted - accepted).total_seconds(),
            "input": row["input"],
            "answer": row["answer"],
        }


def _csv(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        for row in reader:
            if None in row:
                raise BadInput(f"{path}:{reader.line_num}: more cells than the header has")
            yield (
                f"{path}:{reader.line_num}",
                {
                    **row,
                    "input": _prefixed(row, "Input."),
                    "answer": _prefixed(row, "Answer."),
                },
            )


def _prefixed(row: Mapping[str, str], prefix: str) -> dict[str, str]:
    found = {k.removeprefix(prefix): v for k, v in row.items() if k.startswith(prefix)}
    return {k: v for k, v in found.items() if v}


def _json(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        content = json.loads(path.read_text("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadInput(f"{path}: no JSON: {error}") from None
    listed = content.get("Assignments") if isinstance(content, dict) else content
    if not isinstance(listed, list):
        raise BadInput(f"{path}: expected a list of Assignments")
    for number, row in enumerate(listed):
        where = f"{path}: assignment {number}"
        if not isinstance(row, dict):
            raise BadInput(f"{where}: expected an object")
        answer = read_answers(str(row.get("Answer") or ""), where)
        yield where, {**row, "input": {}, "answer": answer}


def read_answers(text: str, where: str) -> dict[str, str]:
    """The answers in QuestionFormAnswers XML, by question.

    >>> xml = "<QuestionFormAnswers><Answer><QuestionIdentifier>q</QuestionIdentifier>"
    >>> read_answers(xml + "<FreeText>yes</FreeText></Answer></QuestionFormAnswers>", "here")
    {'q': 'yes'}

    Raises:
        BadInput: it is no such XML.
    """
    found: dict[str, str] = {}
    path: list[str] = []
    now: dict[str, str] = {}

    def start(tag: str, _: Mapping[str, str]) -> None:
        path.append(tag.rpartition(" ")[2])
        if path[-1] == "Answer":
            now.clear()

    def data(characters: str) -> None:
        if path:
            now[path[-1]] = now.get(path[-1], "") + characters

    def end(tag: str) -> None:
        if path.pop() == "Answer":
            value = now.get("FreeText", now.get("SelectionIdentifier", ""))
            found[now.get("QuestionIdentifier", "")] = value

    def refuse(*_: object) -> None:
        raise BadInput(f"{where}: the answer declares a document type, which is refused")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = data, refuse
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise BadInput(f"{where}: the answer is no XML: {error}") from None
    return found


def _time(where: str, text: Any) -> datetime:
    """ISO 8601, seconds since 1970, or the site's ``Mon Jul 05 12:34:56 PDT 2021``; in UTC."""
    if isinstance(text, (int, float)):
        return datetime.fromtimestamp(text, UTC)
    words = str(text).split()
    try:
        if len(words) == 6 and words[4] in _ZONES:
            zone = timezone(timedelta(hours=_ZONES[words.pop(4)]))
            local = datetime.strptime(" ".join(words), "%a %b %d %H:%M:%S %Y")
            return local.replace(tzinfo=zone).astimezone(UTC)
        made = datetime.fromisoformat(str(text))
    except ValueError:
        raise BadInput(f"{where}: {text!r} is no time") from None
    return (made if made.tzinfo else made.replace(tzinfo=UTC)).astimezone(UTC)
