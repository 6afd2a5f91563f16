"""``deixis check``: unit tests of a player's components."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from deixis.audit.audit import Spec, audit
from deixis.audit.expect import FAILED, PASSED, Expectation, Result, decide, interventions
from deixis.audit.rows import absences
from deixis.cli.options import PlayOptions, Switch, TaskOptions
from deixis.cli.session import Asked, session
from deixis.cli.show import print_json
from deixis.errors import BadInput
from deixis.plain import number
from deixis.reading import read_toml

OWN = ("source", "player", "margin", "expect", "options")


def check(expectations: Path, /, *, data: Path | None = None, json: Switch = False) -> int:
    """Audit a player and hold the result against expectations.

    The file names `source` and `player`, lists `expect`, and may give `margin`, any option of play
    (with underscores), and a table [options] of the player's own. Exit status: 0 all passed,
    1 some failed, 3 none failed but some are undecided.

    Args:
        expectations: A TOML file.
        data: The dataset's folder or one above it.
        json: Print one JSON object and nothing else.
    """
    spec = _read(expectations)
    lines = [Expectation.parse(line) for line in spec["expect"]]
    task_options, play_options = _options(expectations, spec, data)
    options = {k: str(v) for k, v in spec.get("options", {}).items()}
    asked = Asked(spec["source"], spec["player"], task_options, play_options, options)
    task = asked.task()
    do = interventions(lines, absences(task))
    with session(asked, task) as ready:
        answer = audit(task, ready.play, Spec(do=tuple(do), margin=spec.get("margin")))
    results = [decide(line, answer) for line in lines]
    if json:
        print_json(
            {
                "schema": "deixis/check/1",
                "source": spec["source"],
                "player": spec["player"],
                "results": [r.json() for r in results],
            }
        )
    else:
        _print(results)
    outcomes = {r.outcome for r in results}
    return 1 if FAILED in outcomes else 0 if outcomes <= {PASSED} else 3


def _read(path: Path) -> dict[str, Any]:
    spec = read_toml(path)
    for key in ("source", "player", "expect"):
        if key not in spec:
            raise BadInput(f"{path}: expected a value for {key!r}")
    if not isinstance(spec["expect"], list) or not spec["expect"]:
        raise BadInput(f"{path}: expected a list of lines for 'expect'")
    return spec


def _options(
    path: Path, spec: dict[str, Any], data: Path | None
) -> tuple[TaskOptions, PlayOptions]:
    """The common options that the file gives."""
    given = {k: v for k, v in spec.items() if k not in OWN}
    taken: list[dict[str, Any]] = []
    for kind in (TaskOptions, PlayOptions):
        known = {f.name for f in fields(kind)}
        taken.append({k: given.pop(k) for k in list(given) if k in known})
    if given:
        raise BadInput(f"{path}: {next(iter(given))!r} is no option of play")
    if data is not None:
        taken[0]["data"] = data
    elif "data" in taken[0]:
        taken[0]["data"] = path.parent / taken[0]["data"]
    return TaskOptions(**taken[0]), PlayOptions(**taken[1])


def _print(results: list[Result]) -> None:
    """One line for each expectation, as a log wants it."""
    for r in results:
        interval = f"{number(r.value)} [{number(r.low)}, {number(r.high)}]"
        print(f"{r.outcome:<9}  {r.expectation.text:<28}  {interval}")
    counts = {o: sum(r.outcome == o for r in results) for o in (PASSED, FAILED, "undecided")}
    print(", ".join(f"{n} {o}" for o, n in counts.items() if n))
