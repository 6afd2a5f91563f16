"""Importing the package, and asking for help, loads nothing heavy."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("scipy", "pyarrow", "matplotlib", "torch", "transformers", "fastapi", "openai", "pandas")


def loaded(*arguments: str) -> set[str]:
    """Top-level modules that a fresh process imports."""
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    lines = [x for x in ran.stderr.splitlines() if x.startswith("import time:")]
    assert lines
    return {x.rpartition("|")[2].strip().partition(".")[0] for x in lines}


def test_importing_is_light() -> None:
    found = loaded("-c", "import deixis")
    assert "deixis" in found
    assert found.isdisjoint({*HEAVY, "numpy", "rich", "cyclopts"})


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_asking_for_help_is_light(argument: str) -> None:
    found = loaded("-m", "deixis", argument)
    assert "cyclopts" in found
    assert found.isdisjoint({*HEAVY, "numpy"})


def test_playing_needs_no_extra() -> None:
    code = (
        "from deixis.cli import main; import sys; "
        "sys.exit(main(['play', 'figures:test', '--player', 'constant', '--limit', '3', '--json']))"
    )
    found = loaded("-c", code)
    assert "scipy" in found
    assert found.isdisjoint({"torch", "transformers", "fastapi", "openai", "pandas", "pyarrow",
                             "matplotlib"})  # fmt: skip
