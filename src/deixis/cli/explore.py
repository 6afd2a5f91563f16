"""``deixis explore``: look at trials, edit them by hand, watch the ranking move."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from platformdirs import user_cache_path

from deixis.cli.options import PlayOptions, Several, Switch, TaskOptions
from deixis.cli.session import Asked, Session, own_options, run_of
from deixis.cli.show import print_json
from deixis.cli.show import progress as bars
from deixis.errors import BadInput, extra
from deixis.players.protocols import Player, Seated
from deixis.progress import Progress
from deixis.registry import names
from deixis.runs.folder import RunFolder
from deixis.runs.prepare import build
from deixis.tasks.edits import read
from deixis.tasks.task import Task

DEFAULT = "linear"
"""Who plays where nobody is named, if there is such a player for the task."""


def explore(
    source: str = "figures",
    /,
    *,
    player: str | None = None,
    beside: tuple[Path, ...] = (),
    edits: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8100,
    token: str = "",
    public_url: str = "",
    certificate: Path | None = None,
    key: Path | None = None,
    plain_http: Switch = False,
    cache: Path | None = None,
    task: TaskOptions = TaskOptions(),
    train_on: str | None = None,
    allow_overlap: Several = (),
    json: Switch = False,
    **options: Annotated[str, Parameter(show=False)],
) -> None:
    """Show trials, replies and the audit of a run in a browser, and let them be edited.

    Args:
        source: What to look at: a run's folder, or NAME[,OPTION=VALUE][:SPLIT[+SPLIT]]; by default
            a world.
        player: Who replays edited trials: NAME[:ARGUMENT]; a run's own by default.
        beside: Folders of other runs of the same trials, such as people's.
        edits: An edit file to begin with.
        host: Interface to listen on; others than this machine's own need a token.
        port: Port to listen on; 0 for any free one.
        token: What visitors must bring, at least 32 random characters; or DEIXIS_TOKEN.
        public_url: The https:// address that people use, where a proxy stands before this server.
        certificate: File of the certificate, to speak HTTPS without a proxy.
        key: File of the certificate's key.
        plain_http: Serve to others by plain HTTP all the same.
        cache: Folder of the index; by default one of the user's.
        train_on: Where a learner learns, NAME:SPLIT[+SPLIT]; without it, it is cross-fitted.
        allow_overlap: Accept that training and test share this: records or pictures.
        json: Print one JSON object when the server is ready.
    """
    extra("fastapi", "collect")
    extra("argon2", "collect")
    from deixis.explore.app import make_app
    from deixis.explore.guard import check_token
    from deixis.explore.opened import open_all
    from deixis.explore.seat import Seat
    from deixis.web.address import Address
    from deixis.web.server import serve

    if (certificate is None) != (key is None):
        raise BadInput("--certificate and --key belong together")
    pair = (certificate, key) if certificate and key else None
    address = Address(host, port, public_url, pair, plain_http)
    token = token or os.environ.get("DEIXIS_TOKEN", "")
    check_token(address, token)
    how = PlayOptions(train_on=train_on, allow_overlap=allow_overlap)
    asked = Asked(source, player or DEFAULT, task, how, options)
    run = run_of(source)
    if run is not None:
        recalled = asked.recalled()
        asked = recalled if player is None else replace(recalled, player=player, options=options)
    made = asked.task()
    start = read(edits) if edits else None
    seated, make, lacking = _seat(asked, made, named=player is not None or run is not None)
    with bars() as told:
        opened = open_all(
            seated,
            Seat("" if make is None else asked.player, make, lacking),
            run=run,
            beside=beside,
            cache=cache or user_cache_path("deixis") / "explore",
            start=start,
            progress=told,
        )
    app = make_app(opened, address, token)
    serve(app, address, lambda url: _ready(opened, url, token, json))


def _seat(
    asked: Asked, task: Task, *, named: bool
) -> tuple[Task, Callable[[Progress], Player] | None, str]:
    """The task as the player reads it, how the player is made, or why there is none."""
    if not named and asked.player not in names("players", task.kind):
        known = ", ".join(names("players", task.kind))
        return task, None, f"Nobody plays: start again with --player NAME (known: {known})"
    try:
        player = build(asked.player, task, **own_options(asked.options))
    except BadInput as error:
        return task, None, f"{asked.player} cannot play: {error}"
    if isinstance(player, Seated):
        task = replace(task, readers=player.readers)
    how = asked.how
    folder = RunFolder(how.out) if how.out and (how.out / "players").is_dir() else None

    def make(told: Progress) -> Player:
        train = asked.making.training(how.train_on) if how.train_on else None
        train = replace(train, readers=task.readers) if train else None
        return Session(player, task, train, how, folder, told).player()

    return task, make, ""


def _ready(opened: Any, url: str, token: str, json: bool) -> None:
    """Say where it is, before the first request."""
    link = f"{url}/" + (f"?token={token}" if token else "")
    if opened.start is not None:
        from deixis.explore.states import link as state

        link = f"{url}/edit?" + state(opened.start.trial, opened.start.edits)
        link += f"&token={token}" if token else ""
    if json:
        print_json(
            {
                "schema": "deixis/explore/1",
                "url": link,
                "dataset": opened.task.name,
                "trials": len(opened.task),
                "conditions": [t.label for t in opened.tracks],
                "player": opened.seat.name,
                "notes": list(opened.notes),
            }
        )
    else:
        print(f"{len(opened.task):,} trials of {opened.task.name} at {link}")
        for note in opened.notes:
            print(f"note: {note}")
        print("stop with Ctrl-C; nothing is changed by looking", flush=True)
