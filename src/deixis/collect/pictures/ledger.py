"""Every decision on a picture, set or sentence, in order, with its reason."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from deixis.errors import BadInput
from deixis.reading import json_lines


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision.

    Attributes:
        step: of the collection, such as ``prune`` or ``validate``.
        of: what kind of thing: picture, set, sentence, example or worker.
        id: which one.
        kept: whether it goes on.
        why: the reason, short and always in the same words.
    """

    step: str
    of: str
    id: str
    kept: bool
    why: str


class Ledger:
    """Decisions, kept in a file to which lines are only added.

    Args:
        path: of the file, JSON lines; None keeps them in memory.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.decisions = list(_read(path)) if path is not None and path.exists() else []
        self._new = 0

    def add(self, step: str, of: str, name: str, kept: bool, why: str) -> None:
        """Note a decision; `save` writes it down."""
        self.decisions.append(Decision(step, of, name, kept, why))
        self._new += 1

    def save(self) -> None:
        """Write what is new."""
        if self.path is not None and self._new:
            with self.path.open("a", encoding="utf-8") as file:
                for decision in self.decisions[-self._new :]:
                    file.write(json.dumps(asdict(decision), ensure_ascii=False) + "\n")
        self._new = 0

    def counts(self) -> dict[str, int]:
        """How many decisions of each kind, as ``step of why``."""
        found = Counter(f"{d.step} {d.of}: {d.why}" for d in self.decisions)
        return dict(sorted(found.items()))


def _read(path: Path) -> Iterator[Decision]:
    for where, row in json_lines(path):
        try:
            yield Decision(**row)
        except TypeError:
            raise BadInput(f"{where}: no decision") from None
