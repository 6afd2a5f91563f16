"""What is printed for people: on narrow and old terminals, into pipes, with names of any kind."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from deixis.cli.show import print_json, table


class Terminal(io.StringIO):
    """A terminal that keeps what it shows."""

    def isatty(self) -> bool:
        return True


def test_brackets_are_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    table("runs of [/x]", ["[bold]"], [["model[a]"], ["[red]b"]])
    shown = capsys.readouterr().out
    assert all(text in shown for text in ("runs of [/x]", "[bold]", "model[a]", "[red]b"))


def test_a_narrow_terminal_breaks_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    columns = ["taken away", "points lost", "95 % interval", "p (Holm)", "changed", "verdict",
               "needed", "redundant"]  # fmt: skip
    row = ["whole=drop", "-0.1", "-1.2 to 1.1", "1.000", "6 %", "undecided, 88 more clusters",
           "-0.1", "0.0"]  # fmt: skip
    table("gaps", columns, [row])
    assert isinstance(sys.stdout, Terminal)
    shown = sys.stdout.getvalue()
    assert max(map(len, shown.splitlines()[1:2])) <= 80
    words = {word for text in (*columns, *row[:5], "undecided,") for word in text.split()}
    assert all(word in shown for word in words)
    assert all(cell in shown for cell in row[:5])


def test_a_path_that_is_too_long_is_folded(capsys: pytest.CaptureFixture[str]) -> None:
    table("pairs", ["a", "b", "verdict"], [["/x" * 90, "/y" * 70, "better"]])
    shown = capsys.readouterr().out
    assert "better" in shown
    assert shown.count("/x") == 90
    assert max(map(len, shown.splitlines())) == 120


def ended(command: str, **environment: str) -> tuple[str, bytes, bytes]:
    """A command of the shell, in which ``deixis`` is this package; unbuffered output hides much."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    text = f'deixis() {{ {sys.executable} -m deixis "$@"; }}; {command}'
    run = subprocess.run(["bash", "-c", text], capture_output=True, env=kept | environment)
    *out, status = run.stdout.splitlines()
    return status.decode(), b"\n".join(out), run.stderr


@pytest.mark.parametrize("form", ["", " --json"])
def test_pipes_that_close_and_full_disks(form: str) -> None:
    load = f"deixis load figures{form}"
    assert ended(f"{load} | true; echo ${{PIPESTATUS[0]}}") == ("0", b"", b"")
    full = ended(f"{load} > /dev/full; echo $?")
    assert full == ("2", b"", b"deixis: input or output: No space left on device\n")


def test_a_terminal_that_knows_few_letters() -> None:
    play = "deixis play figures --limit 20 --player constant; echo $?"
    status, shown, said = ended(play, PYTHONIOENCODING="latin-1")
    assert (status, said) == ("0", b"")
    assert b"10.0?10.0" in shown


def test_json_is_json_in_any_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    for encoding, written in (("utf-8", "é".encode()), ("ascii", b"\\u00e9")):
        out = io.TextIOWrapper(io.BytesIO(), encoding)
        monkeypatch.setattr(sys, "stdout", out)
        print_json({"a": "é"})
        out.flush()
        assert out.buffer.getvalue() == b'{"a": "' + written + b'"}\n'  # type: ignore[attr-defined]
