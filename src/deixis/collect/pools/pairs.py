"""Sets of pictures on their way to a dataset like NLVR2: one pool for each stage.

Stages are studies of their own that share a collection: ``rate`` candidates, ``write`` about eight
pictures, ``judge`` each sentence with each of its pairs, judge those of dev and test ``again``.
What is done in one study comes to the next one by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator
from sqlalchemy import Connection

from deixis.collect.items import moving
from deixis.collect.items.item import PAIRS
from deixis.collect.pictures.gathered import Gathered, read_gathered
from deixis.collect.pools.pool import Unit
from deixis.collect.simulate.photos import contrasts, interesting, known
from deixis.collect.store import things
from deixis.collect.store.engine import Store
from deixis.collect.study import Model, Slug
from deixis.collect.trial_types.rate_set import Candidates
from deixis.collect.trial_types.validate_sentence import Claim, Verdict
from deixis.collect.trial_types.write_contrast import Contrast, Pairs
from deixis.errors import BadInput
from deixis.pictures.photos import PhotoStore
from deixis.seeds import draw
from deixis.web.drawing import photograph

Stage = Literal["rate", "write", "judge", "again"]

PEOPLE: dict[str, int] = {"rate": 3, "write": 2, "judge": 1, "again": 4}
"""How many people do what: two sentences of each set, one judgment, four further ones."""

TYPES: dict[str, str] = {
    "rate": "rate_set",
    "write": "write_contrast",
    "judge": "validate_sentence",
    "again": "validate_sentence",
}
PRACTICE = "practice/"

WAITS = {
    "write": ("eight", "kept", ()),
    "judge": ("example", "written", ()),
    "again": ("example", "validated", ("dev", "test1")),
}
"""What each stage takes on: things of a kind in a state, of some splits."""


class Example(Model):
    """A sentence and two pictures, whose answer is known: for practice with feedback."""

    sentence: str = Field(min_length=1)
    pictures: tuple[str, str]
    truth: Verdict
    why: str = ""


class PairPool(Model):
    """Options of the pool.

    Attributes:
        kind: ``pairs``.
        collection: what the studies that hand things to each other have in common.
        folder: of gathered pictures, below ``--data`` or where one is.
        stage: which of them.
        people: how many rate a set; other stages go by the published rules.
        practice: so many sets of the folder are kept for practice in rating and writing.
        examples: for practice in judging.
    """

    kind: Literal["pairs"]
    collection: Slug
    folder: str
    stage: Stage
    people: int = Field(default=3, ge=1)
    practice: int = Field(default=2, ge=0)
    examples: tuple[Example, ...] = ()

    @model_validator(mode="after")
    def _only_raters(self) -> PairPool:
        if "people" in self.model_fields_set and self.stage != "rate":
            raise ValueError(f"stage {self.stage} is done by {PEOPLE[self.stage]} people")
        return self

    def build(self, data: Path | None) -> PairsOfPictures:
        """Read the folder.

        Raises:
            BadInput: it is not there, is wrong, or has too few sets.
        """
        for where in [*([data] if data else []), Path()]:
            if (where / self.folder).is_dir():
                return PairsOfPictures(read_gathered(where / self.folder), self)
        looked = f"in {data} or here" if data else "here"
        made = "deixis collect pictures makes one"
        raise BadInput(f"there is no folder {self.folder} {looked}: {made}")


class PairsOfPictures:
    """See `deixis.collect.pools.pool.Line`; a trial's key is that of the set or the example."""

    one_by_one = True
    arms: Mapping[str, str] = {"all": ""}

    def __init__(self, gathered: Gathered, options: PairPool) -> None:
        self.gathered, self.options = gathered, options
        self.stage, self.collection = options.stage, options.collection
        self.types = (TYPES[options.stage],)
        self.fingerprint = gathered.fingerprint
        files = {key: gathered.folder / "pictures" / key for key in gathered.photos}
        self.store = PhotoStore({k: k for k in files}, _Files(files), str(gathered.folder))
        self._draw = lru_cache(maxsize=4096)(self._drawn)
        self._eight = lru_cache(maxsize=1024)(self._pairs)
        self._sets = {s.id: s for s in gathered.sets}
        ids = list(self._sets)
        self._kept = ids[: options.practice] if self.stage in ("rate", "write") else []
        if len(ids) <= options.practice:
            raise BadInput(f"{options.folder}: has {len(ids)} sets: too few to practise on some")
        pooled = ids[options.practice :] if self.stage == "rate" else []
        self.units = [Unit(i, "all", options.people) for i in pooled]
        self._things: dict[str, Mapping[str, Any]] = {}
        self._at: Store | None = None
        for example in options.examples:
            for key in example.pictures:
                self.store.picture(key)

    def attach(self, store: Store) -> None:
        """Where things are kept."""
        self._at = store

    def supply(self, c: Connection, study: int) -> int:
        """Take on what has come this far; how many units are new."""
        if self.stage == "rate":
            return 0
        kind, state, splits = WAITS[self.stage]
        return things.supply(
            c,
            study,
            collection=self.collection,
            kind=kind,
            state=state,
            wanted=PEOPLE[self.stage],
            splits=splits,
        )

    def done(self, c: Connection, claim: int, now: datetime) -> None:
        """Hand on what somebody has done."""
        given = moving.done(c, claim)
        if given is None:
            return
        if self.stage == "rate":
            made = self._sets[given.key]
            keys = [p.key for p in made.pictures]
            moving.rated(c, self.collection, given, made.synset, made.query, keys, now)
        elif self.stage == "write":
            moving.written(c, self.collection, given, now)
        else:
            moving.judged(c, self.collection, given, now)

    def trials(self, unit: str, seed: str) -> list[str]:
        """The set or the example itself."""
        return [unit]

    def practice(self, seed: str) -> list[str]:
        """The same ones for everybody, in an order drawn for the person."""
        keys = self._kept or [str(n) for n in range(len(self.options.examples))]
        if not keys:
            raise BadInput(f"{self.collection}: stage {self.stage} has nothing for practice")
        return [f"{PRACTICE}{keys[i]}" for i in draw(0, "practice", seed).permutation(len(keys))]

    def stimulus(
        self, trial_type: str, key: str, arm: str, seed: str, earlier: Mapping[str, Any]
    ) -> Model:
        """Pictures, and for simulated people what is in them where that is known."""
        practising, name = key.startswith(PRACTICE), key.removeprefix(PRACTICE)
        if practising:
            return self._practised(name)
        if self.stage == "rate":
            return self._candidates(name)
        body = self._body(name)
        if self.stage == "write":
            return self._eight(tuple(body["pictures"]))
        two = body["pictures"][2 * body["pair"] : 2 * body["pair"] + 2]
        return self._claim(body["sentence"], two)

    def _practised(self, name: str) -> Model:
        if self.stage == "rate":
            return self._candidates(name)
        if self.stage == "write":
            return self._eight(tuple(p.key for p in self._sets[name].pictures[: 2 * PAIRS]))
        one = self.options.examples[int(name)]
        drawings = tuple(self._draw(k) for k in one.pictures)
        return Claim(sentence=one.sentence, drawings=drawings, truth=one.truth, why=one.why)

    def _candidates(self, name: str) -> Candidates:
        made = self._sets[name]
        keys = [p.key for p in made.pictures]
        scenes = self.gathered.scenes
        truth: Any = tuple(interesting(scenes[k], made.synset) for k in keys if k in scenes)
        drawings = tuple(self._draw(k) for k in keys)
        return Candidates(
            synset=made.synset, drawings=drawings, truth=truth if len(truth) == len(keys) else ()
        )

    def _pairs(self, keys: tuple[str, ...]) -> Pairs:
        scenes = [self.gathered.scenes[k] for k in keys if k in self.gathered.scenes]
        found = contrasts(scenes) if len(scenes) == len(keys) else []
        examples = tuple(Contrast(sentence=f.text(), chosen=chosen) for f, chosen in found)
        return Pairs(drawings=tuple(self._draw(k) for k in keys), examples=examples)

    def _claim(self, sentence: str, keys: Sequence[str]) -> Claim:
        truth: Any = None
        if self.gathered.scenes:
            fact = known().get(sentence)
            left, right = (self.gathered.scenes[k] for k in keys)
            truth = "nonsense" if fact is None else "true" if fact.true(left, right) else "false"
        return Claim(sentence=sentence, drawings=tuple(self._draw(k) for k in keys), truth=truth)

    def _body(self, key: str) -> Mapping[str, Any]:
        """A thing as it was made; it never changes, but may be erased."""
        kind = "eight" if self.stage == "write" else "example"
        if kind == "eight" and key in self._things:
            return self._things[key]
        assert self._at is not None  # the study is running
        found: Mapping[str, Any] = self._at.read(things.find, self.collection, kind, key).body
        if kind == "eight":
            self._things[key] = found
        # Whoever still has an erased sentence before them is told so, and gets another one next.
        return {"sentence": "(This sentence was withdrawn.)"} | dict(found)

    def _drawn(self, key: str) -> dict[str, Any]:
        return photograph(self.store.native(self.store.picture(key)))


class _Files(Mapping[str, bytes]):
    """Files read on use."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = paths

    def __getitem__(self, name: str) -> bytes:
        return self._paths[name].read_bytes()

    def __iter__(self) -> Any:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)
