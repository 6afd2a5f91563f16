"""``deixis audit``: which inputs does a player really use?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from cyclopts import Parameter

from deixis.audit.audit import Spec
from deixis.audit.audit import audit as run_audit
from deixis.cli.options import PlayOptions, Several, Switch, TaskOptions
from deixis.cli.session import made_player, ready, run_folder
from deixis.cli.show import plain, print_json, progress
from deixis.cli.tables import audit_tables
from deixis.players.protocols import Learner
from deixis.runs.play import Run, check, play
from deixis.runs.prepare import prepare


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
    population: Literal["items", "training"] = "items",
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
        population: Whether intervals speak of other items only, or of other training runs too.
        json: Print one JSON object and nothing else.
    """
    made_task = task.task(source)
    spec = Spec(do, shapley, absent, margin, population)
    for condition in (*do, *absent):
        check(made_task, condition)
    made, train = made_player(player, made_task, how, task, options)
    quick = isinstance(made, Learner) and made.quick
    with run_folder(how.out, made_task, player) as folder, progress() as told:
        trained = ready(made, made_task, train, how, told)

        def played(conditions: Sequence[str]) -> Run:
            return play(
                made_task,
                trained,
                conditions,
                replicates=how.seeds,
                engine=how.engine,
                folder=folder,
                progress=told,
            )

        def retrained(condition: str) -> Run:
            lacking = prepare(
                made,
                made_task.do(condition),
                train=train.do(condition) if train else None,
                allow=how.allow_overlap,
                progress=lambda what, i, n: told(f"{what} under {condition}", i, n),
            )
            return play(
                made_task,
                lacking,
                [condition],
                replicates=how.seeds,
                engine=how.engine,
                folder=folder,
                trained=condition,
                progress=told,
            )

        wanted = quick if retrain is None else retrain
        answer = run_audit(made_task, played, spec, retrain=retrained if wanted else None)
        if folder:
            folder.note("audit.json", plain(answer.json()))
    print_json(answer.json()) if json else audit_tables(answer)
