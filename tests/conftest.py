"""Fixtures that every test may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def find_data() -> Path | None:
    """The public data: ``DEIXIS_DATA`` if set, else beside or in the repository."""
    named = os.environ.get("DEIXIS_DATA")
    places = [Path(named)] if named else [ROOT / "shared/data", ROOT.parent / "shared/data"]
    return next((p.resolve() for p in places if p.is_dir()), None)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of public data; tests that need it are skipped where it is absent."""
    found = find_data()
    if found is None:
        pytest.skip("the public data are absent: name their folder by DEIXIS_DATA")
    return found


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads the user's cache or environment."""
    monkeypatch.delenv("DEIXIS_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Under ``DEIXIS_STRICT=1`` a skip is a failure, but for the lack of a graphics processor.

    Tests of public data may be skipped there too, where no data were found at all.
    """
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if os.environ.get("DEIXIS_STRICT") != "1" or not report.skipped or hasattr(report, "wasxfail"):
        return
    excused = item.get_closest_marker("gpu") or (
        "data" in getattr(item, "fixturenames", ()) and find_data() is None
    )
    if not excused:
        report.outcome = "failed"
        report.longrepr = f"skipped under DEIXIS_STRICT: {report.longrepr}"
