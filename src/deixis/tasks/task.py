"""A task: trials of one kind, the channels through which they can be read, and a condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis import registry
from deixis.dataset import Dataset, Store
from deixis.errors import BadInput, unknown
from deixis.interventions.condition import Condition, Intervention, parse_condition
from deixis.interventions.operator import Given, Operator
from deixis.seeds import Seeds, keys, stream
from deixis.text.vocabulary import Vocabulary
from deixis.trials import Trial, opaque

ORDER = "order"
"""The kind of channel whose operators change the order in which options are shown."""


@dataclass(frozen=True)
class Channel:
    """One input of a task.

    Attributes:
        name: as it is written in interventions.
        kind: the kind of its values, which says what operators it takes.
        get: the values of this channel in a view, one for each text, picture or round.
        put: the view with other values.
        absent: the operator that takes it away.
        atoms: for an alias, the disjoint channels it stands for; empty for an atom.
        partners: for each value, the one it is exchanged with by ``swap``.
        rounds: for each value, the round it belongs to; None where a task has no rounds.
        content: what of a value is this channel's own: colors and shapes share their pictures.
        reader: the only reader who gets it; None is every reader.
        others: for each value, the one that another source has in its place; None where there is
            no other source.
    """

    name: str
    kind: str
    get: Callable[[Any], tuple[Any, ...]]
    put: Callable[[Any, tuple[Any, ...]], Any]
    absent: str = "drop"
    atoms: tuple[str, ...] = ()
    partners: Callable[[Any, np.random.Generator], tuple[Any, ...]] | None = None
    rounds: Callable[[Any], tuple[int, ...]] | None = None
    content: Callable[[Any], Any] = lambda value: value
    reader: str | None = None
    others: Callable[[Any, str], tuple[Any, ...]] | None = None

    def contents(self, view: Any) -> tuple[Any, ...]:
        """What is this channel's own in each of its values."""
        return tuple(self.content(v) for v in self.get(view))


@dataclass(frozen=True)
class Kind:
    """What all tasks of a kind have in common; a module constant, found by its name.

    Attributes:
        name: reference, statement, guessing, answering or choice.
        channels: by name; atoms first, in the order in which interventions are applied.
        different: whether the second trial may lend its values to the first.
        measures: names of what is measured, the primary one first.
        readers: who may read views; the first of them replies.
        presets: short names of base conditions, such as ``{"text=whole": "parts=drop"}``.
        backward: what is measured instead where the options of a task turn its direction round, so
            that numbers of the two directions cannot be mistaken for one another.
        view: a trial as one reader gets it, before any intervention.
        whole: options that are reset where a task is made anew from some of its records.
        pool: what is told of the pool that is ranked; None where options are few.
        forms: measures instead of the above where a dataset says it is of a form (its extra
            ``form``), such as Winoground's.
        relations: what may be asked of a donor beside being different, by name.
        chance: the primary measure of a guess, where it is no mean of credits.
        labels: the one set of labels that options of all trials are of, as the label of each
            trial's answer; None where there is none.
    """

    name: str
    channels: Mapping[str, Channel]
    different: Callable[[Any, Any], bool]
    measures: tuple[str, ...]
    readers: tuple[str, ...] = ("player",)
    presets: Mapping[str, str] = field(default_factory=dict)
    backward: tuple[str, ...] = ()
    view: Callable[[Any, str], Any] = lambda trial, reader: trial.view()
    whole: Mapping[str, Any] = field(default_factory=dict)
    pool: Callable[[Any], Mapping[str, Any]] | None = None
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    relations: Mapping[str, Callable[[Any, Any], bool]] = field(default_factory=dict)
    chance: Callable[[Any], float] | None = None
    labels: Callable[[Any], Sequence[Hashable] | None] | None = None


@dataclass(frozen=True)
class Task:
    """Trials and all that is needed to play them.

    Attributes:
        kind: name of the kind of all its trials.
        name: the source it was made from, such as ``kilogram:dense``.
        dataset: what it was made from.
        trials: one decision each; a trial's item is the id of its record.
        dropped: how many records could not become trials, by reason.
        condition: the interventions in force.
        seeds: of the draws.
        options: the task options it was made with, for the record.
        readers: who reads it in the game that is played; by default the first of its kind alone.
        edits: values put by hand, by the id of the trial, see `deixis.tasks.edits`.
        memo: what was worked out from these very trials, shared by all conditions.
    """

    kind: str
    name: str
    dataset: Dataset
    trials: tuple[Any, ...]
    dropped: Mapping[str, int] = field(default_factory=dict)
    condition: Condition = ()
    seeds: Seeds = field(default_factory=Seeds)
    options: Mapping[str, Any] = field(default_factory=dict)
    readers: tuple[str, ...] = ()
    edits: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Fill in who reads, and start anew what was worked out from other trials."""
        if self.memo.setdefault("trials", self.trials) is not self.trials:
            object.__setattr__(self, "memo", {"trials": self.trials})
        if not self.readers:
            object.__setattr__(self, "readers", self.about.readers[:1])

    def __len__(self) -> int:
        return len(self.trials)

    def __getstate__(self) -> dict[str, Any]:
        """Without records and what can be made again, so that it is quick to send."""
        slim = replace(self.dataset, records={}, splits={}, extras={})
        return self.__dict__ | {"memo": {"trials": self.trials}, "dataset": slim}

    @property
    def about(self) -> Kind:
        """What this kind of task is like."""
        kind: Kind = registry.find("tasks", "kind", self.kind)
        if self.options.get("direction") == "picture-to-text" and kind.backward:
            return replace(kind, measures=kind.backward)
        form = str(self.dataset.extras.get("form", ""))
        return replace(kind, measures=kind.forms[form]) if form in kind.forms else kind

    @property
    def store(self) -> Store:
        """What turns its pictures into pixels."""
        return self.dataset.store

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The inputs, atoms and aliases, by name; without those that no trial holds a value of."""
        if "channels" not in self.memo:
            self.memo["channels"] = _held(self)
        held: Mapping[str, Channel] = self.memo["channels"]
        return held

    @property
    def cluster(self) -> str:
        """Name of the primary cluster, such as ``tangram``."""
        name: str = self.trials[0].clusters[0][0]
        return name

    @property
    def atoms(self) -> tuple[str, ...]:
        """Names of the disjoint channels."""
        return tuple(c.name for c in self.channels.values() if not c.atoms)

    @property
    def chance(self) -> float:
        """The primary measure of a player that scores all options the same."""
        own = self.about.chance
        return own(self) if own else float(np.mean(self.chances))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many options each trial has, shape (n,)."""
        if "sizes" not in self.memo:
            self.memo["sizes"] = np.array([t.k for t in self.trials], np.int64)
        made: NDArray[np.int64] = self.memo["sizes"]
        return made

    @property
    def chances(self) -> NDArray[np.float64]:
        """Credit of a guess in each trial, shape (n,)."""
        return 1 / self.sizes

    @property
    def best_guess(self) -> float:
        """Accuracy without looking: of the most frequent label, or chance where there are none."""
        labels = self.about.labels(self) if self.about.labels else None
        if labels is None:
            return self.chance
        return Counter(labels).most_common(1)[0][1] / len(labels)

    def do(self, *interventions: str | Intervention) -> Task:
        """The task with more interventions in force; each text may hold several, with commas.

        Raises:
            BadInput: no such channel, reader or operator.
        """
        added: list[Intervention] = []
        for given in interventions:
            added.extend(parse_condition(given) if isinstance(given, str) else (given,))
        for one in added:
            self.operator(one)
        return replace(self, condition=(*self.condition, *added))

    def reseed(self, seeds: Seeds) -> Task:
        """The task with other seeds for its draws; its trials stay."""
        return replace(self, seeds=seeds)

    def only(self, items: Container[str]) -> Task:
        """The task made anew from some of the records: nothing of the others is left in it.

        Args:
            items: ids of records.
        """
        kept = {i: r for i, r in self.dataset.records.items() if i in items}
        splits = {s: tuple(i for i in ids if i in kept) for s, ids in self.dataset.splits.items()}
        dataset = replace(self.dataset, records=kept, splits=splits)
        build = registry.find("tasks", "task", self.kind)
        options = {**self.options, **self.about.whole}
        made: Task = build(dataset, self.name, self.seeds, **options)
        return replace(made, readers=self.readers).do(*self.condition)

    def limit(self, n: int) -> Task:
        """The first n trials in an order drawn by the contexts seed, kept in their own order."""
        ranks = np.argsort(stream(self.seeds.contexts, "limit", self._keys, 1)[:, 0])[:n]
        return replace(self, trials=tuple(self.trials[i] for i in sorted(ranks)))

    def operator(self, intervention: Intervention) -> Operator:
        """The function behind an intervention.

        Raises:
            BadInput: it does not fit this task.
        """
        channel = self.channels.get(intervention.channel)
        if channel is None:
            said = f"{intervention}: a {self.kind} task has no channel {intervention.channel!r}"
            raise unknown(said, intervention.channel, self.channels)
        if intervention.reader is not None and intervention.reader not in self.about.readers:
            raise BadInput(
                f"{intervention}: {self.name} is read by {', '.join(self.about.readers)}"
            )
        if intervention.since is not None and channel.rounds is None:
            raise BadInput(f"{intervention}: {channel.name} has no rounds")
        if intervention.operator == "swap" and channel.partners is None:
            raise BadInput(f"{intervention}: {channel.name} has nothing to swap with")
        if not registry.serves("interventions", intervention.operator, channel.kind):
            said = f"{intervention}: {channel.name} takes no operator {intervention.operator!r}"
            known = registry.names("interventions", channel.kind)
            raise unknown(said, intervention.operator, known)
        if intervention.operator == "from" and channel.others is None:
            raise BadInput(f"{intervention}: {channel.name} has no other source")
        found: Operator = registry.find("interventions", intervention.operator, channel.kind)
        return found

    def last_round(self, channel: str) -> int | None:
        """The last round of any trial in which a channel has a value; None without rounds."""
        held = self.channels[channel]
        if held.rounds is None or not self.trials:
            return None
        key = ("last round", channel)
        if key not in self.memo:
            rounds = (held.rounds(self.view(t, held.reader)) for t in self.trials)
            self.memo[key] = max((r for some in rounds for r in some), default=0)
        last: int = self.memo[key]
        return last

    def view(self, trial: Trial, reader: str | None = None) -> Any:
        """A trial as a reader gets it before any intervention; the first reader by default."""
        return self.about.view(trial, reader or self.readers[0])

    def position(self, trial: Trial) -> int:
        """Where the trial stands in `trials`."""
        return int(self._positions[trial.id])

    def found(self, view_id: str) -> int | None:
        """Where the trial of a view stands, or None if it is not of this task."""
        if "opaque" not in self.memo:
            self.memo["opaque"] = {opaque(t.id): i for i, t in enumerate(self.trials)}
        place: int | None = self.memo["opaque"].get(view_id)
        return place

    def order(self, position: int) -> NDArray[np.int64]:
        """The options of a trial in shown order: the i-th shown is the trial's ``order[i]``."""
        k = self.sizes[position]
        if not self.trials[position].shuffled:
            return np.arange(k)
        key = ("order", self.seeds.order)
        if key not in self.memo:
            widest = int(self.sizes.max())
            self.memo[key] = stream(self.seeds.order, "order", self._keys, widest)
        return self._reordered(np.argsort(self.memo[key][position, :k]), position)

    def _reordered(self, order: NDArray[np.int64], position: int) -> NDArray[np.int64]:
        """The drawn order as interventions on the order leave it."""
        for one in self.condition:
            channel = self.channels.get(one.channel)
            if channel is not None and channel.kind == ORDER:
                place = (self.trials[position].id, ORDER)
                given = Given.alone(one.argument, self.seeds.operator, place)
                order = np.array(self.operator(one)(tuple(order.tolist()), given), np.int64)
        return order

    def vocabulary(self, channel: Channel) -> Vocabulary:
        """The words of a text channel over all trials, unaltered."""
        key = ("vocabulary", channel.name)
        if key not in self.memo:
            values = (v for t in self.trials for v in channel.get(self.view(t)))
            texts = (t for v in values for t in ((v,) if isinstance(v, str) else v))
            self.memo[key] = Vocabulary.of(texts)
        made: Vocabulary = self.memo[key]
        return made

    def donor(self, position: int, relation: str = "") -> Trial:
        """The trial that lends its values to this one under ``shuffle``, see `_derange`.

        Args:
            position: of the trial that gets them.
            relation: one of the kind's relations that must hold between the two, or empty.
        """
        key = ("donors", self.seeds.operator, relation)
        if key not in self.memo:
            self.memo[key] = _derange(self, relation)
        lender: Trial = self.trials[self.memo[key][position]]
        return lender

    @property
    def _keys(self) -> NDArray[np.uint64]:
        if "keys" not in self.memo:
            self.memo["keys"] = keys([t.id for t in self.trials])
        made: NDArray[np.uint64] = self.memo["keys"]
        return made

    @property
    def _positions(self) -> dict[str, int]:
        if "positions" not in self.memo:
            self.memo["positions"] = {t.id: i for i, t in enumerate(self.trials)}
        made: dict[str, int] = self.memo["positions"]
        return made


def _held(task: Task) -> dict[str, Channel]:
    """Channels of which some trial holds a value; aliases stand for these only."""
    channels = task.about.channels
    if not task.trials:
        return dict(channels)
    atoms = {
        name
        for name, channel in channels.items()
        if not channel.atoms and any(channel.get(task.view(t, channel.reader)) for t in task.trials)
    }
    held = {}
    for name, channel in channels.items():
        own = tuple(a for a in channel.atoms if a in atoms)
        if own or name in atoms:
            held[name] = replace(channel, atoms=own)
    return held


def _derange(task: Task, relation: str) -> NDArray[np.int64]:
    """For each trial the position of its donor.

    The donor is the next trial in the cycle ordered by a hash of seed and id, within the same
    stratum, that differs in content: in its cluster, its texts and its candidates. Where a
    stratum holds none, the cycle of all trials is searched. Where a relation is named, it holds
    between the two.

    Raises:
        BadInput: some trial differs from no other.
    """
    ranks = stream(task.seeds.operator, "shuffle", task._keys, 1)[:, 0]
    cycle = [int(i) for i in np.argsort(ranks)]
    strata: dict[str, list[int]] = {}
    for i in cycle:
        strata.setdefault(task.trials[i].stratum, []).append(i)
    donors = np.full(len(cycle), -1)
    for members in strata.values():
        for place, i in enumerate(members):
            donors[i] = _next(task, members, place, relation)
    for place, i in enumerate(cycle):
        if donors[i] < 0:
            donors[i] = _next(task, cycle, place, relation)
        if donors[i] < 0:
            which = f"of {relation.replace('-', ' ')} " if relation else ""
            raise BadInput(
                f"{task.name}: no other trial {which}differs enough from {task.trials[i].id} to "
                "lend it a value; shuffle needs more trials"
            )
    return donors


def _next(task: Task, cycle: list[int], place: int, relation: str) -> int:
    own, about = task.trials[cycle[place]], task.about
    related = about.relations.get(relation)
    for step in range(1, len(cycle)):
        other = cycle[(place + step) % len(cycle)]
        lender = task.trials[other]
        if about.different(own, lender) and (related is None or related(own, lender)):
            return other
    return -1
