"""The example of a package outside is installed and plays."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "examples/deixis-longest"


def test_it_is_short() -> None:
    lines = [n for p in EXAMPLE.glob("*.*") for n in p.read_text("utf-8").splitlines()]
    assert len(lines) < 60


def test_installed_it_plays(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    shutil.copytree(EXAMPLE, source)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--no-index", "--target", target, source], check=True)
    rows = "q,A,B,answer\nWhich?,short,much longer,B\nWhat?,much longer,short,A\n"
    (tmp_path / "rows.csv").write_text(rows)
    (tmp_path / "mine.toml").write_text(
        'kind = "multiple-choice"\nrows = "rows.csv"\n[columns]\ntext = "q"\n'
        'options = ["A", "B"]\nanswer = "answer"\n'
    )
    path = os.pathsep.join([str(target), str(ROOT / "src")])
    ran = subprocess.run(
        [sys.executable, "-m", "deixis", "play", "mine.toml", "--player", "longest", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout)["accuracy"] == 1
