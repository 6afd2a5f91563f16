"""Download the files of a dataset: several at a time, resumed where they broke off, checked.

A file is written under another name first and gets its own only when it is whole and right, so
whatever stands there can be trusted, and a download that was interrupted goes on where it was.
"""

from __future__ import annotations

import http.client
import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote, urlsplit

from deixis import __version__
from deixis.errors import BadInput
from deixis.manifest import File, Manifest
from deixis.progress import Progress, quiet

BLOCK = 1 << 16
TIMEOUT = 30.0
"""Seconds without a byte after which a connection is given up."""

PATIENT = (408, 425, 429, 500, 502, 503, 504)
"""Answers after which it is worth asking again."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a download came to.

    Attributes:
        fetched: files that were downloaded.
        kept: files that were there already, and right.
        received: bytes of these files, less what was there of them before.
    """

    fetched: int
    kept: int
    received: int


def fetch(
    manifest: Manifest,
    folder: Path,
    *,
    base: str = "",
    jobs: int = 4,
    tries: int = 5,
    wait: float = 1.0,
    progress: Progress = quiet,
) -> Fetched:
    """Download what is missing or wrong.

    Args:
        manifest: what there should be.
        folder: where it should be; made if need be.
        base: the address of a mirror, instead of the manifest's own.
        jobs: files at a time.
        tries: how often one file is asked for.
        wait: seconds before the second try; they double with each further one.
        progress: told of each file.

    Raises:
        BadInput: the address is none of HTTP; or some files could not be had, or are not what the
            manifest says. All others are kept all the same.
    """
    bases = (base,) if base else manifest.bases
    for one in bases:
        if urlsplit(one).scheme not in ("http", "https") or not urlsplit(one).hostname:
            raise BadInput(f"{one!r} is no address to fetch from: expected http:// or https://")
    if jobs < 1 or tries < 1:
        raise BadInput(f"expected at least one file at a time and one try, got {jobs}, {tries}")
    what = f"fetching {manifest.name}"
    progress(what, 0, len(manifest.files))
    received, fetched, failures = 0, 0, {}
    stop = threading.Event()
    download = _Download(bases, folder, tries, wait, stop)
    with ThreadPoolExecutor(jobs) as pool:
        try:
            futures = {pool.submit(download, f): f for f in manifest.files}
            for done, future in enumerate(as_completed(futures), start=1):
                try:
                    size = future.result()
                    received, fetched = received + (size or 0), fetched + (size is not None)
                except BadInput as error:
                    failures[futures[future].path] = str(error)
                progress(what, done, len(manifest.files))
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    if failures:
        raise BadInput(_told(failures, len(manifest.files), manifest))
    return Fetched(fetched, len(manifest.files) - fetched, received)


_NETWORK = (
    urllib.error.URLError,
    http.client.HTTPException,
    ConnectionError,
    TimeoutError,
    ssl.SSLError,
)
"""What goes wrong between two machines, and not on this one."""


class _Gone(Exception):
    """There is no such file at this address."""


class _Again(Exception):
    """It did not work this time; `after` is how many seconds the server asks to wait."""

    def __init__(self, why: str, after: float = 0.0) -> None:
        super().__init__(why)
        self.after = after


@dataclass(frozen=True)
class _Download:
    """Fetches one file after another."""

    bases: Sequence[str]
    folder: Path
    tries: int
    wait: float
    stop: threading.Event

    def __call__(self, file: File) -> int | None:
        """Bytes received for a file; None if it was there already.

        Raises:
            BadInput: it could not be had, or is not what it should be.
        """
        target = self.folder / file.path
        if target.is_file() and file.fits(target):
            return None
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(target.name + ".part")
        if not file.sha256:
            # What is left of an earlier time could be of another version, and nobody would know.
            part.unlink(missing_ok=True)
        before = _size(part)
        for number, base in enumerate(self.bases, start=1):
            try:
                self._patiently(_address(base, file.path), file, part)
            except _Gone as error:
                if number == len(self.bases):
                    raise BadInput(str(error)) from None
                continue
            part.replace(target)
            return max(_size(target) - before, 0)
        raise BadInput(f"{file.path}: no address to fetch it from")

    def _patiently(self, address: str, file: File, part: Path) -> None:
        for attempt in range(self.tries):
            try:
                resumed = _size(part)
                self._ask(address, file, part, resumed)
                if file.fits(part):
                    return
                part.unlink()
                if not resumed:
                    raise BadInput(f"{address}: not what the manifest says: other size or checksum")
            except (_Again, *_NETWORK) as error:
                if attempt + 1 == self.tries:
                    raise BadInput(f"{address}: {_why(error)}, {self.tries} times") from None
                asked = error.after if isinstance(error, _Again) else 0.0
                if self.stop.wait(max(self.wait * 2**attempt, asked)):
                    raise BadInput(f"{address}: interrupted") from None
        raise BadInput(f"{address}: not what the manifest says: other size or checksum")

    def _ask(self, address: str, file: File, part: Path, resumed: int) -> None:
        """Ask once, and write what comes behind what is there."""
        headers = {"User-Agent": f"deixis/{__version__}", "Accept-Encoding": "identity"}
        if resumed:
            headers["Range"] = f"bytes={resumed}-"
        request = urllib.request.Request(address, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                self._write(answer, file, part, resumed)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == 416 and resumed:
                # Nothing is left to send: what is there is the whole file, or not this file.
                return
            if error.code in (404, 410):
                raise _Gone(f"{address}: HTTP {error.code}, there is no such file") from None
            if error.code in PATIENT:
                raise _Again(f"HTTP {error.code}", _seconds(error.headers)) from None
            raise BadInput(f"{address}: HTTP {error.code}: {error.reason}") from None

    def _write(
        self, answer: http.client.HTTPResponse, file: File, part: Path, resumed: int
    ) -> None:
        goes_on = answer.status == 206 and _start(answer.headers) == resumed
        written = resumed if goes_on else 0
        length = answer.headers.get("Content-Length", "")
        expected = written + int(length) if length.isdecimal() else file.size
        with part.open("ab" if goes_on else "wb") as out:
            for block in _blocks(answer):
                out.write(block)
                written += len(block)
                if self.stop.is_set():
                    raise BadInput(f"{file.path}: interrupted")
                if file.size is not None and written > file.size:
                    break
        if expected is not None and written < expected:
            raise _Again(f"broke off after {written:,} of {expected:,} bytes")


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _blocks(answer: BinaryIO | http.client.HTTPResponse) -> Iterator[bytes]:
    while block := answer.read(BLOCK):
        yield block


def _address(base: str, path: str) -> str:
    return f"{base.rstrip('/')}/{quote(path)}"


def _start(headers: Message) -> int | None:
    """Where a partial answer begins: ``Content-Range: bytes 100-199/200``."""
    first = headers.get("Content-Range", "").removeprefix("bytes ").partition("-")[0]
    return int(first) if first.isdecimal() else None


def _seconds(headers: Message) -> float:
    """How long the server asks to wait, up to a minute."""
    asked = headers.get("Retry-After", "")
    return float(min(int(asked), 60)) if asked.isdecimal() else 0.0


def _why(error: Exception) -> str:
    reason = getattr(error, "reason", None) or error
    return " ".join(str(reason).split()) or type(error).__name__


def _told(failures: Mapping[str, str], total: int, manifest: Manifest) -> str:
    first = next(iter(failures.values()))
    return (
        f"{len(failures)} of {total} files could not be fetched, the others are kept: {first}; "
        f"run deixis fetch {manifest.name} again to go on"
    )
