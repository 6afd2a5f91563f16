"""Which pieces make which part? The second stage of annotating a tangram.

What somebody did is kept as a log of steps; the names of the pieces are what the log leads to, and
nothing else: page, server and export replay the same log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from pydantic import Field

from deixis.collect.study import Model
from deixis.collect.trial import Act, Pictures, Profile, Refused, Score, TrialType
from deixis.collect.trial_types.texts import UNKNOWN, check_text, normal

PIECES = range(1, 8)


class Example(Model):
    """How somebody might divide the picture: names, and for each piece the place of its name."""

    parts: tuple[str, ...]
    pieces: tuple[int, ...]


class Figure(Model):
    """The picture with numbered pieces, what its whole was called, and examples for simulation."""

    drawing: dict[str, Any]
    whole: str = ""
    examples: tuple[Example, ...] = ()


class Step(Model):
    """One step: a name for selected pieces, "I don't know" for them, or a part taken back.

    Attributes:
        do: what was done.
        name: as typed; of the part that is taken back.
        pieces: the selected ones, in the order of selection; none for a part taken back.
        ms: milliseconds since the page was shown.
    """

    do: Literal["name", "unknown", "remove"]
    name: str = Field(default="", max_length=2_000)
    pieces: tuple[int, ...] = Field(default=(), max_length=7)
    ms: float = Field(default=0, ge=0, le=1e12)


class Marks(Model):
    """The log, and the names that the page takes it to lead to."""

    log: tuple[Step, ...] = Field(max_length=500)
    parts: dict[str, str] = Field(max_length=7)


@dataclass(frozen=True, slots=True)
class Naming:
    """A step of the log that gave a name, as KiloGram records it.

    Attributes:
        index: from 0.
        name: in normal form.
        pieces: the whole group after the step, the newly named first.
        final: whether it is the last step of a group that is there in the end.
        ms: milliseconds since the page was shown.
    """

    index: int
    name: str
    pieces: tuple[int, ...]
    final: bool
    ms: float


def replay(log: Sequence[Step]) -> tuple[dict[int, str], list[Naming]]:
    """Where a log leads: the name of each piece, and the steps that gave names.

    >>> steps = [Step(do="name", name="leg", pieces=(1,)), Step(do="name", name="leg", pieces=(3,))]
    >>> named, namings = replay(steps)
    >>> named, [(n.pieces, n.final) for n in namings]
    ({3: 'leg', 1: 'leg'}, [((1,), False), ((3, 1), True)])

    Raises:
        Refused: a step that the page cannot have allowed.
    """
    groups: dict[str, tuple[int, ...]] = {}
    last: dict[str, int] = {}
    namings: list[tuple[str, tuple[int, ...], float]] = []
    for number, step in enumerate(log, start=1):
        name = UNKNOWN if step.do == "unknown" else normal(step.name)
        if step.do == "remove":
            if name not in groups or step.pieces:
                raise Refused(f"Step {number} takes back a part that is not there.")
            del groups[name], last[name]
            continue
        if step.do == "name":
            check_text(step.name, "The name")
        _check_pieces(number, step.pieces, groups)
        groups[name] = (*step.pieces, *groups.get(name, ()))
        last[name] = len(namings)
        namings.append((name, groups[name], step.ms))
    final = set(last.values())
    made = [Naming(i, n, p, i in final, ms) for i, (n, p, ms) in enumerate(namings)]
    return {piece: name for name, pieces in groups.items() for piece in pieces}, made


def _check_pieces(number: int, pieces: Sequence[int], groups: Mapping[str, Sequence[int]]) -> None:
    taken = {p for group in groups.values() for p in group}
    if not pieces or len(set(pieces)) < len(pieces) or not set(pieces) <= set(PIECES) - taken:
        raise Refused(f"Step {number} names pieces that are not free: {list(pieces)}.")


class AnnotatePartsType(TrialType[Figure, Marks]):
    """Pieces are selected and named until all seven have a name."""

    name = "annotate_parts"
    stimulus = Figure
    response = Marks

    def page(self, stimulus: Figure, pictures: Pictures) -> dict[str, Any]:
        """The picture and what the whole was called."""
        return {"drawing": stimulus.drawing, "whole": stimulus.whole}

    def check(self, stimulus: Figure, response: Marks) -> None:
        """The log leads to a name for every piece, and to those that the page shows."""
        named, _ = replay(response.log)
        if len(named) < len(PIECES):
            raise Refused(f"All seven pieces need a name; {len(named)} have one.")
        if {str(p): n for p, n in named.items()} != response.parts:
            raise Refused("The steps do not lead to the names on the page; please reload it.")

    def score(self, stimulus: Figure, response: Marks) -> Score:
        """Names of pieces, with hints for reviewers."""
        named, _ = replay(response.log)
        flags = ["a name holds “and”"] if any(" and " in n for n in named.values()) else []
        if len(set(named.values())) == 1:
            flags.append("all pieces have one name")
        parts = {str(piece): named[piece] for piece in PIECES}
        return Score({"parts": parts}, flags=tuple(flags))

    def simulate(self, stimulus: Figure, rng: np.random.Generator, profile: Profile) -> Marks:
        """An example piece by piece, with second thoughts."""
        known = bool(stimulus.examples) and rng.random() < profile.skill
        example = _any_example(rng)
        if known:
            example = stimulus.examples[int(rng.integers(len(stimulus.examples)))]
        log = tuple(_steps(example, rng, profile))
        named, _ = replay(log)
        return Marks(log=log, parts={str(p): n for p, n in named.items()})

    def acts(self, stimulus: Figure, response: Marks) -> list[Act]:
        """Pick pieces, name them, take parts back, submit."""
        made: list[Act] = []
        order: list[str] = []
        for step in response.log:
            name = UNKNOWN if step.do == "unknown" else normal(step.name)
            if step.do == "remove":
                place = order.index(name) + 1
                made.append(Act("click", f"[data-parts] > li:nth-of-type({place}) [data-remove]"))
                order.remove(name)
                continue
            made += [Act("click", f"[data-piece='{p}']") for p in step.pieces]
            if step.do == "unknown":
                made.append(Act("click", "[data-unknown]"))
            else:
                made += [
                    Act("fill", "[data-name]", step.name),
                    Act("press", "[data-name]", "Enter"),
                ]
            order += [] if name in order else [name]
        return [*made, Act("click", "[data-submit]")]


def _any_example(rng: np.random.Generator) -> Example:
    pieces = rng.integers(0, 3, 7)
    order = list(dict.fromkeys(pieces.tolist()))
    names = [("head", "body", "θ-tail")[i] for i in range(len(order))]
    return Example(parts=tuple(names), pieces=tuple(order.index(p) for p in pieces))


def _steps(example: Example, rng: np.random.Generator, profile: Profile) -> Iterator[Step]:
    """Name part after part; now and then in two steps, wrongly at first, or not at all."""
    clock = 0.0

    def after() -> float:
        nonlocal clock
        clock += float(rng.gamma(4, profile.seconds * 60))
        return round(clock, 1)

    for place in rng.permutation(len(example.parts)):
        name = example.parts[place]
        pieces = [p for p, part in zip(PIECES, example.pieces, strict=True) if part == place]
        pieces = [int(p) for p in rng.permutation(pieces)]
        habit = rng.random()
        if habit < 0.1:
            yield Step(do="name", name="thing", pieces=tuple(pieces), ms=after())
            yield Step(do="remove", name="thing", ms=after())
        if habit > 0.95:
            yield Step(do="unknown", pieces=tuple(pieces), ms=after())
        elif len(pieces) > 1 and habit > 0.8:
            yield Step(do="name", name=name, pieces=tuple(pieces[:1]), ms=after())
            yield Step(do="name", name=name, pieces=tuple(pieces[1:]), ms=after())
        else:
            yield Step(do="name", name=name, pieces=tuple(pieces), ms=after())


ANNOTATE_PARTS = AnnotatePartsType()
