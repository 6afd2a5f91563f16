"""Lengths and vocabularies of texts in each tokenisation, and what pictures were searched for."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from deixis.dataset import Dataset
from deixis.lint.items import items
from deixis.measures.section import Figure, Options, Section, Table
from deixis.measures.stems import treebank
from deixis.plain import number
from deixis.text.tokens import TOKENISERS

TREEBANK = "treebank"
"""NLTK's tokeniser, where the extra ``language`` is installed."""


def tokenisers() -> dict[str, Callable[[str], Sequence[str]]]:
    """All ways of cutting that are at hand."""
    if importlib.util.find_spec("nltk") is None:
        return dict(TOKENISERS)
    return {**TOKENISERS, TREEBANK: lambda text: treebank(text.lower())}


def lengths(texts: Iterable[str], cut: Callable[[str], Sequence[str]]) -> dict[str, Any]:
    """Tokens in each text, and distinct tokens in all.

    Args:
        texts: at least one; each counts once, however often it occurs.
        cut: a text into tokens.

    >>> lengths(["a dog", "a cat sat", "a dog"], str.split)["mean"]
    2.5
    """
    counted = []
    vocabulary: set[str] = set()
    for text in dict.fromkeys(texts):
        tokens = cut(text)
        counted.append(len(tokens))
        vocabulary.update(tokens)
    values = np.array(counted)
    quantiles = np.percentile(values, [50, 90, 99])
    return {
        "mean": float(values.mean()),
        "sd": float(values.std()),
        "min": int(values.min()),
        "median": float(quantiles[0]),
        "p90": float(quantiles[1]),
        "p99": float(quantiles[2]),
        "max": int(values.max()),
        "vocabulary": len(vocabulary),
    }


def language(dataset: Dataset, options: Options) -> Section:
    """The section on lengths, vocabularies and synsets of any dataset."""
    by_place: dict[str, dict[str, list[str]]] = {}
    splits = list(dataset.splits)
    for item in items(dataset):
        for role, text in item.texts:
            for split in item.splits:
                by_place.setdefault(split, {}).setdefault(role, []).append(text)
    if not by_place:
        return Section()
    cuts = tokenisers()
    found: dict[str, Any] = {}
    rows = []
    for split, by_role in _with_all(by_place, splits).items():
        for role, texts in by_role.items():
            distinct = len(set(texts))
            made = {name: lengths(texts, cut) for name, cut in cuts.items()}
            one = {"texts": len(texts), "distinct": distinct, "tokenisations": made}
            found.setdefault(split, {})[role] = one
            rows += [_row(f"{split}: {role}", distinct, name, m) for name, m in made.items()]
    fields: dict[str, Any] = {"language": found}
    notes = [] if TREEBANK in cuts else [
        "no Treebank tokens: NLTK is not installed (pip install 'deixis[language]')"
    ]  # fmt: skip
    columns = ["", "distinct", "tokens", "mean", "sd", "median", "90 %", "max", "vocabulary"]
    tables = [Table("distinct texts", columns, rows)]
    figures = [_lengths_figure(by_place)]
    counted = synsets(dataset)
    if counted:
        fields["synsets"] = {s: _synset_fields(c) for s, c in counted.items()}
        tables.append(_synset_table(fields["synsets"]))
        figures.append(_synset_figure(counted))
    return Section(fields, tables, figures, notes)


def synsets(dataset: Dataset) -> dict[str, dict[str, int]]:
    """Statements of each synset, for each split; empty where nothing was searched for."""
    if dataset.kind != "statement":
        return {}
    found = {}
    for split, ids in dataset.splits.items():
        counted = Counter(dataset.records[i].synset for i in ids)
        if counted and "" not in counted:
            found[split] = dict(sorted(counted.items(), key=lambda nc: (nc[1], nc[0])))
    return found


def _with_all(
    by_place: Mapping[str, Mapping[str, list[str]]], splits: Sequence[str]
) -> dict[str, dict[str, list[str]]]:
    """The texts by split and role, and those of all splits together where there are several."""
    found = {s: dict(by_place[s]) for s in splits if s in by_place}
    if len(found) > 1:
        together: dict[str, list[str]] = {}
        for by_role in found.values():
            for role, texts in by_role.items():
                together.setdefault(role, []).extend(texts)
        found["all"] = together
    return found


def _lengths_figure(by_place: Mapping[str, Mapping[str, list[str]]]) -> Figure:
    """How many words distinct texts have, all splits together, a line for each role."""
    roles = dict.fromkeys(role for by_role in by_place.values() for role in by_role)
    series = {}
    for role in roles:
        texts = {t for by_role in by_place.values() for t in by_role.get(role, ())}
        counts = np.bincount([len(TOKENISERS["word characters"](t)) for t in texts])
        series[role] = (list(range(len(counts))), (counts / len(texts)).tolist())
    title = "words in distinct texts"
    return Figure("lengths", "lines", title, "words", "share of texts", series)


def _row(what: str, distinct: int, name: str, made: Mapping[str, Any]) -> list[str]:
    return [
        what, f"{distinct:,}", name, number(made["mean"], 3), number(made["sd"], 3),
        number(made["median"], 1), number(made["p90"], 1), str(made["max"]),
        f"{made['vocabulary']:,}",
    ]  # fmt: skip


def _synset_fields(counted: Mapping[str, int]) -> dict[str, Any]:
    values = np.array(list(counted.values()))
    names = list(counted)
    return {
        "synsets": len(counted),
        "mean": float(values.mean()),
        "sd": float(values.std()),
        "fewest": {"name": names[0], "n": counted[names[0]]},
        "most": {"name": names[-1], "n": counted[names[-1]]},
        "counts": dict(counted),
    }


def _synset_table(found: Mapping[str, Any]) -> Table:
    rows = [
        [split, str(one["synsets"]), number(one["mean"], 3), number(one["sd"], 3),
         f"{one['fewest']['n']} ({one['fewest']['name']})",
         f"{one['most']['n']} ({one['most']['name']})",
         ", ".join(list(one["counts"])[:6])]
        for split, one in found.items()
    ]  # fmt: skip
    columns = ["", "synsets", "mean", "sd", "fewest", "most", "the six rarest"]
    return Table("statements of each synset", columns, rows)


def _synset_figure(counted: Mapping[str, Mapping[str, int]]) -> Figure:
    series = {
        split: (list(range(1, len(by) + 1)), sorted(by.values())) for split, by in counted.items()
    }
    return Figure("synsets", "lines", "statements by synset", "synsets", "statements", series)
