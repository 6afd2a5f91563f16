"""Maximum entropy on photographs: n-grams crossed with counts of what a detector found.

The MAXENT of Suhr et al. (ACL 2019): n-grams of two to six words conjoined with counts in each
picture and in both, and numbers in the sentence held against counts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from deixis.players.common.saved import CARD, write_card
from deixis.players.statement.detections import Counts, Detections, detections
from deixis.replies import Replies
from deixis.seeds import digest
from deixis.stats.logistic import Logistic
from deixis.tasks.see import views as views_of
from deixis.tasks.statement import NOTHING
from deixis.tasks.task import Task
from deixis.text.spelling import NUMERALS
from deixis.text.vocabulary import words
from deixis.trials import BLANK, StatementView

LONGEST = 6
"""Words in an n-gram, at most."""

MOST = 4
"""Counts are told apart up to this many."""

LEAST = 3
"""Statements in which a feature must fire to be kept."""

STRENGTH = 10.0
"""How much examples count against the penalty."""

_VALUES = {word: i for i, word in enumerate(("no", *list(NUMERALS.values())[:8]))}


def fired(sentence: str, left: Counts, right: Counts) -> Iterator[str]:
    """Names of the features of one statement.

    >>> sorted(fired("two dogs", {"dog": 2}, {}))[:3]
    ['#dog = both', '#dog = left', '#dog > right']
    """
    spoken = words(sentence.lower())
    both = Counter(left) + Counter(right)
    places = {"left": left, "right": right, "both": both}
    grams = [
        " ".join(spoken[i : i + n])
        for n in range(2, LONGEST + 1)
        for i in range(len(spoken) - n + 1)
    ]
    for place, counts in places.items():
        for kind, number in counts.items():
            for gram in (*grams, "", *(w for w in spoken if named(w, kind))):
                yield f"{gram}|{kind}|{place}|{min(number, MOST)}"
    for kind, number in mentioned(spoken, both):
        for place, counts in places.items():
            yield f"#{kind} {_sign(number - counts.get(kind, 0))} {place}"


def mentioned(spoken: Sequence[str], seen: Counts) -> Iterator[tuple[str, int]]:
    """Kinds with the number that stands before them in the sentence."""
    for place, word in enumerate(spoken):
        if word in NUMERALS:
            for kind in seen:
                if any(named(w, kind) for w in spoken[place + 1 : place + 4]):
                    yield kind, _VALUES.get(NUMERALS[word], MOST)


def named(word: str, kind: str) -> bool:
    """Whether a word names a kind, in the singular or a regular plural."""
    last = kind.split()[-1]
    return word in (last, f"{last}s", f"{last}es")


def _sign(difference: int) -> str:
    return "=" if not difference else ">" if difference > 0 else "<"


class Counted:
    """The trained model."""

    name = "maxent-detections"

    def __init__(
        self, task: Task, argument: str, seen: Detections, columns: dict[str, int], model: Logistic
    ) -> None:
        self.store, self.argument, self.seen = task.store, argument, seen
        self.columns, self.model = columns, model
        self.revision = f"{digest(seen.revision, *columns, model.weights.tobytes()):016x}"

    def at(self, task: Task) -> Counted:
        """The same model looking at another task's pictures."""
        return Counted(task, self.argument, self.seen, self.columns, self.model)

    def reply(self, views: Sequence[StatementView]) -> Replies:
        """Log-odds of true, against 0 for false."""
        rows = features(self.seen, self.store, views)
        odds = self.model.odds(matrix(rows, self.columns))
        return Replies.scored(views, [(float(o), 0.0) for o in odds])

    def save(self, folder: Path) -> None:
        """Write features and weights; the detections stay where they are."""
        write_card(
            folder,
            player=self.name,
            kind="statement",
            detections=self.argument,
            bias=self.model.bias,
        )
        (folder / "features.json").write_text(json.dumps(list(self.columns)), "utf-8")
        np.save(folder / "weights.npy", self.model.weights)


def features(seen: Detections, store: Any, views: Sequence[StatementView]) -> list[list[str]]:
    """Names of the features of each view."""
    left = seen.counts(store, [v.left for v in views])
    right = seen.counts(store, [BLANK if v.right == NOTHING else v.right for v in views])
    return [list(fired(v.sentence, a, b)) for v, a, b in zip(views, left, right, strict=True)]


def matrix(rows: Sequence[Sequence[str]], columns: dict[str, int]) -> sparse.csr_array:
    """Rows of unit length, shape (n, features)."""
    places: list[NDArray[np.int64]] = [
        np.array(sorted({columns[f] for f in row if f in columns}), np.int64) for row in rows
    ]
    lengths = np.array([len(p) for p in places])
    values = np.repeat(1 / np.sqrt(np.maximum(lengths, 1)), lengths)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    flat = np.concatenate(places) if len(places) else np.zeros(0, np.int64)
    return sparse.csr_array((values, flat, starts), shape=(len(rows), max(len(columns), 1)))


@dataclass
class CountedLearner:
    """Fits `Counted`.

    Attributes:
        argument: where detections come from, as written.
        seen: the detections.
    """

    argument: str
    seen: Detections
    name: str = Counted.name
    quick: bool = True
    stochastic: bool = False

    def fit(
        self, task: Task, *, dev: Task | None = None, seed: int = 0, folder: Path | None = None
    ) -> Counted:
        """See `Learner`; nothing is drawn, and nothing stopped."""
        rows = features(self.seen, task.store, views_of(task))
        often = Counter(f for row in rows for f in set(row))
        least = min(LEAST, max(often.values(), default=1))
        columns = {f: i for i, f in enumerate(sorted(f for f, n in often.items() if n >= least))}
        labels = np.array([t.label for t in task.trials])
        model = Logistic.fit(matrix(rows, columns), labels, strength=STRENGTH)
        return Counted(task, self.argument, self.seen, columns, model)


class CountedBuilder:
    """Builds ``maxent-detections:FILE.json`` or ``maxent-detections:DETECTOR``."""

    def __call__(self, argument: str, task: Task) -> CountedLearner:
        """Build it; errors as in `detections.detections`."""
        return CountedLearner(argument, detections(argument))

    def load(self, folder: Path, task: Task) -> Counted:
        """Read a kept model; its detections are where they were."""
        card = json.loads((folder / CARD).read_text("utf-8"))
        known = json.loads((folder / "features.json").read_text("utf-8"))
        columns = {name: i for i, name in enumerate(known)}
        model = Logistic(np.load(folder / "weights.npy"), card["bias"])
        argument = card["detections"]
        return Counted(task, argument, detections(argument), columns, model)


maxent_detections = CountedBuilder()
