"""The options of ``--player chat:MODEL`` on the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from platformdirs import user_cache_path

from deixis.errors import BadInput
from deixis.players.chat import selftest
from deixis.players.chat.account import Account
from deixis.players.chat.cache import ReplyCache
from deixis.players.chat.limits import Limits
from deixis.players.chat.player import LAYOUTS, ORDERS, SCORES, Chat, Manner, Shared
from deixis.players.chat.rendering import Renderer
from deixis.players.chat.server import Server
from deixis.seeds import digest
from deixis.tasks.task import Task


def chat(
    argument: str,
    task: Task,
    *,
    base_url: str = "",
    key_env: str = "OPENAI_API_KEY",
    revision: str = "",
    layout: str = "separate",
    samples: str = "1",
    orders: str = "shown",
    scores: str = "auto",
    temperature: str = "",
    max_tokens: str = "16",
    size: str = "512",
    system: str = "",
    body: str = "{}",
    self_test: str = "full",
    concurrency: str = "16",
    retries: str = "6",
    timeout: str = "120",
    rpm: str = "0",
    tpm: str = "0",
    price_in: str = "",
    price_out: str = "",
    budget: str = "",
) -> Chat:
    """Build it from ``MODEL`` or ``MODEL@URL``.

    Args:
        argument: the model, as the server names it.
        task: what it plays.
        base_url: of the server, up to and with ``/v1``; else ``OPENAI_BASE_URL``.
        key_env: the environment variable that holds the key.
        revision: of the model, part of the key of every reply that is kept.
        layout: ``separate`` pictures, or one ``sheet``.
        samples: how often each question is asked.
        orders: ``shown``, or ``cyclic``: every option at every position.
        scores: ``auto``, ``logprobs`` or ``choice``.
        temperature: 0, or 1 where there are several samples, unless given.
        max_tokens: of a reply.
        size: most pixels of a picture's longer side.
        system: the system message.
        body: more fields of the request, as JSON; null takes one away.
        self_test: ``full``, ``order`` or ``none``.
        concurrency: requests at once.
        retries: tries after the first.
        timeout: seconds for a reply.
        rpm: requests in a minute; 0 for any number.
        tpm: tokens in a minute; 0 for any number.
        price_in: of a million tokens sent.
        price_out: of a million tokens written.
        budget: most to be spent by this process.

    Raises:
        BadInput: an option is wrong, or no server is named.
    """
    model, _, at = argument.partition("@http")
    url = base_url or (f"http{at}" if at else os.environ.get("OPENAI_BASE_URL", ""))
    if not model or not url:
        raise BadInput("chat: expected chat:MODEL with --base-url URL, or chat:MODEL@URL")
    times = _number("samples", samples, 1, whole=True)
    manner = Manner(
        model=model,
        layout=_one_of("layout", layout, LAYOUTS),
        samples=int(times),
        orders=_one_of("orders", orders, ORDERS),
        scores=_one_of("scores", scores, SCORES),
        temperature=_number("temperature", temperature or ("0" if times == 1 else "1"), 0),
        max_tokens=int(_number("max-tokens", max_tokens, 1, whole=True)),
        size=int(_number("size", size, 32, whole=True)),
        system=system,
        body=_fields(body),
        revision=revision,
    )
    prices = [_number(n, v, 0) if v else None for n, v in _named(price_in, price_out, budget)]
    account = Account(price_in=prices[0], price_out=prices[1], budget=prices[2])
    if account.budget is not None and account.cost is None:
        raise BadInput("--budget: needs --price-in and --price-out")
    at_once = int(_number("concurrency", concurrency, 1, whole=True))
    server = Server(
        url,
        os.environ.get(key_env, ""),
        limits=Limits(_number("rpm", rpm, 0), _number("tpm", tpm, 0)),
        timeout=_number("timeout", timeout, 0.001),
        retries=int(_number("retries", retries, 0, whole=True)),
        connections=at_once,
    )
    kept = user_cache_path("deixis") / "replies" / f"{digest(url, model):016x}.cache"
    level = _one_of("self-test", self_test, selftest.LEVELS)
    shared = Shared(server, ReplyCache(kept), account, at_once, level)
    return Chat(manner, shared, task, Renderer(task.store, manner.size))


def _named(price_in: str, price_out: str, budget: str) -> list[tuple[str, str]]:
    return [("price-in", price_in), ("price-out", price_out), ("budget", budget)]


def _one_of(name: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise BadInput(f"--{name}: expected {' or '.join(allowed)}, got {value!r}")
    return value


def _number(name: str, value: str, least: float, *, whole: bool = False) -> float:
    try:
        number = float(int(value) if whole else float(value))
    except ValueError:
        number = float("nan")
    if not least <= number < float("inf"):
        kind = "a whole number" if whole else "a number"
        raise BadInput(f"--{name}: expected {kind} of {least:g} or more, got {value!r}")
    return number


def _fields(text: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"--body: no JSON: {error.msg}") from None
    if not isinstance(fields, dict):
        raise BadInput(f"--body: expected an object, got {text!r}")
    return fields
