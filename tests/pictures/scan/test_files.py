"""``deixis collect scan``: files in, SVG and a list of what needs a look out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from deixis.pictures.scan.synthetic import scan
from deixis.pictures.svg import read_svg
from deixis.pictures.tangram import SHARES, assembled
from deixis.seeds import draw


def test_scans_become_svg_and_the_rest_is_kept_for_a_person(
    tmp_path: Path, deixis: Callable[..., Any]
) -> None:
    gray, _ = scan(assembled(), draw(0, "scan"))
    Image.fromarray(gray).save(tmp_path / "one.jpg")
    Image.fromarray(np.full((90, 90), 250, np.uint8)).save(tmp_path / "two.png")
    disk = np.hypot(*np.mgrid[-100:100, -100:100]) < 60
    Image.fromarray(np.where(disk, 40, 230).astype(np.uint8)).save(tmp_path / "three.png")
    files = [tmp_path / f for f in ("one.jpg", "two.png", "three.png")]
    out = tmp_path / "out"
    ended = deixis("collect", "scan", *files, "--out", out, "--json")
    assert ended.status == 1
    assert (ended.json["accepted"], ended.json["flagged"]) == (1, 2)
    figure = read_svg((out / "one.svg").read_bytes(), "one")
    total = sum(p.area for p in figure.pieces)
    for piece in figure.pieces:
        assert abs(piece.area / total - SHARES[piece.type]) < 1e-9  # true pieces, of one scale
    assert {p.name for p in (out / "flagged").iterdir()} >= {"two.png", "three.png"}
    told = json.loads((out / "scans.json").read_text())
    assert [t["accepted"] for t in told] == [True, False, False]
    shown = deixis("collect", "scan", *files, "--out", out)
    assert "1 of 3 scans" in shown.out
    assert "nothing stands out" in shown.out
    assert deixis("collect", "scan", files[0], "--out", out).status == 0


def test_bad_input_is_one_sentence(tmp_path: Path, refused: Callable[..., str]) -> None:
    out = tmp_path / "out"
    assert "at least one picture" in refused("collect", "scan", "--out", out)
    assert "there is no file" in refused("collect", "scan", tmp_path / "a.png", "--out", out)
    (tmp_path / "b").mkdir()
    assert "b is a folder: name its pictures" in refused(
        "collect", "scan", tmp_path / "b", "--out", out
    )
    names = tmp_path / "a.png", tmp_path / "b/a.png"
    assert "two scans are called a" in refused("collect", "scan", *names, "--out", out)
    assert not out.exists()


def test_what_is_no_picture_stops_no_other(tmp_path: Path, deixis: Callable[..., Any]) -> None:
    """And what was flagged at first is gone from there once it is traced."""
    out = tmp_path / "out"
    (tmp_path / "one.png").write_text("<html>")
    gray, _ = scan(assembled(), draw(0, "scan"))
    Image.fromarray(gray).save(tmp_path / "two.png")
    Image.fromarray(np.full((90, 90), 250, np.uint8)).save(tmp_path / "three.png")
    files = [tmp_path / f for f in ("one.png", "two.png", "three.png")]
    one, two, _ = deixis("collect", "scan", *files, "--out", out, "--json").json["scans"]
    assert one["reasons"] == ["not a readable picture: of no known kind"]
    assert two["accepted"]
    assert (out / "flagged/three.png").is_file()
    (tmp_path / "two.png").rename(tmp_path / "three.png")
    assert deixis("collect", "scan", files[2], "--out", out).status == 0
    assert not (out / "flagged/three.png").exists()
