"""Linguistic phenomena of sentences: as people marked them, and as rules see them.

Where sentences were marked by hand (800 of NLVR2's dev set), their counts are exact, and the rules
of `deixis.text.phenomena` are scored on them: the rules were written on one half of the marked
sentences, and the figures that count are those of the other half. All other counts are the rules'.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from deixis.dataset import Dataset, Statement
from deixis.lint.items import items
from deixis.measures.section import Figure, Options, Section, Table
from deixis.plain import number, p_value, percent
from deixis.seeds import digest
from deixis.stats.proportions import compare_proportions
from deixis.stats.rates import wilson
from deixis.stats.tests import holm
from deixis.text.phenomena import PHENOMENA, phenomena
from deixis.text.reasoning import BOTH, COMPARES, ONE, REASONING, SIDED, STATES, reasoning

ROLES = {"statement": "sentence", "guessing": "question", "choice": "prompt"}
"""The texts that are sentences, by kind of dataset."""


def _by_name(*shares: float) -> dict[str, float]:
    return dict(zip(PHENOMENA, shares, strict=True))


REPORTED: dict[str, tuple[int, dict[str, float]]] = {
    "NLVR": (200, _by_name(66, 16, 88, 7.5, 17, 3, 66, 3, 19.5, 9.5, 4.5, 23, 2)),
    "VQA": (200, _by_name(11.5, 1, 11.5, 1, 5, 6.5, 42.5, 1, 80, 1, 0, 3, 0)),
}
"""Sentences that were marked, and percent with each phenomenon: reported, and not verified here."""

PRINTED = {STATES: 0.395, SIDED: 0.265, ONE: 0.19, BOTH: 0.11, COMPARES: 0.06}
"""Shares of pair reasoning that the authors printed, of 200 sentences sorted by hand."""


@dataclass(frozen=True, slots=True)
class Score:
    """How well rules find one phenomenon.

    Attributes:
        hits: marked, and found.
        marked: sentences that have it.
        found: sentences that the rules say have it.
    """

    hits: int
    marked: int
    found: int

    @property
    def precision(self) -> float | None:
        """Share of what is found that is marked; None where nothing is found."""
        return self.hits / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        """Share of what is marked that is found; None where nothing is marked."""
        return self.hits / self.marked if self.marked else None

    def fields(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "marked": self.marked,
            "found": self.found,
            "hits": self.hits,
            "precision": self.precision,
            "precision_interval": wilson(self.hits, self.found) if self.found else None,
            "recall": self.recall,
            "recall_interval": wilson(self.hits, self.marked) if self.marked else None,
        }


def held_out(sentence: str) -> bool:
    """Whether a marked sentence is of the half on which the rules were not written."""
    return digest(0, "phenomena", sentence) % 2 == 1


def scores(marked: Mapping[str, Collection[str]]) -> dict[str, Score]:
    """Score the rules on marked sentences, for each phenomenon.

    >>> scores({"There is a dog.": ["existential quantifier"]})["existential quantifier"]
    Score(hits=1, marked=1, found=1)
    """
    found = {}
    for name in PHENOMENA:
        pairs = [(name in names, name in phenomena(text)) for text, names in marked.items()]
        found[name] = Score(
            sum(a and b for a, b in pairs), sum(a for a, _ in pairs), sum(b for _, b in pairs)
        )
    return found


def tallied(sentences: Iterable[str]) -> tuple[int, dict[str, int]]:
    """Distinct sentences, and in how many of them the rules see each phenomenon."""
    distinct = set(sentences)
    counted = Counter(name for text in distinct for name in phenomena(text))
    return len(distinct), {name: counted[name] for name in PHENOMENA}


def differences(
    first: tuple[int, Mapping[str, int]], second: tuple[int, Mapping[str, int]]
) -> dict[str, dict[str, Any]]:
    """Test each phenomenon between two corpora; Holm's adjustment over phenomena.

    Args:
        first: sentences, and how many have each phenomenon.
        second: the same.
    """
    (n, one), (m, other) = first, second
    tests = {name: compare_proportions(one[name], n, other[name], m) for name in PHENOMENA}
    adjusted = holm(np.array([t.p for t in tests.values()]))
    return {
        name: {
            "first": one[name] / n,
            "second": other[name] / m,
            "test": t.test,
            "statistic": t.statistic,
            "p": t.p,
            "p_holm": float(p),
        }
        for (name, t), p in zip(tests.items(), adjusted, strict=True)
    }


def language_phenomena(dataset: Dataset, options: Options) -> Section:
    """The section on phenomena of a dataset of sentences."""
    corpora = _corpora(dataset)
    if options.against is not None:
        corpora |= _corpora(options.against, named=True)
    counts = {name: tallied(texts) for name, texts in corpora.items() if texts}
    if not counts:
        return Section(notes=[f"{dataset.name}: there is no sentence to look for phenomena in"])
    fields: dict[str, Any] = {
        "phenomena_by_rules": {
            name: {"sentences": n, "counts": by_name} for name, (n, by_name) in counts.items()
        }
    }
    tables = [_shares("phenomena by rules, % of distinct sentences", counts)]
    names = list(counts)
    compared = {
        f"{names[0]} / {other} (by rules)": differences(counts[names[0]], counts[other])
        for other in names[1:]
    }
    marked: Mapping[str, tuple[str, ...]] = _within(dataset)
    figures, notes = [], []
    if marked:
        exact = (len(marked), _marked_counts(marked))
        reported = {n: (of, {p: round(of * v / 100) for p, v in by.items()})
                    for n, (of, by) in REPORTED.items()}  # fmt: skip
        compared |= {
            f"marked / {name} as reported": differences(exact, other)
            for name, other in reported.items()
        }
        held = scores({s: v for s, v in marked.items() if held_out(s)})
        written = scores({s: v for s, v in marked.items() if not held_out(s)})
        fields["phenomena"] = _marked_fields(dataset, marked)
        fields["tagger"] = {
            "held_out": {n: s.fields() for n, s in held.items()},
            "written_on": {n: s.fields() for n, s in written.items()},
            "sentences": {"held_out": sum(map(held_out, marked)), "all": len(marked)},
        }
        tables = [_marked_table(fields["phenomena"]), _tagger_table(held, written), *tables]
        figures = [_figure(exact, reported)]
        notes.append("shares of NLVR and VQA are as reported, of 200 sentences each: not verified")
    tables += [_differences(title, found) for title, found in compared.items()]
    fields["phenomena_compared"] = compared
    if dataset.kind == "statement" and any(r.pictures[0][1] for r in dataset.records.values()):
        section = pair_reasoning(_corpora(dataset), marked)
        fields |= section.fields
        tables += section.tables
        notes += section.notes
    return Section(fields, tables, figures, notes)


def pair_reasoning(
    corpora: Mapping[str, Collection[str]], marked: Mapping[str, Collection[str]]
) -> Section:
    """How sentences divide their claim between two pictures, by rules."""
    looked_at = {**({"marked": marked} if marked else {}), **corpora}
    shares = {}
    for name, texts in looked_at.items():
        counted = Counter(map(reasoning, texts))
        shares[name] = {kind: counted[kind] / len(texts) for kind in REASONING}
    rows = [
        [kind, *(percent(of[kind]) for of in shares.values()), percent(PRINTED[kind])]
        for kind in REASONING
    ]
    note = (
        "pair reasoning is sorted by rules without a measured precision; the printed shares are of "
        "200 sentences of NLVR2 sorted by hand, and add up to 102 %"
    )
    return Section(
        {"pair_reasoning": shares, "pair_reasoning_printed": PRINTED},
        [Table("pair reasoning, % of distinct sentences", ["", *shares, "printed"], rows)],
        notes=[note],
    )


def _corpora(dataset: Dataset, *, named: bool = False) -> dict[str, list[str]]:
    """Distinct sentences of each split."""
    role = ROLES.get(dataset.kind)
    found: dict[str, dict[str, None]] = {s: {} for s in dataset.splits}
    for item in items(dataset):
        for what, text in item.texts:
            if what == role:
                for split in item.splits:
                    found[split][text] = None
    return {f"{dataset.name}:{s}" if named else s: list(texts) for s, texts in found.items()}


def _within(dataset: Dataset) -> dict[str, tuple[str, ...]]:
    """The marked sentences of the dataset that its records hold; only dev's were marked."""
    marked: Mapping[str, tuple[str, ...]] = dataset.extras.get("phenomena", {})
    if not marked:
        return {}
    own = {r.sentence for r in dataset.records.values() if r.split == "dev"}
    return {s: names for s, names in marked.items() if s in own}


def _marked_counts(marked: Mapping[str, Collection[str]]) -> dict[str, int]:
    counted = Counter(name for names in marked.values() for name in names)
    return {name: counted[name] for name in PHENOMENA}


def _marked_fields(dataset: Dataset, marked: Mapping[str, Collection[str]]) -> dict[str, Any]:
    """For each phenomenon: sentences, statements that have them, how many of these are true."""
    by_sentence: dict[str, list[Statement]] = {}
    for record in dataset.records.values():
        # Only dev sentences were marked; another split may hold the same words.
        if record.sentence in marked and record.split == "dev":
            by_sentence.setdefault(record.sentence, []).append(record)
    rows: dict[str, Any] = {}
    for name in PHENOMENA:
        own = [s for s, names in marked.items() if name in names]
        labels = [r.label for s in own for r in by_sentence.get(s, ())]
        rows[name] = {
            "sentences": len(own),
            "share": len(own) / len(marked),
            "statements": len(labels),
            "true": sum(labels) / len(labels) if labels else None,
        }
    several = Counter(len(names) for names in marked.values())
    return {
        "sentences": len(marked),
        "statements": sum(map(len, by_sentence.values())),
        "by_number": {str(n): several[n] for n in sorted(several)},
        "by_name": rows,
    }


def _marked_table(found: Mapping[str, Any]) -> Table:
    rows = [
        [n, str(r["sentences"]), percent(r["share"]), f"{r['statements']:,}", percent(r["true"], 2)]
        for n, r in found["by_name"].items()
    ]
    title = f"phenomena marked by hand in {found['sentences']} sentences"
    return Table(title, ["", "sentences", "%", "statements", "true %"], rows)


def _tagger_table(held: Mapping[str, Score], written: Mapping[str, Score]) -> Table:
    rows = [
        [n, str(s.marked), str(s.found), percent(s.precision), percent(s.recall),
         percent(written[n].precision), percent(written[n].recall)]
        for n, s in held.items()
    ]  # fmt: skip
    columns = ["", "marked", "found", "precision %", "recall %", "precision (own half)",
               "recall (own half)"]  # fmt: skip
    return Table("rules on the half that they were not written on", columns, rows)


def _shares(title: str, counts: Mapping[str, tuple[int, Mapping[str, int]]]) -> Table:
    rows = [[p, *(percent(by[p] / n) for n, by in counts.values())] for p in PHENOMENA]
    return Table(title, ["", *(f"{name} ({n:,})" for name, (n, _) in counts.items())], rows)


def _differences(title: str, found: Mapping[str, Mapping[str, Any]]) -> Table:
    rows = [
        [name, percent(r["first"]), percent(r["second"]), r["test"],
         number(r["statistic"], 1), p_value(r["p"]), p_value(r["p_holm"])]
        for name, r in found.items()
    ]  # fmt: skip
    return Table(title, ["", "%", "%", "test", "χ²", "p", "p (Holm)"], rows)


def _figure(
    exact: tuple[int, Mapping[str, int]],
    reported: Mapping[str, tuple[int, Mapping[str, int]]],
) -> Figure:
    series: dict[str, Any] = {}
    for name, (n, by_name) in {"marked here": exact, **reported}.items():
        label = name if name == "marked here" else f"{name}, as reported"
        series[label] = (list(PHENOMENA), [by_name[p] / n for p in PHENOMENA])
    return Figure("phenomena", "bars", "linguistic phenomena", "", "share of sentences", series)
