"""Measures: one value for each unit of inference, and the units × conditions matrix of several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from deixis.errors import BadInput
from deixis.outcomes import Outcomes, recall
from deixis.stats.percentile import percentile
from deixis.stats.ranking import ndcg, reciprocal

Floats = NDArray[np.float64]
Names = NDArray[np.str_]


@dataclass(frozen=True)
class Units:
    """A measure's values, one for each unit.

    Attributes:
        names: of units, sorted, shape (u,).
        values: shape (u,).
        clusters: the primary cluster of each unit, shape (u,).
        workers: who made each unit's items, or "", shape (u,).
    """

    names: Names
    values: Floats
    clusters: Names
    workers: Names


@dataclass(frozen=True)
class Measure:
    """One value for each unit of inference.

    Attributes:
        name: such as ``accuracy``.
        of: the values of outcomes.
        scale: what a point is: 100 for fractions, 1 for values on a scale of 0 to 100.
        by_round: whether it can be taken after every round of a dialog; its units are those after
            the last round.
        centre: what is told of all units, their ``mean`` or their ``median``.
    """

    name: str
    of: Callable[[Outcomes], Units]
    scale: float = 100.0
    by_round: bool = False
    centre: Literal["mean", "median"] = "mean"


def accuracy(outcomes: Outcomes) -> Units:
    """Mean credit of each item over its trials and raters."""
    return _means(outcomes, outcomes.credit)


def probability(outcomes: Outcomes) -> Units:
    """Mean probability of the answer of each item."""
    return _means(outcomes, outcomes.probability)


def consistency(outcomes: Outcomes) -> Units:
    """Product of the credits of each group: the probability that all of it is right.

    Where several raters reply to a trial, its credit is their mean: the probability that the
    replies of raters drawn anew for each trial are all right.
    """
    _, first, codes = np.unique(outcomes.ids, return_index=True, return_inverse=True)
    means = np.bincount(codes, weights=outcomes.credit) / np.bincount(codes)
    groups, clusters = outcomes.groups[first], outcomes.clusters[first]
    workers = outcomes.workers[first]
    names, first, codes = np.unique(groups, return_index=True, return_inverse=True)
    values = np.ones(len(names))
    np.multiply.at(values, codes, means)
    return Units(names, values, clusters[first], workers[first])


def of_stratum(stratum: str) -> Callable[[Outcomes], Units]:
    """Consistency over the rows of one stratum alone: Winoground's text and image scores.

    Winoground (Thrush et al., CVPR 2022): the text score of an item is 1 if the right caption is
    preferred for both of its pictures, the image score if the right picture is preferred for both
    captions, the group score if both hold.
    """

    def of(outcomes: Outcomes) -> Units:
        return consistency(outcomes.only(outcomes.strata == stratum))

    return of


@dataclass(frozen=True)
class Raters:
    """What each of several raters achieved.

    Attributes:
        names: sorted, shape (r,).
        replies: how many each gave, shape (r,).
        accuracy: mean credit of each, shape (r,).
    """

    names: Names
    replies: NDArray[np.int64]
    accuracy: Floats

    def mean(self, least: int = 100) -> tuple[float, float, int]:
        """Unweighted mean and population deviation over raters with `least` replies or more.

        Returns:
            Mean, deviation, and how many raters these are; NaN for none.
        """
        kept = self.accuracy[self.replies >= least]
        if not len(kept):
            return float("nan"), float("nan"), 0
        return float(kept.mean()), float(kept.std()), len(kept)


def by_rater(outcomes: Outcomes) -> Raters:
    """Accuracy of each rater."""
    names, codes = np.unique(outcomes.raters, return_inverse=True)
    replies = np.bincount(codes)
    return Raters(names, replies, np.bincount(codes, weights=outcomes.credit) / replies)


def percentile_rank(outcomes: Outcomes) -> Units:
    """100 · (N - rank) / (N - 1) after the last round; 50 for a guess."""
    last, values = percentiles(outcomes)
    return _means(last, values, _at_round(last))


def percentiles(outcomes: Outcomes) -> tuple[Outcomes, Floats]:
    """The rows after the last round, and the percentile rank of each, shape (n,)."""
    last = _last(outcomes)
    return last, percentile(_places(last)[0], last.sizes)


def recall_at(k: int) -> Callable[[Outcomes], Units]:
    """Expected share of targets among the best k after the last round."""

    def of(outcomes: Outcomes) -> Units:
        last = _last(outcomes)
        return _means(last, recall(*_places(last), k), _at_round(last))

    return of


def among(k: int) -> Callable[[Outcomes], Units]:
    """Expected share of answers among the best k options, where all are scored at once."""

    def of(outcomes: Outcomes) -> Units:
        return _means(outcomes, recall(*_places(outcomes), k))

    return of


def reciprocal_rank(outcomes: Outcomes) -> Units:
    """Expected 1 / rank of the answer, where all options are scored at once."""
    return _means(outcomes, reciprocal(*_places(outcomes)))


def mean_rank(outcomes: Outcomes) -> Units:
    """Mid-rank of the answer among its options, from 1."""
    return _means(outcomes, _places(outcomes)[0])


def discounted_gain(outcomes: Outcomes) -> Units:
    """NDCG of the options that people judged, see `deixis.stats.ranking.ndcg`.

    Its units are items with a judged question; a reply that is not ok scores all options the same.
    """
    held = outcomes.relevance
    if held is None or outcomes.scores is None:
        return _means(outcomes.only(np.zeros(len(outcomes), bool)), np.zeros(0))
    judged = outcomes.only(np.nansum(held, axis=1) > 0)
    assert judged.relevance is not None
    assert judged.scores is not None
    inside = ~np.isnan(judged.relevance)
    ok = (judged.status == 0)[:, None]
    scores = np.where(inside, np.where(ok, judged.scores[:, : inside.shape[1]], 0.0), np.nan)
    return _means(judged, ndcg(scores, np.nan_to_num(judged.relevance)))


def target_rank(outcomes: Outcomes) -> Units:
    """Mid-rank of the target after the last round, from 1."""
    last = _last(outcomes)
    return _means(last, _places(last)[0], _at_round(last))


def _last(outcomes: Outcomes) -> Outcomes:
    return outcomes.at(int(outcomes.rounds.max(initial=0)))


def _at_round(outcomes: Outcomes) -> Names:
    """Units of dialogs are named ``dialog@round``."""
    return np.array([f"{i}@{r}" for i, r in zip(outcomes.items, outcomes.rounds, strict=True)])


def _places(outcomes: Outcomes) -> tuple[Floats, NDArray[np.int64]]:
    """Ranks and ties; those of a guess where a reply is not ok."""
    unread = np.isnan(outcomes.rank)
    rank = np.where(unread, (outcomes.sizes + 1) / 2, outcomes.rank)
    return rank, np.where(unread, outcomes.sizes, outcomes.ties)


def stack(measure: Measure, outcomes: Sequence[Outcomes]) -> tuple[Floats, Units]:
    """The units × conditions matrix of several outcomes of the same trials.

    Returns:
        Values of shape (u, c), and the units of the first outcomes, whose names and clusters are
        those of all.

    Raises:
        BadInput: the outcomes are of different units.
    """
    units = [measure.of(o) for o in outcomes]
    for other in units[1:]:
        if len(other.names) != len(units[0].names) or (other.names != units[0].names).any():
            odd = sorted(set(other.names.tolist()) ^ set(units[0].names.tolist()))
            raise BadInput(f"not the same items: {len(odd)} differ, {odd[0]} among them")
    return np.column_stack([u.values for u in units]), units[0]


def _means(outcomes: Outcomes, values: Floats, names: Names | None = None) -> Units:
    """Means of rows with the same name; items by default."""
    named = outcomes.items if names is None else names
    unique, first, codes = np.unique(named, return_index=True, return_inverse=True)
    totals = np.bincount(codes, weights=values)
    clusters, workers = outcomes.clusters[first], outcomes.workers[first]
    return Units(unique, totals / np.bincount(codes), clusters, workers)


MEASURES: Mapping[str, Measure] = {
    m.name: m
    for m in (
        Measure("accuracy", accuracy),
        Measure("accuracy_picture_to_text", accuracy),
        Measure("probability", probability),
        Measure("consistency", consistency),
        Measure("top_5", among(5)),
        Measure("top_10", among(10)),
        Measure("mrr", reciprocal_rank),
        Measure("mean_rank", mean_rank, scale=1.0),
        Measure("ndcg", discounted_gain),
        Measure("group_score", consistency),
        Measure("text_score", of_stratum("text")),
        Measure("image_score", of_stratum("image")),
        Measure("percentile_rank", percentile_rank, scale=1.0, by_round=True),
        Measure("recall_at_1", recall_at(1), by_round=True),
        Measure("recall_at_5", recall_at(5), by_round=True),
        Measure("recall_at_10", recall_at(10), by_round=True),
        Measure("median_rank", target_rank, scale=1.0, by_round=True, centre="median"),
    )
}
