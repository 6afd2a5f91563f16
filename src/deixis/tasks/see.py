"""`see`: the one function through which every reader gets every trial.

Interventions act here and nowhere else, so a model, a cache key and a person's screen cannot
disagree about what was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any

from deixis.errors import BadInput
from deixis.interventions.condition import Intervention
from deixis.interventions.operator import Given, Operator
from deixis.seeds import draw
from deixis.tasks.edits import Edits, put
from deixis.tasks.task import Channel, Task

_KEPT = 100_000
"""Altered texts of dialogs that are kept."""


def see(task: Task, trial: Any, reader: str | None = None, edits: Edits = ()) -> Any:
    """What one reader gets of one trial under the task's condition and seeds.

    Channels are altered in the task's own order, whatever the order in which interventions were
    written; then edits are made; then options are put in shown order. Nothing of the answer is in
    the result.

    Args:
        task: the task, with its condition.
        trial: one of its trials; in a dialog that is being made, with what was said so far.
        reader: who reads; by default the first of the task's readers.
        edits: values put by hand in this trial, besides those that the task holds.

    Raises:
        BadInput: an intervention's argument is wrong, or an edit's value.
    """
    position = task.position(trial)
    view = _altered(task, trial, position, reader or task.readers[0])
    edits = (*task.edits.get(trial.id, ()), *edits)
    if edits:
        view = put(task, view, edits, reader or task.readers[0])
    return view.shown(task.order(position)) if trial.shuffled else view


def views(task: Task, reader: str | None = None) -> list[Any]:
    """Every trial as that reader gets it, in the order of the trials."""
    return [see(task, t, reader) for t in task.trials]


@dataclass(frozen=True, slots=True)
class Dose:
    """How much an intervention altered in one trial.

    Attributes:
        altered: whether anything was.
        values: how many of the channel values (texts, pictures, rounds) changed.
        tokens: how many words changed.
    """

    altered: bool
    values: int
    tokens: int


def dose(task: Task, base: Task, trial: Any, reader: str | None = None) -> Dose:
    """What `task`'s condition alters in a trial that `base`'s does not.

    Both must hold the same trials and seeds.

    Args:
        task: with the condition that is asked about.
        base: the same without it.
        trial: of both.
        reader: as whom it is seen; the task's first by default.
    """
    position = task.position(trial)
    before = _altered(base, trial, position, reader or task.readers[0])
    after = _altered(task, trial, position, reader or task.readers[0])
    if before == after:
        moved = trial.shuffled and (task.order(position) != base.order(position)).any()
        return Dose(bool(moved), 0, 0)
    values = tokens = 0
    for name in task.atoms:
        channel = task.channels[name]
        old, new = channel.contents(before), channel.contents(after)
        # A picture that is left out has nothing in its place.
        changed = [(a, b) for a, b in zip_longest(old, new) if a != b]
        values += len(changed)
        tokens += sum(_tokens(a, b) for a, b in changed)
    return Dose(True, values, tokens)


def _tokens(old: Any, new: Any) -> int:
    """Words that differ, place by place; a missing word differs."""
    a, b = (_words(v) for v in (old, new))
    shared = sum(x != y for x, y in zip(a, b, strict=False))
    return shared + abs(len(a) - len(b))


def _words(value: Any) -> list[str]:
    if isinstance(value, str):
        return value.split()
    if isinstance(value, tuple) and all(isinstance(v, str) for v in value):
        return " ".join(value).split()
    return []


@dataclass(frozen=True, slots=True)
class _Seat:
    """One reader at one trial."""

    trial: Any
    position: int
    reader: str


def _altered(task: Task, trial: Any, position: int, reader: str) -> Any:
    view = task.view(trial, reader)
    seat = _Seat(trial, position, reader)
    for channel, intervention in _in_order(task):
        if intervention.reader in (None, reader):
            try:
                view = _apply(task, seat, view, channel, intervention)
            except BadInput as error:
                raise BadInput(f"{intervention}: {error}") from None
    return view


def _in_order(task: Task) -> Iterator[tuple[Channel, Intervention]]:
    for channel in task.channels.values():
        for intervention in task.condition:
            if intervention.channel == channel.name:
                yield channel, intervention


def _apply(task: Task, seat: _Seat, view: Any, channel: Channel, intervention: Intervention) -> Any:
    operator = task.operator(intervention)
    values = channel.get(view)
    since = intervention.since or 0
    rounds = channel.rounds(view) if channel.rounds else (0,) * len(values)
    altered = list(values)
    for i, (value, at) in enumerate(zip(values, rounds, strict=True)):
        if at >= since:
            given = partial(_given, task, seat, channel, intervention, i, at)
            make = partial(_made, operator, value, given)
            grows = isinstance(value, str) and channel.rounds is not None
            place = (channel.name, seat.position, i, at, value)
            altered[i] = _once(task, intervention, place, make) if grows else make()
    return channel.put(view, tuple(altered))


def _made(operator: Operator, value: Any, given: Callable[[], Given]) -> Any:
    return operator(value, given())


def _once(
    task: Task, intervention: Intervention, place: tuple[Any, ...], make: Callable[[], Any]
) -> Any:
    """What an operator makes of a text of a dialog that grows.

    Three readers see each of them after every later round, and it is the same each time.
    """
    held = task.memo.setdefault("altered", {})
    key = (intervention.operator, intervention.argument, task.seeds.operator, place)
    if key not in held:
        if len(held) >= _KEPT:
            held.clear()
        held[key] = make()
    return held[key]


def _given(
    task: Task, seat: _Seat, channel: Channel, intervention: Intervention, i: int, at: int
) -> Given:
    trial = seat.trial

    def donor(relation: str = "") -> Any:
        lender = task.donor(seat.position, relation)
        lent = channel.get(task.view(lender, seat.reader))
        return lent[i % len(lent)]

    def partner() -> Any:
        assert channel.partners is not None  # Task.operator has refused the others
        return channel.partners(trial, draw(task.seeds.operator, "swap", trial.id))[i]

    def other(name: str) -> Any:
        assert channel.others is not None  # Task.operator has refused the others
        return channel.others(trial, name)[i]

    return Given(
        argument=intervention.argument,
        seed=task.seeds.operator,
        place=(trial.id, channel.name, str(i)),
        donor=donor,
        partner=partner,
        vocabulary=lambda: task.vocabulary(channel),
        other=other,
        round=at,
        relations=tuple(task.about.relations),
    )
