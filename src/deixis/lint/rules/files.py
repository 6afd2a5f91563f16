"""Lists and files that disagree, as the loader met them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deixis.dataset import Dataset
from deixis.lint.finding import Finding, LintOptions, plural, some

_DISAGREE = re.compile(r"\blists? |removed|missing|no picture|not in the")
_DOUBT = re.compile(r"left out|several|contradict|does not lead|not the majority|lost|one address")


def files(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """One finding for each irregularity of the loader.

    What a list names and no file holds is an error; what puts an answer in doubt a warning.
    """
    for met in dataset.irregularities:
        severity = "note"
        if _DISAGREE.search(met.what):
            severity = "error"
        elif _DOUBT.search(met.what):
            severity = "warning"
        yield Finding(
            "files",
            severity,
            f"{met.what}: {plural(len(met.ids), 'time')} ({some(met.ids)})",
            "mend the list or the files, so that each names what the other holds"
            if severity == "error"
            else "",
            met.ids,
            {"where": met.where, "n": len(met.ids)},
        )
