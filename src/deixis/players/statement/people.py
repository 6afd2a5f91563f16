"""People as players: the judgments that come with a dataset, as replies of its raters.

NLVR2 has extra validations of dev and test sets, NLVR five votes for each statement. Nobody is
asked about a sentence of his own. NLVR's label *is* the majority of the five votes, so each rater
is held against the majority of the other four: it is the label, unless his own vote decides; then
the others are divided and his reply counts half. ``people:published`` holds every rater against
the label, as the papers do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deixis.dataset import Judgment, Statement
from deixis.errors import BadInput
from deixis.replies import STATUSES, Replies
from deixis.tasks.task import Task
from deixis.trials import StatementView, opaque

ROLES = ("extra", "eval")
"""Judgments that count as replies; the first validation selected what is in the dataset."""

_SAID = {True: "true", False: "false", None: "nonsense"}


@dataclass(frozen=True, slots=True)
class Reply:
    """What one rater said of one statement.

    Attributes:
        rater: who.
        said: true, false, or None for nonsense.
        decisive: whether without this vote the others are divided.
    """

    rater: str
    said: bool | None
    decisive: bool = False

    @property
    def scores(self) -> tuple[float, float]:
        """Of true and false; equal where nothing is left to hold the reply against."""
        if self.said is None or self.decisive:
            return 0.0, 0.0
        return (1.0, 0.0) if self.said else (0.0, 1.0)


class People:
    """The raters of a dataset; several replies to each view."""

    name = "people"

    def __init__(self, task: Task, *, published: bool = False) -> None:
        """Collect replies.

        Args:
            task: what was judged.
            published: whether to hold raters against labels that their own votes decided.

        Raises:
            BadInput: a statement has no judgments.
        """
        self.revision = "published" if published else "1"
        self._said: dict[str, list[Reply]] = {}
        for trial in task.trials:
            record = task.dataset.records[trial.item]
            found = list(replies_to(record, published=published))
            if not found:
                raise BadInput(f"{task.name}: nobody judged {trial.item}")
            self._said[opaque(trial.id)] = found

    def reply(self, views: Sequence[StatementView]) -> Replies:
        """A row for each rater of each view; nonsense is a refusal.

        Raises:
            BadInput: a view that was altered would not be what people judged; see `at`.
        """
        rows = [(v.id, r) for v in views for r in self._said[v.id]]
        refused = STATUSES.index("refused")
        return Replies(
            tuple(i for i, _ in rows),
            np.array([refused if r.said is None else 0 for _, r in rows], np.uint8),
            np.array([r.scores for _, r in rows]).reshape(-1, 2),
            graded=False,
            raters=tuple(r.rater for _, r in rows),
            raw=tuple(_SAID[r.said] for _, r in rows),
        )

    def at(self, task: Task) -> People:
        """The same people, for the unaltered task only.

        Raises:
            BadInput: under an intervention nobody was asked.
        """
        if task.condition:
            raise BadInput("people: they judged the statements as they are, under no intervention")
        return self


def replies_to(record: Statement, *, published: bool = False) -> Iterator[Reply]:
    """What raters said of a statement, own sentences left out."""
    judged = [j for j in record.judgments if j.role in ROLES]
    for judgment in judged:
        if judgment.worker != record.writer:
            circular = judgment.role == "eval" and not published
            yield Reply(judgment.worker, judgment.said, circular and _decides(judgment, judged))


def _decides(own: Judgment, judged: Sequence[Judgment]) -> bool:
    """Whether the others are divided, so that this vote alone makes the majority."""
    others = [j.said for j in judged if j is not own]
    return own.said is not None and others.count(True) == others.count(False)


def people(argument: str, task: Task) -> People:
    """Build it: ``people``, or ``people:published`` for the papers' circular way.

    Raises:
        BadInput: another argument.
    """
    if argument not in ("", "published"):
        raise BadInput(
            f"people: expected nothing or 'published' behind the colon, got {argument!r}"
        )
    return People(task, published=bool(argument))
