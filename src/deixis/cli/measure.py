"""``deixis measure``: naming, agreement, people and language of a dataset."""

from __future__ import annotations

from pathlib import Path

from deixis import registry
from deixis.cli.options import Several, Switch
from deixis.cli.show import print_json, progress, table
from deixis.measures.judged import is_judged, judged
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
    reference: str = "",
    resamples: int = 1000,
    seed: int = 0,
    out: Path | None = None,
    json: Switch = False,
) -> None:
    """Measure a dataset: naming, agreement, people, language.

    Args:
        source: NAME[:SPLIT[+SPLIT]]; or what people judged: a study's export, a run of people, or a
            table with the columns worker, item, condition and correct.
        data: The dataset's folder or one above it; else DEIXIS_DATA, else the user's cache.
        only: Take this measure only; may be repeated.
        against: Another source, NAME[:SPLIT[+SPLIT]], whose language is compared with this one's.
        reference: The condition that others are compared with; by default the first.
        resamples: How many resamples intervals are read from.
        seed: Of the resamples.
        out: A folder for measure.json and the figures.
        json: Print one JSON object and nothing else.
    """
    dataset = judged(Path(source)) if is_judged(source) else load(source, data)
    other = load(against, data) if against else None
    with progress() as told:
        options = Options(seed, resamples, other, reference, told)
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
