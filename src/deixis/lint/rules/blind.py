"""Benchmarks that can be solved blind: by the text alone, or by the pictures alone.

Learners are cross-validated. Folds keep together what would give labels away: statements of one
sentence set, and statements that share a picture, even by a chain of others (the connected
components of sets and pictures). On request folds keep each writer's statements together, and
nothing is learnt from that shares a group with what is held out: chains by writers would tie almost
everything together. Where folds cut through groups, a learner scores far *below* the majority:
of the two labels of a balanced pair it has seen one, and the other is in the test. Then the folds
are at fault, which is what is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from deixis.dataset import Choice, Dataset, Statement
from deixis.lint.finding import Finding, LintOptions
from deixis.lint.items import contents
from deixis.lint.near import components
from deixis.lint.rules.looks import picture_words
from deixis.plain import percent
from deixis.seeds import digest
from deixis.stats.logistic import Logistic
from deixis.stats.rates import rate
from deixis.text.vocabulary import words

Floats = NDArray[np.float64]

FEWEST = 40
"""Fewer records than this are not learnt from."""

STRENGTH = 0.1
"""Of examples against the penalty; the same for all datasets, so that nothing is tuned."""

FAR = 0.03
"""A learner so far below the majority was given folds that leak."""


@dataclass(frozen=True)
class Blind:
    """How a blind learner did.

    Attributes:
        score: accuracy over all held-out records.
        low: lower end of its 95 % interval, over groups.
        high: upper end.
        majority: accuracy of the more frequent label, or of chance among options.
        groups: groups that no fold divides.
    """

    score: float
    low: float
    high: float
    majority: float
    groups: int


def blind_statements(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """For each split: learners of the sentence alone, and of the pictures alone."""
    for split, ids in dataset.splits.items():
        records: list[Statement] = [dataset.records[i] for i in ids]
        labels = np.array([r.label for r in records])
        if len(records) < FEWEST or labels.all() or not labels.any():
            continue
        groups = groups_of(dataset, records)
        writers = np.array([r.writer or f"of {r.id}" for r in records])
        together = writers if options.by_writer else groups
        inputs = {"text": [text_words(r.sentence) for r in records]}
        seen = picture_words(dataset, [r.id for r in records])
        if seen is not None:
            inputs["pictures"] = seen
        for what, bags in inputs.items():
            options.progress(f"blind: {split}, {what}", 0, 1)
            guessed = crossfitted(
                bags, labels, groups, options.folds, options.seed, together=together
            )
            right = np.where(guessed == 0, 0.5, (guessed > 0) == labels)
            majority = max(labels.mean(), 1 - labels.mean())
            yield finding(split, what, measured(right, groups, float(majority)))


def blind_choices(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """For each split: a learner that sees the options alone, and not what is asked about them."""
    for split, ids in dataset.splits.items():
        records: list[Choice] = [dataset.records[i] for i in ids]
        if len(records) < FEWEST or any(r.pictured for r in records):
            continue
        owner = np.repeat(np.arange(len(records)), [len(r.options) for r in records])
        labels = np.array([i == r.answer for r in records for i in range(len(r.options))])
        bags = [text_words(o) for r in records for o in r.options]
        groups = np.array(["\x00".join(r.cluster) for r in records])
        odds = crossfitted(bags, labels, groups[owner], options.folds, options.seed)
        right = np.array([_credit(odds[owner == i], r.answer) for i, r in enumerate(records)])
        chance = float(np.mean([1 / len(r.options) for r in records]))
        yield finding(split, "options", measured(right, groups, chance))


def text_words(text: str) -> list[str]:
    """Words, pairs and triples of neighbouring words, and the number of words, as features.

    >>> text_words("A dog")
    ['a', 'dog', 'a dog', '#2']
    """
    found = words(text.lower())
    runs = [" ".join(found[i : i + n]) for n in (1, 2, 3) for i in range(len(found) - n + 1)]
    return [*runs, f"#{len(found)}"]


def groups_of(dataset: Dataset, records: Sequence[Statement]) -> NDArray[np.str_]:
    """What no fold may divide: sets, equal sentences, shared pictures, chains of them; shape (n,).

    Args:
        dataset: which the records are of.
        records: statements.
    """
    names = list(dict.fromkeys(n for r in records for pair in r.pictures[:1] for n in pair if n))
    same = contents(dataset, names)
    edges = []
    for r in records:
        own = [f"set {r.set}", f"text {' '.join(words(r.sentence.lower()))}"]
        own += [f"picture {same[n]}" for pair in r.pictures[:1] for n in pair if n]
        edges.append(own)
    top = components(edges)
    return np.array([top[own[0]] for own in edges])


def crossfitted(
    bags: Sequence[Sequence[str]],
    labels: NDArray[np.bool_],
    groups: NDArray[np.str_],
    folds: int,
    seed: int,
    *,
    together: NDArray[np.str_] | None = None,
) -> Floats:
    """Log-odds of true of each record by a learner that saw no record of its group, shape (n,).

    Args:
        bags: features of each record.
        labels: shape (n,).
        groups: shape (n,).
        folds: fewer where there are fewer groups.
        seed: of the folds.
        together: what folds keep together instead, such as writers, shape (n,); of the others only
            those are learnt from that share no group with what is held out.
    """
    table = _table(bags)
    fold = dealt(groups if together is None else together, folds, seed)
    odds = np.zeros(len(labels))
    for number in np.unique(fold):
        inside = fold == number
        learnt = ~np.isin(groups, groups[inside]) & ~inside
        if labels[learnt].all() or not labels[learnt].any():
            continue
        model = Logistic.fit(table[learnt], labels[learnt], strength=STRENGTH, tolerance=1e-3)
        # Against the majority of what was learnt from: a learner without a clue is no guesser.
        odds[inside] = model.odds(table[inside])
    return odds


def dealt(groups: NDArray[np.str_], folds: int, seed: int) -> NDArray[np.int64]:
    """The fold of each record, shape (n,): whole groups, the largest first, to the emptiest."""
    names, codes, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    order = sorted(range(len(names)), key=lambda i: (-sizes[i], digest(seed, "fold", names[i])))
    filled = np.zeros(min(folds, len(names)), np.int64)
    place = np.zeros(len(names), np.int64)
    for i in order:
        place[i] = filled.argmin()
        filled[place[i]] += sizes[i]
    return np.asarray(place[codes])


def measured(right: Floats, groups: NDArray[np.str_], majority: float) -> Blind:
    """Accuracy with its interval over groups."""
    score, low, high = rate(right.astype(np.float64), groups)
    return Blind(score, low, high, majority, len(np.unique(groups)))


def finding(split: str, what: str, found: Blind) -> Finding:
    """What a blind score says: a shortcut, nothing, or folds that leak."""
    said = (
        f"{split}: the {what} alone {'score' if what == 'pictures' else 'scores'} "
        f"{percent(found.score)} % (majority {percent(found.majority)} %"
    )
    evidence = {
        "split": split,
        "input": what,
        "score": found.score,
        "interval": [found.low, found.high],
        "majority": found.majority,
        "groups": found.groups,
    }
    if found.score < found.majority - FAR and found.high < found.majority:
        said += "): so far below it, the folds divide what gives labels away; this is no finding"
        return Finding("blind", "note", said, "name groups that folds must keep", (), evidence)
    if found.low > found.majority:
        severity = "error" if found.low > found.majority + 0.05 else "warning"
        fix = "balance answers within texts and within pictures; report this score beside others"
        return Finding("blind", severity, said + "): a shortcut", fix, (), evidence)
    return Finding("blind", "note", said + "): no shortcut found", "", (), evidence)


def _table(bags: Sequence[Sequence[str]]) -> sparse.csr_array:
    """Rows of unit length over features that two records have."""
    counted: dict[str, int] = {}
    for bag in bags:
        for feature in set(bag):
            counted[feature] = counted.get(feature, 0) + 1
    columns = {f: i for i, f in enumerate(sorted(f for f, n in counted.items() if n > 1))}
    rows = [np.array([columns[f] for f in bag if f in columns], np.int64) for bag in bags]
    ends = np.concatenate([[0], np.cumsum([len(r) for r in rows], dtype=np.int64)])
    indices = np.concatenate([*rows, np.zeros(0, np.int64)])
    shape = (len(bags), max(len(columns), 1))
    table = sparse.csr_array((np.ones(len(indices)), indices, ends), shape=shape)
    table.sum_duplicates()
    lengths = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return sparse.csr_array(sparse.diags_array(scale) @ table)


def _credit(odds: Floats, answer: int) -> float:
    """Credit of the option with the highest odds; ties share it."""
    best = np.flatnonzero(odds == odds.max())
    return 1 / len(best) if answer in best else 0.0
