"""Stores of scenes and photographs."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deixis.errors import BadInput
from deixis.pictures.archive import Archive
from deixis.pictures.photos import PhotoStore
from deixis.pictures.scene import Thing, draw_scene
from deixis.pictures.scenestore import SceneStore
from deixis.trials import BLANK

SCENE = ((Thing(0, 0, 30, "square", "blue"),), (), ())


def test_scenes_are_drawn_and_altered() -> None:
    store = SceneStore({"one": SCENE})
    picture = store.picture("one")
    assert "one" in store
    assert (store.native(picture) == draw_scene(SCENE)).all()
    assert store.pixels(picture, 50).shape == (50, 50, 3)
    noisy = replace(picture, edits=("noise:raw:1",))
    assert store.native(noisy).shape == (100, 400, 3)
    assert (store.native(noisy) != store.native(picture)).mean() > 0.9
    assert store.native(BLANK).min() == 255
    assert store.pixels(BLANK).min() == 255
    assert store.seen(picture) == SCENE
    assert store.seen(noisy) is None
    assert store.seen(BLANK) is None


def test_equal_scenes_are_equal_content() -> None:
    store = SceneStore({"one": SCENE, "two": SCENE, "three": ((), (), ())})
    assert store.picture("one").content == store.picture("two").content
    assert store.picture("one").content != store.picture("three").content
    with pytest.raises(BadInput, match="no picture 'four' among 3"):
        store.picture("four")


def test_scenes_of_files_are_decoded(tmp_path: Path) -> None:
    Image.fromarray(draw_scene(SCENE)).save(tmp_path / "one.png")
    store = SceneStore({}, (Archive(tmp_path),))
    assert store.scene("one.png") == SCENE
    sent = pickle.loads(pickle.dumps(store))
    assert sent.scene("one.png") == SCENE


def test_what_is_derived_is_made_once() -> None:
    store, made = SceneStore({"one": SCENE}), []
    for _ in range(2):
        store.derived("key", lambda: made.append(1))
    assert made == [1]


def test_photographs(tmp_path: Path) -> None:
    Image.new("RGB", (20, 10), "blue").save(tmp_path / "a.png")
    store = PhotoStore({"a.png": "http://a", "b.png": "http://b"}, Archive(tmp_path), "get them")
    assert store.present == 1
    picture = store.picture("a.png")
    assert store.native(picture).shape == (10, 20, 3)
    assert store.native(replace(picture, edits=("noise:raw:1",))).std() > 50
    assert store.pixels(picture, 40).shape == (40, 40, 3)
    assert np.unique(store.pixels(BLANK, 8)).tolist() == [255]
    assert store.native(BLANK).shape == (224, 224, 3)
    with pytest.raises(BadInput, match=r"b\.png is not there: get them"):
        store.native(store.picture("b.png"))
    with pytest.raises(BadInput, match=r"no photograph 'c\.png' among 2"):
        store.picture("c.png")
    assert PhotoStore({}, None, "").present == 0
