"""What a neural listener learns from: a text and its picture, and contexts drawn of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from deixis.seeds import draw
from deixis.tasks.pairs import Pair
from deixis.tasks.see import see
from deixis.tasks.subsets import included
from deixis.tasks.task import Task
from deixis.trials import Description, Picture

Context = tuple["Lesson", ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A text and the picture it goes with, as the task's condition shows them.

    Attributes:
        id: of the annotation; of one of its subsets where there are some.
        figure: which no two lessons of a context share.
        text: as seen.
        picture: as seen.
        words: which no two lessons of a controlled context share.
        parts: how many parts the annotation names, whatever is seen of them.
    """

    id: str
    figure: str
    text: Description
    picture: Picture
    words: str
    parts: int


Group = Callable[[Lesson], Hashable]
"""What all lessons of a controlled context have in common."""


def by_parts(lesson: Lesson) -> Hashable:
    """As many parts."""
    return lesson.parts


def by_commas(lesson: Lesson) -> Hashable:
    """As many commas in the text that is seen, as in KiloGram's released code.

    So texts without parts and with one part fall together, commas inside a name count as parts,
    and in conditions without parts all lessons are of one group.
    """
    return str(lesson.text).count(",")


GROUPS: dict[str, Group] = {"parts": by_parts, "commas": by_commas}


def lessons(task: Task) -> list[Lesson]:
    """One lesson for each item of a task: the text and the target of its first trial."""
    found: dict[str, Lesson] = {}
    for trial in task.trials:
        if trial.item in found:
            continue
        seen = see(task, trial)
        shown = task.order(task.position(trial)).tolist().index(trial.answer)
        own = trial.texts[trial.answer]
        found[trial.item] = Lesson(
            id=trial.item,
            figure=trial.clusters[0][1],
            text=seen.texts[shown if len(seen.texts) > 1 else 0],
            picture=seen.pictures[shown if len(seen.pictures) > 1 else 0],
            words=own.whole,
            parts=len(own.parts),
        )
    return list(found.values())


def subset(lesson: Lesson, positions: Sequence[int]) -> Lesson:
    """The lesson with some of its parts only, named in that order, see `deixis.tasks.subsets`."""
    pair = included(Pair(lesson.text, lesson.picture, lesson.figure, ()), positions)
    return replace(
        lesson,
        id=f"{lesson.id}[{'+'.join(map(str, positions))}]",
        text=pair.text,
        picture=pair.picture,
        words="#".join((lesson.words, *sorted(pair.text.parts))),
        parts=len(positions),
    )


def every_subset(lesson: Lesson, generator: np.random.Generator) -> list[Lesson]:
    """All 2^P subsets of the parts, the empty one included, each in a drawn order."""
    count = len(lesson.text.parts)
    chosen = [c for size in range(count + 1) for c in combinations(range(count), size)]
    return [subset(lesson, [c[i] for i in generator.permutation(len(c))]) for c in chosen]


def one_subset(lesson: Lesson, generator: np.random.Generator) -> Lesson:
    """One of the 2^P subsets, all as likely, in a drawn order."""
    taken = np.flatnonzero(generator.random(len(lesson.text.parts)) < 0.5)
    return subset(lesson, generator.permutation(taken).tolist())


def augmented(given: Sequence[Lesson], manner: str, seed: int, epoch: int) -> list[Lesson]:
    """Lessons of an epoch.

    Args:
        given: lessons with all parts.
        manner: ``none`` leaves them; ``all`` makes every subset of each, the same in all epochs;
            ``sampled`` draws one subset of each, anew every epoch.
        seed: the training seed.
        epoch: its number.
    """
    if manner == "none":
        return list(given)
    if manner == "all":
        return [s for one in given for s in every_subset(one, draw(seed, "subsets", one.id))]
    return [one_subset(one, draw(seed, "subset", epoch, one.id)) for one in given]


def random_contexts(
    given: Sequence[Lesson], k: int, generator: np.random.Generator
) -> list[Context]:
    """Shuffled lessons cut into contexts; figures may repeat; those left over are dropped."""
    order = generator.permutation(len(given))
    return [
        tuple(given[i] for i in order[start : start + k])
        for start in range(0, len(given) - k + 1, k)
    ]


def controlled_contexts(
    given: Sequence[Lesson], k: int, generator: np.random.Generator, group: Group
) -> list[Context]:
    """Contexts of different figures, different words, and one group, until none can be filled.

    Each context draws its figures by how many lessons each has left, so that few are left over;
    contexts come in a drawn order.
    """
    pools: dict[Hashable, dict[str, list[Lesson]]] = {}
    for i in generator.permutation(len(given)):
        pools.setdefault(group(given[i]), {}).setdefault(given[i].figure, []).append(given[i])
    made = [c for key in sorted(pools, key=repr) for c in _fill(pools[key], k, generator)]
    return [made[i] for i in generator.permutation(len(made))]


def _fill(pool: dict[str, list[Lesson]], k: int, generator: np.random.Generator) -> list[Context]:
    figures = sorted(pool)
    left = np.array([len(pool[f]) for f in figures])
    made: list[Context] = []
    while (left > 0).sum() >= k:
        # The order of a weighted draw without replacement: the largest of log weight plus Gumbel.
        with np.errstate(divide="ignore"):
            order = np.argsort(-(np.log(left) + generator.gumbel(size=len(left))))
        context: list[Lesson] = []
        words: set[str] = set()
        for f in order[: (left > 0).sum()].tolist():
            lesson = _take(pool[figures[f]], words)
            if lesson is not None:
                left[f] -= 1
                words.add(lesson.words)
                context.append(lesson)
                if len(context) == k:
                    break
        if len(context) < k:
            return made
        made.append(tuple(context))
    return made


def _take(listed: list[Lesson], words: set[str]) -> Lesson | None:
    """The last lesson whose words are not there yet, taken off the list; None if there is none."""
    for place in range(len(listed) - 1, -1, -1):
        if listed[place].words not in words:
            return listed.pop(place)
    return None
