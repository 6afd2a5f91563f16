"""The socket of a live dialog: a hint that the log has grown, and a way to add to it.

A browser says who it is; it then gets a page whenever the log has grown, each with its sequence
number, and an acknowledgement of every message it sends. After a lost connection it comes again
with the same token, and sends again what was not acknowledged, under the same key.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from starlette.concurrency import run_in_threadpool

from deixis.collect.clock import now
from deixis.collect.live import log
from deixis.collect.live.parlour import Parlour
from deixis.collect.store.engine import Store
from deixis.collect.study import first_fault
from deixis.collect.trial import Refused

POLL = 1.0
"""Seconds after which the log is looked at without a hint: another process may have written."""

GONE = (WebSocketDisconnect, RuntimeError)
"""What tells that a browser has gone, by the time of reading or of writing."""

TOKEN = r"^[0-9a-f]{32}$"


class Hello(BaseModel):
    """Who comes."""

    model_config = ConfigDict(extra="forbid")

    token: str = Field(pattern=TOKEN)


class Message(BaseModel):
    """What somebody does; an empty kind only says that they are there."""

    model_config = ConfigDict(extra="forbid")

    key: str = Field(pattern=r"^[A-Za-z0-9-]{1,64}$")
    kind: str = Field(default="", max_length=20)
    body: dict[str, JsonValue] = Field(default_factory=dict)


class Live:
    """Live dialogs of one process.

    Args:
        store: of the log.
        parlours: by name.
    """

    def __init__(self, store: Store, parlours: dict[str, Parlour]) -> None:
        self.store, self.parlours = store, parlours
        self._grown: dict[int, asyncio.Event] = defaultdict(asyncio.Event)
        self.router = APIRouter()
        self.router.add_api_websocket_route("/live/{name}", self.talk)

    def reap(self) -> int:
        """See `log.reap`; for all parlours."""
        return sum(
            self.store.write(log.reap, p.room, p.policy, now()) for p in self.parlours.values()
        )

    async def talk(self, socket: WebSocket, name: str) -> None:
        """One connection, from its hello to its end."""
        await socket.accept()
        parlour = self.parlours.get(name)
        try:
            if parlour is None:
                await socket.close(4404, "There is no such study here.")
                return
            hello = Hello.model_validate(await socket.receive_json())
            seat = await run_in_threadpool(
                self.store.write, log.sit, parlour.room, hello.token, parlour.policy, now()
            )
            self._grow(seat.talk)  # somebody who waits learns of it
            telling = asyncio.create_task(self._tell(socket, parlour, seat))
            try:
                while True:
                    await self._hear(socket, parlour, seat)
            finally:
                telling.cancel()
        except (ValidationError, ValueError, KeyError):
            await socket.close(4400, "That cannot be read.")
        except GONE:
            return

    def _grow(self, talk: int) -> None:
        """Wake all who wait for this dialog."""
        self._grown.pop(talk, asyncio.Event()).set()

    async def _tell(self, socket: WebSocket, parlour: Parlour, seat: log.Seat) -> None:
        """Send a page whenever there is something new, as long as somebody reads them."""
        with suppress(*GONE):
            await self._tell_on(socket, parlour, seat)

    async def _tell_on(self, socket: WebSocket, parlour: Parlour, seat: log.Seat) -> None:
        told: dict[str, Any] = {}
        while True:
            grown = self._grown[seat.talk]
            page = await run_in_threadpool(self._page, parlour, seat)
            if {k: v for k, v in page.items() if k != "pool"} != told:
                told = {k: v for k, v in page.items() if k != "pool"}
                await socket.send_json({"page": page})
            if page["over"]:
                return
            try:
                await asyncio.wait_for(grown.wait(), POLL)
            except TimeoutError:
                continue

    def _page(self, parlour: Parlour, seat: log.Seat) -> dict[str, Any]:
        def job(c: Any) -> dict[str, Any]:
            game = log.game_of(c, parlour.room, seat.talk)
            return parlour.page(seat.trial, game, seat.role, len(log.seated(c, seat.talk)))

        return self.store.read(job)

    async def _hear(self, socket: WebSocket, parlour: Parlour, seat: log.Seat) -> None:
        raw = await socket.receive_json()
        try:
            message = Message.model_validate(raw)
            seq = await run_in_threadpool(self._say, parlour, seat, message)
        except ValidationError as error:
            await socket.send_json({"key": str(raw)[:64], "error": first_fault(error)})
        except Refused as error:
            await socket.send_json({"key": message.key, "error": str(error)})
        else:
            await socket.send_json({"key": message.key, "seq": seq})
            self._grow(seat.talk)

    def _say(self, parlour: Parlour, seat: log.Seat, message: Message) -> int:
        """Add to the log; what is acknowledged is on disk."""

        def job(c: Any) -> int:
            moment = now()
            log.heard(c, seat.talk, seat.role, moment)
            if not message.kind:
                return 0
            if message.kind == "end":
                body: dict[str, Any] = {"why": "left"}
            else:
                body = dict(message.body)
            args = (seat.talk, seat.role, message.key, message.kind, body, moment)
            return log.say(c, parlour.room, *args)

        seq = self.store.write(job)
        parlour.let_bot(self.store, seat.talk, now())
        return seq
