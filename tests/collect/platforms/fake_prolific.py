"""A Prolific of our own on this machine: studies, submissions, money, and faults on demand.

It keeps to what their documentation says: lists come in pages, a bulk of bonuses is prepared and
then paid, and paying is not idempotent: asked twice, it pays twice.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "token-of-the-fake"
PAGE = 3
"""Submissions on one page of a list."""

FAULTS = ("lost before", "lost after", "500 before", "500 after", "429", "garbage after")
"""What can go wrong with a request, before or after it was acted on; besides, it can be "slow"."""


class No(Exception):
    """The status and the sentence with which a request is refused."""


@dataclass
class Fake:
    """What the other side knows.

    Attributes:
        url: of the interface, with a slash at the end.
        submissions: by id.
        studies: by id, as they were created.
        paid: hundredths that each participant got as bonus.
        bulks: prepared lists of bonuses.
        faults: what is to go wrong with the next requests, as (part of the path, fault).
        asked: every request, as (method, path).
        heard: set when whoever waits for a slow answer has lost patience.
    """

    url: str = ""
    submissions: dict[str, dict[str, Any]] = field(default_factory=dict)
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)
    paid: Counter[str] = field(default_factory=Counter)
    bulks: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    faults: deque[tuple[str, str]] = field(default_factory=deque)
    asked: list[tuple[str, str]] = field(default_factory=list)
    heard: threading.Event = field(default_factory=threading.Event)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def submit(self, person: str, study: str = "study1", status: str = "ACTIVE") -> str:
        """Somebody took a place."""
        key = f"sub{len(self.submissions) + 1}"
        self.submissions[key] = {"id": key, "participant_id": person, "study_id": study}
        self.submissions[key]["status"] = status
        return key

    def break_next(self, part: str, *faults: str) -> None:
        """Let the next requests to a path go wrong, one fault each."""
        self.faults.extend((part, fault) for fault in faults)

    def fault(self, path: str) -> str:
        """What goes wrong with a request; empty for nothing."""
        with self.lock:
            if self.faults and self.faults[0][0] in path:
                return self.faults.popleft()[1]
        return ""

    def act(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Do what is asked."""
        where = urlsplit(path)
        for (verb, pattern), deed in ROUTES.items():
            found = re.fullmatch(pattern, where.path.removeprefix("/api/v1/"))
            if found and verb == method:
                with self.lock:
                    given: dict[str, Any] = deed(self, *found.groups(), body, parse_qs(where.query))
                    return given
        raise No(404, f"no {method} {path}")

    def listed(self, body: Any, query: dict[str, list[str]]) -> dict[str, Any]:
        own = [s for s in self.submissions.values() if s["study_id"] == query["study"][0]]
        page = int(query.get("page", ["1"])[0])
        more = len(own) > page * PAGE
        link = f"{self.url}submissions/?study={query['study'][0]}&page={page + 1}" if more else None
        rows = own[(page - 1) * PAGE : page * PAGE]
        return {"results": rows, "_links": {"next": {"href": link, "title": "Next"}}}

    def one(self, key: str, *_: Any) -> dict[str, Any]:
        if key not in self.submissions:
            raise No(404, "no such submission")
        return self.submissions[key]

    def transition(self, key: str, body: dict[str, Any], _: Any) -> dict[str, Any]:
        here = self.one(key)
        if here["status"] not in ("AWAITING REVIEW", "ACTIVE"):
            raise No(400, f"a submission that is {here['status']} cannot be changed")
        if body["action"] == "REJECT":
            if len(body["message"]) < 100 or not body["rejection_category"]:
                raise No(400, "a message of 100 characters and a category are needed")
        elif body["action"] != "APPROVE":
            raise No(400, f"no action {body['action']}")
        here["status"] = {"APPROVE": "APPROVED", "REJECT": "REJECTED"}[body["action"]]
        return here

    def screened(self, study: str, body: dict[str, Any], _: Any) -> dict[str, Any]:
        for key in body["submission_ids"]:
            here = self.one(key)
            if here["study_id"] != study or here["status"] == "SCREENED OUT":
                raise No(400, "that cannot be screened out")
        for key in body["submission_ids"]:
            here = self.submissions[key]
            here["status"] = "SCREENED OUT"
            self.paid[here["participant_id"]] += round(body["bonus_per_submission"] * 100)
        return {"message": "done"}

    def prepared(self, body: dict[str, Any], _: Any) -> dict[str, Any]:
        lines = [line.split(",") for line in body["csv_bonuses"].splitlines()]
        known = {s["participant_id"] for s in self.submissions.values()}
        for person, _amount in lines:
            if person not in known:
                raise No(400, f"{person} took no part")
        key = secrets.token_hex(4)
        self.bulks[key] = [(person, round(float(amount) * 100)) for person, amount in lines]
        total = sum(amount for _, amount in self.bulks[key])
        return {"id": key, "amount": total, "fees": 0, "vat": 0, "total_amount": total}

    def bulk(self, key: str, *_: Any) -> dict[str, Any]:
        if key not in self.bulks:
            raise No(404, "no such list")
        for person, amount in self.bulks[key]:
            self.paid[person] += amount
        return {}

    def created(self, body: dict[str, Any], _: Any) -> dict[str, Any]:
        needed = ("name", "description", "external_study_url", "completion_codes", "reward")
        if missing := [n for n in needed if not body.get(n)]:
            raise No(400, f"{missing[0]} is missing")
        key = f"study{len(self.studies) + 1}"
        self.studies[key] = body | {"id": key, "status": "UNPUBLISHED"}
        return self.studies[key]

    def study(self, key: str, *_: Any) -> dict[str, Any]:
        if key not in self.studies:
            raise No(404, "no such study")
        return self.studies[key]


ROUTES = {
    ("GET", "submissions/"): Fake.listed,
    ("GET", r"submissions/([^/]+)/"): Fake.one,
    ("POST", r"submissions/([^/]+)/transition/"): Fake.transition,
    ("POST", r"studies/([^/]+)/screen-out-submissions/"): Fake.screened,
    ("POST", "submissions/bonus-payments/"): Fake.prepared,
    ("POST", r"bulk-bonus-payments/([^/]+)/pay/"): Fake.bulk,
    ("POST", "studies/"): Fake.created,
    ("GET", r"studies/([^/]+)/"): Fake.study,
}


class Server(ThreadingHTTPServer):
    """A server with the fake behind it."""

    fake: Fake


class Handler(BaseHTTPRequestHandler):
    """One request: the fault that is due, or what the fake says."""

    server: Server

    def answer(self) -> None:
        """Read, act, and reply as far as the fault lets us."""
        fake = self.server.fake
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        fake.asked.append((self.command, self.path))
        fault = fake.fault(self.path)
        if fault in BEFORE:
            self.say(*BEFORE[fault])
            return
        status, given = self.acted(body)
        if fault == "slow":
            fake.heard.wait(60)
        self.say(*AFTER.get(fault, (status, json.dumps(given).encode())))

    def acted(self, body: dict[str, Any]) -> tuple[int, Any]:
        """What the fake says to it."""
        try:
            if self.headers.get("authorization") != f"Token {TOKEN}":
                raise No(401, "the token is not known")
            return 200, self.server.fake.act(self.command, self.path, body)
        except No as refusal:
            return refusal.args[0], {"error": refusal.args[1]}

    def say(self, status: int, content: bytes) -> None:
        """Reply; status 0 hangs up."""
        if not status:
            return
        try:
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        except OSError:  # whoever asked has gone
            self.close_connection = True

    do_GET = do_POST = answer  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Say nothing."""


BEFORE = {"lost before": (0, b""), "500 before": (500, b"{}"), "429": (429, b"{}")}
AFTER = {"lost after": (0, b""), "500 after": (500, b"{}"), "garbage after": (200, b"<html>")}


@contextmanager
def fake_prolific() -> Iterator[Fake]:
    """The fake on a free port, as long as a block lasts."""
    fake = Fake()
    server = Server(("127.0.0.1", 0), Handler)
    server.fake = fake
    fake.url = f"http://127.0.0.1:{server.server_port}/api/v1/"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
