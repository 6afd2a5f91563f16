"""Download photographs from wherever on the web they are, politely, and say what became of each.

Addresses die; nothing here takes that for an error. Every address has a line in a journal with
what it gave: a picture, or why not. Started again, what is there is kept, what failed for good is
left alone, and what failed in passing is tried again.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from deixis.datasets.download import Failed, Permitted, ask, public
from deixis.datasets.files import parse_json
from deixis.errors import BadInput
from deixis.pictures.averagehash import average_hash, distance
from deixis.progress import Progress, quiet
from deixis.writing import write_bytes

JOURNAL = "journal.jsonl"
OK = "ok"


@dataclass(frozen=True, slots=True)
class Photograph:
    """A photograph by its address.

    Attributes:
        url: where it is.
        names: of the files that it goes to; one address may have several.
        hashes: average hashes, one of which it should have; empty where none is known.
    """

    url: str
    names: tuple[str, ...]
    hashes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """What became of one address.

    Attributes:
        url: as it was asked for.
        status: ``ok``, or why not: ``HTTP 404``, ``time-out``, ``html``, ``no picture``, ``hash``,
            ``private address``, ``redirects``, ``no such host``, ``no connection``, ``broke off``,
            ``too large``, ``no address``.
        detail: more of it.
        passing: whether it may work another time.
        at: where it led, if elsewhere.
    """

    url: str
    status: str
    detail: str = ""
    passing: bool = False
    at: str = ""


@dataclass(frozen=True)
class Manners:
    """How to ask.

    Attributes:
        hosts: asked at the same time; never the same host twice.
        pause: seconds between two requests to one host.
        seconds: for one photograph.
        tolerance: cells in which an average hash may differ.
        permitted: which addresses may be connected to.
    """

    hosts: int = 16
    pause: float = 1.0
    seconds: float = 20.0
    tolerance: int = 0
    permitted: Permitted = public


def download(
    photographs: Sequence[Photograph],
    folder: Path,
    manners: Manners | None = None,
    *,
    again: bool = False,
    progress: Progress = quiet,
) -> dict[str, Entry]:
    """Download what is missing.

    Args:
        photographs: each address once.
        folder: gets the files and the journal.
        manners: how to ask.
        again: ask again for what failed for good, too.
        progress: told of each address.

    Returns:
        What became of each address, now or earlier.

    Raises:
        BadInput: an address stands twice, a name leads out of the folder, or the journal is broken.
    """
    manners = manners or Manners()
    _check(photographs)
    folder.mkdir(parents=True, exist_ok=True)
    known = read_journal(folder)
    queues: dict[str, list[Photograph]] = {}
    for one in photographs:
        if not _settled(one, known.get(one.url), folder, again):
            queues.setdefault(urlsplit_host(one.url), []).append(one)
    left = sum(map(len, queues.values()))
    work = _Work(folder, manners, known, progress, left)
    # The longest queues first: they take the longest whatever is done.
    order = sorted(queues.values(), key=len, reverse=True)
    with ThreadPoolExecutor(manners.hosts) as pool:
        futures = [pool.submit(work.host, queue) for queue in order]
        try:
            for future in as_completed(futures):
                future.result()
        except BaseException:
            work.stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return {p.url: known[p.url] for p in photographs}


def read_journal(folder: Path) -> dict[str, Entry]:
    """The last entry of each address; a last line that was cut short is left out.

    Raises:
        BadInput: a line is not as `download` writes it.
    """
    path = folder / JOURNAL
    lines = path.read_text("utf-8").split("\n") if path.is_file() else [""]
    found: dict[str, Entry] = {}
    for number, line in enumerate(lines[:-1], start=1):
        try:
            entry = Entry(**parse_json(line.encode(), f"{path}:{number}"))
        except TypeError as error:
            raise BadInput(f"{path}:{number}: no entry of a journal: {error}") from None
        found[entry.url] = entry
    return found


def urlsplit_host(url: str) -> str:
    """The host of an address, or nothing."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _check(photographs: Sequence[Photograph]) -> None:
    seen: set[str] = set()
    for one in photographs:
        if one.url in seen:
            raise BadInput(f"{one.url}: the address stands twice")
        seen.add(one.url)
        for name in one.names:
            if Path(name).name != name or name in ("", JOURNAL):
                raise BadInput(f"{name!r} is no name for a photograph")


def _settled(one: Photograph, entry: Entry | None, folder: Path, again: bool) -> bool:
    if entry is None:
        return False
    if entry.status == OK:
        return all((folder / name).is_file() for name in one.names)
    return not (again or entry.passing)


@dataclass
class _Work:
    """Shared by the threads."""

    folder: Path
    manners: Manners
    known: dict[str, Entry]
    progress: Progress
    total: int

    def __post_init__(self) -> None:
        self.lock = threading.Lock()
        self.stop = threading.Event()
        self.done = 0
        path = self.folder / JOURNAL
        if path.is_file() and not path.read_bytes().endswith(b"\n") and path.stat().st_size:
            kept = path.read_bytes().rpartition(b"\n")
            path.write_bytes(kept[0] + kept[1])

    def host(self, queue: Sequence[Photograph]) -> None:
        """Ask one host for one photograph after another."""
        last = -self.manners.pause
        for one in queue:
            self.stop.wait(max(last + self.manners.pause - time.monotonic(), 0.0))
            if self.stop.is_set():
                return
            last = time.monotonic()
            self.write(self.one(one))

    def one(self, one: Photograph) -> Entry:
        """Ask for one photograph and keep it if it is right."""
        try:
            answer = ask(one.url, seconds=self.manners.seconds, permitted=self.manners.permitted)
        except Failed as failed:
            return Entry(one.url, failed.status, failed.detail, failed.passing)
        at = answer.address if answer.address != one.url else ""
        try:
            found = average_hash(answer.content)
        except BadInput as error:
            page = answer.kind == "text/html" or answer.content[:200].lstrip()[:1] == b"<"
            return Entry(one.url, "html" if page else "no picture", str(error), at=at)
        apart = min((distance(found, h) for h in one.hashes), default=0)
        if apart > self.manners.tolerance:
            return Entry(one.url, "hash", f"{found}, {apart} cells from {one.hashes[0]}", at=at)
        for name in one.names:
            write_bytes(self.folder / name, answer.content)
        return Entry(one.url, OK, at=at)

    def write(self, entry: Entry) -> None:
        """Add a line to the journal."""
        with self.lock:
            self.known[entry.url] = entry
            with (self.folder / JOURNAL).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(entry), ensure_ascii=False) + "\n")
            self.done += 1
            self.progress("fetching photographs", self.done, self.total)


def counted(entries: Mapping[str, Entry]) -> dict[str, int]:
    """How many addresses have each status, the most frequent first."""
    found: dict[str, int] = {}
    for entry in entries.values():
        found[entry.status] = found.get(entry.status, 0) + 1
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
