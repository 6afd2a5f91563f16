"""Fixtures that every test may use."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from deixis.cli import main
from deixis.dataset import Dataset
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.task import Task
from tests.schemas import valid

# No test asserts a time, and none passes or fails by luck.
settings.register_profile("deixis", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("deixis")

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


@pytest.fixture(scope="session")
def kilogram(data: Path) -> Dataset:
    """All of KiloGram that is at hand."""
    return load("kilogram", data)


@pytest.fixture(scope="session")
def nlvr2(data: Path) -> Dataset:
    """The splits of NLVR2 that are at hand."""
    return load("nlvr2", data)


@pytest.fixture(scope="session")
def nlvr(data: Path) -> Dataset:
    """The splits of NLVR that are at hand."""
    return load("nlvr", data)


@pytest.fixture(scope="session")
def dense(kilogram: Dataset) -> Task:
    """Controlled contexts of the dense split, one for each of 3,971 annotations."""
    return make(kilogram.select("dense"), "kilogram:dense")


@pytest.fixture(scope="session")
def world() -> Dataset:
    """A small world of figures: two variants of each family."""
    return load("figures", variants=2)


@pytest.fixture(scope="session")
def games(world: Dataset) -> Task:
    """Controlled contexts of ten in the small world."""
    return make(world, "figures")


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on stdout, which is as its schema says."""
        return valid(dict(json.loads(self.out)))


@pytest.fixture
def deixis(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Runs a command in this process."""

    def run(*arguments: object) -> Ended:
        capsys.readouterr()
        status = main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return Ended(status, out, err)

    return run


@pytest.fixture
def refused(deixis: Callable[..., Ended]) -> Callable[..., str]:
    """Runs a command that must end with status 2 and one sentence; gives the sentence."""

    def run(*arguments: object) -> str:
        ended = deixis(*arguments)
        assert (ended.status, ended.out) == (2, ""), ended
        assert ended.err.startswith("deixis: "), ended.err
        assert ended.err.count("\n") == 1, ended.err
        return ended.err.removeprefix("deixis: ").rstrip("\n")

    return run


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Debian's Chromium, started once."""
    if shutil.which("chromium") is None:
        pytest.skip("Chromium is not installed: scripts/system")
    from deixis.collect.simulate.browser import chromium as start

    with start() as browser:
        yield browser


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
