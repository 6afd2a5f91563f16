"""Workers over rounds: sampled sentences are read by hand, and decide bonuses; what it all cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Literal

from deixis.seeds import draw

SAMPLE = 20
"""Sentences of each writer that are read after a round."""

FULL, SMALL = 0.75, 0.50
"""Shares that must keep to the guidelines for the full, and for the smaller, bonus."""

Bonus = Literal["full", "small", "none"]


def sample(writings: Sequence[str], worker: str, round_: int, *, seed: int = 0) -> list[str]:
    """Ids of the sentences of one writer and round that are to be read, in drawn order."""
    rng = draw(seed, "round", worker, round_)
    return [writings[i] for i in rng.permutation(len(writings))[:SAMPLE]]


def bonus(kept_to: int, read: int) -> Bonus:
    """What a round earns.

    >>> bonus(15, 20), bonus(10, 20), bonus(9, 20), bonus(0, 0)
    ('full', 'small', 'none', 'none')
    """
    if read == 0:
        return "none"
    share = kept_to / read
    return "full" if share >= FULL else "small" if share >= SMALL else "none"


@dataclass(frozen=True, slots=True)
class Paid:
    """Money that went to one worker for one kind of work.

    Attributes:
        task: image pruning, set construction, sentence writing, validation.
        worker: who got it.
        amount: in the currency's main unit.
    """

    task: str
    worker: str
    amount: Decimal


TASKS = ("image pruning", "set construction", "sentence writing", "validation")


def cost_table(paid: Iterable[Paid], sentences: int, examples: int) -> dict[str, Any]:
    """The table of costs: for each kind of work the money and the workers, and unit costs.

    Args:
        paid: all payments.
        sentences: unique ones, of all splits.
        examples: likewise.

    Returns:
        ``rows`` with task, cost and workers, the total last; ``per_sentence``, ``per_example``.

    >>> money = [Paid("validation", "a", Decimal("1.5")), Paid("sentence writing", "a", Decimal(2))]
    >>> made = cost_table(money, 2, 7)
    >>> made["rows"][-1], made["per_example"]
    ({'task': 'total', 'cost': '3.50', 'workers': 1}, '0.50')
    """
    known = list(paid)
    tasks = [*TASKS, *sorted({p.task for p in known} - set(TASKS))]
    rows = []
    for task in [*tasks, "total"]:
        own = [p for p in known if task in (p.task, "total")]
        cost = sum((p.amount for p in own), Decimal(0))
        rows.append({"task": task, "cost": _cents(cost), "workers": len({p.worker for p in own})})
    total = sum((p.amount for p in known), Decimal(0))
    return {
        "rows": rows,
        "per_sentence": _cents(total / sentences) if sentences else None,
        "per_example": _cents(total / examples) if examples else None,
    }


def adherence(reviews: Mapping[str, Sequence[bool]]) -> dict[str, Bonus]:
    """The bonus of each writer, from whether each sentence that was read keeps to the rules."""
    return {worker: bonus(sum(read), len(read)) for worker, read in reviews.items()}


def _cents(amount: Decimal) -> str:
    return str(amount.quantize(Decimal("0.01"), ROUND_HALF_UP))
