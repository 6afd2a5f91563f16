"""A whole collection with simulated workers: pictures, sets, sentences, judgments, a release.

Workers act through the trial types that people get: what these refuse is refused here too.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from deixis.collect.items.item import EXTRA, Item, Writing, decide, eight, items, judge, needed
from deixis.collect.items.release import Collected, Eight, linted, release
from deixis.collect.items.split import split
from deixis.collect.items.workers import Paid, adherence, cost_table, sample
from deixis.collect.pictures.ledger import Ledger
from deixis.collect.pictures.provider import LocalPictures
from deixis.collect.pictures.prune import Photo, Pruner
from deixis.collect.pictures.sets import PictureSet, build_sets
from deixis.collect.simulate.photos import contrasts, interesting, known, make_photos, pick, wanted
from deixis.collect.trial import Profile
from deixis.collect.trial_types.guidelines import hints
from deixis.collect.trial_types.rate_set import RATE_SET, Candidates, Mark
from deixis.collect.trial_types.validate_sentence import VALIDATE_SENTENCE, Claim
from deixis.collect.trial_types.write_contrast import WRITE_CONTRAST, Contrast, Pairs
from deixis.errors import BadInput
from deixis.pictures.scene import Scene
from deixis.progress import Progress, quiet
from deixis.seeds import draw

RATERS = 3
"""People who rate each set."""

PRICES = {
    "image pruning": Decimal("0.10"),
    "sentence writing": Decimal("0.30"),
    "validation": Decimal("0.04"),
}
WORKERS = 24


@dataclass
class Crowd:
    """Simulated workers of a collection, and what they got.

    Attributes:
        seed: of all they do.
        scenes: what is really in each picture, by its key.
        ledger: where decisions go.
    """

    seed: int
    scenes: dict[str, Scene]
    ledger: Ledger
    paid: list[Paid] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Their ids, as NLVR2 writes them: numbers."""
        return [str(n) for n in range(WORKERS)]

    def profile(self, worker: str) -> Profile:
        """How a worker is: most are careful."""
        return Profile(skill=0.995 if int(worker) % 8 else 0.85)

    def pay(self, task: str, worker: str) -> None:
        """Note what a piece of work costs."""
        self.paid.append(Paid(task, worker, PRICES[task]))

    def rate(self, candidates: PictureSet) -> Eight | None:
        """Let people rate a set; what is left of it, if enough."""
        keys = [p.key for p in candidates.pictures]
        truth: tuple[Mark, ...] = tuple(
            interesting(self.scenes[k], candidates.synset)  # type: ignore[misc]
            for k in keys
        )
        stimulus = Candidates(synset=candidates.synset, drawings=({},) * len(keys), truth=truth)
        marks = []
        for worker in self._some(RATERS, "rate", candidates.id):
            rng = draw(self.seed, "rate", candidates.id, worker)
            response = RATE_SET.simulate(stimulus, rng, self.profile(worker))
            RATE_SET.check(stimulus, response)
            marks.append(RATE_SET.score(stimulus, response).detail["marks"])
            self.pay("image pruning", worker)
        kept, why = eight(keys, marks)
        self.ledger.add("rate", "set", candidates.query, bool(kept), why)
        if not kept:
            return None
        order = draw(self.seed, "pairs", candidates.id).permutation(len(kept))
        pictures = tuple(kept[i] for i in order)
        return Eight(candidates.id, candidates.synset, candidates.query, pictures)

    def write(self, eight_: Eight) -> list[Writing]:
        """Two sentences about a set, by two people."""
        scenes = [self.scenes[k] for k in eight_.pictures]
        examples = tuple(
            Contrast(sentence=fact.text(), chosen=chosen) for fact, chosen in contrasts(scenes)
        )
        stimulus = Pairs(drawings=({},) * 8, examples=examples)
        made: list[Writing] = []
        for number, worker in enumerate(self._some(2, "write", eight_.id)):
            rng = draw(self.seed, "write", eight_.id, number)
            response = WRITE_CONTRAST.simulate(stimulus, rng, self.profile(worker))
            WRITE_CONTRAST.check(stimulus, response)
            detail = WRITE_CONTRAST.score(stimulus, response).detail
            self.pay("sentence writing", worker)
            if any(detail["sentence"] == w.sentence for w in made):
                self.ledger.add("write", "sentence", f"{eight_.id}-{number}", False, "repeated")
                continue
            made.append(
                Writing(
                    eight_.id,
                    number,
                    worker,
                    detail["sentence"],
                    eight_.pictures,
                    tuple(detail["chosen"]),
                )
            )
        return made

    def judge(self, item: Item, extra: int) -> Item:
        """Let people judge an example until it is at its end."""
        pictures = item.writing.pictures[2 * item.pair : 2 * item.pair + 2]
        truth = self._truth(item, pictures)
        stimulus = Claim(sentence=item.writing.sentence, drawings=({}, {}), truth=truth)
        barred = {item.writing.writer}
        while needed(item, extra):
            rng = draw(self.seed, "judge", item.id, len(item.judgments))
            worker = pick(rng, self.names, barred)
            barred.add(worker)
            response = VALIDATE_SENTENCE.simulate(stimulus, rng, self.profile(worker))
            VALIDATE_SENTENCE.check(stimulus, response)
            item = judge(item, worker, response.verdict)
            self.pay("validation", worker)
        done = decide(item, extra=extra)
        self.ledger.add("validate", "example", done.id, done.state == "kept", done.why)
        return done

    def _truth(self, item: Item, pictures: Sequence[str]) -> Any:
        left, right = (self.scenes[p] for p in pictures)
        fact = known().get(item.writing.sentence)
        if fact is None:
            return "nonsense"
        return "true" if fact.true(left, right) else "false"

    def _some(self, n: int, *what: str) -> list[str]:
        order = draw(self.seed, "workers", *what).permutation(WORKERS)[:n]
        return [self.names[i] for i in order]


def simulate_collection(
    folder: Path,
    *,
    pictures: int = 500,
    seed: int = 0,
    year: int = 2026,
    progress: Progress = quiet,
) -> dict[str, Any]:
    """Collect a dataset about made pictures with simulated workers.

    Args:
        folder: must not exist; gets ``pictures`` and ``release``.
        pictures: how many there are to begin with.
        seed: of pictures and workers.
        year: of the release.
        progress: told how far it is.

    Returns:
        The object that ``deixis simulate collection --json`` prints.

    Raises:
        BadInput: the folder exists, or there are too few pictures for a set.
    """
    if folder.exists():
        raise BadInput(f"{folder} exists already")
    started = time.perf_counter()
    by_url = make_photos(folder / "pictures", pictures, seed)
    ledger = Ledger()
    provider = LocalPictures(folder / "pictures")
    pruner = Pruner(provider, ledger)
    sets = build_sets(wanted(), provider, pruner, ledger)
    if not sets:
        raise BadInput(f"{pictures} pictures are too few for a set of similar ones")
    photos: dict[str, Photo] = {p.key: p for s in sets for p in s.pictures}
    crowd = Crowd(seed, {k: by_url[p.found.url] for k, p in photos.items()}, ledger)
    eights = {e.id: e for s in sets if (e := crowd.rate(s)) is not None}
    writings = [w for e in eights.values() for w in crowd.write(e)]
    rounds = _rounds(writings, seed)
    splits = split({e.id: e.synset for e in eights.values()}, seed=seed)
    done = []
    for number, writing in enumerate(writings):
        progress("validating", number, len(writings))
        extra = 0 if splits[writing.set] == "train" else EXTRA
        done += [crowd.judge(item, extra) for item in items(writing)]
    kept = [i for i in done if i.state == "kept"]
    sentences = len({(i.writing.set, i.writing.number) for i in kept})
    costs = cost_table(crowd.paid, sentences, len(kept))
    made = Collected("simulated", eights, photos, done, splits, ledger, costs)
    contents = {k: provider.content(p.found) for k, p in photos.items()}
    counts = release(made, contents, folder / "release", year=year)
    return {
        "schema": "deixis/simulate-collection/1",
        "seed": seed,
        "pictures": pictures,
        "sets": len(sets),
        "eights": len(eights),
        "sentences": len(writings),
        "bonuses": rounds,
        "release": str(folder / "release"),
        "counts": counts,
        "costs": costs,
        "decisions": ledger.counts(),
        "lint": linted(folder / "release"),
        "seconds": time.perf_counter() - started,
    }


def _rounds(writings: Sequence[Writing], seed: int) -> dict[str, str]:
    """One round: sampled sentences of each writer are read by their guidelines."""
    by_writer: dict[str, dict[str, str]] = {}
    for writing in writings:
        own = by_writer.setdefault(writing.writer, {})
        own[f"{writing.set}-{writing.number}"] = writing.sentence
    reviews = {
        worker: [
            not hints(own[i]) and own[i] in known() for i in sample(list(own), worker, 1, seed=seed)
        ]
        for worker, own in sorted(by_writer.items())
    }
    return dict(adherence(reviews))
