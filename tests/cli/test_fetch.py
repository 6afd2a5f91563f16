from __future__ import annotations

import gzip
import hashlib
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from deixis import manifest as manifests
from deixis.manifest import File, Manifest, manifest


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address at which it is served."""
    folder = tmp_path / "mirror"
    folder.mkdir()
    handler = partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        http.daemon_threads = True
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        yield folder, f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


def test_vispro_from_a_mirror(deixis, refused, data: Path, tmp_path: Path, mirror) -> None:
    folder, address = mirror
    shutil.copytree(data / "dialog/vispro", folder / "data")
    there = tmp_path / "there"
    fetch = ("fetch", "vispro", "--data", there, "--from", address)
    said = deixis(*fetch, "--json").json
    assert said == {
        "schema": "deixis/fetch/1",
        "dataset": "vispro",
        "folder": str(there / "vispro"),
        "files": 2,
        "fetched": 2,
        "kept": 0,
        "received": 4016425,
        "notes": ["VisPro (Yu et al., EMNLP 2019): MIT."],
    }
    shown = deixis(*fetch)
    assert "vispro: 0 files fetched (0 bytes), 2 kept" in shown.out
    assert "MIT" in shown.out
    spoiled = there / "vispro/data/val.vispro.1.1.jsonlines"
    spoiled.write_text("edited")
    with (folder / "data/val.vispro.1.1.jsonlines").open("a") as file:
        file.write("more")
    error = refused(*fetch, "--tries", "1")
    assert error.startswith("1 of 2 files could not be fetched, the others are kept: http://127")
    assert "not what the manifest says" in error


def test_what_was_fetched_can_be_loaded(
    deixis, data: Path, tmp_path: Path, mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    """KiloGram from its manifest, but for the complete file, which is not at hand."""
    folder, address = mirror
    (folder / "dataset").mkdir()
    for name in ("dense", "dense10"):
        content = gzip.decompress((data / f"kilogram/{name}.json.gz").read_bytes())
        (folder / f"dataset/{name}.json").write_bytes(content)
    splits = folder / "models/preprocessing/model_inputs"
    splits.mkdir(parents=True)
    shutil.copy(data / "kilogram/data_split.json", splits)
    shutil.unpack_archive(data / "kilogram/tangrams-svg.zip", folder / "dataset")
    listed = manifest("kilogram")
    kept = tuple(f for f in listed.files if f.path.startswith(("dataset", "models")))
    kept = tuple(f for f in kept if f.sha256)
    assert len(kept) == 1013 + 3
    monkeypatch.setattr("deixis.cli.fetch.manifest", lambda _: Manifest(
        "kilogram", (address,), listed.notes, kept))  # fmt: skip
    monkeypatch.setenv("DEIXIS_DATA", str(tmp_path / "there"))
    said = deixis("fetch", "kilogram", "--jobs", "8", "--json").json
    assert said["fetched"] == 1016
    loaded = deixis("load", "kilogram", "--json").json
    assert loaded["splits"] == {"dense": 3971, "dense10": 741}
    assert loaded["counts"]["pictures"] == 1013


def test_into_the_users_cache(
    deixis, tmp_path: Path, mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, address = mirror
    (folder / "a").write_text("x")
    one = File("a", 1, hashlib.sha256(b"x").hexdigest())
    monkeypatch.setattr("deixis.cli.fetch.manifest", lambda _: Manifest("toy", (), (), (one,)))
    said = deixis("fetch", "toy", "--from", address, "--json").json
    assert said["folder"] == str(tmp_path / "cache/deixis/data/toy")
    assert (tmp_path / "cache/deixis/data/toy/a").read_text() == "x"


def test_mistakes(refused, tmp_path: Path) -> None:
    assert "nothing is known to fetch 'kilo' from" in refused("fetch", "kilo")
    assert "did you mean 'kilogram'" in refused("fetch", "kilogramm")
    fetch = ("fetch", "vispro", "--data", tmp_path)
    assert "expected http:// or https://" in refused(*fetch, "--from", "/somewhere")
    assert "at least one file at a time" in refused(*fetch, "--jobs", 0)
    assert manifests.known()
