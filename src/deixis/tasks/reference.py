"""Reference games: which of k pictures does the description mean?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from deixis.dataset import Annotation, Dataset
from deixis.errors import BadInput, unknown
from deixis.seeds import Seeds
from deixis.tasks.contexts import Items, draw_contexts, fillable
from deixis.tasks.pairs import Pair, painted, pair
from deixis.tasks.subsets import Subset, items, subsets
from deixis.tasks.task import Channel, Kind, Task
from deixis.text.templates import TEMPLATES
from deixis.trials import Direction, Paint, Picture, ReferenceTrial, ReferenceView

CONTEXTS = ("controlled", "published", "random", "subsets")


def reference(
    dataset: Dataset,
    name: str,
    seeds: Seeds,
    *,
    contexts: str = "controlled",
    k: int = 10,
    per_target: int = 1,
    template: str = "plain",
    direction: str = "text-to-picture",
) -> Task:
    """Make reference games of a dataset's annotations.

    Args:
        dataset: annotations, already selected by split.
        name: what the task is called.
        seeds: the contexts seed also orders the parts of each annotation.
        contexts: ``controlled`` (different figures, different wholes, equally many parts),
            ``random`` (different figures), ``published`` as the dataset brings them, or
            ``subsets`` of the parts of each annotation, see `deixis.tasks.subsets`.
        k: candidates in a context, at least 2.
        per_target: contexts for each target.
        template: how a reader without parts gets whole and parts as one text.
        direction: ``text-to-picture`` or ``picture-to-text``.

    Raises:
        BadInput: an option is unknown or cannot be met.
    """
    _check(contexts, k, per_target, template, direction)
    pairs = {i: pair(dataset, a, template, seeds.contexts) for i, a in dataset.records.items()}
    dropped: dict[str, int] = {}
    if contexts == "published":
        trials = _published(dataset, pairs)
    else:
        trials, dropped = _drawn(*_pool(pairs, contexts, seeds), k, per_target, seeds.contexts)
    if not trials:
        raise BadInput(f"{name}: no context of {k} can be filled")
    if direction == "picture-to-text":
        trials = [replace(t, direction="picture-to-text") for t in trials]
    return Task(
        kind="reference",
        name=name,
        dataset=dataset,
        trials=tuple(trials),
        dropped=dropped,
        seeds=seeds,
        options={
            "contexts": contexts,
            "k": k,
            "per_target": per_target,
            "template": template,
            "direction": direction,
        },
    )


def different(one: ReferenceTrial, other: ReferenceTrial) -> bool:
    """Whether `other` may lend values: another figure, other texts, none of the candidates."""
    own, lent = one.texts[one.answer], other.texts[other.answer]
    return (
        one.clusters[0] != other.clusters[0]
        and own.whole != lent.whole
        and (own.parts != lent.parts or not own.parts)
        and {p.source for p in one.pictures}.isdisjoint(p.source for p in other.pictures)
    )


def _check(contexts: str, k: int, per_target: int, template: str, direction: str) -> None:
    if contexts not in CONTEXTS:
        raise unknown(f"there are no {contexts!r} contexts", contexts, CONTEXTS)
    if template not in TEMPLATES:
        raise unknown(f"there is no template {template!r}", template, TEMPLATES)
    if direction not in get_args(Direction):
        raise unknown(f"there is no direction {direction!r}", direction, get_args(Direction))
    if k < 2 or per_target < 1:
        raise BadInput(f"expected at least 2 candidates and 1 context, got {k} and {per_target}")


def _pool(pairs: Mapping[str, Pair], contexts: str, seeds: Seeds) -> tuple[Sequence[Subset], Items]:
    """What contexts are made of, and the columns they are drawn by."""
    if contexts == "subsets":
        pool = [s for i, p in pairs.items() for s in subsets(i, p, seeds.contexts)]
        return pool, items(pool)
    pool = [Subset(i, i, p, len(p.text.parts)) for i, p in pairs.items()]
    columns = Items.of(
        list(pairs),
        [p.figure for p in pairs.values()],
        [p.text.whole for p in pairs.values()],
        [len(p.text.parts) for p in pairs.values()],
    )
    return pool, columns.free() if contexts == "random" else columns


def _drawn(
    pool: Sequence[Subset], columns: Items, k: int, per_target: int, seed: int
) -> tuple[list[ReferenceTrial], dict[str, int]]:
    targets = np.flatnonzero(fillable(columns, k))
    dropped = {"no context of this size with as many parts": len(pool) - len(targets)}
    trials: dict[int, list[ReferenceTrial]] = {int(t): [] for t in targets}
    for replicate in range(per_target):
        for chunk in draw_contexts(columns, targets, k, seed=seed, replicate=replicate):
            for row in chunk:
                if row[-1] < 0:
                    dropped["its context could not be filled"] = (
                        dropped.get("its context could not be filled", 0) + 1
                    )
                    continue
                number = f"/{replicate}" if per_target > 1 else ""
                target = pool[row[0]]
                made = _trial(target.id + number, target.item, [pool[i].pair for i in row])
                subset = target.id != target.item
                trials[int(row[0])].append(
                    replace(made, stratum=target.stratum) if subset else made
                )
    return [t for made in trials.values() for t in made], {r: n for r, n in dropped.items() if n}


def _published(dataset: Dataset, pairs: Mapping[str, Pair]) -> list[ReferenceTrial]:
    """Contexts as published; the order of the parts is that of the published text."""
    known: Mapping[str, list[list[tuple[str, str]]]] = dataset.extras.get("contexts", {})
    rows = [row for split in dataset.splits for row in known.get(split, [])]
    if not rows:
        splits = ", ".join(f"{dataset.name}:{s}" for s in known) or "no split here"
        raise BadInput(f"published contexts: known for {splits}")
    counts: dict[str, int] = {}
    trials = []
    for row in rows:
        target = row[0][0]
        counts[target] = counts.get(target, -1) + 1
        members = [_as_written(dataset, pairs[i], i, text) for i, text in row]
        trials.append(_trial(f"{target}/{counts[target]}", target, members))
    return trials


def _as_written(dataset: Dataset, drawn: Pair, annotation_id: str, text: str) -> Pair:
    whole, *parts = text.split("#")
    annotation: Annotation = dataset.records[annotation_id]
    if whole != annotation.whole or sorted(parts) != sorted(annotation.parts):
        raise BadInput(f"published contexts: {text!r} is not what {annotation_id} says")
    order = [annotation.parts.index(p) for p in parts]
    picture = painted(replace(drawn.picture, paint=None), annotation, order)
    return replace(drawn, text=replace(drawn.text, parts=tuple(parts)), picture=picture)


def _trial(name: str, item: str, members: Sequence[Pair]) -> ReferenceTrial:
    return ReferenceTrial(
        id=name,
        item=item,
        texts=tuple(m.text for m in members),
        pictures=tuple(m.picture for m in members),
        answer=0,
        clusters=members[0].clusters,
        stratum=f"{len(members[0].text.parts)} parts",
    )


def _texts(field: str) -> tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]:
    def get(view: ReferenceView) -> tuple[Any, ...]:
        return tuple(getattr(t, field) for t in view.texts)

    def put(view: ReferenceView, values: tuple[Any, ...]) -> ReferenceView:
        texts = zip(view.texts, values, strict=True)
        return replace(view, texts=tuple(replace(t, **{field: v}) for t, v in texts))

    return get, put


def _pictures(view: ReferenceView) -> tuple[Picture, ...]:
    return view.pictures


def _with_pictures(view: ReferenceView, pictures: tuple[Picture, ...]) -> ReferenceView:
    return replace(view, pictures=pictures)


def _paint(picture: Picture) -> Paint | None:
    return picture.paint


def _shape(picture: Picture) -> tuple[str, tuple[str, ...]]:
    return picture.source, picture.edits


def _channel(name: str, kind: str, get: Any, put: Any, **more: Any) -> Channel:
    def partners(trial: ReferenceTrial, generator: np.random.Generator) -> tuple[Any, ...]:
        """The values with those of target and one drawn distractor exchanged."""
        others = [i for i in range(trial.k) if i != trial.answer]
        other = others[int(generator.integers(len(others)))]
        values, exchanged = get(trial.view()), get(replace(trial, answer=other).view())
        if len(values) == 1:
            return tuple(exchanged)
        swap = {trial.answer: other, other: trial.answer}
        return tuple(values[swap.get(i, i)] for i in range(len(values)))

    return Channel(name, kind, get, put, partners=partners, **more)


_CHANNELS = {
    c.name: c
    for c in (
        _channel("whole", "text", *_texts("whole")),
        _channel("parts", "names", *_texts("parts")),
        _channel("color", "paint", _pictures, _with_pictures, content=_paint),
        _channel("shape", "shape", _pictures, _with_pictures, content=_shape),
        _channel("image", "image", _pictures, _with_pictures, atoms=("color", "shape")),
    )
}

REFERENCE = Kind(
    "reference",
    _CHANNELS,
    different,
    measures=("accuracy",),
    backward=("accuracy_picture_to_text",),
    presets={
        "text=whole": "parts=drop",
        "text=parts": "",
        "black": "color=drop",
        "color": "",
    },
)
