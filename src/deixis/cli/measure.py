"""``deixis measure``: naming, agreement, people and language of a dataset."""

from __future__ import annotations

from pathlib import Path

from deixis import registry
from deixis.cli.options import Several, Switch
from deixis.cli.show import print_json, progress, table
from deixis.measures.run import measure as measured
from deixis.measures.run import write
from deixis.measures.section import Options
from deixis.sources import load


def measure(
    source: str,
    /,
    *,
    data: Path | None = None,
    only: Several = (),
    against: str | None = None,
    resamples: int = 1000,
    seed: int = 0,
    out: Path | None = None,
    json: Switch = False,
) -> None:
    """Measure a dataset: naming, agreement, people, language.

    Args:
        source: NAME[:SPLIT[+SPLIT]].
        data: The dataset's folder or one above it; else DEIXIS_DATA, else the user's cache.
        only: Take this measure only; may be repeated.
        against: Another source, NAME[:SPLIT[+SPLIT]], whose language is compared with this one's.
        resamples: How many resamples intervals are read from.
        seed: Of the resamples.
        out: A folder for measure.json and the figures.
        json: Print one JSON object and nothing else.
    """
    dataset = load(source, data)
    other = load(against, data) if against else None
    with progress() as told:
        options = Options(seed, resamples, other, told)
        found = measured(dataset, options, only)
    if out is not None:
        write(out, found)
    if json:
        print_json(found.fields)
        return
    names = ", ".join(only or registry.names("measures", dataset.kind))
    print(f"{source}: {len(dataset)} records, fingerprint {dataset.fingerprint}; {names}")
    for one in found.tables:
        table(one.title, one.columns, one.rows)
    for note in found.notes:
        print(f"note: {note}")
