"""Scenes as the eye sees them, against the scenes that were drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from deixis.dataset import Dataset, Statement
from deixis.pictures.scene import Scene, Thing
from deixis.pictures.scenestore import SceneStore
from deixis.players.statement.neural.reading import read
from deixis.seeds import draw
from deixis.sources import load
from deixis.trials import BLANK, Picture
from deixis.worlds.scenes.placing import random_scene


def kinds(scene: Scene) -> list[list[tuple[str, str, int]]]:
    return [sorted((t.color, t.shape, t.size) for t in box) for box in scene]


def exact(store: SceneStore, pictures: list[Picture]) -> tuple[float, float]:
    """Shares of pictures read exactly; and of those with the right things somewhere."""
    seen = read(store, pictures)
    drawn = [store.scene(p.source) for p in pictures]
    pairs = list(zip(seen, drawn, strict=True))
    return (
        sum(a == b for a, b in pairs) / len(pairs),
        sum(kinds(a) == kinds(b) for a, b in pairs) / len(pairs),
    )


def drawn(n: int) -> tuple[SceneStore, list[Picture]]:
    """Strips of a seed that the eye was not trained on."""
    generator = draw(11, "strips")
    store = SceneStore({str(i): random_scene(generator, 3) for i in range(n)})
    return store, [store.picture(str(i)) for i in range(n)]


def test_what_is_drawn_is_read() -> None:
    whole, things = exact(*drawn(60))
    assert whole > 0.3
    assert things > 0.9


def test_a_picture_is_looked_at_once_and_with_its_edits() -> None:
    store = SceneStore({"one": ((Thing(80, 40, 20, "square", "blue"),), (), ())})
    picture = store.picture("one")
    noisy = Picture(picture.source, picture.content, edits=("noise:raw:7",))
    seen = read(store, [picture, noisy, BLANK, picture])
    assert seen == [store.scene("one"), ((), (), ()), ((), (), ()), store.scene("one")]
    assert read(store, [picture])[0] is seen[0]


@pytest.mark.long
def test_the_figures_of_the_eye(data: Path) -> None:
    """On strips drawn anew, and on pictures of NLVR, whose scenes are known."""
    for name, (store, pictures) in {
        "drawn": drawn(1000),
        "nlvr:dev": of(load("nlvr:dev", data)),
    }.items():
        whole, things = exact(store, pictures)
        print(f"{name}: {len(pictures)} pictures, exact {whole:.3f}, things right {things:.3f}")
        assert whole > 0.4
        assert things > 0.95


def of(dataset: Dataset) -> tuple[SceneStore, list[Picture]]:
    """A picture of each record."""
    store = dataset.store
    assert isinstance(store, SceneStore)
    records = map(dataset.records.get, dataset.splits["dev"])
    names = [r.pictures[0][0] for r in records if isinstance(r, Statement)]
    return store, [store.picture(n) for n in names]
