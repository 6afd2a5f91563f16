"""``chat:MODEL``: a model behind an OpenAI-compatible server plays any task.

Every view becomes one forced choice (or one for each rotation of its options, and each sample).
Requests that were answered before are never sent again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from deixis.errors import BadInput
from deixis.players.chat import reading, selftest, wording
from deixis.players.chat.account import Account
from deixis.players.chat.cache import ReplyCache, key_of
from deixis.players.chat.rendering import Renderer, data_uri
from deixis.players.chat.server import Server
from deixis.players.chat.wording import Ask
from deixis.players.guessing.ranked import ranked, rounds_of, trials_of
from deixis.replies import STATUSES, Replies
from deixis.seeds import digest
from deixis.stats.ranks import Blocks, rank_blocks
from deixis.tasks.task import Task
from deixis.trials import GuessView

LAYOUTS = ("separate", "sheet")
ORDERS = ("shown", "cyclic")
SCORES = ("auto", "logprobs", "choice")


@dataclass(frozen=True)
class Manner:
    """How questions are asked; whatever could change a reply.

    Attributes:
        model: as the server knows it.
        layout: ``separate`` pictures or one ``sheet``.
        samples: how often each question is asked.
        orders: ``shown``, or ``cyclic``: every option stands at every position once.
        scores: ``logprobs`` of the options, parsed ``choice``, or ``auto``: the first where the
            server gives them, else the second.
        temperature: of sampling.
        max_tokens: of a reply.
        size: most pixels of a picture's longer side.
        system: the system message; empty for none.
        body: more fields of the request; null takes one away.
        revision: of the model, as the user names it.
    """

    model: str
    layout: str = "separate"
    samples: int = 1
    orders: str = "shown"
    scores: str = "auto"
    temperature: float = 0.0
    max_tokens: int = 16
    size: int = 512
    system: str = ""
    body: dict[str, Any] = field(default_factory=dict)
    revision: str = ""

    @property
    def digest(self) -> str:
        """Hash of all of it, and of the wordings."""
        return format(digest(repr(self), wording.VERSION), "x")


@dataclass(frozen=True)
class Request:
    """One request, before pictures are drawn.

    Attributes:
        key: names model, revision and all that is sent.
        ask: the question.
        body: the request with the tokens of pictures in their places.
    """

    key: str
    ask: Ask
    body: dict[str, Any]


@dataclass(frozen=True)
class Shared:
    """What a player keeps at every task and condition."""

    server: Server
    cache: ReplyCache
    account: Account
    concurrency: int
    self_test: str


class Chat:
    """Asks a server; see `Manner` for how, `chat` for the options of the command line."""

    def __init__(self, manner: Manner, shared: Shared, task: Task, renderer: Renderer) -> None:
        self.manner, self.shared, self.task, self.renderer = manner, shared, task, renderer
        self.name = f"chat:{manner.model}"
        self.revision = manner.digest

    def at(self, task: Task) -> Chat:
        """The same player at another condition or task."""
        same = task.store is self.task.store
        renderer = self.renderer if same else Renderer(task.store, self.manner.size)
        return Chat(self.manner, self.shared, task, renderer)

    def keep(self, folder: Path) -> None:
        """Keep replies in a run's folder."""
        self.shared.cache.move(folder / "replies.cache")

    def close(self) -> Account:
        """Let go of server and file; what was asked and paid so far."""
        self.shared.server.close()
        self.shared.cache.close()
        return self.shared.account

    def reply(self, views: Sequence[Any]) -> Replies:
        """Scores, or votes, of the options of each view."""
        if views and isinstance(views[0], GuessView):
            return self._guess(views)
        return self._scored(views)

    def _guess(self, views: Sequence[GuessView]) -> Replies:
        """A forced choice over the pool after the caption and after every round."""
        trials = trials_of(self.task, views)
        targets = np.array([t.answer for t in trials], np.int64)
        rounds = range(1 + rounds_of(self.task))
        parts = [self._scored([replace(v, dialog=v.dialog.upto(r)) for v in views]) for r in rounds]
        ranks = []
        for part in parts:
            assert part.scores is not None  # _scored gives scores
            filled = np.where((part.status == 0)[:, None], part.scores, 0.0)
            ranks.append(rank_blocks(Blocks(partial(_rows, filled), len(views)), targets))
        raw = [part.raw or () for part in parts]
        status = np.concatenate([part.status for part in parts])
        return replace(ranked(views, ranks, raw), status=status)

    def _scored(self, views: Sequence[Any]) -> Replies:
        each = [self._requests(view) for view in views]
        self._answer([r for requests in each for r in requests])
        read = [self._read(view.k, requests) for view, requests in zip(views, each, strict=True)]
        table = np.full((len(views), max((v.k for v in views), default=0)), np.nan)
        for i, one in enumerate(read):
            if one.scores is not None:
                table[i, : len(one.scores)] = one.scores
        return Replies(
            ids=tuple(v.id for v in views),
            status=np.array([STATUSES.index(one.status) for one in read], np.uint8),
            scores=table,
            graded=all(one.graded for one in read if one.scores is not None),
            raw=tuple(one.raw for one in read),
            seconds=np.array([one.seconds for one in read]),
        )

    def _requests(self, view: Any) -> list[Request]:
        orders = wording.rotations(view.k, self.manner.orders)
        asks = [wording.word(view, order, self.manner.layout) for order in orders]
        return [self._request(ask, n) for ask in asks for n in range(self.manner.samples)]

    def _request(self, ask: Ask, sample: int) -> Request:
        """The request with pictures named by their content, and its key."""
        parts = [
            {"type": "text", "text": p}
            if isinstance(p, str)
            else {"picture": self.renderer.token(p)}
            for p in ask.parts
        ]
        body = _body(self.manner, parts, sample)
        sent = json.dumps(body, sort_keys=True, ensure_ascii=False)
        return Request(key_of(self.manner.model, self.manner.revision, sent), ask, body)

    def _answer(self, requests: Sequence[Request]) -> None:
        """Ask what was never asked, many at a time; whatever is answered is kept at once."""
        shared = self.shared
        distinct = {r.key: r for r in requests}
        missing = [r for k, r in distinct.items() if shared.cache.get(k) is None]
        shared.account.known += len(distinct) - len(missing)
        if not missing:
            return
        if any(r.ask.pictured for r in missing):
            self._test()
        shared.server.open()
        with ThreadPoolExecutor(min(shared.concurrency, len(missing))) as pool:
            futures = [pool.submit(self._pay, r) for r in missing]
            try:
                for future in as_completed(futures):
                    future.result()
            except BaseException:
                # What is on its way is paid for: it is waited for and kept; the rest is not sent.
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def _pay(self, request: Request) -> None:
        self.shared.account.afford()
        uris = [self.renderer.uri(p) for p in request.ask.parts if not isinstance(p, str)]
        sent = json.dumps(_with_pictures(request.body, uris)).encode()
        start = time.perf_counter()
        response = self.shared.server.complete(sent)
        try:
            reply = reading.kept(response, request.ask.labels, request.ask.texts)
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise BadInput(f"{self.shared.server.url}: no chat completion: {error!r}") from None
        reply["seconds"] = round(time.perf_counter() - start, 4)
        self.shared.cache.add(request.key, reply)
        self.shared.account.paid(reply)

    def _read(self, k: int, requests: Sequence[Request]) -> _Read:
        """All replies to one view as one: means over samples and rotations."""
        account, replies = self.shared.account, []
        for request in requests:
            reply = self.shared.cache.get(request.key)
            assert reply is not None  # _answer has asked for it
            replies.append(reply)
        said = [
            reading.read(reply, r.ask.labels, r.ask.texts)
            for reply, r in zip(replies, requests, strict=True)
        ]
        for one in said:
            account.chose(one.status, k, one.choice)
        graded = self.manner.scores != "choice" and all(
            s.scores is not None for s in said if s.status == reading.OK
        )
        if self.manner.scores == "logprobs" and not graded:
            raise BadInput(
                f"{self.shared.server.url}: gives no log-probabilities of the options: "
                "say --scores choice"
            )
        votes = [_votes(s, r.ask, graded) for s, r in zip(said, requests, strict=True)]
        ok = [v for v in votes if v is not None]
        odd = next((s.status for s in said if s.status != reading.OK), reading.UNREADABLE)
        return _Read(
            np.mean(ok, axis=0) if ok else None,
            graded,
            reading.OK if ok else odd,
            "\n---\n".join(s.text for s in said),
            float(sum(reply["seconds"] for reply in replies)),
        )

    def _test(self) -> None:
        """Once for each process: does the server show the model what it is sent?"""
        shared = self.shared
        if shared.account.tested != "not needed":
            return
        if shared.self_test == "none":
            shared.account.tested = "left out"
            return
        ask = partial(_converse, self)
        shared.account.tested = selftest.check(ask, self.manner.size, shared.self_test)


@dataclass(frozen=True)
class _Read:
    """All replies to one view."""

    scores: Any
    graded: bool
    status: str
    raw: str
    seconds: float


def _rows(table: Any, start: int, stop: int) -> Any:
    return table[start:stop]


def _votes(said: reading.Said, ask: Ask, graded: bool) -> Any:
    """Scores of the view's options in its own order; None where nothing was chosen."""
    if said.status != reading.OK or said.choice is None:
        return None
    votes = np.zeros(len(ask.order))
    if graded:
        votes[list(ask.order)] = said.scores
    else:
        votes[ask.order[said.choice]] = 1
    return votes


def _converse(player: Chat, text: str, pictures: Sequence[Any]) -> str:
    """One exchange of the self-test; it is paid for, and not kept."""
    parts: list[dict[str, Any]] = [
        {"type": "image_url", "image_url": {"url": data_uri(p)}} for p in pictures
    ]
    body = _body(player.manner, [*parts, {"type": "text", "text": text}], 0)
    body |= {"max_tokens": 64} if "max_tokens" in body else {}
    response = player.shared.server.complete(json.dumps(body).encode())
    reply = reading.kept(response, ("A",), ())
    player.shared.account.paid(reply)
    return str(reply["text"])


def _body(manner: Manner, parts: Sequence[dict[str, Any]], sample: int) -> dict[str, Any]:
    """A request; samples after the first differ by their seed."""
    system = [{"role": "system", "content": manner.system}] if manner.system else []
    logprobs = {} if manner.scores == "choice" else {"logprobs": True, "top_logprobs": 20}
    body = {
        "model": manner.model,
        "messages": [*system, {"role": "user", "content": list(parts)}],
        "temperature": manner.temperature,
        "max_tokens": manner.max_tokens,
        "seed": sample,
        **logprobs,
        **manner.body,
    }
    return {name: value for name, value in body.items() if value is not None}


def _with_pictures(body: dict[str, Any], uris: Sequence[str]) -> dict[str, Any]:
    """The request with data URIs where the tokens of pictures stand."""
    left = iter(uris)
    *before, user = body["messages"]
    parts = [
        {"type": "image_url", "image_url": {"url": next(left)}} if "picture" in part else part
        for part in user["content"]
    ]
    content: Any = parts
    if not uris:
        # Servers of models without pictures take a text only.
        content = "\n".join(str(part["text"]) for part in parts)
    return {**body, "messages": [*before, {**user, "content": content}]}
