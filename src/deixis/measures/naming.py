"""How differently people name and cut figures: SND, PND and PSA of each tangram.

SND is the naming divergence of whole descriptions, PND that of the distinct part names of each
annotation, PSA the agreement on which pieces form a part (Ji et al., EMNLP 2022).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deixis.dataset import Annotation, Dataset
from deixis.measures.correlation import Correlation, correlate
from deixis.measures.divergence import resampled_divergence, resamples, shares
from deixis.measures.section import Figure, Options, Section, Table
from deixis.measures.segmentation import agreements, resampled_agreement
from deixis.measures.stems import stems
from deixis.plain import number
from deixis.seeds import draw

Floats = NDArray[np.float64]

NAMES = ("snd", "pnd", "psa")
TITLES = {
    "snd": "shape naming divergence",
    "pnd": "part naming divergence",
    "psa": "part segmentation agreement",
}
PAIRS = (("snd", "pnd"), ("pnd", "psa"), ("psa", "snd"))
EXACT = 1e-12
"""Values nearer than this to published ones agree."""


@dataclass(frozen=True)
class Naming:
    """The three measures of one picture; None where they are undefined.

    Attributes:
        n: annotations.
        values: by name.
        drawn: values of resamples by name, shape (B,).
    """

    n: int
    values: Mapping[str, float | None]
    drawn: Mapping[str, Floats]


def by_picture(annotations: Iterable[Annotation]) -> dict[str, list[Annotation]]:
    """Annotations of each picture, in their order."""
    found: dict[str, list[Annotation]] = {}
    for annotation in annotations:
        found.setdefault(annotation.picture, []).append(annotation)
    return found


def part_stems(annotation: Annotation) -> list[str]:
    """Stems of the distinct part names of one annotation.

    >>> part_stems(Annotation("1", "1", "dog", ("a tail", "its legs"), None))
    ['tail', 'leg']
    """
    return [w for name in dict.fromkeys(annotation.parts) for w in stems(name)]


def measured(annotations: Sequence[Annotation], times: int = 0, seed: int = 0) -> Naming:
    """SND, PND and PSA of the annotations of one picture, and of resamples of them.

    Args:
        annotations: of one picture, in any order.
        times: how many resamples.
        seed: of the resamples; each picture has its own draw.

    >>> dogs = [Annotation(str(i), "1", "dog", ("tail", t), (0, 0, 1)) for i, t in enumerate("ab")]
    >>> measured(dogs).values
    {'snd': 0.0, 'pnd': 0.25, 'psa': 3.0}
    """
    n = len(annotations)
    if n < 2:
        return Naming(n, dict.fromkeys(NAMES), {})
    counts = resamples(n, times, draw(seed, "naming", annotations[0].picture))
    values: dict[str, float | None] = {}
    drawn: dict[str, Floats] = {}
    for name, lists in (
        ("snd", [stems(a.whole) for a in annotations]),
        ("pnd", [part_stems(a) for a in annotations]),
    ):
        table = shares(lists)
        values[name] = float(resampled_divergence(table, np.ones((1, n), np.int64))[0])
        drawn[name] = resampled_divergence(table, counts)
    pieces = [a.pieces for a in annotations if a.pieces is not None]
    if len(pieces) < n:
        return Naming(n, values | {"psa": None}, drawn)
    met = agreements(pieces)
    values["psa"] = float(resampled_agreement(met, np.ones((1, n), np.int64))[0])
    drawn["psa"] = resampled_agreement(met, counts)
    return Naming(n, values, drawn)


def naming(dataset: Dataset, options: Options) -> Section:
    """The section on naming of a dataset of annotations."""
    found: dict[str, Naming] = {}
    groups = by_picture(dataset.records.values())
    for done, (picture, group) in enumerate(groups.items()):
        options.progress("naming", done, len(groups))
        found[picture] = measured(group, options.resamples, options.seed)
    known = {n: [f for f in found.values() if f.values[n] is not None] for n in NAMES}
    spread = {n: _spread([f.values[n] for f in known[n]]) for n in NAMES}
    related = _correlations(found)
    splits = by_split(dataset)
    steady = stability(splits)
    published = dataset.extras.get("measures", {})
    compared = _compared(splits, published)
    places = {n: ranks(found, n) for n in NAMES}
    fields = {
        "tangrams": {
            p: _row(f) | {f"{n}_rank": at[p] for n, at in places.items() if p in at}
            for p, f in found.items()
        },
        "naming": spread,
        "correlations": _named(related),
        "correlations_of_published": {s: _named(_published(v)) for s, v in published.items()},
        "rank_stability": _steady(steady),
        "rank_stability_of_published": _steady(stability(_turned(published))),
        "published": compared,
    }
    tables = [_summary(spread, found), *_related(related, steady)]
    return Section(fields, tables, _figures(found), [*_undefined(found), *_deviations(compared)])


Values = Mapping[str, Mapping[str, float | None]]
"""Of each picture, the three measures by name."""


def by_split(dataset: Dataset) -> dict[str, Values]:
    """The measures of each picture that has two annotations in a split, for each split."""
    return {
        split: {
            picture: measured(group).values
            for picture, group in by_picture(dataset.records[i] for i in ids).items()
            if len(group) > 1
        }
        for split, ids in dataset.splits.items()
    }


def stability(splits: Mapping[str, Values]) -> dict[tuple[str, str], dict[str, Correlation]]:
    """How alike two splits rank the pictures that both annotate, for each two splits.

    Args:
        splits: as `by_split` gives them.
    """
    found = {}
    for one, other in combinations(splits, 2):
        common = [p for p in splits[one] if p in splits[other]]
        by_name = {
            name: correlate(
                [splits[one][p][name] for p in common], [splits[other][p][name] for p in common]
            )
            for name in NAMES
        }
        if any(c.n > 2 for c in by_name.values()):
            found[one, other] = by_name
    return found


def ranks(found: Mapping[str, Naming], name: str) -> dict[str, tuple[float, float]]:
    """Where each picture stands among all, from 1 (lowest): 95 % of resamples."""
    pictures = [p for p, f in found.items() if name in f.drawn and len(f.drawn[name])]
    if not pictures:
        return {}
    table = np.column_stack([found[p].drawn[name] for p in pictures])
    places = 1.0 + table.argsort(axis=1, kind="stable").argsort(axis=1)
    low, high = np.percentile(places, [2.5, 97.5], axis=0)
    return {p: (float(a), float(b)) for p, a, b in zip(pictures, low, high, strict=True)}


def _row(found: Naming) -> dict[str, Any]:
    row: dict[str, Any] = {"n": found.n, **found.values}
    for name, drawn in found.drawn.items():
        row[f"{name}_interval"] = _interval(drawn)
    return row


def _interval(drawn: Floats) -> tuple[float, float] | None:
    kept = drawn[~np.isnan(drawn)]
    if not len(kept):
        return None
    low, high = np.percentile(kept, [2.5, 97.5])
    return float(low), float(high)


def _spread(values: Sequence[float | None]) -> dict[str, float | int | None]:
    """Mean and population standard deviation."""
    if not values:
        return {"n": 0, "mean": None, "sd": None}
    array = np.array(values, np.float64)
    return {"n": len(values), "mean": float(array.mean()), "sd": float(array.std())}


def _correlations(found: Mapping[str, Naming]) -> dict[tuple[str, str], Correlation]:
    rows = [f.values for f in found.values()]
    return {(a, b): correlate([r[a] for r in rows], [r[b] for r in rows]) for a, b in PAIRS}


def _published(by_name: Mapping[str, Mapping[str, float]]) -> dict[tuple[str, str], Correlation]:
    """The same of published values."""
    ids = by_name["snd"]
    return {
        (a, b): correlate([by_name[a].get(i) for i in ids], [by_name[b].get(i) for i in ids])
        for a, b in PAIRS
        if a in by_name and b in by_name
    }


def _turned(published: Mapping[str, Mapping[str, Mapping[str, float]]]) -> dict[str, Values]:
    """Published values by set of annotations and tangram, those of the dense tangrams."""
    return {
        split: {p: {n: by_name[n].get(p) for n in NAMES} for p in by_name["snd"]}
        for split, by_name in published.items()
        if split.startswith("dense") and by_name.keys() >= set(NAMES)
    }


def _steady(found: Mapping[tuple[str, str], Mapping[str, Correlation]]) -> dict[str, Any]:
    return {
        f"{a}/{b}": {n: c.fields() for n, c in by_name.items()} for (a, b), by_name in found.items()
    }


def _named(related: Mapping[tuple[str, str], Correlation]) -> dict[str, dict[str, Any]]:
    return {f"{a}_{b}": c.fields() for (a, b), c in related.items()}


def _compared(
    splits: Mapping[str, Values], published: Mapping[str, Mapping[str, Mapping[str, float]]]
) -> dict[str, Any]:
    """For each published set of annotations that is at hand: who agrees to 1e-12, who does not."""
    said: dict[str, Any] = {}
    for split, values in splits.items():
        for name, numbers in (published.get(split) or published.get("full", {})).items():
            gaps = {
                p: abs(value - numbers[p])
                for p, v in values.items()
                if (value := v[name]) is not None and p in numbers
            }
            if gaps:
                other = sorted(p for p, gap in gaps.items() if gap > EXACT)
                said.setdefault(split, {})[name] = {
                    "compared": len(gaps),
                    "agree": len(gaps) - len(other),
                    "largest_gap": max(gaps.values()),
                    "differ": other,
                }
    return said


def _summary(spread: Mapping[str, Mapping[str, Any]], found: Mapping[str, Naming]) -> Table:
    rows = []
    for name, one in spread.items():
        if one["n"]:
            ordered = sorted((v, p) for p, f in found.items() if (v := f.values[name]) is not None)
            (low, lowest), (high, highest) = ordered[0], ordered[-1]
            rows.append(
                [f"{name.upper()}, {TITLES[name]}", str(one["n"]), number(one["mean"], 4),
                 number(one["sd"], 4), f"{number(low, 3)} ({lowest})",
                 f"{number(high, 3)} ({highest})"]
            )  # fmt: skip
    return Table("naming", ["", "pictures", "mean", "sd", "lowest", "highest"], rows)


def _related(
    related: Mapping[tuple[str, str], Correlation],
    steady: Mapping[tuple[str, str], Mapping[str, Correlation]],
) -> list[Table]:
    rows = [
        [f"{a.upper()} with {b.upper()}", *c.cells()] for (a, b), c in related.items() if c.defined
    ]
    for (one, other), by_name in steady.items():
        rows += [
            [f"{n.upper()}: {one} with {other}", *c.cells()]
            for n, c in by_name.items()
            if c.defined
        ]
    return [Table("rank correlations (Spearman)", ["", "rho", "n", "p"], rows)] if rows else []


def _undefined(found: Mapping[str, Naming]) -> list[str]:
    """One sentence for each reason why a measure is undefined somewhere."""
    alone = [p for p, f in found.items() if f.n < 2]
    mapless = [p for p, f in found.items() if f.n > 1 and f.values["psa"] is None]
    said = []
    for pictures, what in (
        (alone, "have one annotation only: SND, PND and PSA are undefined for them"),
        (mapless, "lack the pieces of some annotation: PSA is undefined for them"),
    ):
        if pictures:
            said.append(f"{len(pictures)} pictures {what} ({_some(pictures)})")
    return said


def _deviations(compared: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return [
        f"{split}: {name.upper()} of {_some(one['differ'])} differs from the published value; "
        f"{one['agree']} of {one['compared']} agree"
        for split, by_name in compared.items()
        for name, one in by_name.items()
        if one["differ"]
    ]


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - 3} more" if len(ids) > 3 else ""
    return ", ".join(ids[:3]) + more


def _figures(found: Mapping[str, Naming]) -> list[Figure]:
    """Every picture's value with its interval, in ascending order; and each two measures."""
    made = []
    for name in NAMES:
        rows = [
            (f.values[name], *interval)
            for f in found.values()
            if name in f.drawn and (interval := _interval(f.drawn[name])) is not None
        ]
        if rows:
            series: dict[str, Any] = {name.upper(): tuple(zip(*sorted(rows), strict=True))}
            made.append(Figure(name, "ranked", TITLES[name], "pictures", name.upper(), series))
    for one, other in PAIRS:
        both = [f for f in found.values() if None not in (f.values[one], f.values[other])]
        if len(both) > 2:
            xs, ys = ([f.values[n] for f in both] for n in (one, other))
            title = f"{one.upper()} and {other.upper()}"
            series = {"pictures": (xs, ys)}
            made.append(
                Figure(f"{one}-{other}", "scatter", title, one.upper(), other.upper(), series)
            )
    return made
