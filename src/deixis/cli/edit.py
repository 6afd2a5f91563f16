"""``deixis edit``: change one dialog by hand and see what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from deixis.cli.options import PlayOptions, Several, Switch, TaskOptions
from deixis.cli.session import Asked, session
from deixis.cli.show import print_json, table
from deixis.errors import BadInput
from deixis.plain import number
from deixis.players.protocols import Player
from deixis.runs.edited import Told, found, tell
from deixis.runs.play import check
from deixis.tasks.edits import EditFile, edits_of, read
from deixis.tasks.task import Task


def edit(
    source: str,
    /,
    *,
    player: str = "linear",
    dialog: str | None = None,
    caption: str | None = None,
    question: Several = (),
    answer: Several = (),
    image: Several = (),
    edits: Annotated[tuple[Path, ...], Parameter(negative="", consume_multiple=False)] = (),
    do: Several = (),
    task: TaskOptions = TaskOptions(),
    how: PlayOptions = PlayOptions(),
    json: Switch = False,
    **options: Annotated[str, Parameter(show=False)],
) -> None:
    """Change one dialog by hand and see what becomes of it, beside what it was.

    Args:
        source: What to play: NAME[,OPTION=VALUE][:SPLIT[+SPLIT]].
        player: Who plays: NAME[:ARGUMENT]; a player's own options follow as --name value.
        dialog: The dialog's id; by default the first.
        caption: Another caption.
        question: Another question, ROUND=TEXT; rounds count from 1.
        answer: Another answer, ROUND=TEXT.
        image: What the answerer sees, [ROUND=]picture:NAME, blank, mean or noise:raw:SEED.
        edits: A file of edits; each file is told beside the unaltered dialog.
        do: An intervention CHANNEL[/READER]=OPERATOR[:ARGUMENT][@ROUND] in force; all at once.
        json: Print one JSON object and nothing else.
    """
    written = _written(caption, {"question": question, "answer": answer, "image": image})
    asked = Asked(source, player, task, how, options)
    made = asked.task().do(*do)
    check(made, "")
    scripts = [read(path) for path in edits]
    if written or not scripts:
        scripts.insert(0, EditFile(dialog or made.trials[0].id, edits_of(written, "deixis edit")))
    for script in scripts:
        found(made, script.trial)
    with session(asked, made) as ready:
        who = ready.player()
        told = [_told(ready.task, who, script) for script in scripts]
    said = {
        "schema": "deixis/edit/1",
        "dataset": made.name,
        "player": who.name,
        "revision": who.revision,
        "dialogs": [_json(*one) for one in told],
    }
    if json:
        print_json(said)
        return
    for script, before, after in told:
        _print(script, before, after)


def _told(task: Task, player: Player, script: EditFile) -> tuple[EditFile, Told, Told]:
    """The dialog of a file of edits as it was, and edited."""
    trial = found(task, script.trial)
    return script, tell(task, player, trial), tell(task, player, trial, script.edits)


def _written(caption: str | None, given: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """The options as rows of an edit file."""
    rows: list[dict[str, Any]] = []
    if caption is not None:
        rows.append({"channel": "caption", "at": 0, "value": caption})
    for channel, texts in given.items():
        for text in texts:
            at, equals, value = text.partition("=")
            if equals and at.isdecimal():
                rows.append({"channel": channel, "at": int(at), "value": value})
            elif channel == "image":
                rows.append({"channel": channel, "at": 1, "value": text})
            else:
                raise BadInput(f"--{channel}: expected ROUND=TEXT, got {text!r}")
    return rows


def _json(script: EditFile, before: Told, after: Told) -> dict[str, Any]:
    return {
        "trial": script.trial,
        "pool": before.size,
        "edits": [one.json() for one in script.edits],
        "before": before.json(),
        "after": after.json(),
    }


def _print(script: EditFile, before: Told, after: Told) -> None:
    """Both dialogs and both curves of ranks side by side."""
    rows = []
    texts = (_texts(before), _texts(after))
    for i, (was, now) in enumerate(zip(*texts, strict=True)):
        rows.append([str(i) if i else "caption", was, _rank(before, i), now, _rank(after, i)])
    for one in script.edits:
        rows[one.at or 0][0] += f" · {one.channel}"
    title = f"{script.trial}: as it was, and edited; rank of {before.size} and percentile rank"
    table(title, ["after", "as it was", "rank", "edited", "rank"], rows)
    print(f"{_bars('as it was', before)}\n{_bars('edited', after)}")


def _texts(told: Told) -> list[str]:
    return [told.dialog.caption, *(f"{t.question} {t.answer}" for t in told.dialog.turns)]


def _rank(told: Told, i: int) -> str:
    return f"{number(told.ranks[i])} ({number(told.percentiles[i])})"


def _bars(name: str, told: Told) -> str:
    """Percentile ranks as a line of bars, 0 to 100."""
    levels = "▁▂▃▄▅▆▇█"
    bars = "".join(levels[min(int(p / 100 * len(levels)), 7)] for p in told.percentiles)
    return f"{name:>10} {bars} {number(told.percentiles[-1])}"
