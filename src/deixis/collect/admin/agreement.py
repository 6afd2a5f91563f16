"""How far people agree, as soon as two of them did the same thing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from sqlalchemy import Connection

from deixis.collect.export.games import Exclusions, choices
from deixis.collect.export.kilogram import annotated
from deixis.collect.pools.games import GamePool
from deixis.collect.pools.tangrams import TangramPool
from deixis.collect.running import Running
from deixis.measures.segmentation import segmentation_agreement


def agreement(c: Connection, running: Running, mode: str = "live") -> list[dict[str, Any]]:
    """Rows of numbers on agreement: one for each arm of games, one for annotations."""
    pool = running.plan.pool
    if isinstance(pool, GamePool):
        return [_games(arm, chosen) for arm, chosen in _by_arm(c, running, pool, mode).items()]
    if isinstance(pool, TangramPool):
        return [_of_annotations(c, running, mode)]
    return []


def same_pairs(groups: Sequence[Sequence[Any]]) -> float | None:
    """The share of pairs within groups that are equal, mean over groups of two and more.

    >>> same_pairs([["a", "a", "b"], ["c"]])
    0.3333333333333333
    """
    shares = [
        np.mean([one == other for one, other in combinations(group, 2)])
        for group in groups
        if len(group) > 1
    ]
    return float(np.mean(shares)) if shares else None


def _by_arm(c: Connection, running: Running, pool: GamePool, mode: str) -> dict[str, Sequence[Any]]:
    found = choices(c, running.id, mode, Exclusions())
    return {arm: found.get(arm, []) for arm in pool.arms}


def _games(arm: str, chosen: Sequence[Any]) -> dict[str, Any]:
    by_trial: dict[str, list[int]] = {}
    for one in chosen:
        by_trial.setdefault(one.trial, []).append(one.choice)
    right = [one.right for one in chosen]
    seconds = [one.seconds for one in chosen]
    return {
        "of": arm,
        "answers": len(chosen),
        "right": float(np.mean(right)) if right else None,
        "same": same_pairs(list(by_trial.values())),
        "seconds": float(np.median(seconds)) if seconds else None,
    }


def _of_annotations(c: Connection, running: Running, mode: str) -> dict[str, Any]:
    wholes: dict[str, list[str]] = {}
    parts: dict[str, list[list[str]]] = {}
    for picture, one in annotated(c, running.id, mode):
        wholes.setdefault(picture, []).append(one["whole"]["wholeAnnotation"].casefold())
        parts.setdefault(picture, []).append([one["part"][str(p)] for p in range(1, 8)])
    shared = [
        segmentation_agreement([_coded(own) for own in group])
        for group in parts.values()
        if len(group) > 1
    ]
    return {
        "of": "annotations",
        "answers": sum(map(len, wholes.values())),
        "same": same_pairs(list(wholes.values())),
        "pieces": float(np.mean(shared)) if shared else None,
    }


def _coded(names: Sequence[str]) -> list[int]:
    """A number for each name, by first appearance."""
    places: dict[str, int] = {}
    return [places.setdefault(name, len(places)) for name in names]
