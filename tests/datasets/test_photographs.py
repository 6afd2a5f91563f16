"""Downloading photographs from a server with every fault."""

from __future__ import annotations

import gzip
import io
import ipaddress
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.server import Quiet, serving

from deixis.datasets import download as downloads
from deixis.datasets import photographs as module
from deixis.datasets.download import Failed, ask, public
from deixis.datasets.nlvr2 import photographs as of_nlvr2
from deixis.datasets.photographs import JOURNAL, Manners, Photograph, counted, download
from deixis.errors import BadInput
from deixis.pictures.averagehash import average_hash


def picture(seed: int) -> bytes:
    out = io.BytesIO()
    pixels = np.random.default_rng(seed).integers(0, 256, (40, 50, 3), np.uint8)
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


@dataclass
class Server:
    """What is served, what was asked for, and how many at a time."""

    address: str = ""
    pages: dict[str, bytes] = field(default_factory=dict)
    asked: list[tuple[float, str]] = field(default_factory=list)
    busy: int = 0
    most: int = 0


class Handler(Quiet):
    state: Server

    def do_GET(self) -> None:  # noqa: N802
        state = self.state
        state.busy += 1
        state.most = max(state.most, state.busy)
        state.asked.append((time.monotonic(), self.path))
        try:
            self.answer(self.path)
        finally:
            state.busy -= 1

    def answer(self, path: str) -> None:
        if path.startswith("/to/"):
            return self.send(302, b"", Location="/" + path.removeprefix("/to/"))
        if path == "/round":
            return self.send(302, b"", Location="/round")
        if path == "/elsewhere":
            return self.send(302, b"", Location="http://169.254.169.254/latest")
        if path == "/slow":
            time.sleep(1.5)
        if path == "/page":
            return self.send(200, b"<html>gone</html>", Content_Type="text/html")
        if path == "/short":
            self.send_response(200)
            self.send_header("Content-Length", "99999")
            self.end_headers()
            self.wfile.write(picture(0)[:200])
            return None
        if path.startswith("/status/"):
            return self.send(int(path.rpartition("/")[2]), b"")
        found = self.state.pages.get(path)
        return self.send(404 if found is None else 200, found or b"", Content_Type="image/png")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Handler, Server()) as state:
        yield state


LOCAL = Manners(pause=0, seconds=1.0, permitted=lambda a: a == ipaddress.ip_address("127.0.0.1"))


def wanted(server: Server, path: str, *names: str, hashed: str = "") -> Photograph:
    return Photograph(server.address + path, names, (hashed,) if hashed else ())


def test_one_address_under_two_names_is_asked_for_once(server: Server, tmp_path: Path) -> None:
    server.pages["/a.png"] = picture(1)
    one = wanted(server, "/a.png", "x-img0.png", "y-img1.png", hashed=average_hash(picture(1)))
    assert download([one], tmp_path, LOCAL)[one.url].status == "ok"
    for name in one.names:
        assert (tmp_path / name).read_bytes() == picture(1)
    assert len(server.asked) == 1
    (tmp_path / "y-img1.png").unlink()
    download([one], tmp_path, LOCAL)
    download([one], tmp_path, LOCAL)
    assert len(server.asked) == 2, "a lost file is fetched again, and then kept"


@pytest.mark.parametrize(
    ("path", "status", "passing"),
    [
        ("/absent", "HTTP 404", False),
        ("/status/410", "HTTP 410", False),
        ("/status/503", "HTTP 503", True),
        ("/status/429", "HTTP 429", True),
        ("/page", "html", False),
        ("/text", "no picture", False),
        ("/slow", "time-out", True),
        ("/short", "broke off", True),
        ("/round", "redirects", False),
        ("/elsewhere", "private address", False),
        ("/other.png", "hash", False),
    ],
)
def test_what_goes_wrong_has_a_name(
    server: Server, tmp_path: Path, path: str, status: str, passing: bool
) -> None:
    server.pages |= {"/text": b"hello", "/other.png": picture(2)}
    one = wanted(server, path, "a.png", hashed=average_hash(picture(1)))
    good = wanted(server, "/good.png", "b.png")
    server.pages["/good.png"] = picture(3)
    entries = download([one, good], tmp_path, LOCAL)
    assert (entries[one.url].status, entries[one.url].passing) == (status, passing)
    assert entries[good.url].status == "ok"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["b.png", JOURNAL]
    assert counted(entries) == dict(sorted({status: 1, "ok": 1}.items()))
    before = Counter(p for _, p in server.asked)[path]
    download([one], tmp_path, LOCAL)
    assert Counter(p for _, p in server.asked)[path] == before * (2 if passing else 1)
    download([one], tmp_path, LOCAL, again=True)
    assert Counter(p for _, p in server.asked)[path] == before * (3 if passing else 2)


def test_redirects_are_followed_and_told(server: Server, tmp_path: Path) -> None:
    server.pages["/b.png"] = picture(1)
    one = wanted(server, "/to/to/b.png", "b.png")
    entry = download([one], tmp_path, LOCAL)[one.url]
    assert (entry.status, entry.at) == ("ok", f"{server.address}/b.png")


def test_odd_addresses_are_quoted(server: Server, tmp_path: Path) -> None:
    """NLVR2 has addresses with quotes, blanks and commas."""
    server.pages["/a%20%22b%22,c.png?q=%C3%A9%20"] = picture(1)
    one = wanted(server, '/a "b",c.png?q=é ', "c.png")
    assert download([one], tmp_path, LOCAL)[one.url].status == "ok"


def test_a_host_is_asked_one_thing_at_a_time_with_pauses(server: Server, tmp_path: Path) -> None:
    paths = [f"/{i}.png" for i in range(4)]
    server.pages |= {p: picture(1) for p in paths}
    told: list[tuple[int, int]] = []
    many = [wanted(server, p, p[1:]) for p in paths]
    manners = replace(LOCAL, pause=0.05)
    download(many, tmp_path, manners, progress=lambda _, done, of: told.append((done, of)))
    assert server.most == 1
    # When a request arrives may differ from when it was sent: only the whole is sure.
    times = [t for t, _ in server.asked]
    assert times[-1] - times[0] > 3 * 0.04
    assert told == [(i, 4) for i in (1, 2, 3, 4)]


def test_a_journal_cut_short_goes_on(server: Server, tmp_path: Path) -> None:
    server.pages |= {"/a.png": picture(1), "/b.png": picture(2)}
    one, other = wanted(server, "/a.png", "a.png"), wanted(server, "/b.png", "b.png")
    download([one], tmp_path, LOCAL)
    with (tmp_path / JOURNAL).open("a") as file:
        file.write('{"url": "http://unfin')
    entries = download([one, other], tmp_path, LOCAL)
    assert {e.status for e in entries.values()} == {"ok"}
    assert [p for _, p in server.asked] == ["/a.png", "/b.png"]
    assert len((tmp_path / JOURNAL).read_text().splitlines()) == 2


def test_interrupted_it_keeps_what_it_has(server: Server, tmp_path: Path) -> None:
    server.pages |= {f"/{i}.png": picture(i) for i in range(5)}

    def interrupt(_: str, done: int, __: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    many = [wanted(server, f"/{i}.png", f"{i}.png") for i in range(5)]
    with pytest.raises(KeyboardInterrupt):
        download(many, tmp_path, LOCAL, progress=interrupt)
    assert len(server.asked) == 2
    download(many, tmp_path, LOCAL)
    assert len(server.asked) == 5


@pytest.mark.parametrize(
    ("address", "reachable"),
    [
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("::1", False),
        ("::ffff:192.168.0.1", False),
        ("224.0.0.1", False),
        ("1.1.1.1", True),
        ("2606:4700::1111", True),
    ],
)
def test_private_addresses(address: str, reachable: bool) -> None:
    assert public(ipaddress.ip_address(address)) == reachable


def test_by_default_this_machine_is_not_asked(server: Server, tmp_path: Path) -> None:
    one = wanted(server, "/a.png", "a.png")
    entry = download([one], tmp_path)[one.url]
    assert (entry.status, server.asked) == ("private address", [])
    assert "127.0.0.1" in entry.detail


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("ftp://x/a", "no address"),
        ("http://x:99999/", "no address"),
        ("http://[oops/", "no address"),
        ("http://name.invalid/", "no such host"),
        ("http://127.0.0.1:1/", "no connection"),
        ("http://" + "ö" * 80 + "/", "no such host"),
    ],
)
def test_addresses_that_lead_nowhere(url: str, status: str) -> None:
    with pytest.raises(Failed, match=status):
        ask(url, seconds=5, permitted=lambda _: True)


def test_pictures_that_never_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "LARGEST", 1000)
    server.pages["/a.png"] = b"x" * 2000
    with pytest.raises(Failed, match="too large: more than 1,000 bytes"):
        ask(f"{server.address}/a.png", permitted=lambda _: True)


def test_time_is_for_everything_together(server: Server) -> None:
    with pytest.raises(Failed, match="time-out"):
        ask(f"{server.address}/a.png", seconds=0, permitted=lambda _: True)


def test_names_and_addresses_are_checked(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is no name for a photograph"):
        download([Photograph("http://x/", ("../a.png",))], tmp_path)
    twice = Photograph("http://x/", ("a.png",))
    with pytest.raises(BadInput, match="stands twice"):
        download([twice, twice], tmp_path)
    (tmp_path / JOURNAL).write_text('{"page": 1}\n')
    with pytest.raises(BadInput, match=r"journal\.jsonl:1: no entry of a journal"):
        download([twice], tmp_path)


def test_photographs_of_nlvr2(data: Path) -> None:
    _, dev = of_nlvr2(data, ("dev",))
    assert (len(dev), sum(len(p.names) for p in dev)) == (8071, 8102)
    assert sum(len(p.names) > 1 for p in dev) == 27
    assert {len(p.hashes) for p in dev} == {1}, "an address has one hash, whatever its names"


def test_the_command(
    deixis, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "Manners", Manners)
    monkeypatch.setattr("deixis.cli.fetch.Manners", lambda hosts: replace(LOCAL, hosts=hosts))
    record = {
        "identifier": "dev-0-0-0",
        "sentence": "One dog.",
        "label": "True",
        "left_url": f"{server.address}/a.png",
        "right_url": f"{server.address}/gone.png",
    }
    server.pages["/a.png"] = picture(1)
    folder = tmp_path / "nlvr2"
    folder.mkdir()
    (folder / "dev.json").write_text(json.dumps(record))
    (folder / "annotated_dev_examples.txt").write_text("")
    hashes = {"dev-0-0-img0.png": average_hash(picture(1)), "dev-0-0-img1.png": "0" * 16}
    (folder / "dev_hashes.json.gz").write_bytes(gzip.compress(json.dumps(hashes).encode()))
    said = deixis("fetch", "nlvr2-images:dev", "--data", tmp_path, "--json").json
    assert (said["addresses"], said["statuses"]) == (2, {"HTTP 404": 1, "ok": 1})
    assert (folder / "images/dev-0-0-img0.png").is_file()
    shown = deixis("fetch", "nlvr2-images", "--data", tmp_path).out
    assert "HTTP 404" in shown
    assert "belong to their owners" in shown
