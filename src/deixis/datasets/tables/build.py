"""Questions out of rows, for each kind of benchmark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deixis.dataset import Choice
from deixis.datasets.tables import answers
from deixis.datasets.tables.album import Album
from deixis.datasets.tables.folders import Line
from deixis.datasets.tables.spec import Spec
from deixis.errors import BadInput

TRUE = ("true", "yes", "1", "t", "y")
FALSE = ("false", "no", "0", "f", "n")


@dataclass(frozen=True)
class Table:
    """Rows with what is needed to make questions of them.

    Attributes:
        spec: what columns mean.
        lines: the rows.
        ids: the id of each row.
        album: takes the pictures.
        reworded: for each name of a paraphrase, its text by id, where it comes from a file.
    """

    spec: Spec
    lines: Sequence[Line]
    ids: Sequence[str]
    album: Album
    reworded: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def questions(table: Table) -> Iterator[Choice]:
    """The questions of a table, in the order of its rows.

    Raises:
        BadInput: a row lacks something; the message names file and row.
    """
    return _KINDS[table.spec.kind](table)


def text(value: Any) -> str:
    """A cell as text; empty for none.

    >>> text(None), text(float("nan")), text(3), text("a")
    ('', '', '3', 'a')
    """
    return "" if value is None or value != value else str(value)


def _multiple_choice(table: Table) -> Iterator[Choice]:
    spec = table.spec
    every = [_options(table, line) for line in table.lines]
    column = _needed(spec, "answer")
    own = spec.columns.get("options", ())
    written = [
        answers.Written(line.where, line.cells.get(column), options, own if len(own) > 1 else ())
        for line, options in zip(table.lines, every, strict=True)
    ]
    for i, (options, answer) in enumerate(
        zip(every, answers.read(written, spec.answer), strict=True)
    ):
        yield _question(table, i, options, answer, pictured=spec.pictured)


def _options(table: Table, line: Line) -> tuple[str, ...]:
    """The options of one row: from one column with a list, from several, or the same for all."""
    spec = table.spec
    columns = spec.columns.get("options", ())
    if spec.pictured:
        found = table.album.names([line.cells.get(c) for c in columns], line.where)
    elif not columns:
        found = spec.options or _all_labels(table)
    elif len(columns) == 1:
        found = _listed(line, columns[0])
    else:
        found = tuple(text(line.cells.get(c)) for c in columns)
        while found and not found[-1]:
            found = found[:-1]
    if len(found) < 2 or "" in found:
        raise BadInput(f"{line.where}: expected two options or more, got {list(found)}")
    if len({o.strip() for o in found}) < len(found):
        raise BadInput(f"{line.where}: two options are the same: {list(found)}")
    return found


def _listed(line: Line, column: str) -> tuple[str, ...]:
    value = line.cells.get(column)
    if isinstance(value, str):
        value = _spelled(value)
    if not isinstance(value, list):
        raise BadInput(f"{line.where}: {column}: expected a list of options, got {value!r:.60}")
    return tuple(map(text, value))


def _spelled(value: str) -> Any:
    """The list that a text spells out, as JSON or as Python writes it."""
    import ast
    import json

    for parse in (json.loads, ast.literal_eval):
        try:
            return parse(value)
        except (ValueError, SyntaxError):
            continue
    return value


def _all_labels(table: Table) -> tuple[str, ...]:
    """Every answer that occurs: the classes of a folder of pictures."""
    column = _needed(table.spec, "answer")
    found = tuple(sorted({text(line.cells.get(column)) for line in table.lines}))
    if len(found) > 1000:
        raise BadInput(f"{table.spec.path}: neither columns.options nor options is given")
    return found


def _true_false(table: Table) -> Iterator[Choice]:
    column = _needed(table.spec, "answer")
    options = table.spec.options or ("true", "false")
    if len(options) != 2:
        raise BadInput(f"{table.spec.path}: options: expected what stands for true and for false")
    said = ((options[0].lower(), *TRUE), (options[1].lower(), *FALSE))
    for i, line in enumerate(table.lines):
        value = text(line.cells.get(column)).strip().lower().removesuffix(".0")
        if value not in said[0] + said[1]:
            raise BadInput(f"{line.where}: {column}: expected true or false, got {value!r}")
        yield _question(table, i, options, 0 if value in said[0] else 1)


def _retrieval(table: Table) -> Iterator[Choice]:
    """Every row of a pool gives its picture and its text as candidates of the others."""
    spec = table.spec
    text_column = _needed(spec, "text")
    targets: list[str] = []
    for line in table.lines:
        shown = _pictures(table, line)
        if len(shown) != 1:
            raise BadInput(f"{line.where}: expected one picture, got {len(shown)}")
        targets.append(shown[0])
    pool_column = spec.column("pool")
    pools = [text(line.cells.get(pool_column)) if pool_column else "" for line in table.lines]
    texts = [text(line.cells.get(text_column)) for line in table.lines]
    members: dict[str, list[int]] = {}
    for i, pool in enumerate(pools):
        members.setdefault(pool, []).append(i)
    distinct = {pool: _distinct(table, targets, rows) for pool, rows in members.items()}
    for i, pool in enumerate(pools):
        if spec.direction == "text-to-picture":
            options = distinct[pool]
            answer = options.index(_same(table, targets[i], options))
        else:
            own = table.album.contents[targets[i]]
            # Other texts of the same picture are right too: they are no candidates.
            others = [j for j in members[pool] if table.album.contents[targets[j]] != own]
            options = tuple(dict.fromkeys([texts[i], *(texts[j] for j in others)]))
            answer = 0
        if len(options) < 2:
            raise BadInput(f"{table.lines[i].where}: expected a pool of two candidates or more")
        yield _question(
            table, i, options, answer, pictured=spec.direction == "text-to-picture",
            shown=() if spec.direction == "text-to-picture" else (targets[i],),
            asked=texts[i] if spec.direction == "text-to-picture" else spec.prompt,
        )  # fmt: skip


def _distinct(table: Table, targets: Sequence[str], rows: Sequence[int]) -> tuple[str, ...]:
    """The pictures of some rows, one of each content."""
    contents = table.album.contents
    first: dict[str, str] = {}
    for i in rows:
        first.setdefault(contents[targets[i]], targets[i])
    return tuple(first.values())


def _same(table: Table, name: str, options: Sequence[str]) -> str:
    """The option of that picture's content."""
    contents = table.album.contents
    return next(o for o in options if contents[o] == contents[name])


def _winoground(table: Table) -> Iterator[Choice]:
    """Four questions of each row: which caption, for each picture; which picture, for each."""
    spec = table.spec
    captions = spec.columns.get("captions", ())
    if len(captions) != 2:
        raise BadInput(f"{spec.path}: columns.captions: expected two columns, got {len(captions)}")
    for i, line in enumerate(table.lines):
        texts = tuple(text(line.cells.get(c)) for c in captions)
        shown = _pictures(table, line)
        if len(shown) != 2 or "" in texts:
            raise BadInput(f"{line.where}: expected two captions and two pictures")
        name = table.ids[i]
        for side in (0, 1):
            yield _question(
                table, i, texts, side, shown=(shown[side],), asked=spec.prompt,
                name=f"{name}/text{side}", group=name, stratum="text",
            )  # fmt: skip
        for side in (0, 1):
            yield _question(
                table, i, shown, side, pictured=True, shown=(), asked=texts[side],
                name=f"{name}/image{side}", group=name, stratum="image",
            )  # fmt: skip


_KINDS: Mapping[str, Callable[[Table], Iterator[Choice]]] = {
    "multiple-choice": _multiple_choice,
    "true-false": _true_false,
    "retrieval": _retrieval,
    "winoground": _winoground,
}


def _question(
    table: Table,
    row: int,
    options: tuple[str, ...],
    answer: int,
    *,
    pictured: bool = False,
    shown: tuple[str, ...] | None = None,
    asked: str | None = None,
    name: str | None = None,
    group: str | None = None,
    stratum: str | None = None,
) -> Choice:
    """One question of a row; what is not given comes from the row's columns."""
    spec, line = table.spec, table.lines[row]
    pictures = _pictures(table, line) if shown is None else shown
    if not pictures and not pictured:
        # A benchmark may mix questions with and without pictures; both are questions.
        pictures = ()
    return Choice(
        id=name or table.ids[row],
        prompt=_prompt(spec, line) if asked is None else asked,
        pictures=pictures,
        options=options,
        answer=answer,
        cluster=_cluster(table, row, pictures, options if pictured else (), answer),
        pictured=pictured,
        group=group or _cell(spec, line, "group") or None,
        stratum=stratum or _cell(spec, line, "stratum"),
        others=_reworded(table, row),
    )


def _prompt(spec: Spec, line: Line) -> str:
    parts = [text(line.cells.get(c)) for c in spec.columns.get("text", ())]
    return "\n".join(p for p in (spec.prompt, *parts) if p)


def _cluster(
    table: Table, row: int, pictures: Sequence[str], options: Sequence[str], answer: int
) -> tuple[str, str]:
    """What the row says it shares with others; else its group; else its picture; else itself."""
    spec, line = table.spec, table.lines[row]
    for meaning in ("cluster", "group"):
        column = spec.column(meaning)
        if column and (value := text(line.cells.get(column))):
            return column, value
    if spec.kind == "winoground":
        return "item", table.ids[row]
    own = pictures[0] if pictures else options[answer] if options else None
    return ("picture", table.album.contents[own]) if own else ("item", table.ids[row])


def _pictures(table: Table, line: Line) -> tuple[str, ...]:
    columns = table.spec.columns.get("pictures", ())
    return table.album.names([line.cells.get(c) for c in columns], line.where)


def _cell(spec: Spec, line: Line, meaning: str) -> str:
    column = spec.column(meaning)
    return text(line.cells.get(column)) if column else ""


def _reworded(table: Table, row: int) -> dict[str, str]:
    line, name = table.lines[row], table.ids[row]
    found = {}
    for source, column in table.spec.paraphrases.items():
        if source not in table.reworded:
            found[source] = text(line.cells.get(column))
        elif name in table.reworded[source]:
            found[source] = table.reworded[source][name]
        if not found.get(source):
            raise BadInput(f"{line.where}: paraphrases.{source}: has no text for {name}")
    return found


def _needed(spec: Spec, meaning: str) -> str:
    column = spec.column(meaning)
    if column is None:
        raise BadInput(f"{spec.path}: columns.{meaning}: is missing, a {spec.kind} table needs it")
    return column
