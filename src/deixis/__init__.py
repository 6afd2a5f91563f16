"""Build, play and audit tasks in which words point at pictures.

Nouns: `Picture`, `Dataset`, `Task`, `Intervention`, `Player`, `Replies`, `Outcomes`, `Audit`,
`Run`, `Measure`. Verbs, in the order of their use: `load`, `make`, `see`, `build`, `prepare`,
`play`, `score`; then `deixis.audit.audit.audit`. Everything is imported on first use, so that
``import deixis`` is light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from deixis.audit.audit import Audit
    from deixis.dataset import Dataset
    from deixis.interventions.condition import Intervention
    from deixis.outcomes import Outcomes, score
    from deixis.players.protocols import Player
    from deixis.replies import Replies
    from deixis.runs.play import Run, play
    from deixis.runs.prepare import build, prepare
    from deixis.sources import load
    from deixis.tasks.make import make
    from deixis.tasks.see import see
    from deixis.tasks.task import Task
    from deixis.trials import Picture
    from deixis.units import Measure

_WHERE = {
    "Audit": "deixis.audit.audit",
    "Dataset": "deixis.dataset",
    "Intervention": "deixis.interventions.condition",
    "Measure": "deixis.units",
    "Outcomes": "deixis.outcomes",
    "Picture": "deixis.trials",
    "Player": "deixis.players.protocols",
    "Replies": "deixis.replies",
    "Run": "deixis.runs.play",
    "Task": "deixis.tasks.task",
    "build": "deixis.runs.prepare",
    "load": "deixis.sources",
    "make": "deixis.tasks.make",
    "play": "deixis.runs.play",
    "prepare": "deixis.runs.prepare",
    "score": "deixis.outcomes",
    "see": "deixis.tasks.see",
}

__all__ = [
    "Audit",
    "Dataset",
    "Intervention",
    "Measure",
    "Outcomes",
    "Picture",
    "Player",
    "Replies",
    "Run",
    "Task",
    "build",
    "load",
    "make",
    "play",
    "prepare",
    "score",
    "see",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'deixis' has no attribute {name!r}")
    return getattr(importlib.import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
