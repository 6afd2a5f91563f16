"""Any Python function as a player."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from deixis.errors import BadInput
from deixis.replies import Replies
from deixis.seeds import digest
from deixis.tasks.task import Task


class Call:
    """A function of one view that gives a score for each option, or the position of a choice.

    >>> from deixis.trials import ChoiceView
    >>> view = ChoiceView("1", "which?", (), ("a", "bbb"))
    >>> player = Call(lambda view: [len(option) for option in view.options])
    >>> player.reply([view]).scores.tolist()
    [[1.0, 3.0]]
    """

    def __init__(self, function: Callable[[Any], Any], name: str = "call", revision: str = "1"):
        self.function = function
        self.name = name
        self.revision = revision

    def reply(self, views: Sequence[Any]) -> Replies:
        """Call the function on each view.

        Raises:
            BadInput: what it gives is neither a position nor a score for each option.
        """
        replies = [self.function(v) for v in views]
        try:
            if all(np.ndim(r) == 0 for r in replies):
                return Replies.chosen(views, [None if r is None else int(r) for r in replies])
            return Replies.scored(views, [np.asarray(r, np.float64) for r in replies])
        except (TypeError, ValueError) as error:
            raise BadInput(
                f"{self.name}: expected a score for each option, or the position of one: {error}"
            ) from None


def call(argument: str, _: Task) -> Call:
    """Build it from ``MODULE:FUNCTION``; modules of the current folder are found.

    Its revision is a hash of the module's file, so an edited function is not mistaken for the old.

    Raises:
        BadInput: there is no such module or function.
    """
    module, _colon, attribute = argument.partition(":")
    if not (module and attribute):
        raise BadInput(f"call: expected call:MODULE:FUNCTION, got {argument!r}")
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        loaded = importlib.import_module(module)
        function = getattr(loaded, attribute)
    except (ModuleNotFoundError, AttributeError) as error:
        raise BadInput(f"call:{argument}: {error}") from None
    source = Path(loaded.__file__).read_text("utf-8") if loaded.__file__ else ""
    return Call(function, f"call:{argument}", format(digest(source), "x"))
