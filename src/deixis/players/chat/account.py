"""What was asked, what it cost, and which positions were chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from deixis.errors import BadInput

MOST = 12
"""Most options of which the positions are printed; the account has them all."""


@dataclass
class Account:
    """Counts of one player; safe for several threads.

    Attributes:
        price_in: of a million tokens that are sent; None where it is not known.
        price_out: of a million tokens that are written.
        budget: most to be spent by this process; None for no bound.
        asked: requests that the server answered.
        known: requests whose reply was kept from before.
        tokens: sent and written, of requests asked.
        positions: for each number of options, how often each position was chosen.
        statuses: how many replies have each status.
        models: names under which the server answered, with its fingerprint.
        tested: what the self-test said.
    """

    price_in: float | None = None
    price_out: float | None = None
    budget: float | None = None
    asked: int = 0
    known: int = 0
    tokens: list[int] = field(default_factory=lambda: [0, 0])
    positions: dict[int, list[int]] = field(default_factory=dict)
    statuses: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    tested: str = "not needed"

    def __post_init__(self) -> None:
        self._lock = Lock()

    @property
    def cost(self) -> float | None:
        """What was spent, in the currency of the prices; None where they are not known."""
        if self.price_in is None or self.price_out is None:
            return None
        return (self.tokens[0] * self.price_in + self.tokens[1] * self.price_out) / 1e6

    def afford(self) -> None:
        """Refuse a request beyond the budget.

        Raises:
            BadInput: it is spent.
        """
        if self.budget is not None and (self.cost or 0.0) >= self.budget:
            raise BadInput(
                f"the budget of {self.budget:g} is spent after {self.asked} requests; what was "
                "paid for is kept: raise --budget to go on"
            )

    def paid(self, reply: Mapping[str, Any]) -> None:
        """Count a reply of the server."""
        with self._lock:
            self.asked += 1
            self.models[f"{reply['model']} {reply['fingerprint'] or ''}".strip()] += 1
            for i in (0, 1):
                self.tokens[i] += reply["tokens"][i] or 0

    def chose(self, status: str, k: int, position: int | None) -> None:
        """Count what a reply said of k options."""
        with self._lock:
            self.statuses[status] += 1
            if position is not None:
                self.positions.setdefault(k, [0] * k)[position] += 1

    def json(self) -> dict[str, Any]:
        """As it is written beside a run."""
        return {
            "schema": "deixis/account/1",
            "asked": self.asked,
            "known": self.known,
            "tokens_in": self.tokens[0],
            "tokens_out": self.tokens[1],
            "cost": self.cost,
            "statuses": dict(self.statuses),
            "positions": {str(k): counts for k, counts in sorted(self.positions.items())},
            "models": dict(self.models),
            "self_test": self.tested,
        }

    def table(self) -> list[str]:
        r"""Which positions were chosen, as lines of a table; none where nothing was.

        A model that reads its options chooses each position as often as the answer stands there:
        with ``--orders cyclic``, evenly.

        >>> account = Account(positions={2: [3, 1]})
        >>> print(*account.table(), sep="\n")
        chosen of      1      2  evenly
                2    75%    25%     50%
        """
        counted = {k: counts for k, counts in sorted(self.positions.items()) if k <= MOST}
        if not counted:
            return []
        most = max(counted)
        head = "".join(f"{i:>7}" for i in range(1, most + 1))
        lines = [f"chosen of{head}  evenly"]
        for k, counts in counted.items():
            shares = "".join(f"{f'{c / sum(counts):.0%}':>7}" for c in counts)
            lines.append(f"{k:>9}{shares:<{7 * most}}{f'{1 / k:.0%}':>8}")
        return lines

    def __str__(self) -> str:
        cost = "" if self.cost is None else f", cost {self.cost:.4g}"
        return (
            f"{self.asked:,} requests and {self.known:,} known from before; tokens "
            f"{self.tokens[0]:,} in, {self.tokens[1]:,} out{cost}; self-test: {self.tested}"
        )
