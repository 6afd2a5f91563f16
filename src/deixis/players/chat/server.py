"""An OpenAI-compatible server: requests with retries, and errors that say what to do."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from http.client import HTTPException
from typing import Any

from deixis.errors import BadInput
from deixis.players.chat.connections import Connections
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
        self._connected: Connections | None = None

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
        if self._connected is not None:
            self._connected.close()
            self._connected = None

    def open(self) -> Connections:
        """Be ready for requests of several threads."""
        if self._connected is None:
            headers = {"content-type": "application/json", "accept": "application/json"}
            if self._key:
                headers["authorization"] = f"Bearer {self._key}"
            self._connected = Connections(
                f"{self.url}/chat/completions", headers, self._timeout, self._connections
            )
        return self._connected

    def _post(self, body: bytes) -> tuple[int, str | None, Any]:
        """Status, what the server asks to wait, and the content; status 0 for no response."""
        try:
            answer = self.open().post(body)
        except (OSError, HTTPException) as error:
            return 0, None, f"{type(error).__name__}: {error}"
        try:
            content = json.loads(answer.content)
        except ValueError:
            content = answer.content[:200].decode(errors="replace")
        return answer.status, answer.wait, content


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
