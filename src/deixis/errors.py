"""The errors that a user can meet; each is one sentence that says what to do."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from difflib import get_close_matches
from types import ModuleType

EXTRAS = {
    "accelerate": "torch",
    "alembic": "collect",
    "argon2": "collect",
    "fastapi": "collect",
    "httpx": "collect",
    "pydantic": "collect",
    "safetensors": "torch",
    "sqlalchemy": "collect",
    "tokenizers": "torch",
    "torch": "torch",
    "transformers": "torch",
    "uvicorn": "collect",
}
"""The extra that brings each optional library which parts may import at their top."""


class DeixisError(Exception):
    """Base of every error raised on purpose by this package."""


class BadInput(DeixisError):
    """Something given by the user is wrong: the command line ends with exit status 2.

    The message is one sentence that names the file, line or id and what was expected.
    """


def unknown(said: str, name: str, known: Iterable[str]) -> BadInput:
    """The error for a name that nothing has: the nearest one, and all that there are.

    Args:
        said: how the sentence begins.
        name: as it was written.
        known: every name that would do.

    >>> unknown("there is no split 'tset'", "tset", ("train", "test"))
    BadInput("there is no split 'tset'; did you mean 'test'? (known: train, test)")
    """
    listed = list(known)
    close = get_close_matches(name, listed, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return BadInput(f"{said}{hint} (known: {', '.join(listed) or 'none'})")


def extra(module: str, name: str) -> ModuleType:
    """Import an optional library on use.

    Args:
        module: the module to import, such as ``"inflect"``.
        name: the extra of this package that brings it, such as ``"articles"``.

    Raises:
        BadInput: the library is not installed; the message holds the command that installs it.

    >>> extra("json", "none").dumps([1])
    '[1]'
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != module.split(".")[0]:
            raise
        raise lacking(module.partition(".")[0], name) from None


def lacking(module: str, name: str) -> BadInput:
    """The error for a library that is not installed, with the extra that brings it."""
    return BadInput(f"{module} is not installed, and this needs it: pip install 'deixis[{name}]'")
