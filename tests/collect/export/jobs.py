"""Exports that run in threads of their own."""

from __future__ import annotations

import threading


def wait_for_exports() -> None:
    """Until none is under way."""
    for thread in threading.enumerate():
        if "run_export" in thread.name:
            thread.join(60)
