from __future__ import annotations

import re

import pytest

from deixis import __version__
from deixis.cli import COMMANDS, main


def test_help_and_version(deixis) -> None:
    shown = deixis("--help")
    assert shown.status == 0
    assert all(name in shown.out for name in COMMANDS)
    assert deixis("--version").out == f"deixis {__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(deixis, command: str) -> None:
    shown = deixis(command, "--help")
    assert (shown.status, shown.err) == (0, "")
    assert COMMANDS[command].split()[0] in shown.out


def test_commands_within_commands_say_what_they_are_for(deixis) -> None:
    listed = re.findall(r"^│ ([a-z]+) +(.*?) *│$", deixis("collect", "--help").out, re.MULTILINE)
    assert {"pictures", "release", "scan", "talk", "export"} <= {name for name, _ in listed}
    assert all(purpose for _, purpose in listed)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["paly"], "Unknown command"),
        (["play"], "SOURCE requires an argument"),
        (["load"], "SOURCE requires an argument"),
        (["fetch"], "NAME requires an argument"),
        (["train", "figures", "--player", "linear"], "--out requires an argument"),
        (["train", "figures", "--out", "x"], "--player requires an argument"),
        (["play", "figures", "more"], "Unused Tokens"),
        (["play", "figures", "--player"], "--player requires an argument"),
        (["play", "figures", "--k", "ten"], 'Invalid value for --k: unable to convert "ten"'),
        (["audit", "--population", "all"], 'Choose from: "items", "training"'),
    ],
)
def test_what_cannot_be_parsed(refused, arguments: list[str], why: str) -> None:
    assert why in refused(*arguments)


def test_a_folder_that_cannot_be_written(refused, tmp_path) -> None:
    (tmp_path / "file").write_text("x")
    said = refused("play", "figures:test", "--player", "constant", "--limit", "3",
                   "--out", tmp_path / "file/run")  # fmt: skip
    assert said == f"{tmp_path}/file/run: Not a directory"


def test_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from deixis.cli import load

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(load, "load_source", interrupt)
    assert main(["load", "figures"]) == 130
    assert capsys.readouterr().err == "deixis: interrupted; with --out, what is done is kept\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_no_empty_defaults(deixis, command: str) -> None:
    shown = deixis(command, "--help").out
    assert not re.search(r'\[default:\s+(\(|""|False|None)', shown)
