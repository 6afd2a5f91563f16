"""Verdicts in words."""

from __future__ import annotations

from deixis.audit.audit import Audit
from deixis.audit.infer import NOT_USED, UNDECIDED, Contrast


def words(contrast: Contrast, audit: Audit) -> str:
    """A verdict in words."""
    points = audit.margin * audit.measure.scale
    if contrast.verdict == NOT_USED:
        return f"not used beyond ±{points:g}"
    if contrast.verdict == UNDECIDED:
        more = f", {contrast.more_clusters:,} more clusters" if contrast.more_clusters else ""
        return f"undecided{more}" + (f" ({contrast.note})" if contrast.note else "")
    return "used" if contrast.value > 0 else "used, to its harm"
