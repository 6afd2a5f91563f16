"""Downloads from a real server on this machine, with the faults that real servers have."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from deixis import fetch as under_test
from deixis.errors import BadInput
from deixis.fetch import Fetched, fetch
from deixis.manifest import File, Manifest
from tests.server import Quiet, serving

CONTENT = np.random.default_rng(0).bytes(300_000)


@dataclass
class Server:
    """What it serves, how it misbehaves, and what it was asked."""

    files: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, list[str]] = field(default_factory=dict)
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    address: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def counts(self) -> Counter[str]:
        return Counter(path for path, _ in self.asked)

    def fault(self, path: str) -> str:
        """The next fault of a path; the last one stays if it ends in a star."""
        with self.lock:
            left = self.faults.get(path, [])
            if not left:
                return ""
            return left[0][:-1] if left[0].endswith("*") else left.pop(0)


class Handler(Quiet):
    state: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:  # noqa: N802
        with self.state.lock:
            self.state.asked.append((self.path, self.headers["Range"]))
        fault = self.state.fault(self.path)
        content = self.state.files.get(self.path)
        if fault.isdecimal():
            return self.refuse(int(fault))
        if fault.startswith("to:"):
            return self.redirect(fault[3:])
        if content is None:
            return self.refuse(404)
        if fault == "wrong":
            content = content[:-1] + b"?"
        if fault == "long":
            content += b"more"
        start = 0
        if self.headers["Range"] and fault not in ("no range", "wrong place"):
            start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
            if start >= len(content):
                return self.refuse(416)
        self.answer(content, start, fault)
        return None

    def answer(self, content: bytes, start: int, fault: str) -> None:
        partial = self.headers["Range"] and fault != "no range"
        self.send_response(206 if partial else 200)
        if partial:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        if fault == "chunked":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"1000\r\n" + content[:100])
            self.close_connection = True
            return
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        body = content[start:]
        if fault == "cut":
            body = body[: len(body) // 2]
            self.close_connection = True
        self.wfile.write(body)

    def refuse(self, code: int) -> None:
        self.send(code, **({"Retry_After": "0"} if code in (429, 503) else {}))

    def redirect(self, where: str) -> None:
        self.send(302, Location=where)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Handler, Server()) as state:
        yield state


def put(server: Server, path: str, content: bytes = CONTENT, *, known: bool = True) -> File:
    server.files[f"/{path}"] = content
    return File(path, len(content), hashlib.sha256(content).hexdigest()) if known else File(path)


def got(server: Server, folder: Path, *files: File, **more) -> Fetched:
    bases = more.pop("bases", (f"{server.address}/",))
    return fetch(Manifest("toy", bases, (), files), folder, wait=0.001, **more)


def test_files_arrive_whole_and_are_kept(server: Server, tmp_path: Path) -> None:
    files = [put(server, f"d{i % 3}/f{i}", CONTENT[: 1000 * i]) for i in range(12)]
    told: list[tuple[str, int, int]] = []
    first = got(server, tmp_path / "x", *files, progress=lambda *a: told.append(a))
    assert first == Fetched(12, 0, sum(f.size or 0 for f in files))
    for file in files:
        assert (tmp_path / "x" / file.path).read_bytes() == server.files[f"/{file.path}"]
    assert [n for _, n, _ in told] == list(range(13))
    assert not list(tmp_path.rglob("*.part"))
    assert got(server, tmp_path / "x", *files) == Fetched(0, 12, 0)
    assert len(server.asked) == 12


def test_names_are_quoted(server: Server, tmp_path: Path) -> None:
    file = File("val texts/part+color#1.json")
    server.files["/val%20texts/part%2Bcolor%231.json"] = b"x"
    got(server, tmp_path, file)
    assert (tmp_path / file.path).read_bytes() == b"x"


def test_what_broke_off_goes_on(server: Server, tmp_path: Path) -> None:
    file = put(server, "a")
    server.faults["/a"] = ["cut", "cut"]
    assert got(server, tmp_path, file) == Fetched(1, 0, len(CONTENT))
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert [r for _, r in server.asked] == [None, "bytes=150000-", "bytes=225000-"]


def test_a_later_run_goes_on_too(server: Server, tmp_path: Path) -> None:
    file = put(server, "a")
    server.faults["/a"] = ["cut"]
    with pytest.raises(BadInput, match=r"broke off after 150,000 of 300,000 bytes, 1 times"):
        got(server, tmp_path, file, tries=1)
    assert (tmp_path / "a.part").stat().st_size == 150_000
    assert not (tmp_path / "a").exists()
    assert got(server, tmp_path, file).received == 150_000
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_a_server_without_ranges_starts_anew(server: Server, tmp_path: Path) -> None:
    file = put(server, "a")
    server.faults["/a"] = ["cut", "no range"]
    got(server, tmp_path, file)
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_a_range_that_was_not_asked_for_is_not_appended(server: Server, tmp_path: Path) -> None:
    file = put(server, "a")
    server.faults["/a"] = ["cut", "wrong place"]
    got(server, tmp_path, file)
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_a_wrong_beginning_is_thrown_away(server: Server, tmp_path: Path) -> None:
    file = put(server, "a")
    for beginning in (b"x" * 1000, CONTENT + b"more", b"x" * len(CONTENT)):
        (tmp_path / "a").unlink(missing_ok=True)
        (tmp_path / "a.part").write_bytes(beginning)
        got(server, tmp_path, file)
        assert (tmp_path / "a").read_bytes() == CONTENT


def test_without_a_checksum_an_old_beginning_is_not_trusted(server: Server, tmp_path: Path) -> None:
    file = put(server, "a", known=False)
    (tmp_path / "a.part").write_bytes(CONTENT[:-1] + b"?")
    got(server, tmp_path, file)
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert server.asked == [("/a", None)]


@pytest.mark.parametrize("code", ["408", "429", "500", "502", "503", "504"])
def test_a_busy_server_is_asked_again(server: Server, tmp_path: Path, code: str) -> None:
    file = put(server, "a")
    server.faults["/a"] = [code, code]
    got(server, tmp_path, file)
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert len(server.asked) == 3


def test_but_not_for_ever(server: Server, tmp_path: Path) -> None:
    file = put(server, "a")
    server.faults["/a"] = ["500*"]
    with pytest.raises(BadInput, match=r"/a: HTTP 500, 4 times; run deixis fetch toy again"):
        got(server, tmp_path, file, tries=4)
    assert len(server.asked) == 4


def test_waits_double(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    class Hurried(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            if timeout is None or timeout < 2:
                return super().wait(timeout)
            waits.append(timeout)
            return False

    monkeypatch.setattr(threading, "Event", Hurried)
    server.faults["/a"] = ["500*"]
    manifest = Manifest("toy", (server.address,), (), (put(server, "a"),))
    with pytest.raises(BadInput, match=r"HTTP 500"):
        fetch(manifest, tmp_path, jobs=1, wait=2.0)
    assert waits == [2, 4, 8, 16]


@pytest.mark.parametrize("code", ["403", "400", "451"])
def test_a_refusal_is_final(server: Server, tmp_path: Path, code: str) -> None:
    file = put(server, "a")
    server.faults["/a"] = [f"{code}*"]
    with pytest.raises(BadInput, match=rf"1 of 1 files could not be fetched.*HTTP {code}"):
        got(server, tmp_path, file)
    assert len(server.asked) == 1


def test_wrong_bytes_are_refused_and_the_good_files_kept(server: Server, tmp_path: Path) -> None:
    good, bad, also = put(server, "good"), put(server, "bad"), put(server, "also", b"xyz")
    server.faults["/bad"] = ["wrong*"]
    with pytest.raises(BadInput, match=r"1 of 3 files .*bad: not what the manifest says: other"):
        got(server, tmp_path, good, bad, also)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["also", "good"]
    server.faults.clear()
    assert got(server, tmp_path, good, bad, also) == Fetched(1, 2, len(CONTENT))


@pytest.mark.parametrize("fault", ["wrong*", "long*"])
def test_a_wrong_file_never_takes_its_own_name(server: Server, tmp_path: Path, fault: str) -> None:
    file = put(server, "a")
    (tmp_path / "a").write_bytes(b"edited by hand")
    server.faults["/a"] = [fault]
    with pytest.raises(BadInput, match=r"not what the manifest says"):
        got(server, tmp_path, file)
    assert (tmp_path / "a").read_bytes() == b"edited by hand"
    server.faults.clear()
    got(server, tmp_path, file)
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_redirects_are_followed_with_the_range(server: Server, tmp_path: Path) -> None:
    file = put(server, "a")
    server.files["/moved"] = CONTENT
    server.faults["/a"] = ["to:/moved*"]
    server.faults["/moved"] = ["cut"]
    got(server, tmp_path, file)
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert ("/moved", "bytes=150000-") in server.asked


def test_redirects_to_files_of_this_machine_are_not(server: Server, tmp_path: Path) -> None:
    file = put(server, "a", known=False)
    server.faults["/a"] = ["to:file:///etc/hostname*"]
    with pytest.raises(BadInput, match=r"could not be fetched"):
        got(server, tmp_path, file)
    assert not (tmp_path / "a").exists()


def test_a_broken_chunk(server: Server, tmp_path: Path) -> None:
    file = put(server, "a")
    server.faults["/a"] = ["chunked"]
    got(server, tmp_path, file)
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_the_next_address_where_one_has_no_such_file(server: Server, tmp_path: Path) -> None:
    file = put(server, "a")
    server.files["/second/a"] = server.files.pop("/a")
    bases = (f"{server.address}/first/", f"{server.address}/second")
    got(server, tmp_path, file, bases=bases)
    assert (tmp_path / "a").read_bytes() == CONTENT
    with pytest.raises(BadInput, match=r"/second/b: HTTP 404, there is no such file"):
        got(server, tmp_path, File("b"), bases=bases)


def test_a_mirror_instead(server: Server, tmp_path: Path) -> None:
    file = put(server, "a")
    made = Manifest("toy", ("http://127.0.0.1:1/",), (), (file,))
    fetch(made, tmp_path, base=server.address)
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_nobody_there(tmp_path: Path) -> None:
    made = Manifest("toy", ("http://127.0.0.1:9/",), (), (File("a"),))
    with pytest.raises(BadInput, match=r"127.0.0.1:9/a: .*refused, 2 times"):
        fetch(made, tmp_path, tries=2, wait=0.001)
    with pytest.raises(BadInput, match=r"a: no address to fetch it from"):
        fetch(Manifest("toy", (), (), (File("a"),)), tmp_path)


def test_a_silent_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    monkeypatch.setattr(under_test, "TIMEOUT", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        made = Manifest("toy", (f"http://127.0.0.1:{silent.getsockname()[1]}/",), (), (File("a"),))
        with pytest.raises(BadInput, match=r"timed out, 2 times"):
            fetch(made, tmp_path, tries=2, wait=0.001)


@pytest.mark.parametrize(
    "address", ["ftp://example.org/", "file:///etc/", "example.org", "http:///"]
)
def test_addresses_that_are_none(tmp_path: Path, address: str) -> None:
    with pytest.raises(BadInput, match=r"expected http:// or https://"):
        fetch(Manifest("toy", (), (), ()), tmp_path, base=address)


@pytest.mark.parametrize("more", [{"jobs": 0}, {"tries": 0}])
def test_at_least_one(tmp_path: Path, more: dict) -> None:
    with pytest.raises(BadInput, match=r"at least one file at a time and one try"):
        fetch(Manifest("toy", (), (), ()), tmp_path, **more)


def test_several_at_a_time(server: Server, tmp_path: Path) -> None:
    """Four requests are under way at once: each waits until all four have come."""
    files = [put(server, f"f{i}", b"x" * i) for i in range(4)]
    together = threading.Barrier(4, timeout=10)
    plain = Handler.answer

    def answer(self: Handler, *rest) -> None:
        together.wait()
        plain(self, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Handler, "answer", answer)
        assert got(server, tmp_path, *files, jobs=4).fetched == 4


def test_interrupting_leaves_what_is_done_and_what_can_go_on(
    server: Server, tmp_path: Path
) -> None:
    files = [put(server, f"f{i}") for i in range(30)]

    def interrupt(_: str, done: int, __: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        got(server, tmp_path, *files, jobs=2, progress=interrupt)
    whole = [p for p in tmp_path.iterdir() if p.suffix != ".part"]
    assert 3 <= len(whole) < 30
    assert all(p.read_bytes() == CONTENT for p in whole)
    assert got(server, tmp_path, *files).kept == len(whole)


def test_a_disk_that_cannot_be_written_is_no_fault_of_the_network(
    server: Server, tmp_path: Path
) -> None:
    (tmp_path / "d").write_text("a file where a folder should be")
    with pytest.raises(OSError, match=r"exists|Not a directory"):
        got(server, tmp_path, put(server, "d/a"))
    assert not server.asked
