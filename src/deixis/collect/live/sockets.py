"""The socket of a live dialog: a hint that the log has grown, and a way to add to it.

A browser says who it is; it then gets a page whenever the log has grown, each with its sequence
number, and an acknowledgement of every message it sends. After a lost connection it comes again
with the same token, and sends again what was not acknowledged, under the same key.

What stands in memory here is read from the log, and could be read again at any time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from starlette.concurrency import run_in_threadpool

from deixis.collect.clock import now
from deixis.collect.live import log
from deixis.collect.live.game import Game
from deixis.collect.live.parlour import Parlour
from deixis.collect.store.engine import Store
from deixis.collect.study import first_fault
from deixis.collect.trial import Refused

POLL = 1.0
"""Seconds between looks at the log without a hint: another process may have written."""

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


Find = Callable[[str, str], tuple[Parlour, log.Guest] | None]
"""The parlour of a name and a token, and who the token is; None if there is none."""


@dataclass
class Table:
    """A dialog whose pages are shown here.

    Attributes:
        parlour: that it belongs to.
        game: as far as its log was read.
        people: seats that people have taken.
        grown: set, and replaced, whenever there is something new.
        sockets: how many pages show it.
    """

    parlour: Parlour
    game: Game
    people: int
    grown: asyncio.Event = field(default_factory=asyncio.Event)
    sockets: int = 0

    def know(self, game: Game, people: int) -> None:
        """Take note of how it stands, unless more is known already."""
        if game.seq > self.game.seq or people > self.people:
            self.game = game if game.seq > self.game.seq else self.game
            self.people = max(people, self.people)
            self.grown.set()
            self.grown = asyncio.Event()


class Live:
    """Live dialogs of one process.

    Args:
        store: of the log.
        find: who comes to which parlour.
    """

    def __init__(self, store: Store, find: Find) -> None:
        self.store, self.find = store, find
        self._tables: dict[int, Table] = {}
        self.router = APIRouter()
        self.router.add_api_websocket_route("/live/{name}", self.talk)

    async def follow(self) -> None:
        """Look at the log now and then, for what other processes wrote; until cancelled."""
        while True:
            await asyncio.sleep(POLL)
            await self.look()

    async def look(self) -> None:
        """Read what is new in the dialogs that are shown here."""
        shown = dict(self._tables)
        if not shown:
            return
        found = await run_in_threadpool(self.store.read, log.open_talks, list(shown))
        for talk, (seq, people) in found.items():
            table = shown[talk]
            if seq > table.game.seq or people > table.people:
                room, known = table.parlour.room, table.game
                game = await run_in_threadpool(self.store.read, log.game_of, room, talk, known)
                table.know(game, people)

    async def talk(self, socket: WebSocket, name: str) -> None:
        """One connection, from its hello to its end."""
        await socket.accept()
        try:
            hello = Hello.model_validate(await socket.receive_json())
            found = await run_in_threadpool(self.find, name, hello.token)
            if found is None:
                await socket.close(4404, "There is no such study here.")
                return
            parlour, guest = found
            seat = await run_in_threadpool(
                self.store.write, log.sit, parlour.room, guest, parlour.policy, now()
            )
            await self._attend(socket, parlour, seat)
        except Refused as error:
            await socket.send_json({"key": "", "error": str(error)})
            await socket.close(4403, "There is nothing to talk about.")
        except (ValidationError, ValueError, KeyError):
            await socket.close(4400, "That cannot be read.")
        except GONE:
            return

    async def _attend(self, socket: WebSocket, parlour: Parlour, seat: log.Seat) -> None:
        """Tell and hear until the browser has gone."""
        game, people = await run_in_threadpool(self.store.read, _standing, parlour, seat.talk)
        table = self._tables.setdefault(seat.talk, Table(parlour, game, people))
        table.sockets += 1
        table.know(game, people)  # somebody who waits learns of it
        telling = asyncio.create_task(self._tell(socket, table, seat))
        try:
            while True:
                await self._hear(socket, table, seat)
        finally:
            telling.cancel()
            table.sockets -= 1
            if not table.sockets:
                self._tables.pop(seat.talk, None)

    async def _tell(self, socket: WebSocket, table: Table, seat: log.Seat) -> None:
        """Send a page whenever there is something new, as long as somebody reads them."""
        seen: set[str] = set()
        with suppress(*GONE):
            while True:
                grown, game = table.grown, table.game
                page = table.parlour.page(seat.trial, game, seat.role, table.people, seen)
                seen |= {"image", "pool"} & set(page)
                await socket.send_json({"page": page})
                if page["over"]:
                    return
                if table.grown is grown:
                    await grown.wait()

    async def _hear(self, socket: WebSocket, table: Table, seat: log.Seat) -> None:
        raw = await socket.receive_json()
        try:
            message = Message.model_validate(raw)
            seq, game = await run_in_threadpool(self._say, table, seat, message)
        except ValidationError as error:
            await socket.send_json({"key": str(raw)[:64], "error": first_fault(error)})
        except Refused as error:
            await socket.send_json({"key": message.key, "error": str(error)})
        else:
            await socket.send_json({"key": message.key, "seq": seq})
            table.know(game, table.people)

    def _say(self, table: Table, seat: log.Seat, message: Message) -> tuple[int, Game]:
        """Add to the log; what is acknowledged is on disk."""
        parlour = table.parlour

        def job(c: Any) -> tuple[int, Game]:
            moment = now()
            log.heard(c, seat.talk, seat.role, moment)
            if not message.kind:
                return 0, table.game
            if message.kind == "end":
                body: dict[str, Any] = {"why": "left"}
            else:
                body = dict(message.body)
            args = (seat.talk, seat.role, message.key, message.kind, body, moment, table.game)
            return log.say(c, parlour.room, *args)

        seq, game = self.store.write(job)
        return seq, parlour.let_bot(self.store, seat.talk, game, now)


def _standing(c: Any, parlour: Parlour, talk: int) -> tuple[Game, int]:
    return log.game_of(c, parlour.room, talk), len(log.seated(c, talk))
