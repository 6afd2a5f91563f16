"""Who takes part in a simulation: kinds of people, in fixed shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deixis.collect.running import Running
from deixis.collect.state import current_step
from deixis.collect.store.engine import Store
from deixis.collect.study import Model
from deixis.collect.trial import Profile, TrialType
from deixis.seeds import draw

KINDS = (
    (0.70, Profile("careful", skill=0.95, seconds=8.0)),
    (0.15, Profile("quick", skill=0.75, seconds=2.5)),
    (0.08, Profile("guesser", skill=0.0, seconds=1.0)),
    (0.05, Profile("leaver", skill=0.9, seconds=8.0, leaves=0.08)),
    (0.02, Profile("decliner", agrees=0.0)),
)
"""Shares of a population, and their profiles."""


@dataclass(frozen=True)
class Person:
    """One simulated person.

    Attributes:
        number: from 0.
        profile: how this person is.
        rng: all draws of this person.
    """

    number: int
    profile: Profile
    rng: np.random.Generator


def population(n: int, seed: int, study: str) -> Iterator[Person]:
    """So many people; the same ones for the same seed."""
    shares = np.cumsum([share for share, _ in KINDS])
    for number in range(n):
        rng = draw(seed, "simulated", study, number)
        kind = int(np.searchsorted(shares, rng.random() * shares[-1]))
        yield Person(number, KINDS[kind][1], rng)


def answered(
    store: Store, running: Running, step: str, person: Person
) -> tuple[TrialType[Model, Model], Model, Model] | None:
    """What a person answers to a step: the trial type, the stimulus, the response.

    The store is asked for what the page does not tell: people are skilled because they see
    pictures; simulated ones look at the answer.

    Returns:
        None if the person leaves here, for good.
    """
    kind, stimulus = current_step(store, running.plan, step)
    if person.rng.random() < person.profile.leaves:
        return None
    return kind, stimulus, kind.simulate(stimulus, person.rng, person.profile)
