"""Statistics of descriptions of figures by the published recipes: lengths, parts, words, time.

The published means count runs of word characters in each whole and in each distinct part name of an
annotation; the paper says that words are separated by blanks, which is the second row here. The
vocabulary is that of stems with stop words kept (`deixis.measures.stems`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from deixis.dataset import Annotation, Dataset
from deixis.measures.naming import by_picture
from deixis.measures.section import Figure, Options, Section, Table
from deixis.measures.stems import stems
from deixis.plain import number
from deixis.text.tokens import TOKENISERS

RECIPES = ("word characters", "whitespace")
"""Ways of counting words, the published one first."""


def spread(values: Sequence[float]) -> dict[str, float | int] | None:
    """Number, mean, population standard deviation, least and largest; None of nothing.

    >>> spread([1, 3])
    {'n': 2, 'mean': 2.0, 'sd': 1.0, 'min': 1, 'max': 3}
    """
    if not values:
        return None
    array = np.asarray(values)
    return {
        "n": len(values),
        "mean": float(array.mean()),
        "sd": float(array.std()),
        "min": array.min().item(),
        "max": array.max().item(),
    }


def described(annotations: Sequence[Annotation]) -> dict[str, Any]:
    """All statistics of the annotations of one split.

    Args:
        annotations: at least one. What some source does not tell (pieces, workers, times) is None.
    """
    parts = [list(dict.fromkeys(a.parts)) for a in annotations]
    names = [name for own in parts for name in own]
    wholes = [a.whole for a in annotations]
    vocabulary = [{s for t in texts for s in stems(t, stop=False)} for texts in (wholes, names)]
    histogram = Counter(map(len, parts))
    return {
        "annotations": len(annotations),
        "per_picture": spread([len(g) for g in by_picture(annotations).values()]),
        "whole_length": {r: spread(_lengths(wholes, r)) for r in RECIPES},
        "part_length": {r: spread(_lengths(names, r)) for r in RECIPES},
        "parts": spread([len(own) for own in parts]),
        "parts_histogram": {str(n): histogram[n] for n in sorted(histogram)},
        "pieces": spread(_pieces(annotations)),
        "vocabulary": {
            "whole": len(vocabulary[0]),
            "part": len(vocabulary[1]),
            "both": len(vocabulary[0] | vocabulary[1]),
        },
        "workers": spread(list(Counter(a.worker for a in annotations if a.worker).values())),
        "seconds": _seconds(annotations),
        "actions": _actions(annotations),
        "oddities": {name: sum(map(rule, annotations)) for name, rule in ODDITIES.items()},
    }


ODDITIES: Mapping[str, Callable[[Annotation], bool]] = {
    "a part is UNKNOWN": lambda a: "UNKNOWN" in a.parts,
    "one part only": lambda a: len(set(a.parts)) == 1,
    "the only part repeats the whole": lambda a: a.parts == (a.whole,),
    "the whole has no word that counts": lambda a: not stems(a.whole),
    "a part name holds and": lambda a: any(" and " in p for p in a.parts),
    "a part name holds a comma": lambda a: any("," in p for p in a.parts),
}
"""What may be looked at before texts are joined or counted."""


def descriptions(dataset: Dataset, options: Options) -> Section:
    """The section on descriptions of a dataset of annotations."""
    found = {
        split: described([dataset.records[i] for i in ids])
        for split, ids in dataset.splits.items()
        if ids
    }
    histogram = {
        split: (list(one["parts_histogram"]), _shares(one)) for split, one in found.items()
    }
    figure = Figure(
        "parts", "bars", "parts in an annotation", "parts", "share of annotations", histogram
    )
    # Bars of several splits stand side by side only where they have the same numbers of parts.
    same = len({tuple(xs) for xs, _ in histogram.values()}) == 1
    return Section({"descriptions": found}, [_table(found), _odd(found)], [figure] if same else [])


def _lengths(texts: Sequence[str], recipe: str) -> list[int]:
    return [len(TOKENISERS[recipe](text)) for text in texts]


def _pieces(annotations: Sequence[Annotation]) -> list[int]:
    """Pieces of each part, where they are known."""
    return [
        n for a in annotations if a.pieces is not None for n in Counter(a.pieces).values()
    ]  # fmt: skip


def _seconds(annotations: Sequence[Annotation]) -> dict[str, float] | None:
    """From the whole to the last action on parts."""
    times = [
        (datetime.fromisoformat(max(s.time for s in a.actions)) - datetime.fromisoformat(a.time))
        .total_seconds()
        for a in annotations
        if a.time and a.actions
    ]  # fmt: skip
    if not times:
        return None
    return {"n": len(times), "median": float(np.median(times)), "max": max(times)}


def _actions(annotations: Sequence[Annotation]) -> dict[str, Any] | None:
    logs = [a.actions for a in annotations if a.actions]
    if not logs:
        return None
    made: dict[str, Any] = dict(spread([len(log) for log in logs]) or {})
    made["actions"] = sum(map(len, logs))
    made["undone"] = sum(not step.final for log in logs for step in log)
    return made


def _shares(one: Mapping[str, Any]) -> list[float]:
    return [n / one["annotations"] for n in one["parts_histogram"].values()]


def _table(found: Mapping[str, Any]) -> Table:
    lines: list[tuple[str, Callable[[Mapping[str, Any]], str]]] = [
        ("annotations", lambda d: f"{d['annotations']:,}"),
        ("pictures", lambda d: f"{d['per_picture']['n']:,}"),
        ("annotations of a picture", lambda d: _mean(d["per_picture"])),
        *((f"words in a whole ({r})", lambda d, r=r: _mean(d["whole_length"][r])) for r in RECIPES),
        *((f"words in a part ({r})", lambda d, r=r: _mean(d["part_length"][r])) for r in RECIPES),
        ("parts of an annotation", lambda d: _mean(d["parts"])),
        ("pieces of a part", lambda d: _mean(d["pieces"])),
        ("vocabulary of wholes", lambda d: f"{d['vocabulary']['whole']:,}"),
        ("vocabulary of parts", lambda d: f"{d['vocabulary']['part']:,}"),
        ("vocabulary of both", lambda d: f"{d['vocabulary']['both']:,}"),
        ("workers", lambda d: "–" if d["workers"] is None else f"{d['workers']['n']:,}"),
        ("annotations of a worker", lambda d: _mean(d["workers"])),
        ("seconds on parts, median", lambda d: _median(d["seconds"])),
        ("actions of an annotation", lambda d: _mean(d["actions"])),
    ]  # fmt: skip
    rows = [[name, *(line(one) for one in found.values())] for name, line in lines]
    return Table("descriptions: mean (sd), largest", ["", *found], rows)


def _odd(found: Mapping[str, Any]) -> Table:
    rows = [[name, *(f"{one['oddities'][name]:,}" for one in found.values())] for name in ODDITIES]
    return Table("annotations with", ["", *found], rows)


def _mean(one: Mapping[str, Any] | None) -> str:
    if one is None:
        return "–"
    return f"{number(one['mean'], 3)} ({number(one['sd'], 3)}), {one['max']}"


def _median(one: Mapping[str, Any] | None) -> str:
    return "–" if one is None else f"{number(one['median'], 1)}, {number(one['max'], 0)}"
