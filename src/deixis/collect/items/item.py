"""One example, from its writing to its end, as a state machine.

After NLVR2 (Suhr et al., ACL 2019): a sentence is judged once of each of its four pairs; where the
judgment is not what its writer meant, or is that the sentence makes no sense, the example is
dropped. Those of dev and test are judged four more times, and dropped where two or more disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from deixis.errors import BadInput

Verdict = Literal["true", "false", "nonsense"]
State = Literal["written", "validated", "kept", "dropped"]

EXTRA = 4
"""Further judgments of each example of dev and test."""

DISSENT = 2
"""So many of them against the label drop an example."""

PAIRS = 4
CHOSEN = 2


@dataclass(frozen=True, slots=True)
class Writing:
    """A sentence about eight pictures.

    Attributes:
        set: id of the set of eight.
        number: 0 or 1: at most two sentences are written about a set.
        writer: who wrote it.
        sentence: as written.
        pictures: keys of the eight, pairs side by side.
        chosen: the two pairs of which it is to be true.
    """

    set: str
    number: int
    writer: str
    sentence: str
    pictures: tuple[str, ...]
    chosen: tuple[int, ...]

    def __post_init__(self) -> None:
        pairs = set(self.chosen)
        whole = len(self.pictures) == 2 * PAIRS and self.number in (0, 1)
        if not whole or len(pairs) != CHOSEN or not pairs <= set(range(PAIRS)):
            raise BadInput(
                f"set {self.set}: a sentence is about eight pictures, and true of two of four pairs"
            )


@dataclass(frozen=True, slots=True)
class Judgment:
    """What somebody said of an example."""

    worker: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence with one pair.

    Attributes:
        writing: the sentence.
        pair: 0 to 3.
        state: how far it is.
        why: why it was kept or dropped.
        judgments: in order; the first is the validation.
    """

    writing: Writing
    pair: int
    state: State = "written"
    why: str = ""
    judgments: tuple[Judgment, ...] = ()

    @property
    def id(self) -> str:
        """Set, pair and sentence."""
        return f"{self.writing.set}-{self.pair}-{self.writing.number}"

    @property
    def label(self) -> bool:
        """Whether the sentence is to be true of the pair."""
        return self.pair in self.writing.chosen

    @property
    def extra(self) -> tuple[Judgment, ...]:
        """Judgments after the validation."""
        return self.judgments[1:]


def items(writing: Writing) -> list[Item]:
    """The four examples of a sentence."""
    return [Item(writing, pair) for pair in range(PAIRS)]


def judge(item: Item, worker: str, verdict: Verdict) -> Item:
    """The example after one more judgment.

    Raises:
        BadInput: by its writer, by somebody who judged it already, or when it is at its end.

    >>> one = items(Writing("7", 0, "ann", "Two dogs.", tuple("abcdefgh"), (0, 2)))[0]
    >>> judge(one, "bob", "true").state, judge(one, "bob", "nonsense").why
    ('validated', 'nonsense')
    """
    if worker == item.writing.writer:
        raise BadInput(f"example {item.id}: nobody judges a sentence of their own")
    if any(j.worker == worker for j in item.judgments):
        raise BadInput(f"example {item.id}: {worker} has judged it already")
    if item.state in ("kept", "dropped"):
        raise BadInput(f"example {item.id}: it is {item.state} already")
    said = (*item.judgments, Judgment(worker, verdict))
    if item.state == "validated":
        return replace(item, judgments=said)
    if verdict == "nonsense":
        return replace(item, judgments=said, state="dropped", why="nonsense")
    agrees = (verdict == "true") == item.label
    state: State = "validated" if agrees else "dropped"
    return replace(item, judgments=said, state=state, why="" if agrees else "not as written")


def decide(item: Item, *, extra: int = 0) -> Item:
    """Keep or drop a validated example.

    Args:
        item: an example; at its end already, or not validated yet, it stays as it is.
        extra: how many further judgments it must have: four in dev and test.

    Raises:
        BadInput: it has too few.
    """
    if item.state != "validated":
        return item
    if len(item.extra) < extra:
        raise BadInput(f"example {item.id}: has {len(item.extra)} of {extra} further judgments")
    against = sum(j.verdict != ("true" if item.label else "false") for j in item.extra)
    dropped = extra > 0 and against >= DISSENT
    return replace(
        item, state="dropped" if dropped else "kept", why="disputed" if dropped else "agreed"
    )


def fold(item: Item, said: Sequence[Judgment], *, extra: int) -> Item:
    """An example after all its judgments; those after its end change nothing.

    Args:
        item: as it was written.
        said: in order.
        extra: how many further judgments it must have before it is kept.

    >>> one = items(Writing("7", 0, "ann", "Two dogs.", tuple("abcdefgh"), (0, 2)))[0]
    >>> fold(one, [Judgment("bob", "true")], extra=0).state
    'kept'
    """
    for one in said:
        if item.state in ("kept", "dropped"):
            return item
        item = judge(item, one.worker, one.verdict)
        if item.state == "validated" and len(item.extra) >= extra:
            item = decide(item, extra=extra)
    return item


def needed(item: Item, extra: int) -> int:
    """How many judgments an example still needs."""
    if item.state == "written":
        return 1 + extra
    return max(extra - len(item.extra), 0) if item.state == "validated" else 0


def eight(pictures: Sequence[str], marks: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], str]:
    """The eight pictures of a set that go on, and why it goes on or not.

    A picture is out where more than half of the raters marked it, for whatever reason.

    Args:
        pictures: keys, most similar to the first one first.
        marks: for each rater a mark for each picture: fine, absent or uninteresting.

    >>> eight("abcdefghij", [["fine"] * 3 + ["absent"] + ["fine"] * 6])
    (('a', 'b', 'c', 'e', 'f', 'g', 'h', 'i'), 'kept')
    >>> eight("abcdefgh", [["absent"] + ["fine"] * 7])
    ((), 'fewer than eight pictures')
    """
    out = [sum(m[i] != "fine" for m in marks) * 2 > len(marks) for i in range(len(pictures))]
    kept = tuple(p for p, gone in zip(pictures, out, strict=True) if not gone)
    if len(kept) < 2 * PAIRS:
        return (), "fewer than eight pictures"
    return kept[: 2 * PAIRS], "kept"
