"""A cell: one player, one condition, one set of seeds."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field

from deixis.seeds import Seeds


@dataclass(frozen=True, slots=True)
class Cell:
    """What one file of a run holds.

    Attributes:
        player: name.
        revision: of its weights.
        condition: interventions at test, as written; empty for none.
        seeds: of the draws.
        trained: interventions in training, as written; empty for none.
    """

    player: str
    revision: str
    condition: str = ""
    seeds: Seeds = field(default_factory=Seeds)
    trained: str = ""

    @property
    def canonical(self) -> str:
        """JSON with sorted keys, no blanks: what the digest is of."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @property
    def digest(self) -> str:
        """Name of its file: 16 hex digits of SHA-256.

        >>> len(Cell("linear", "1").digest)
        16
        """
        return hashlib.sha256(self.canonical.encode()).hexdigest()[:16]
