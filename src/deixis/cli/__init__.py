"""The command line: parse, call, print."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from deixis import __version__
from deixis.errors import BadInput

if TYPE_CHECKING:
    import cyclopts

COMMANDS = {
    "play": "Play a task and say how well it went.",
    "audit": "Say which inputs a player really uses.",
    "load": "Load a dataset and print its counts and irregularities.",
    "measure": "Measure a dataset: naming, agreement, people, language.",
    "lint": "Look for shortcuts and leaks in a dataset before its release.",
    "fetch": "Download a dataset.",
    "train": "Train a player and keep it.",
    "reproduce": "Make a paper's tables and figures anew.",
    "edit": "Change one dialog by hand and see what becomes of it.",
    "dialogs": "Say what is said, guessed and learnt in dialogs, round by round.",
    "compare": "Compare runs of the same items.",
    "check": "Test what a player relies on against expectations.",
    "plan": "Say how many items a study needs, which pictures, and how to split them.",
    "export": "Write results, or a dataset's description, in the form of other tools.",
    "features": "Write a file with a vector of each picture of a folder.",
    "explore": "Look at trials, edit them by hand, and watch the ranking move.",
    "serve": "Serve studies to people, in a browser.",
    "simulate": "Collect a dataset with simulated people.",
    "collect": "Prepare studies for people, look after them, release what they make.",
}
"""What each command is for; its module is loaded when it is called."""


def application() -> cyclopts.App:
    """All commands, none of them loaded yet."""
    import cyclopts

    app = cyclopts.App(
        "deixis",
        version=f"deixis {__version__}",
        help="Build, play and audit tasks in which words point at pictures.",
        help_format="plaintext",
        default_parameter=cyclopts.Parameter(show_default=_default),
        result_action="return_value",
        suppress_keyboard_interrupt=False,
    )
    for name, purpose in COMMANDS.items():
        app.command(f"deixis.cli.{name}:{name}", name=name, help=purpose)
    app.register_install_completion_command()
    return app


def _default(value: object) -> str | None:
    """A default as help shows it: nothing where nothing is the default.

    >>> _default(0), _default(("a", "b")), _default(False), _default(())
    ('0', 'a, b', None, None)
    """
    if isinstance(value, tuple):
        value = ", ".join(map(str, value))
    return None if value in (None, "") or value is False else str(value)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: what stands behind ``deixis``; from the process by default.

    Returns:
        Exit status: 0; 1 a check failed; 2 bad input; 3 undecided; 130 interrupted.
    """
    import cyclopts

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # What an old terminal cannot show becomes a question mark, not an error.
            stream.reconfigure(errors="replace")
    app = application()
    try:
        status = app(
            sys.argv[1:] if arguments is None else list(arguments),
            exit_on_error=False,
            print_error=False,
        )
        sys.stdout.flush()
    except cyclopts.CycloptsError as error:
        return _fail(_one_sentence(str(error)))
    except BadInput as error:
        return _fail(str(error))
    except BrokenPipeError:
        # Whoever reads has enough.
        _drop_unwritten()
        return 0
    except OSError as error:
        # A folder that cannot be written, a disk that is full: nothing is wrong with the program.
        _drop_unwritten()
        return _fail(f"{error.filename or 'input or output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return _fail("interrupted; with --out, what is done is kept", 130)
    return status if isinstance(status, int) else 0


def _fail(sentence: str, status: int = 2) -> int:
    print(f"deixis: {sentence}", file=sys.stderr)
    return status


def _drop_unwritten() -> None:
    """What cannot be printed is dropped: the interpreter would try again at its end, and fail."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _one_sentence(text: str) -> str:
    return " ".join(text.split())
