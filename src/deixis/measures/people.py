"""How well the people do who judged statements: each worker's share of right judgments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deixis.dataset import Dataset, Statement
from deixis.measures.mixture import Mixture, best, mixtures
from deixis.measures.section import Figure, Options, Section, Table
from deixis.plain import number
from deixis.stats.rates import wilson

LEAST = 100
"""A worker counts from so many judgments on."""

ROLES = ("extra", "eval")
"""Judgments that count: the first validation decided what is in the dataset."""


@dataclass(frozen=True, slots=True)
class Worker:
    """One person's judgments.

    Attributes:
        name: as the source has it.
        right: judgments that are the label.
        n: judgments.
    """

    name: str
    right: int
    n: int

    @property
    def share(self) -> float:
        """Share of right judgments."""
        return self.right / self.n


@dataclass(frozen=True)
class Performance:
    """How well people do; in percent, as the papers print it.

    Attributes:
        workers: those that count, in the order of their names.
        left_out: judgments by the name of the rule that left them out.
        of: how many workers there are.
    """

    workers: tuple[Worker, ...]
    left_out: Mapping[str, int]
    of: int

    @property
    def mean(self) -> float | None:
        """Unweighted mean over workers; None without any."""
        return 100 * float(np.mean([w.share for w in self.workers])) if self.workers else None

    def std(self, ddof: int = 0) -> float | None:
        """Standard deviation over workers: of the population, or with 1 of the sample."""
        if len(self.workers) <= ddof:
            return None
        return 100 * float(np.std([w.share for w in self.workers], ddof=ddof))

    @property
    def micro(self) -> float | None:
        """Mean over judgments; None without any."""
        n = sum(w.n for w in self.workers)
        return 100 * sum(w.right for w in self.workers) / n if n else None


def performance(
    records: Iterable[Statement], *, least: int = LEAST, own: bool = False
) -> Performance:
    """Each worker's share of judgments that are the label (Suhr et al., ACL 2019, section 5).

    Args:
        records: statements with judgments.
        least: a worker counts from so many judgments on.
        own: whether judgments on sentences of one's own count.

    >>> from deixis.dataset import Judgment
    >>> said = tuple(Judgment(w, w != "b", "eval") for w in "abc")
    >>> found = performance([Statement("1", "", True, (), "", "", "", judgments=said)], least=1)
    >>> round(found.mean, 2), found.of
    (66.67, 3)
    """
    counted: dict[str, list[int]] = {}
    left_out = {"on a sentence of one's own": 0, f"of a worker with fewer than {least}": 0}
    for record in records:
        for judgment in record.judgments:
            if judgment.role not in ROLES:
                continue
            row = counted.setdefault(judgment.worker, [0, 0])
            if judgment.worker == record.writer and not own:
                left_out["on a sentence of one's own"] += 1
                continue
            row[0] += judgment.said == record.label
            row[1] += 1
    workers = [Worker(name, right, n) for name, (right, n) in sorted(counted.items())]
    kept = tuple(w for w in workers if w.n >= least and w.n)
    left_out[f"of a worker with fewer than {least}"] = sum(w.n for w in workers if w.n < least)
    return Performance(kept, left_out, len(workers))


def people(dataset: Dataset, options: Options) -> Section:
    """The section on people of a dataset of statements."""
    records: list[Statement] = list(dataset.records.values())
    found = performance(records)
    if not found.of:
        empty = dict.fromkeys(("human_mean", "human_std"), None)
        return Section({**empty, "human_workers": 0}, notes=["no later judgments: no human figure"])
    everybody = performance(records, least=1, own=True)
    fields: dict[str, Any] = {
        "human_mean": found.mean,
        "human_std": found.std(),
        "human_std_sample": found.std(1),
        "human_workers": len(found.workers),
        "human_micro": performance(records, least=1).micro,
        "people": {
            "of": found.of,
            "judgments": sum(w.n for w in found.workers),
            "left_out": dict(found.left_out),
            "with_own": performance(records, own=True).mean,
            "with_everybody": everybody.mean,
            "workers": {w.name: {"right": w.right, "n": w.n} for w in found.workers},
        },
    }
    notes = [f"left out: {n:,} judgments {why}" for why, n in found.left_out.items() if n]
    if not found.workers:
        notes.append(f"no worker has {LEAST} judgments: the human figures are undefined")
        return Section(fields, notes=notes)
    modes = {kind: mixtures(found.workers, kind, options.seed) for kind in ("binomial", "gaussian")}
    fields["mixtures"] = {kind: [m.fields() for m in fitted] for kind, fitted in modes.items()}
    return Section(
        fields, [_table(found, everybody, records), *_modes(modes)], [_figure(found)], notes
    )


def _table(found: Performance, everybody: Performance, records: Sequence[Statement]) -> Table:
    rows = [
        _row(f"workers with {LEAST} judgments, not on own sentences", found),
        _row("the same, own sentences counted", performance(records, own=True)),
        _row("everybody, everything", everybody),
    ]
    columns = ["", "mean %", "sd", "sd (sample)", "workers", "of", "judgments", "all together %"]
    return Table("people", columns, rows)


def _row(name: str, found: Performance) -> list[str]:
    numbers = (found.mean, found.std(), found.std(1))
    cells = ["–" if v is None else number(v, 3) for v in numbers]
    n = sum(w.n for w in found.workers)
    micro = "–" if found.micro is None else number(found.micro, 3)
    return [name, *cells, str(len(found.workers)), str(found.of), f"{n:,}", micro]


def _modes(modes: Mapping[str, Sequence[Mixture]]) -> list[Table]:
    rows = []
    for kind, fitted in modes.items():
        chosen = best(fitted)
        for one in fitted:
            mark = " *" if one is chosen else ""
            rows.append([f"{kind}, {len(one.means)}{mark}", number(one.bic, 1), one.told()])
    title = "mixtures of workers (* the lowest BIC)"
    return [Table(title, ["", "BIC", "means (weights)"], rows)]


def _figure(found: Performance) -> Figure:
    rows = sorted((w.share, *wilson(w.right, w.n)) for w in found.workers)
    series = {"workers": tuple(zip(*rows, strict=True))}
    return Figure("workers", "ranked", "right judgments by worker", "workers", "share", series)
