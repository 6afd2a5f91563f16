"""``deixis serve``: studies for people, in a browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from deixis.cli.options import Switch
from deixis.cli.show import print_json, progress, table
from deixis.errors import BadInput, extra


def serve(
    *studies: str,
    home: Path | None = None,
    store: str = "",
    data: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    public_url: str = "",
    certificate: Path | None = None,
    key: Path | None = None,
    plain_http: Switch = False,
    simulate: int = 0,
    browser: Switch = False,
    seed: int = 0,
    export: Path | None = None,
    stay: Switch = False,
    json: Switch = False,
) -> None:
    """Serve studies to people; without any, two ready ones of the embedded world.

    Args:
        studies: Study files (.toml), or names of studies that come with the package.
        home: Folder of the answers, the secret and exports; by default one of the user's.
        store: Where answers are kept: sqlite:///PATH or postgresql://…; by default in the home.
        data: A dataset's folder or one above it; else DEIXIS_DATA, else the user's cache.
        host: Interface to listen on; others than this machine's own need HTTPS.
        port: Port to listen on; 0 for any free one.
        public_url: The https:// address that people use, where a proxy stands before this server.
        certificate: File of the certificate, to speak HTTPS without a proxy.
        key: File of the certificate's key.
        plain_http: Serve to others by plain HTTP all the same.
        simulate: Let so many simulated people take part in each study, say how it went, and stop.
        browser: They use a real browser (Chromium) instead of the server's interface.
        seed: Of the simulated people.
        export: Folder to export the simulated answers to.
        stay: Go on serving after the simulation.
        json: Print one JSON object on the simulation and nothing else.
    """
    extra("fastapi", "collect")
    extra("argon2", "collect")
    from deixis.collect.serving import Options, open_server
    from deixis.web.address import Address
    from deixis.web.server import serve as run

    if (certificate is None) != (key is None):
        raise BadInput("--certificate and --key belong together")
    if simulate < 0:
        raise BadInput(f"--simulate: expected at least 1, got {simulate}")
    pair = (certificate, key) if certificate and key else None
    options = Options(
        studies=studies,
        home=home or user_data_path("deixis") / "people",
        store=store,
        data=data,
        address=Address(host, port, public_url, pair, plain_http),
    )
    with open_server(options) as opened:
        if simulate:
            from deixis.collect.simulate.run import simulate_all

            with progress() as told:
                said = simulate_all(
                    opened, n=simulate, browser=browser, seed=seed, export=export, progress=told
                )
            print_json(said) if json else _print(said)
            if not stay:
                return
        run(opened.app, options.address, lambda url: _ready(opened, url))


def _ready(opened: Any, url: str) -> None:
    """Say where everything is, before the first request."""
    print(f"studies      {url}/")
    for name in opened.server.studies:
        print(f"             {url}/study/{name}")
    print(f"researchers  {url}/admin")
    if opened.password:
        print(f"             sign in as owner, password {opened.password}")
        print("             (it is not kept anywhere and not shown again)")
    print(f"answers      {opened.server.store.shown}")
    print("stop with Ctrl-C; nothing is lost", flush=True)


def _print(said: dict[str, Any]) -> None:
    for study in said["studies"]:
        rows = [[name, f"{n}"] for name, n in study["outcomes"].items()]
        rows.append(["final answers", f"{study['answers']}"])
        rows.append(["answers per second", f"{study['answers_per_second']:.0f}"])
        for where, n in study["slots"].items():
            rows.append([f"places {where}", f"{n}"])
        table(f"{study['study']}: {study['people']} simulated people", ["", "n"], rows)
        for fault in study["faults"]:
            print(f"does not add up: {fault}", file=sys.stderr)
        if study["export"]:
            print(f"exported to {study['export']}")
