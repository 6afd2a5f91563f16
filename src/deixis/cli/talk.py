"""``deixis collect talk``: live dialogs about pictures, and what came of them."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

from deixis.cli.options import Several, Switch
from deixis.cli.show import print_json
from deixis.errors import extra


def talk(
    source: str,
    /,
    *,
    name: str = "talk",
    rounds: int = 10,
    pool: str = "first:20",
    do: Several = (),
    altered: Switch = False,
    debriefing: str = "",
    bot: str = "",
    home: Path | None = None,
    store: str = "",
    data: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    public_url: str = "",
    plain_http: Switch = False,
    export: Path | None = None,
    json: Switch = False,
) -> None:
    """Serve live dialogs about the pictures of a source, or export those that are finished.

    Args:
        source: NAME[:SPLIT[+SPLIT]] of guessing games.
        name: Of the study, in addresses and in the store.
        rounds: In each dialog.
        pool: Pictures to guess among; at most 100.
        do: Alter messages on their way, as CHANNEL[/READER]=OP; may be repeated.
        altered: People agree to messages being altered; needed for --do.
        debriefing: What people are told about that in the end; needed for --do.
        bot: questioner or answerer: this seat says what people said in the source; or with a
            player behind it, as answerer:saved:FOLDER.
        home: Folder of the answers; by default one of the user's.
        store: Where answers are kept: sqlite:///PATH or postgresql://…; by default in the home.
        data: A dataset's folder or one above it; else DEIXIS_DATA, else the user's cache.
        host: Interface to listen on; others than this machine's own need HTTPS.
        port: Port to listen on; 0 for any free one.
        public_url: The https:// address that people use, where a proxy stands before this server.
        plain_http: Serve to others by plain HTTP all the same.
        export: Write finished dialogs into this folder (VisDial v1.0 JSON, guesses), and stop.
        json: With --export, print one JSON object and nothing else.
    """
    extra("fastapi", "collect")
    from deixis.collect.live.making import make_parlour
    from deixis.collect.serving import store_url
    from deixis.collect.store.opening import open_store
    from deixis.web.address import Address, check_address, server_secret

    parlour = make_parlour(
        name,
        source,
        data=data,
        pool=pool,
        rounds=rounds,
        do=do,
        altered=altered,
        debriefing=debriefing,
        bot=bot,
    )
    home = home or user_data_path("deixis") / "people"
    home.mkdir(parents=True, exist_ok=True)
    opened = open_store(store or store_url(home))
    try:
        if export is not None:
            from deixis.collect.live.output import export_talks

            said = export_talks(opened, parlour, export)
            print_json(said) if json else print(f"{said['dialogs']} dialogs in {export}")
            return
        from deixis.collect.live.app import make_live
        from deixis.web.server import serve

        address = Address(host, port, public_url, None, plain_http)
        check_address(address, server_secret(home))
        serve(
            make_live(opened, parlour, address),
            address,
            lambda url: print(f"dialogs  {url}/talk/{name}\nstop with Ctrl-C", flush=True),
        )
    finally:
        opened.close()
