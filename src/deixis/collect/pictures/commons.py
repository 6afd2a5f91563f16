"""Pictures of Wikimedia Commons, each with its licence and whom to name."""

from __future__ import annotations

import html
import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import httpx

from deixis import __version__
from deixis.collect.pictures.provider import Found, Unavailable
from deixis.errors import BadInput

T = TypeVar("T")

API = "https://commons.wikimedia.org/w/api.php"
PAGE = 50
ATTEMPTS = 5
WIDTH = 1280
"""Larger pictures are fetched in this width, one of those that the servers keep ready."""

LARGEST = 30 * 2**20
"""Bytes of a file beyond which it is not read."""


class Commons:
    """See `deixis.collect.pictures.provider.Provider`.

    Args:
        contact: an address for those who run the servers; they ask for one.
        api: of another wiki, or of a test.
        wait: how to wait for some seconds.
        transport: for tests.
    """

    name = "commons"

    def __init__(
        self,
        contact: str,
        api: str = API,
        wait: Callable[[float], None] = time.sleep,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        if not contact:
            raise BadInput("Wikimedia asks whoever reads it to leave an address: give a contact")
        agent = f"deixis/{__version__} ({contact})"
        self._client = httpx.Client(
            headers={"user-agent": agent}, timeout=30, follow_redirects=True, transport=transport
        )
        self._api, self._wait = api, wait

    def close(self) -> None:
        """Let go of connections."""
        self._client.close()

    def search(self, phrase: str) -> Iterator[Found]:
        """Bitmaps that a phrase finds, page after page.

        Raises:
            BadInput: the service does not answer, or not in its own form.
        """
        ask: dict[str, Any] = {
            "action": "query",
            "format": "json",
            "formatversion": 2,
            "generator": "search",
            "gsrsearch": f"filetype:bitmap {phrase}",
            "gsrnamespace": 6,
            "gsrlimit": PAGE,
            "prop": "imageinfo",
            "iiprop": "url|size|mime|extmetadata",
            "iiurlwidth": WIDTH,
        }
        more: Mapping[str, Any] | None = {}
        while more is not None:
            page = self._json({**ask, **more})
            try:
                listed = page.get("query", {}).get("pages", [])
                for entry in sorted(listed, key=lambda p: p["index"]):
                    yield _found(entry)
                more = page.get("continue")
            except (KeyError, TypeError, AttributeError, IndexError) as error:
                raise BadInput(f"{self._api}: an answer in an unknown form: {error!r}") from None

    def content(self, found: Found) -> bytes:
        """The bytes of a file, as long as there are not too many.

        Raises:
            BadInput: the service does not answer.
            Unavailable: it has no such file, or one that is too large.
        """

        def ask() -> bytes:
            with self._client.stream("GET", found.url) as reply:
                _refuse_busy(reply)
                if reply.status_code != 200:
                    raise Unavailable(f"status {reply.status_code}")
                read = bytearray()
                for part in reply.iter_bytes():
                    read += part
                    if len(read) > LARGEST:
                        raise Unavailable(f"more than {LARGEST >> 20} MiB")
                return bytes(read)

        return self._patiently(found.url, ask)

    def _json(self, params: Mapping[str, Any]) -> dict[str, Any]:
        def ask() -> dict[str, Any]:
            reply = self._client.get(self._api, params=params)
            _refuse_busy(reply)
            if reply.status_code != 200:
                raise BadInput(f"{self._api}: gave up: status {reply.status_code}")
            try:
                found = reply.json()
            except ValueError:
                raise _Busy("an answer that is no JSON") from None
            if not isinstance(found, dict) or "error" in found:
                raise _Busy(f"error {str(found)[:80]}", _asked(reply))
            return found

        return self._patiently(self._api, ask)

    def _patiently(self, where: str, ask: Callable[[], T]) -> T:
        """Ask again, ever more slowly, while the service is busy or broken."""
        said = ""
        for attempt in range(ATTEMPTS):
            pause = 2.0**attempt
            try:
                return ask()
            except _Busy as busy:
                said, pause = str(busy), busy.pause or pause
            except httpx.HTTPError as error:
                said = type(error).__name__
            if attempt < ATTEMPTS - 1:
                self._wait(pause)
        raise BadInput(f"{where}: gave up: {said}")


class _Busy(Exception):
    """The service may answer later; it may have said when, in seconds."""

    def __init__(self, said: str, pause: float = 0) -> None:
        super().__init__(said)
        self.pause = pause


def _refuse_busy(reply: httpx.Response) -> None:
    if reply.status_code in (429, 500, 502, 503, 504):
        raise _Busy(f"status {reply.status_code}", _asked(reply))


def _asked(reply: httpx.Response) -> float:
    """As long as the service asks for, at most two minutes."""
    asked = reply.headers.get("retry-after", "")
    return min(float(asked), 120.0) if asked.isdigit() else 0


def _found(entry: Mapping[str, Any]) -> Found:
    info = entry["imageinfo"][0]
    told = info.get("extmetadata", {})
    value = {k: _plain(str(v.get("value", ""))) for k, v in told.items()}
    return Found(
        url=info.get("thumburl") or info["url"],
        page=info.get("descriptionurl", ""),
        licence=value.get("LicenseShortName", ""),
        licence_url=value.get("LicenseUrl", ""),
        attribution=value.get("Attribution", "") or value.get("Artist", ""),
        words=f"{entry.get('title', '')} {value.get('ImageDescription', '')}",
    )


def _plain(text: str) -> str:
    """Text without markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())
