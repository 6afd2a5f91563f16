"""What the reference implementation of Croissant makes of a description of ours."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

VALIDATE = """
import json, sys
import mlcroissant
dataset = mlcroissant.Dataset(jsonld=sys.argv[1])
issues = dataset.metadata.ctx.issues
plain = lambda v: v.decode() if isinstance(v, bytes) else v.tolist() if hasattr(v, "tolist") else v
rows = [
    {name.partition("/")[2]: plain(value) for name, value in row.items()}
    for one in sys.argv[2:]
    for row in dataset.records(one)
]
print(json.dumps({"errors": list(issues.errors), "warnings": list(issues.warnings), "rows": rows}))
"""


def croissant(path: Path, *records: str) -> dict[str, Any]:
    """Its errors and warnings on a description, and the rows of some of its record sets."""
    command = [sys.executable, "-c", VALIDATE, str(path), *records]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return dict(json.loads(ended.stdout))
