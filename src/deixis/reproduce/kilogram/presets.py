"""The presets of ``kilogram-fig9``, and what may be written instead of their own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from deixis.errors import BadInput
from deixis.players.reference.tuning import CONTEXTS, PUBLISHED_SCALE, VALIDATION
from deixis.reproduce.kilogram.design import Design, Entrant, Exam
from deixis.reproduce.report import Asked

BLACK = ("whole+black", "parts+black")
"""What can be shown of annotations whose piece map is lost."""

_AS_PUBLISHED = {"scale": str(PUBLISHED_SCALE), "canvas": "224"}

PRESETS: Mapping[str, Design] = {
    "tiny": Design(
        source="kilogram",
        train="dense",
        validation=None,
        tests=(
            Exam("dense", "dense", limit=1000, folds=2),
            Exam("val", "val", "published"),
            Exam("dev", "dev", conditions=BLACK),
        ),
        curve=Exam("val subsets", "val", "subsets"),
        entrants=(
            Entrant("clip", "clip", "", {"cache": "none"}, {"tune": "tiny", "epochs": "3"}),
            Entrant("vilt", "vilt", "", {}, {"tune": "tiny", "epochs": "1"}),
            Entrant("aligned", "aligned"),
        ),
        augment="sampled",
    ),
    "paper": Design(
        source="kilogram",
        train="train",
        validation="val",
        tests=(Exam("dev", "dev", per_target=10), Exam("heldout", "heldout", per_target=10)),
        curve=Exam("dev subsets", "dev", "subsets", per_target=10),
        entrants=(
            Entrant(
                "clip",
                "clip",
                "openai/clip-vit-base-patch32",
                _AS_PUBLISHED,
                {"tune": "clip-kilogram"},
            ),
            Entrant(
                "vilt",
                "vilt",
                "dandelin/vilt-b32-mlm-itm",
                {"canvas": "224"},
                {"tune": "vilt-kilogram"},
            ),
        ),
        template="published",
        seeds=3,
    ),
}


def chosen(design: Design, asked: Asked) -> Design:
    """The preset with what was written instead of its own.

    Raises:
        BadInput: there is no such player, or a number is wrong.
    """
    options = asked.options
    entrants = design.entrants
    if "players" in options:
        known = {e.name: e for e in entrants}
        names = options["players"].split(",")
        for name in names:
            if name not in known:
                raise BadInput(f"--players: expected {' or '.join(known)}, got {name!r}")
        entrants = tuple(known[n] for n in names)
    entrants = tuple(_placed(e, options) for e in entrants)
    for name, among in (
        ("lessons", CONTEXTS),
        ("contexts", CONTEXTS),
        ("validation", VALIDATION),
    ):
        if options.get(name, among[0]) not in among:
            raise BadInput(f"--{name}: expected {' or '.join(among)}, got {options[name]!r}")
    tests = design.tests
    if "contexts" in options:
        tests = tuple(replace(t, contexts=options["contexts"]) for t in tests)
    if design.validation and options.get("validation") == "disjoint":
        entrants = tuple(_corrected(e) for e in entrants)
        design = replace(design, apart=True)
    return replace(
        design,
        entrants=entrants,
        tests=tests,
        seeds=asked.seeds or design.seeds,
        lessons=options.get("lessons", design.lessons),
    )


def _placed(entrant: Entrant, options: Mapping[str, str]) -> Entrant:
    made = replace(entrant, argument=options.get(entrant.name, entrant.argument))
    if "device" not in options or made.untrained is None:
        return made
    device = {"device": options["device"]}
    return replace(made, untrained={**made.untrained, **device}, trained={**made.trained, **device})


def _corrected(entrant: Entrant) -> Entrant:
    tune = entrant.trained.get("tune", "").replace("-kilogram", "-corrected")
    return replace(entrant, trained={**entrant.trained, **({"tune": tune} if tune else {})})
