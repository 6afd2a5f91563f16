"""What a rule finds, and how rules are run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deixis.progress import Progress, quiet

SEVERITIES = ("error", "warning", "note")
"""An error should stop a release, a warning should be answered for, a note is told."""


@dataclass(frozen=True)
class Finding:
    """One thing that a rule found.

    Attributes:
        rule: its name.
        severity: one of `SEVERITIES`.
        message: one sentence.
        fix: what to do about it, one sentence.
        ids: records or pictures concerned.
        evidence: numbers and texts behind the message.
        pictures: names of pictures to be seen side by side.
    """

    rule: str
    severity: str
    message: str
    fix: str = ""
    ids: Sequence[str] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    pictures: Sequence[str] = ()

    def fields(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "ids": list(self.ids),
            "message": self.message,
            "evidence": dict(self.evidence),
            "fix": self.fix,
        }


@dataclass(frozen=True)
class LintOptions:
    """How rules look.

    Attributes:
        seed: of folds and contexts.
        folds: of cross-validation.
        by_writer: whether folds keep each writer's statements together, too.
        distance: bits by which hashes of near pictures may differ.
        overlap: intersection over union above which silhouettes are near.
        share: share of the records from which on one annotator dominates.
        progress: told how far long work is.
    """

    seed: int = 0
    folds: int = 10
    by_writer: bool = False
    distance: int = 4
    overlap: float = 0.92
    share: float = 0.2
    progress: Progress = quiet


def some(ids: Sequence[str], most: int = 3) -> str:
    """The first few of a list, for a sentence.

    >>> some(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = f" and {len(ids) - most:,} more" if len(ids) > most else ""
    return ", ".join(ids[:most]) + more


def plural(n: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> plural(1, "text"), plural(1200, "text")
    ('1 text', '1,200 texts')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"
