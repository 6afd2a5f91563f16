"""Operators on a picture: on its paint, on its shape, or on all of it."""

from __future__ import annotations

from dataclasses import replace

from deixis.interventions.operator import Given
from deixis.pictures.store import SQUARE
from deixis.seeds import digest
from deixis.trials import BLANK, NOTHING, Paint, Picture


def unpaint(picture: Picture, given: Given) -> Picture:
    """All black."""
    given.options()
    return replace(picture, paint=None)


def one_color(picture: Picture, given: Given) -> Picture:
    """Every piece in the first part's color: painted, but no part tells itself apart."""
    given.options()
    return _painted(picture, (0,) * 7)


def random_paint(picture: Picture, given: Given) -> Picture:
    """As many colors, each on random pieces; drawn once for each distinct picture."""
    given.options()
    if picture.paint is None:
        return picture
    shuffled = given.generator("paint", picture.key).permutation(7)
    return _painted(picture, tuple(picture.paint[i] for i in shuffled))


def rotate_paint(picture: Picture, given: Given) -> Picture:
    """Each part takes the next part's color, as `names.rotate` moves the names."""
    given.options()
    if picture.paint is None:
        return picture
    count = _parts(picture.paint)
    turned = tuple(None if p is None else (p - 1) % count for p in picture.paint)
    return _painted(picture, turned)


def keep_paint(picture: Picture, given: Given) -> Picture:
    """Color the first n parts only, the rest black: ``keep:N``."""
    count = given.count("a number of parts", 7)
    if picture.paint is None:
        return picture
    kept = tuple(p if p is not None and p < count else None for p in picture.paint)
    return _painted(picture, kept if any(p is not None for p in kept) else None)


def donor_paint(picture: Picture, given: Given) -> Picture:
    """The colors of the donor's picture on this shape."""
    given.options()
    return _painted(picture, given.donor().paint)


def partner_paint(picture: Picture, given: Given) -> Picture:
    """The colors of a distractor on this shape."""
    given.options()
    return _painted(picture, given.partner().paint)


def assemble(picture: Picture, given: Given) -> Picture:
    """The seven pieces put together as a square: no figure left, colors kept."""
    given.options()
    return picture if picture.source == BLANK.source else replace(SQUARE, paint=picture.paint)


def donor_shape(picture: Picture, given: Given) -> Picture:
    """The donor's shape in this picture's colors."""
    given.options()
    donor: Picture = given.donor()
    return replace(donor, paint=picture.paint)


def partner_shape(picture: Picture, given: Given) -> Picture:
    """A distractor's shape in this picture's colors."""
    given.options()
    partner: Picture = given.partner()
    return replace(partner, paint=picture.paint)


def empty(_: Picture, given: Given) -> Picture:
    """The empty canvas; colors go with it."""
    given.options()
    return BLANK


def remove(_: Picture, given: Given) -> Picture:
    """No picture at all: it is left out of what the reader gets."""
    given.options()
    return NOTHING


def grey(picture: Picture, given: Given) -> Picture:
    """A picture of the same size, all of it middle grey."""
    given.options()
    return replace(picture, edits=(*picture.edits, "grey"))


def noise(picture: Picture, given: Given) -> Picture:
    """Uniform noise instead of pixels or features: ``noise[:raw|:matched][:per-trial|:per-round]``.

    ``raw`` is U(0, 1), as in the 2017 paper; ``matched`` has the picture's own mean and spread, or
    the length of its vector. Drawn once for each distinct picture, so that it is encoded once; or
    anew in every trial, or in every round of a dialog.
    """
    options = given.options("raw", "matched", "per-trial", "per-round")
    manner = "matched" if "matched" in options else "raw"
    # The same picture in several rounds of a dialog is one picture: its position names none.
    place = given.place[:2] if {"per-trial", "per-round"} & {*options} else ()
    place = (*place, str(given.round)) if "per-round" in options else place
    seed = digest(given.seed, picture.key, *place)
    return replace(picture, edits=(*picture.edits, f"noise:{manner}:{seed}"))


def mean(picture: Picture, given: Given) -> Picture:
    """Nothing of its own: the mean vector of all pictures; of pixels, the picture's mean color."""
    given.options()
    return replace(picture, edits=(*picture.edits, "mean"))


def _painted(picture: Picture, paint: Paint | None) -> Picture:
    """Painted, unless there is nothing to paint on."""
    return picture if picture.source == BLANK.source else replace(picture, paint=paint)


def _parts(paint: Paint) -> int:
    return 1 + max(p for p in paint if p is not None) if any(p is not None for p in paint) else 1
