from __future__ import annotations

import json
from pathlib import Path

from tests.schemas import valid


def test_a_sample(deixis, refused, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "sample.json"
    arguments = ("plan", "sample", "kilogram:dense10", "--data", data)
    said = deixis(*arguments, "--uniform", 5, "--named", "page1-69", "--grid", "published",
                  "--out", out, "--json").json  # fmt: skip
    assert valid(json.loads(out.read_text())) == said
    assert said["candidates"] == 74
    why = [p["why"] for p in said["pictures"]]
    assert (why.count("periphery"), why.count("uniform")) == (1, 5)
    assert (said["pictures"][0]["picture"], why[0]) == ("page1-69", "periphery")
    assert len({p["picture"] for p in said["pictures"]}) == len(why)
    assert "no picture has two annotations with pieces" in refused(
        "plan", "sample", "kilogram:dev", "--data", data
    )
    assert "not guessing" in refused("plan", "sample", "vispro", "--data", data)


def test_a_split(deixis, refused, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "split.json"
    arguments = ("plan", "split", "kilogram:dev", "--data", data)
    said = deixis(*arguments, "--strata", "snd", "--near", "--out", out, "--json").json
    assert valid(json.loads(out.read_text())) == said
    assert (said["near"] >= 1, said["bundles"]) == (True, 124)
    sides = {p: s for s, one in said["splits"].items() for p in one["pictures"]}
    assert sides["page1-48"] == sides["page7-96"], "they look alike"
    printed = deixis("plan", "split", "vispro", "--data", data).out
    assert "bundles dealt out" in printed
    assert "expected NAME=SHARE, got 'x'" in refused(*arguments, "--share", "x")


def test_planning_is_as_ever(deixis) -> None:
    said = deixis("plan", "--effect", 5, "--discordance", 0.3, "--json").json
    assert said["items"] > 500
