from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from deixis import __version__
from deixis.errors import BadInput
from deixis.runs.folder import RunFolder
from deixis.runs.held import hold, read_cell
from deixis.writing import write_json

SPEC = {"source": "figures", "fingerprint": "f1", "options": {"k": 10}, "player": "linear"}


def opened(path: Path, **more: object) -> RunFolder:
    folder = RunFolder(path)
    folder.open({**SPEC, **more})
    return folder


def test_a_run_is_begun_and_gone_on_with(tmp_path: Path) -> None:
    opened(tmp_path / "deep/run").close()
    spec = RunFolder(tmp_path / "deep/run").spec()
    assert spec["schema"] == "deixis/run/1"
    assert spec["version"] == __version__
    assert spec["options"] == {"k": 10}
    assert (tmp_path / "deep/run/cells").is_dir()
    opened(tmp_path / "deep/run").close()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"fingerprint": "f2"}, "fingerprint is f1 there, f2 now"),
        ({"source": "kilogram:dense"}, "source is figures there, kilogram:dense now"),
        ({"player": "oracle"}, "player is linear there, oracle now"),
        ({"options": {"k": 4}}, "k is 10 there, 4 now"),
        ({"trials": 5}, "trials is null there, 5 now"),
        ({"player": "x" * 99}, f"{'x' * 57}... now; name another folder"),
    ],
)
def test_another_run_is_refused_and_the_difference_named(
    tmp_path: Path, more: dict, why: str
) -> None:
    opened(tmp_path).close()
    with pytest.raises(BadInput) as caught:
        opened(tmp_path, **more)
    assert why in str(caught.value)
    opened(tmp_path).close()


def test_another_minor_version_is_refused_and_a_patch_is_not(tmp_path: Path) -> None:
    opened(tmp_path).close()
    held = json.loads((tmp_path / "run.json").read_text())
    major, minor, _ = __version__.split(".")
    write_json(tmp_path / "run.json", {**held, "version": f"{major}.{minor}.99"})
    opened(tmp_path).close()
    write_json(tmp_path / "run.json", {**held, "version": f"{major}.{int(minor) + 1}.0"})
    with pytest.raises(BadInput, match=r"holds another run: version is 0\.\d+ there"):
        opened(tmp_path)


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(BadInput, match=r"holds thesis.tex but no run; name an empty folder"):
        opened(tmp_path)
    with pytest.raises(BadInput, match=r"thesis.tex is a file; name a folder"):
        opened(tmp_path / "thesis.tex")
    assert not (tmp_path / "run.json").exists()


def test_folders_that_are_no_runs(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no run.json there, so it is no run"):
        RunFolder(tmp_path).spec()
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(BadInput, match=r"run.json: no JSON"):
        RunFolder(tmp_path).spec()


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    first = opened(tmp_path)
    with pytest.raises(BadInput, match=rf"in use by process {os.getpid()}"):
        opened(tmp_path)
    first.close()
    opened(tmp_path).close()


def test_the_lock_goes_with_the_process_however_it_ends(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from deixis.runs.folder import RunFolder\n"
        f"RunFolder(Path({str(tmp_path)!r})).open({SPEC!r}); print('open', flush=True)\n"
        "time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(BadInput, match=rf"in use by process {other.pid}"):
            opened(tmp_path)
        other.send_signal(signal.SIGKILL)
    opened(tmp_path).close()


def test_what_is_known_only_later(tmp_path: Path) -> None:
    folder = opened(tmp_path)
    folder.claim("revision", "r1")
    folder.claim("revision", "r1")
    with pytest.raises(BadInput, match=r"revision is r1 there, r2 now"):
        folder.claim("revision", "r2")
    folder.close()
    assert RunFolder(tmp_path).spec()["revision"] == "r1"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xff\xfe", "run.json: not UTF-8 at byte 0"),
        (b"[]", "run.json: expected an object"),
        (b"{}", "run.json does not say under what condition it was played"),
    ],
)
def test_broken_runs_are_told_in_one_sentence(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(BadInput, match=why):
        hold(tmp_path)


def test_a_broken_cell_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text("x")
    with pytest.raises(BadInput, match=r"a\.parquet: not a cell of a run"):
        read_cell(tmp_path / "a.parquet")
