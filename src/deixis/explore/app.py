"""The application: a gallery, trials in full, edits by hand, the audit."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from deixis.explore import audit_page, edit_page, files, gallery, trial_page
from deixis.explore.guard import Guard, check_token
from deixis.explore.opened import Opened
from deixis.web.address import Address
from deixis.web.frame import frame

HERE = Path(__file__).parent


def make_app(opened: Opened, address: Address, token: str = "") -> FastAPI:
    """The application.

    Args:
        opened: what it shows.
        address: where it will listen.
        token: what a visitor must bring; empty for none, on this machine alone.

    Raises:
        BadInput: others can reach the address, and there is no token or a weak one.
    """
    check_token(address, token)
    app = frame(
        f"deixis: {opened.title}",
        packages=("deixis.explore",),
        assets={"explore": HERE / "assets"},
        hosts=address.hosts,
        https=address.https,
    )
    app.state.opened = opened
    app.middleware("http")(Guard(token, address.https))
    for part in (gallery, trial_page, edit_page, audit_page, files):
        app.include_router(part.router)
    return app
