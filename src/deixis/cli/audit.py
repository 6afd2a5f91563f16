"""``deixis audit``: which inputs does a player really use?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from deixis.audit.audit import Spec, with_emap
from deixis.audit.audit import audit as run_audit
from deixis.audit.emap import emap as run_emap
from deixis.audit.report.html import render
from deixis.cli.options import PlayOptions, Several, Switch, TaskOptions
from deixis.cli.session import Asked, session
from deixis.cli.show import print_json
from deixis.cli.tables import audit_tables, log_tables
from deixis.errors import BadInput
from deixis.exchange.audited import LogAudit, audit_logs
from deixis.exchange.log import How
from deixis.exchange.reading import read_log
from deixis.plain import plain
from deixis.runs.play import check
from deixis.writing import write_text


def audit(
    source: str = "figures",
    /,
    *,
    player: str = "linear",
    do: Several = (),
    shapley: Switch = False,
    absent: Several = (),
    margin: float | None = None,
    retrain: bool | None = None,
    gradual: Switch = False,
    text_only: str | None = None,
    emap: int = 0,
    population: Literal["items", "training"] = "items",
    logs: Annotated[Several, Parameter(name="--from")] = (),
    metric: str = "",
    cluster: str = "",
    task: TaskOptions = TaskOptions(),
    how: PlayOptions = PlayOptions(),
    json: Switch = False,
    **options: Annotated[str, Parameter(show=False)],
) -> None:
    """Take inputs away, play again, and say what each was worth.

    Args:
        source: What to play; the embedded world figures by default.
        player: Who plays: NAME[:ARGUMENT]; a player's own options follow as --name value.
        do: An intervention CHANNEL[/READER]=OPERATOR[:ARGUMENT][@ROUND]; repeatable, each its own
            condition; joined by commas they act at once. Without any, each channel is taken away.
        shapley: Share the score out over the channels, by exact Shapley values.
        absent: CHANNEL=OPERATOR, how a channel is taken away for Shapley values; repeatable.
        margin: Points within which a difference is of no use.
        retrain: Train again without each channel, to tell relied on from needed; the default for
            learners that train in seconds.
        gradual: Give the parts of descriptions one by one.
        text_only: A player that reads texts only, for multi-modal gain and leakage.
        emap: Ask about every text with every picture of so many trials: is relating them of use?
        logs: A log of another tool, instead of playing: the first with all inputs, the others
            FILE#CONDITION; repeatable. Inspect, lm-eval, lmms-eval, VLMEvalKit, or a table.
        metric: Which score of a log counts; its first known one by default.
        cluster: The field of a log that says what items share, such as their picture.
        population: Whether intervals speak of other items only, or of other training runs too.
        json: Print one JSON object and nothing else.
    """
    if logs:
        found = _of_logs(logs, How(metric, cluster), 1.0 if margin is None else margin)
        print_json(found.json()) if json else log_tables(found)
        return
    asked = Asked(source, player, task, how, options).recalled()
    made = asked.task()
    spec = Spec(do, shapley, absent, margin, population, gradual)
    for condition in (*do, *absent):
        check(made, condition)
    with session(asked, made) as ready:
        for condition in (*do, *absent):
            check(ready.task, condition)
        wanted = ready.quick if retrain is None else retrain
        blind = ready.other(text_only) if text_only else None
        answer = run_audit(
            ready.task,
            ready.play,
            spec,
            retrain=(lambda one: ready.play([one], trained=one)) if wanted else None,
            text_only=blind.play if blind else None,
        )
        if emap:
            answer = with_emap(answer, run_emap(made, ready.player(), n=emap))
        if ready.folder:
            ready.folder.note("audit.json", plain(answer.json()))
            write_text(ready.folder.path / "report.html", render(answer))
    print_json(answer.json()) if json else audit_tables(answer)


def _of_logs(written: Sequence[str], how: How, margin: float) -> LogAudit:
    """The audit of FILE and FILE#CONDITION; a file without a condition is named by its stem."""
    first, *others = written
    logs = {}
    for one in others:
        file, _, condition = one.partition("#")
        name = condition or Path(file).stem
        if name in logs:
            raise BadInput(f"--from {one}: {name!r} is there twice")
        logs[name] = read_log(Path(file), how)
    return audit_logs(read_log(Path(first), how), logs, margin=margin)
