"""``deixis collect pictures`` and ``release``: from synsets to sets, from studies to a dataset."""

from __future__ import annotations

import io
import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from PIL import Image

from deixis.collect.pictures.gathered import read_gathered
from deixis.collect.trial import Profile
from deixis.errors import BadInput

SYNSETS = '[[synset]]\nname = "yak"\ncollectives = ["herd"]\n'


class Wiki(BaseHTTPRequestHandler):
    """A wiki with twenty yaks, two a page, which is busy at first."""

    busy = 1

    def do_GET(self) -> None:
        """A page of a search, or a picture."""
        asked = urlsplit(self.path)
        if asked.path.startswith("/file"):
            return self._send(200, picture(int(asked.path.removeprefix("/file"))), "image/png")
        if Wiki.busy:
            Wiki.busy -= 1
            return self._send(503, b"", "text/plain")
        host = f"http://{self.headers['host']}"
        start = int(parse_qs(asked.query).get("gsroffset", ["0"])[0])
        pages = [
            {"index": n, "title": f"File:{n}", "imageinfo": [{
                "url": f"{host}/file{n}", "descriptionurl": f"{host}/page{n}",
                "extmetadata": {"LicenseShortName": {"value": "CC0"}, "Artist": {"value": "Ann"}},
            }]}
            for n in range(start, start + 2)
        ]  # fmt: skip
        more = {"continue": {"gsroffset": start + 2}} if start < 18 else {}
        body = json.dumps({"query": {"pages": pages}, **more}).encode()
        return self._send(200, body, "application/json")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("retry-after", "0")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


def picture(seed: int) -> bytes:
    rough = np.random.default_rng(seed).integers(0, 255, (6, 6, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(rough).resize((210, 210), Image.Resampling.NEAREST).save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def wiki() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Wiki)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/w/api.php"
    server.shutdown()
    server.server_close()


def test_pictures_of_a_wiki(tmp_path: Path, deixis: Callable[..., Any], wiki: str) -> None:
    (tmp_path / "synsets.toml").write_text(SYNSETS)
    common = ("--commons", "a@b.test", "--api", wiki, "--out", tmp_path / "out", "--json")
    ended = deixis("collect", "pictures", tmp_path / "synsets.toml", *common)
    assert ended.json["sets"] == 1
    assert ended.json["decisions"]["prune picture: kept"] == 20
    made = read_gathered(tmp_path / "out")
    assert len(made.sets[0].pictures) == 16
    photo = made.sets[0].pictures[0]
    assert (photo.found.licence, photo.found.attribution) == ("CC0", "Ann")
    assert made.content(photo.key) == picture(int(photo.found.url.rpartition("file")[2]))


def test_pictures_of_a_folder_and_made_ones(
    tmp_path: Path, deixis: Callable[..., Any], refused: Callable[..., str]
) -> None:
    (tmp_path / "synsets.toml").write_text(SYNSETS)
    folder = tmp_path / "yaks"
    folder.mkdir()
    for n in range(12):
        (folder / f"{n}.png").write_bytes(picture(n))
    rows = "".join(f"{n}.png,herd of yaks\n" for n in range(12))
    (folder / "pictures.csv").write_text("file,words\n" + rows)
    out = ("--out", tmp_path / "out")
    ended = deixis("collect", "pictures", tmp_path / "synsets.toml", "--from", folder, *out)
    assert "1 sets of 12 pictures" in ended.out
    assert "exists already" in refused("collect", "pictures", "--made", "40", *out)
    other = ("--out", tmp_path / "other")
    assert deixis("collect", "pictures", "--made", "48", *other, "--json").json["sets"] == 3
    assert "too few" in refused("collect", "pictures", "--made", "2", "--out", tmp_path / "few")
    assert "say where from" in refused("collect", "pictures", *out)
    assert "a file of synsets" in refused("collect", "pictures", "--from", folder, *out)


def test_a_folder_that_is_wrong(tmp_path: Path, deixis: Callable[..., Any]) -> None:
    out = tmp_path / "out"
    deixis("collect", "pictures", "--made", "48", "--out", out)
    whole = (out / "sets.jsonl").read_text()
    for text, said in (
        ("x\n", ":1: no JSON"),
        ('{"id": "1"}\n', ":1: lacks 'synset'"),
        (whole.replace('"pictures": ["', '"pictures": ["no'), "set 0: no picture 'no"),
    ):
        (out / "sets.jsonl").write_text(text)
        with pytest.raises(BadInput, match=said):
            read_gathered(out)
    (out / "sets.jsonl").write_text(whole)
    made = read_gathered(out)
    key = next(iter(made.photos))
    (out / "pictures" / key).unlink()
    with pytest.raises(BadInput, match="the picture is not there"):
        made.content(key)
    with pytest.raises(BadInput, match=f"pictures/{key}: the picture is not there"):
        read_gathered(out)


def test_studies_of_a_collection_are_released(
    tmp_path: Path,
    deixis: Callable[..., Any],
    refused: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The study files of the documentation, with simulated people, as a command."""
    monkeypatch.setattr("deixis.collect.simulate.population.KINDS", ((1.0, Profile(skill=1.0)),))
    root = Path(__file__).parents[2]
    stages = ("rate", "qualify", "write", "judge", "again")
    studies = [root / "docs/studies" / f"pairs-{s}.toml" for s in stages]
    deixis("collect", "pictures", "--made", "60", "--out", tmp_path / "pairs")
    common = ("--home", tmp_path / "home", "--data", tmp_path)
    out, release = tmp_path / "out", ("collect", "release", *studies, *common, "--mode", "test")
    ended = deixis("serve", *studies[:3], *common, "--simulate", "6", "--json")
    assert [s["faults"] for s in ended.json["studies"]] == [[]] * 3
    assert re.search(r"not judged to their end \(\d+ written\)", refused(*release, "--out", out))
    assert "nothing to release" in refused(*release, "--out", out, "--finished")
    ended = deixis("serve", *studies[3:], *common, "--simulate", "6", "--json")
    assert [s["faults"] for s in ended.json["studies"]] == [[]] * 2
    made = deixis(*release, "--out", out, "--json")
    assert made.status == 0
    assert made.json["counts"]["examples"] >= 4
    again = deixis(*release, "--out", tmp_path / "again")
    assert "what it cost" in again.out
    assert deixis("load", "nlvr2", "--data", out).status == 0
