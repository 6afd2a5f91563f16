"""Texts that were damaged on their way: wrong encodings, control characters, nothing at all."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from deixis.dataset import Dataset
from deixis.lint.finding import Finding, LintOptions, plural, some
from deixis.lint.items import Item, items

_BROKEN = re.compile("\ufffd|ï»¿|Ã[\u0080-\u00bf]|Â[\u00a0-\u00bf]|â€[\u0080-\u00ff™œ\u009d˜]?")
"""UTF-8 read as Latin-1 or Windows-1252, or replaced where it could not be read."""

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-f]+);", re.IGNORECASE)


def _control(text: str) -> bool:
    return any(unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs") for c in text)


FAULTS: tuple[tuple[str, str, Callable[[str], object], str], ...] = (
    ("error", "is empty", lambda t: not t.strip(), "fill it in or remove the record"),
    (
        "error",
        "was decoded wrongly",
        _BROKEN.search,
        "read the source as UTF-8 and export it anew",
    ),
    ("error", "holds a control character", _control, "remove it: players and people differ on it"),
    ("warning", "holds an HTML entity", _ENTITY.search, "unescape texts before release"),
    (
        "note",
        "is not in Unicode's composed form",
        lambda t: not unicodedata.is_normalized("NFC", t),
        "normalise to NFC: equal texts must have equal bytes",
    ),
    ("note", "has blanks at an end", lambda t: t != t.strip(), "strip it"),
    ("note", "holds a double space", lambda t: "  " in t.strip(), "write one space"),
)
"""Severity, what a text is or holds, how it is seen, what to do. One text may have several."""


def encoding(dataset: Dataset, options: LintOptions) -> Iterator[Finding]:
    """Texts that are empty or damaged; one finding for each kind of damage and place of text."""
    found: dict[tuple[int, str], list[tuple[Item, str]]] = {}
    for item in items(dataset):
        for role, text in item.texts:
            for number, (*_, seen, _) in enumerate(FAULTS):
                if seen(text):
                    found.setdefault((number, role), []).append((item, text))
    for (number, role), where in sorted(found.items()):
        severity, what, _, fix = FAULTS[number]
        ids = list(dict.fromkeys(item.id for item, _ in where))
        yield Finding(
            "encoding",
            severity,
            f"{plural(len(where), role)}: it {what} ({some(ids)})",
            fix,
            ids,
            {"role": role, "n": len(where), "such_as": ascii(where[0][1][:80])},
        )
