"""A local server that speaks as an OpenAI-compatible one does, sees pictures, and has faults."""

from __future__ import annotations

import base64
import io
import json
import math
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from deixis.players.chat.selftest import large, small

Seen = NDArray[np.uint8]


@dataclass
class Asked:
    """One request as the model gets it: the texts joined, and the pictures as the server shows."""

    body: dict[str, Any]
    text: str
    pictures: list[Seen]


def options(asked: Asked) -> dict[str, str]:
    """Label and text of each option of a question with texts."""
    return dict(re.findall(r"^([A-Z])\. (.*)$", asked.text, re.MULTILINE))


def to_all(_: Asked) -> bool:
    return False


@dataclass
class Fake:
    """A model and its server.

    Attributes:
        answer: what the model says; for a dict, the probability of each text.
        faults: any of permute, drop, shrink, blind.
        failures: status codes of the next requests, in order; 0 closes the connection, 1 sends no
            JSON, 2 sends JSON that is no completion.
        logprobs: whether the server gives log-probabilities.
        finish: the finish reason.
        refuse: questions that the model refuses.
        hold: requests wait for it.
    """

    answer: Callable[[Asked], str | dict[str, float]]
    faults: set[str] = field(default_factory=set)
    failures: list[int] = field(default_factory=list)
    logprobs: bool = True
    finish: str = "stop"
    refuse: Callable[[Asked], bool] = to_all
    hold: threading.Event | None = None
    requests: list[Asked] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def questions(self) -> list[Asked]:
        """Requests without those of the self-test."""
        return [a for a in self.requests if "Which option" in a.text]

    def respond(self, body: dict[str, Any]) -> dict[str, Any]:
        content = body["messages"][-1]["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        text = "\n".join(p["text"] for p in parts if p["type"] == "text")
        pictures = self._shown([decode(p["image_url"]["url"]) for p in parts if "image_url" in p])
        asked = Asked(body, text, pictures)
        with self.lock:
            self.requests.append(asked)
        if "Which option" not in text:
            return completion(read_numbers(asked))
        if self.refuse(asked):
            return completion(None, refusal="I will not.")
        said = self.answer(asked)
        return completion(said, self.logprobs and bool(body.get("logprobs")), self.finish)

    def _shown(self, pictures: list[Seen]) -> list[Seen]:
        if "permute" in self.faults:
            pictures = pictures[::-1]
        if "drop" in self.faults and len(pictures) > 1:
            pictures = pictures[:-1]
        if "shrink" in self.faults:
            pictures = [np.asarray(Image.fromarray(p).resize((64, 64))) for p in pictures]
        return [] if "blind" in self.faults else pictures


def decode(uri: str) -> Seen:
    """The pixels of a data URI."""
    content = base64.b64decode(uri.partition(",")[2])
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


@cache
def _known() -> NDArray[np.int64]:
    """Every number as a small picture, shape (90, 32, 32, 3)."""
    drawn = [Image.fromarray(large(n, 128)).resize((32, 32)) for n in range(10, 100)]
    return np.array([np.asarray(d, np.int64) for d in drawn])


def read_numbers(asked: Asked) -> str:
    """What a model that sees answers to the self-test: the numbers that can be read."""
    said = []
    for picture in asked.pictures:
        if "small print" in asked.text:
            size = picture.shape[0]
            said += [n for n in range(10, 100) if size > 64 and (small(n, size) == picture).all()]
        else:
            own = np.asarray(Image.fromarray(picture).resize((32, 32)), np.int64)
            said.append(10 + int(np.abs(_known() - own).sum(axis=(1, 2, 3)).argmin()))
    return ", ".join(map(str, said)) or "I see no number."


def completion(
    said: str | dict[str, float] | None,
    logprobs: bool = False,
    finish: str = "stop",
    refusal: str | None = None,
) -> dict[str, Any]:
    """A chat completion whose first token is the likeliest text."""
    shares = said if isinstance(said, dict) else {said: 1.0} if said is not None else {}
    text = max(shares, key=lambda t: shares[t]) if shares else None
    top = [{"token": t, "logprob": math.log(max(p, 1e-9))} for t, p in shares.items()]
    tokens = [{"token": text, "logprob": 0.0, "top_logprobs": top}]
    return {
        "model": "fake-1",
        "system_fingerprint": "f1",
        "choices": [
            {
                "message": {"role": "assistant", "content": text, "refusal": refusal},
                "finish_reason": finish,
                "logprobs": {"content": tokens} if logprobs and text else None,
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 2, "total_tokens": 102},
    }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    fake: Fake

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        fake = self.fake
        if fake.hold is not None:
            fake.hold.wait(5)
        with fake.lock:
            fake.headers.append({k.lower(): v for k, v in self.headers.items()})
            status = fake.failures.pop(0) if fake.failures else 200
        if self.path != "/v1/chat/completions":
            status = 404
        if status == 0:
            self.close_connection = True
            return
        code = "content_filter" if status == 400 else None
        content: Any = {"error": {"message": f"fault {status}", "code": code}}
        if status in (1, 2):
            content, status = ("<html>" if status == 1 else {"choices": []}), 200
        elif status == 200:
            content = fake.respond(body)
        sent = (content if isinstance(content, str) else json.dumps(content)).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(sent)))
        if status == 429:
            self.send_header("retry-after", "0.01")
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        """A connection that is closed by the other side is no error."""


@contextmanager
def serving(fake: Fake) -> Iterator[Fake]:
    """Serve on a free port for as long as the context lasts."""
    handler = type("Handler", (_Handler,), {"fake": fake})
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
