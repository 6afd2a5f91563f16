"""The world `figures`: tangrams of some fifty figures laid by hand, varied without end.

Everything is made here from a seed: the pictures (mirrored, turned, limbs moved, pieces
exchanged), and what forty simulated annotators with habits of their own call the wholes and parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from itertools import chain

from deixis.dataset import Annotation, Dataset, fingerprint
from deixis.errors import BadInput
from deixis.pictures.store import TangramStore
from deixis.pictures.tangram import Tangram
from deixis.seeds import draw
from deixis.worlds.tangrams.annotators import team
from deixis.worlds.tangrams.layouts import held_out, layouts
from deixis.worlds.tangrams.parts import named_parts
from deixis.worlds.tangrams.pose import Pose, assemble, canvas, pose
from deixis.worlds.tangrams.wholes import facing, whole


@lru_cache(maxsize=4)
def figures(*, variants: int = 30, annotators: int = 1, seed: int = 0) -> Dataset:
    """Make tangrams and annotations of them.

    The splits are ``all``, and ``train`` and ``test``, which share no family (two to one in every
    category). The extras hold the category of each family by name, under ``"categories"``.

    Args:
        variants: pictures of each family, from 1.
        annotators: annotations of each picture, from 1.
        seed: of all draws; another seed gives other pictures, words and annotators.

    >>> world = figures(variants=2)
    >>> one = world.records["swan-001_0"]
    >>> one.picture, one.family, len(one.pieces), world.store.picture("swan-001").source
    ('swan-001', 'swan', 7, 'swan-001')

    Raises:
        BadInput: no variants or no annotators are asked for.
    """
    if variants < 1 or annotators < 1:
        raise BadInput("figures needs at least one variant and one annotator")
    families = layouts()
    poses = {
        f"{family}-{number:03}": pose(layout, draw(seed, "figures", f"{family}-{number:03}"))
        for family, layout in families.items()
        for number in range(variants)
    }
    records = {
        one.id: one
        for picture, posed in poses.items()
        for one in _annotate(picture, posed, annotators, seed)
    }
    return Dataset(
        name="figures",
        kind="reference",
        splits=_splits(records),
        records=records,
        store=TangramStore(poses, partial(_assembled, poses)),
        fingerprint=_fingerprint(poses, records),
        extras={"categories": {family: one.category for family, one in families.items()}},
    )


def _assembled(poses: Mapping[str, Pose], name: str) -> Tangram:
    return assemble(name, poses[name])


def _annotate(picture: str, posed: Pose, n: int, seed: int) -> list[Annotation]:
    """All annotations of one picture."""
    families = layouts()
    layout = families[picture.rpartition("-")[0]]
    generator = draw(seed, "figures", "words", picture)
    faces = facing(layout, posed)
    made = []
    for number, worker in enumerate(team(seed, n, generator)):
        name = whole(layout, posed, worker, families, generator)
        parts, pieces = named_parts(posed, faces, worker, generator)
        made.append(
            Annotation(
                id=f"{picture}_{number}",
                picture=picture,
                whole=name,
                parts=parts,
                pieces=pieces,
                family=layout.family,
                worker=worker.name,
            )
        )
    return made


def _splits(records: Mapping[str, Annotation]) -> dict[str, tuple[str, ...]]:
    """Record ids of every split; families are never divided."""
    kept = held_out()
    return {
        "all": tuple(records),
        "train": tuple(i for i, one in records.items() if one.family not in kept),
        "test": tuple(i for i, one in records.items() if one.family in kept),
    }


def _fingerprint(poses: Mapping[str, Pose], records: Mapping[str, Annotation]) -> str:
    """Hash of every picture as drawn and of every annotation."""
    pictures = (repr((name, canvas(posed))).encode() for name, posed in poses.items())
    words = (repr(one).encode() for one in records.values())
    return fingerprint(chain(pictures, words))
