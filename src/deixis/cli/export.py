"""``deixis export``: a run's results, or a dataset's description, in the form of other tools."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from deixis import registry
from deixis.cli.options import Several, Switch
from deixis.cli.show import print_json
from deixis.datasets.tables.spec import read_spec
from deixis.errors import BadInput
from deixis.manifest import known as manifests
from deixis.manifest import manifest
from deixis.runs.held import hold
from deixis.sources import Source, load
from deixis.writing import write_bytes


def export(
    what: str,
    /,
    *,
    form: Annotated[str, Parameter(name="--as")],
    out: Path | None = None,
    data: Path | None = None,
    fact: Several = (),
    json: Switch = False,
) -> None:
    """Write a run's results, or a dataset's description, in the form of other tools.

    Args:
        what: A run's folder; for croissant a source.
        form: json, csv, parquet, latex, card or every-eval-ever; croissant.
        out: The file to write; stdout by default.
        data: The dataset's folder or one above it, for croissant.
        fact: NAME=VALUE that croissant says of the dataset, such as license=...; repeatable.
        json: Print one JSON object that says what was written.
    """
    if ("describer", form) in registry.table("exchange"):
        content = _described(what, form, data, fact)
    else:
        writer = registry.find("exchange", form, "writer")
        content = writer(hold(Path(what)))
    if out is not None:
        write_bytes(out, content)
    elif not json:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    if json:
        where = None if out is None else str(out)
        print_json(
            {"schema": "deixis/exported/1", "what": what, "as": form, "out": where,
             "bytes": len(content)}
        )  # fmt: skip


def _described(what: str, form: str, data: Path | None, facts: tuple[str, ...]) -> bytes:
    source = Source.parse(what)
    given = {}
    for fact in facts:
        name, equals, value = fact.partition("=")
        if not equals:
            raise BadInput(f"--fact: expected NAME=VALUE, got {fact!r}")
        given[name] = value
    spec = read_spec(Path(source.name)) if source.is_table else None
    listed = manifest(source.name) if spec is None and source.name in manifests() else None
    described: bytes = registry.find("exchange", form, "describer")(
        load(source, data), given, spec=spec, manifest=listed
    )
    return described
