"""What a detector found in pictures: from a file in COCO's format, or from any of transformers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from deixis.dataset import Store
from deixis.errors import BadInput
from deixis.reading import read_text
from deixis.seeds import digest
from deixis.trials import BLANK, Picture

Counts = Mapping[str, int]
"""How many of each kind of thing there are in a picture."""

LEAST_SCORE = 0.5
"""Below it nothing counts as found (Suhr et al. 2019)."""


class Detections(Protocol):
    """Counts things.

    Attributes:
        revision: changes whenever the counts could.
    """

    revision: str

    def counts(self, store: Store, pictures: Sequence[Picture]) -> list[Counts]:
        """Of each picture, what there is in it."""


def detections(written: str) -> Detections:
    """From a file in COCO's format, or with a detector by folder or hub name.

    Raises:
        BadInput: there is no such file or detector, or it is broken.
    """
    if not written:
        raise BadInput(
            "maxent-detections: expected maxent-detections:FILE.json (in COCO's format) or a "
            "detector of transformers by folder or hub name"
        )
    if written.endswith(".json"):
        return Listed.read(Path(written))
    from deixis.players.statement.detector import Detector

    return Detector.find(written)


class Listed:
    """Counts that are known by the names of pictures; altered pictures show nothing."""

    def __init__(self, known: Mapping[str, Counts], revision: str, where: str) -> None:
        self.known, self.revision, self.where = known, revision, where

    @classmethod
    def read(cls, file: Path, least: float = LEAST_SCORE) -> Listed:
        """Read COCO's format: ``images``, ``annotations`` and ``categories``.

        Annotations may have a ``score``; those without count as certain. A picture is known by the
        last part of its ``file_name``, so no two may share it; one without annotations shows
        nothing.

        Raises:
            BadInput: the file is not there, or broken; the sentence names the annotation.
        """
        text = read_text(file)
        try:
            content: Any = json.loads(text)
            images = {i["id"]: Path(i["file_name"]).name for i in content["images"]}
            names = {c["id"]: str(c["name"]).lower() for c in content["categories"]}
            annotations = list(content["annotations"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadInput(
                f"{file}: expected COCO's format, an object with images, categories and "
                f"annotations: {error!r}"
            ) from None
        for what, of in (("id", [i["id"] for i in content["images"]]), ("name", images.values())):
            for one, times in Counter(of).items():
                if times > 1:
                    raise BadInput(f"{file}: two images of the {what} {one!r}, expected one")
        found: dict[str, Counter[str]] = {name: Counter() for name in images.values()}
        for number, one in enumerate(annotations):
            try:
                picture, kind = images[one["image_id"]], names[one["category_id"]]
                score = float(one.get("score", 1.0))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise BadInput(
                    f"{file}: annotation {number}: no picture, category or score of it: {error!r}"
                ) from None
            if score >= least:
                found[picture][kind] += 1
        return cls(found, f"{digest(text, least):016x}", str(file))

    def counts(self, store: Store, pictures: Sequence[Picture]) -> list[Counts]:
        """See `Detections`.

        Raises:
            BadInput: nothing is said of a picture.
        """
        return [self._of(picture) for picture in pictures]

    def _of(self, picture: Picture) -> Counts:
        if picture.source == BLANK.source or picture.edits:
            return {}
        name = Path(picture.source).name
        if name not in self.known:
            raise BadInput(f"{self.where}: says nothing of the picture {name}")
        return self.known[name]


def table(counts: Sequence[Counts], kinds: Sequence[str]) -> NDArray[np.int64]:
    """Counts by kind, shape (pictures, kinds)."""
    return np.array([[c.get(k, 0) for k in kinds] for c in counts], np.int64).reshape(
        len(counts), len(kinds)
    )
