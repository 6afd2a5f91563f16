"""An OpenAI-compatible server: requests with retries, and errors that say what to do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from deixis.errors import BadInput, extra
from deixis.players.chat.limits import Limits, delay

AGAIN = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""Statuses after which the same request may succeed."""

FILTERED = ("content_filter", "content_policy_violation")
"""Codes of a request that was refused for its content."""


class Server:
    """Sends chat completions.

    Args:
        url: up to and with ``/v1``.
        key: sent as a bearer token; empty for none.
        limits: how fast.
        timeout: seconds for one reply.
        retries: how many tries follow the first.
        connections: how many requests at once.
        sleep: waits.
    """

    def __init__(
        self,
        url: str,
        key: str = "",
        *,
        limits: Limits | None = None,
        timeout: float = 120,
        retries: int = 6,
        connections: int = 16,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url.rstrip("/")
        self._key = key
        self._limits = limits or Limits()
        self._timeout, self._retries, self._connections = timeout, retries, connections
        self.sleep = sleep
        self._client: Any = None

    def complete(self, body: bytes) -> dict[str, Any]:
        """The server's response to one request.

        A request that is refused for its content gives a response whose finish reason says so.

        Raises:
            BadInput: the server cannot be reached, refuses the request, or gives no JSON, after
                all retries.
        """
        reason = ""
        for attempt in range(self._retries + 1):
            self._limits.wait()
            status, asked, content = self._post(body)
            if status == 200 and isinstance(content, dict) and content.get("choices"):
                usage = content.get("usage") or {}
                self._limits.spent(usage.get("total_tokens", 0))
                return content
            reason = _reason(status, content)
            if status == 400 and _code(content) in FILTERED:
                return _refused(reason)
            if status >= 400 and status not in AGAIN:
                raise BadInput(f"{self.url}: {reason}")
            if attempt < self._retries:
                self.sleep(delay(attempt, asked))
        raise BadInput(
            f"{self.url}: gave up after {self._retries + 1} tries: {reason}; what was paid for is "
            "kept: run the same again to go on"
        )

    def close(self) -> None:
        """Let connections go."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def open(self) -> None:
        """Be ready for requests of several threads."""
        if self._client is not None:
            return
        httpx = extra("httpx", "chat")
        headers = {"content-type": "application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        n = self._connections
        limits = httpx.Limits(max_connections=n, max_keepalive_connections=n)
        self._client = httpx.Client(
            headers=headers, timeout=self._timeout, limits=limits, trust_env=False
        )

    def _post(self, body: bytes) -> tuple[int, str | None, Any]:
        """Status, what the server asks to wait, and the content; status 0 for no response."""
        self.open()
        httpx = extra("httpx", "chat")
        try:
            response = self._client.post(f"{self.url}/chat/completions", content=body)
        except httpx.HTTPError as error:
            return 0, None, f"{type(error).__name__}: {error}"
        except httpx.InvalidURL as error:
            raise BadInput(f"--base-url {self.url}: {error}") from None
        try:
            content = response.json()
        except ValueError:
            content = response.text[:200]
        return response.status_code, response.headers.get("retry-after"), content


def _reason(status: int, content: Any) -> str:
    """What went wrong, in one line."""
    error = content.get("error", content) if isinstance(content, dict) else content
    said = error.get("message", error) if isinstance(error, dict) else error
    line = " ".join(str(said).split())[:300]
    if status == 200:
        return f"a response that is no chat completion: {line}"
    return f"status {status}: {line}" if status else line


def _code(content: Any) -> str:
    error = content.get("error") if isinstance(content, dict) else None
    return str(error.get("code") or error.get("type")) if isinstance(error, dict) else ""


def _refused(reason: str) -> dict[str, Any]:
    message = {"content": None, "refusal": reason}
    return {"choices": [{"message": message, "finish_reason": "content_filter"}], "usage": {}}
