"""Simulated people in live dialogs: over the socket, or on the page in a browser."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import websockets

from deixis.collect.simulate.population import Person

THINK = 0.02
"""Seconds that they take for a message, on average: these are quick."""

AGAIN = 0.3
"""Seconds until somebody whose connection was lost or refused tries again."""

WORDS = ("is it large?", "is there a chair?", "is it dark?", "is anything red?", "is there a lamp?")


def answer_to(move: str, pool: int, person: Person) -> dict[str, Any]:
    """What a simulated person does when it is their turn: not much of it makes sense."""
    if move == "guess":
        return {"place": int(person.rng.integers(max(pool, 1)))}
    if move == "question":
        return {"text": WORDS[int(person.rng.integers(len(WORDS)))]}
    return {"text": "yes" if person.rng.random() < 0.5 else "no"} if move == "answer" else {}


async def talk(url: str, study: str, token: str, mind: Mind) -> str:
    """Talk until the dialog is over, coming back whenever the connection is lost; how it ended.

    Args:
        url: of the server.
        study: its name.
        token: of the visit.
        mind: of who it is.
    """
    address = f"{url.replace('http', 'ws', 1)}/live/{study}"
    while True:
        try:
            async with websockets.connect(address, max_size=2**24) as socket:
                return await mind.attend(socket, token)
        except (OSError, websockets.WebSocketException):
            mind.lost += 1
            await asyncio.sleep(AGAIN)


class Mind:
    """What somebody at a socket remembers.

    Attributes:
        said: messages in order, each with its key.
        acknowledged: the sequence number of each, as the server gave it.
        role: questioner or answerer, once it is known.
        lost: connections that ended before the dialog did, or were refused.
    """

    def __init__(self, person: Person) -> None:
        self.person = person
        self.said: dict[str, dict[str, Any]] = {}
        self.acknowledged: dict[str, int] = {}
        self.pool, self.role, self.lost = 0, "", 0
        self._done: set[tuple[str, int, int]] = set()

    async def attend(self, socket: Any, token: str) -> str:
        """One connection; what was not acknowledged is said again first."""
        await socket.send(json.dumps({"token": token}))
        for key, message in self.said.items():
            if key not in self.acknowledged:
                await socket.send(json.dumps(message))
        while True:
            told = json.loads(await socket.recv())
            if "page" not in told:
                self.heard(told)
                continue
            page = told["page"]
            if page["over"]:
                return str(page["over"])
            said = self.turn(page)
            if said is not None:
                await asyncio.sleep(float(self.person.rng.exponential(THINK)))
                await socket.send(json.dumps(said))

    def heard(self, told: dict[str, Any]) -> None:
        """An acknowledgement; a refusal of what was said is a fault of the server or of ours."""
        if told["key"] in self.said and "seq" in told:
            self.acknowledged[told["key"]] = told["seq"]

    def turn(self, page: dict[str, Any]) -> dict[str, Any] | None:
        """What to send, if it is our turn and nothing was said yet."""
        self.pool, self.role = len(page.get("pool", ())) or self.pool, page["role"]
        move = (page["move"], len(page.get("turns", ())), len(page.get("guesses", ())))
        if not page["move"] or move in self._done:
            return None
        self._done.add(move)
        body = answer_to(page["move"], self.pool, self.person)
        key = f"k{len(self.said)}"
        self.said[key] = {"key": key, "kind": page["move"], "body": body}
        return self.said[key]


def talk_on_page(page: Any, person: Person) -> None:
    """Do what it is one's turn to do on a page, until the dialog is over.

    Args:
        page: of a browser, which shows the trial.
        person: who it is.
    """
    while True:
        page.wait_for_selector(
            "[data-over], [data-ready], [data-text], [data-place]:not([disabled])"
        )
        if page.query_selector("[data-over]"):
            return
        step(page, person)


def step(page: Any, person: Person) -> bool:
    """One move on a page, if it is one's turn; whether it was, and the page has gone on."""
    room = page.query_selector(".room, #talk .trial")
    move = room.get_attribute("data-move") if room else ""
    if not move:
        return False
    seq = room.get_attribute("data-seq")
    if move == "ready":
        page.click("[data-ready]")
    elif move == "guess":
        pool = len(page.query_selector_all("[data-place]"))
        page.click(f"[data-place='{answer_to(move, pool, person)['place']}']")
    else:
        page.fill("[data-text]", answer_to(move, 0, person)["text"])
        page.press("[data-text]", "Enter")
    page.wait_for_selector(f"[data-seq]:not([data-seq='{seq}'])")
    return True
