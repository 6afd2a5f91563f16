"""An annotation as a text and a painted picture: what contexts of reference games are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from deixis.dataset import Annotation, Dataset
from deixis.seeds import draw
from deixis.trials import Clusters, Description, Picture


@dataclass(frozen=True, slots=True)
class Pair:
    """A text and its picture, with what contexts are drawn by.

    Attributes:
        text: the description; its i-th part has color i.
        picture: painted by the description; black where the source has lost the piece map.
        figure: no two pairs of one figure stand in one context.
        clusters: what the pair shares with others.
    """

    text: Description
    picture: Picture
    figure: str
    clusters: Clusters


def pair(dataset: Dataset, annotation: Annotation, template: str, seed: int) -> Pair:
    """The annotation as a text and a painted picture.

    The order of parts is that of a random permutation of the pieces (drawn for the annotation),
    each part standing where its first piece stands; colors follow that order.
    """
    figure = annotation.family or annotation.picture
    generator = draw(seed, "parts", annotation.id)
    if annotation.pieces is None:
        order = [int(i) for i in generator.permutation(len(annotation.parts))]
    else:
        pieces = annotation.pieces
        order = list(dict.fromkeys(pieces[i] for i in generator.permutation(7)))
    clusters: Clusters = (("tangram", figure),)
    if annotation.worker is not None:
        clusters += (("worker", annotation.worker),)
    return Pair(
        Description(annotation.whole, tuple(annotation.parts[p] for p in order), template),
        painted(dataset.store.picture(annotation.picture), annotation, order),
        figure,
        clusters,
    )


def painted(picture: Picture, annotation: Annotation, order: Sequence[int]) -> Picture:
    """The picture with the i-th part of the order in color i; black without a piece map."""
    if annotation.pieces is None:
        return picture
    place = {part: position for position, part in enumerate(order)}
    return replace(picture, paint=tuple(place.get(part) for part in annotation.pieces))
