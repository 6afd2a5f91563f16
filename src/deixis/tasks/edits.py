"""Edits made by hand in one trial, and the file that keeps them.

An edit puts a value of somebody's choice in the place of one value of a channel: another caption,
another answer in round 3, other colors on the second candidate. Where an intervention alters every
trial by a rule, an edit alters one trial as it is written. Edits act in `deixis.tasks.see.see`,
after all interventions, so that what is edited is what the reader would have got.

An edit file is TOML or JSON::

    trial = "vispro-17"
    [[edit]]
    channel = "answer"
    at = 3
    value = "no"

`at` is the round in dialogs (0 is the caption's; a picture is altered from that round on), and
elsewhere the number of the value in the trial's own order, from 1. Values are

* text for texts, a list of texts for part names;
* for colors the part of each of the seven pieces, from 1, and 0 for black;
* for pictures ``picture:NAME``, ``blank``, ``square``, ``mean``, ``noise:raw:SEED`` or
  ``noise:matched:SEED``.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from deixis.errors import BadInput, unknown
from deixis.pictures.store import SQUARE, TangramStore
from deixis.reading import read_text
from deixis.tasks.task import Channel, Task
from deixis.trials import BLANK, Picture

Value: TypeAlias = str | tuple[str, ...] | tuple[int, ...]

LONGEST = 5_000
"""Characters that a text may have."""

MOST = 200
"""Edits that a trial may have."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One value, put by hand.

    Attributes:
        channel: the input that it is a value of.
        value: as it is written in files.
        at: the round, or the number of the value from 1, see above; None where there is one only.
        reader: the one reader who gets it; None is every reader.
    """

    channel: str
    value: Value
    at: int | None = None
    reader: str | None = None

    def __str__(self) -> str:
        reader = f"/{self.reader}" if self.reader else ""
        return f"{self.channel}{reader}" + ("" if self.at is None else f"@{self.at}")

    def json(self) -> dict[str, Any]:
        """As files hold it, without what is not said."""
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        made = {"channel": self.channel, "at": self.at, "reader": self.reader, "value": value}
        return {key: kept for key, kept in made.items() if kept is not None}


Edits: TypeAlias = tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class EditFile:
    """What an edit file holds.

    Attributes:
        trial: id of the trial.
        edits: in any order; at most one for each value.
        source: what the trial is of, such as ``vispro``; empty where that is not said.
    """

    trial: str
    edits: Edits
    source: str = ""


def read(path: Path) -> EditFile:
    """Read an edit file; ``.json`` is JSON, all else TOML.

    Raises:
        BadInput: it cannot be read, or is no edit file.
    """
    return parse(read_text(path), str(path), toml=path.suffix != ".json")


def parse(text: str, where: str, *, toml: bool = True) -> EditFile:
    r"""Read the text of an edit file.

    Args:
        text: TOML or JSON.
        where: how errors name it.
        toml: which of both it is.

    Raises:
        BadInput: it is no edit file; the message says where and what was expected.

    >>> held = parse('trial = "a"\n[[edit]]\nchannel = "caption"\nvalue = "a cat"', "my.toml")
    >>> held.trial, str(held.edits[0]), held.edits[0].value
    ('a', 'caption', 'a cat')
    """
    try:
        held = tomllib.loads(text) if toml else json.loads(text)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError) as error:
        raise BadInput(f"{where}: not {'TOML' if toml else 'JSON'}: {error}") from None
    if not isinstance(held, dict) or not isinstance(held.get("trial"), str):
        raise BadInput(f'{where}: no edit file: expected trial = "ID" and [[edit]] tables')
    stranger = next((k for k in held if k not in ("trial", "source", "edit")), None)
    if stranger is not None:
        raise BadInput(f"{where}: {stranger!r}: expected trial, source and [[edit]] only")
    source = held.get("source", "")
    if not isinstance(source, str):
        raise BadInput(f"{where}: source: expected text, got {source!r}")
    return EditFile(held["trial"], edits_of(held.get("edit", []), where), source)


def edits_of(rows: Any, where: str) -> Edits:
    """Edits from their rows as JSON has them.

    Raises:
        BadInput: a row is no edit, two put the same value, or there are too many.
    """
    if not isinstance(rows, list):
        raise BadInput(f"{where}: edit: expected a list, got {rows!r:.60}")
    if len(rows) > MOST:
        raise BadInput(f"{where}: {len(rows)} edits: expected at most {MOST}")
    made = tuple(_edit(row, f"{where}: edit {number}") for number, row in enumerate(rows, 1))
    seen: set[tuple[str, int | None, str | None]] = set()
    for one in made:
        if (one.channel, one.at, one.reader) in seen:
            raise BadInput(f"{where}: {one} is put twice")
        seen.add((one.channel, one.at, one.reader))
    return made


def write(held: EditFile) -> str:
    """The file's text as TOML; `parse` gives the same back.

    >>> parse(write(EditFile("a", (Edit("answer", "no", 3),))), "it").edits
    (Edit(channel='answer', value='no', at=3, reader=None),)
    """
    lines = [f"trial = {_quoted(held.trial)}"]
    if held.source:
        lines.append(f"source = {_quoted(held.source)}")
    for one in held.edits:
        lines += ["", "[[edit]]", *(f"{k} = {_quoted(v)}" for k, v in one.json().items())]
    return "\n".join(lines) + "\n"


def put(task: Task, view: Any, edits: Edits, reader: str) -> Any:
    """A view with edits made, those for other readers left out.

    A dialog that is still being made has fewer rounds than its edits speak of: those of later
    rounds change nothing yet.

    Args:
        task: whose channels and pictures they are.
        view: in the trial's own order.
        edits: checked by `check`.
        reader: who reads the view.
    """
    for channel in task.channels.values():
        for one in edits:
            if one.channel == channel.name and one.reader in (None, reader):
                view = channel.put(view, _values(task, channel, view, one))
    return view


def check(task: Task, trial: Any, edits: Edits) -> None:
    """Refuse edits that do not fit a trial.

    Raises:
        BadInput: there is no such channel, reader, round or picture; or a value of another kind.
    """
    for one in edits:
        channel = task.channels.get(one.channel)
        if channel is None:
            said = f"{one}: a {task.kind} task has no channel {one.channel!r}"
            raise unknown(said, one.channel, task.channels)
        if one.reader is not None and one.reader not in task.about.readers:
            raise BadInput(f"{one}: {task.name} is read by {', '.join(task.about.readers)}")
        view = task.view(trial, channel.reader or one.reader)
        places = places_of(channel, view)
        if one.at is None and len(places) != 1:
            raise BadInput(f"{one}: expected at = {places[0]} to {places[-1]}")
        if one.at is not None and not _there(channel, one.at, places):
            raise BadInput(f"{one}: trial {trial.id} has none there (it has {_span(places)})")
        put(task, view, (replace(one, reader=None),), task.readers[0])


def places_of(channel: Channel, view: Any) -> list[int]:
    """What `at` may say of each value of a channel."""
    values = channel.get(view)
    if channel.rounds is not None:
        return list(channel.rounds(view))
    return list(range(1, len(values) + 1))


def _there(channel: Channel, at: int, places: Sequence[int]) -> bool:
    # A picture is altered from a round on, and the view says only how many rounds there are.
    return 0 <= at <= max(places, default=-1) if _lasts(channel) else at in places


def _lasts(channel: Channel) -> bool:
    return channel.kind == "image" and channel.rounds is not None


def _span(places: Sequence[int]) -> str:
    return f"{places[0]} to {places[-1]}" if places else "none at all"


def _values(task: Task, channel: Channel, view: Any, one: Edit) -> tuple[Any, ...]:
    places = places_of(channel, view)
    made = list(channel.get(view))
    for i, place in enumerate(places):
        if one.at in (None, place) or (_lasts(channel) and (one.at or 0) <= place):
            made[i] = _KINDS[channel.kind](task, made[i], one)
    return tuple(made)


def _text(_: Task, __: Any, one: Edit) -> str:
    if not isinstance(one.value, str):
        raise BadInput(f"{one}: expected a text, got {one.value!r}")
    return one.value


def _names(_: Task, __: Any, one: Edit) -> tuple[str, ...]:
    names = one.value
    if not isinstance(names, tuple) or len(names) > 7:
        raise BadInput(f"{one}: expected a list of at most seven names, got {names!r}")
    named = tuple(n for n in names if isinstance(n, str))
    if len(named) < len(names):
        raise BadInput(f"{one}: expected names, got {names!r}")
    return named


def _paint(_: Task, picture: Picture, one: Edit) -> Picture:
    parts = one.value
    numbers = [p for p in parts if isinstance(p, int)] if isinstance(parts, tuple) else []
    if len(parts) != 7 or len(numbers) != 7 or not all(0 <= p <= 7 for p in numbers):
        raise BadInput(f"{one}: expected the part of each of 7 pieces, 0 to 7, got {parts!r}")
    if picture.source == BLANK.source:
        raise BadInput(f"{one}: an empty picture has no pieces to color")
    paint = tuple(p - 1 if p else None for p in numbers)
    return replace(picture, paint=paint if any(numbers) else None)


def _picture(task: Task, picture: Picture, one: Edit) -> Picture:
    """What stands for a picture; its colors stay on another shape."""
    value = one.value
    if value == "blank":
        return BLANK
    if value == "square" and isinstance(task.store, TangramStore):
        return replace(SQUARE, paint=picture.paint)
    name, _, rest = value.partition(":") if isinstance(value, str) else ("", "", "")
    if name == "picture" and rest:
        return replace(task.store.picture(rest), paint=picture.paint)
    manner, _, seed = rest.partition(":")
    if name == "noise" and manner in ("raw", "matched") and seed.isdecimal() and len(seed) < 20:
        return replace(picture, edits=(*picture.edits, f"noise:{manner}:{seed}"))
    if value == "mean":
        return replace(picture, edits=(*picture.edits, "mean"))
    raise BadInput(
        f"{one}: expected picture:NAME, blank, square (tangrams), mean, noise:raw:SEED or "
        f"noise:matched:SEED, got {value!r:.80}"
    )


_KINDS = {
    "text": _text,
    "names": _names,
    "paint": _paint,
    "shape": _picture,
    "image": _picture,
    "picture": _picture,
}
"""What makes a value of each kind of channel."""


def _edit(row: Any, where: str) -> Edit:
    if not isinstance(row, Mapping):
        raise BadInput(f"{where}: expected channel and value, got {row!r:.60}")
    stranger = next((k for k in row if k not in ("channel", "at", "reader", "value")), None)
    if stranger is not None:
        raise BadInput(f"{where}: {stranger!r}: expected channel, at, reader and value only")
    channel, at, reader = row.get("channel"), row.get("at"), row.get("reader")
    if not isinstance(channel, str):
        raise BadInput(f'{where}: expected channel = "NAME", got {channel!r:.60}')
    if at is not None and (not isinstance(at, int) or isinstance(at, bool)):
        raise BadInput(f"{where}: at: expected a whole number, got {at!r:.60}")
    if reader is not None and not isinstance(reader, str):
        raise BadInput(f"{where}: reader: expected a name, got {reader!r:.60}")
    return Edit(channel, _value(row.get("value"), where), at, reader)


def _value(given: Any, where: str) -> Value:
    if isinstance(given, str):
        if len(given) > LONGEST:
            raise BadInput(f"{where}: a text of {len(given)} characters: expected {LONGEST}")
        return given
    if isinstance(given, list) and len(given) <= 7 and all(len(str(v)) <= LONGEST for v in given):
        if all(isinstance(v, str) for v in given):
            return tuple(given)
        if all(isinstance(v, int) and not isinstance(v, bool) for v in given):
            return tuple(given)
    raise BadInput(
        f"{where}: value: expected a text, or a list of up to 7 names or numbers, got {given!r:.60}"
    )


def _quoted(value: Any) -> str:
    """A value as both JSON and TOML write it; TOML wants one more character escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
