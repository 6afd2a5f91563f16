"""``deixis collect scan``: scans of solved tangrams become SVG files."""

from __future__ import annotations

from pathlib import Path

from deixis.cli.options import Switch
from deixis.cli.show import print_json, progress, table


def scan(*files: Path, out: Path, json: Switch = False) -> int:
    """Trace scans or photographs of solved tangrams; status 1 says that some need a look.

    Args:
        files: Pictures, of one tangram each.
        out: Folder for the SVG files, and for what needs a look.
        json: Print one JSON object and nothing else.
    """
    from deixis.errors import BadInput
    from deixis.pictures.scan.files import trace_files

    if not files:
        raise BadInput("scan needs at least one picture of a solved tangram")
    with progress() as told:
        made = trace_files(files, out, told)
    flagged = [m for m in made if not m["accepted"]]
    if json:
        told_all = {"schema": "deixis/scan/1", "accepted": len(made) - len(flagged)}
        print_json(told_all | {"flagged": len(flagged), "scans": made})
    else:
        print(f"{len(made) - len(flagged)} of {len(made)} scans traced into {out}")
        if flagged:
            rows = [[m["name"], "; ".join(m["reasons"])] for m in flagged]
            table(f"to be looked at, in {out / 'flagged'}", ["scan", "why"], rows)
    return 1 if flagged else 0
