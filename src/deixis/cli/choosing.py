"""``deixis plan sample`` and ``deixis plan split``: which pictures to annotate, where they go."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from deixis.cli.options import Several, Switch
from deixis.cli.show import print_json, progress, table
from deixis.dataset import Annotation, Dataset
from deixis.errors import BadInput
from deixis.lint.finding import LintOptions
from deixis.lint.rules.near_pictures import near_pictures
from deixis.lint.rules.near_silhouettes import near_silhouettes
from deixis.measures import sampling, splitting
from deixis.measures.naming import by_picture, measured
from deixis.measures.stems import stems
from deixis.plain import number, plain
from deixis.sources import load
from deixis.writing import write_text

STRATA = Literal["none", "synset", "label", "parts", "psa", "snd"]


def sample(
    source: str,
    /,
    *,
    data: Path | None = None,
    periphery: int = 12,
    named: Several = (),
    uniform: int = 25,
    grid: Literal["data", "published"] = "data",
    seed: int = 0,
    out: Path | None = None,
    json: Switch = False,
) -> None:
    """Draw pictures to annotate densely: the periphery, one of each cell of a grid, and any.

    The grid lies over segmentation agreement (PSA) and the perplexity of descriptions.

    Args:
        source: NAME[:SPLIT[+SPLIT]], annotated with pieces.
        data: The dataset's folder or one above it; else DEIXIS_DATA, else the user's cache.
        periphery: How many pictures from the outside.
        named: A picture that is taken into the periphery by hand, in place of those; repeatable.
        uniform: How many pictures uniformly.
        grid: Cells around the data, equal in log perplexity; or those of KiloGram's authors.
        seed: Of the draw.
        out: The file to write.
        json: Print one JSON object and nothing else.
    """
    dataset = load(source, data)
    if dataset.kind != "reference":
        raise BadInput(f"{source}: a sample is drawn from annotated figures, not {dataset.kind}")
    groups = by_picture(dataset.records.values())
    agreement, surprise = _plane(groups)
    if not agreement:
        raise BadInput(f"{source}: no picture has two annotations with pieces")
    cells = sampling.PUBLISHED if grid == "published" else sampling.around(agreement, surprise)
    chosen = sampling.drawn(
        agreement, surprise, cells, periphery=named or periphery, uniform=uniform, seed=seed
    )
    why = {
        **dict.fromkeys(chosen.periphery, "periphery"),
        **{p: f"cell {a + 1}, {b + 1}" for (a, b), p in chosen.grid.items()},
        **dict.fromkeys(chosen.uniform, "uniform"),
    }
    said = {
        "schema": "deixis/sample/1",
        "dataset": dataset.name,
        "fingerprint": dataset.fingerprint,
        "seed": seed,
        "grid": {"psa": cells.agreement, "perplexity": cells.perplexity, "cells": cells.cells,
                 "logarithmic": cells.logarithmic},
        "candidates": len(agreement),
        "left_out": sorted(groups.keys() - agreement.keys()),
        "pictures": [
            {"picture": p, "why": why[p], "psa": agreement[p], "perplexity": surprise[p]}
            for p in chosen.pictures
        ],
    }  # fmt: skip
    rows = [[r["picture"], r["why"], number(r["psa"], 2), number(r["perplexity"], 1)]
            for r in said["pictures"]]  # type: ignore[attr-defined]  # fmt: skip
    title = f"{len(rows)} of {len(agreement)} pictures"
    _tell(said, title, ["picture", "drawn from", "PSA", "perplexity"], rows, out, json)


def _plane(
    groups: Mapping[str, Sequence[Annotation]],
) -> tuple[dict[str, float], dict[str, float]]:
    """PSA and perplexity of each picture that has both."""
    words = {w for own in groups.values() for a in own for w in stems(a.whole)}
    agreement, surprise = {}, {}
    for picture, own in groups.items():
        psa = measured(own).values["psa"]
        found = sampling.perplexity([a.whole for a in own], vocabulary=len(words))
        if psa is not None and found is not None:
            agreement[picture], surprise[picture] = psa, found
    return agreement, surprise


def split(
    source: str,
    /,
    *,
    share: Several = ("train=0.7", "dev=0.15", "test=0.15"),
    data: Path | None = None,
    strata: STRATA = "none",
    near: Switch = False,
    annotators: Literal["any", "together", "drop"] = "any",
    seed: int = 0,
    out: Path | None = None,
    json: Switch = False,
) -> None:
    """Split a dataset by picture, with equal shares of every stratum.

    Args:
        source: NAME[:SPLIT[+SPLIT]], or a benchmark's TOML file.
        share: NAME=SHARE of the records; repeatable, shares add up to 1.
        data: The dataset's folder or one above it; else DEIXIS_DATA, else the user's cache.
        strata: What every split is to have equal shares of.
        near: Keep pictures that look alike on one side.
        annotators: Wherever they fall; all records of one together; or give each a side, and leave
            out their records on others.
        seed: Of the draw.
        out: The file to write.
        json: Print one JSON object and nothing else.
    """
    shares = _shares(share)
    dataset = load(source, data)
    groups = _alike(dataset) if near else []
    made = splitting.split(
        dataset,
        shares,
        stratum=splitting.STRATA.get(strata),
        near=groups,
        annotators="" if annotators == "any" else annotators,
        seed=seed,
    )
    said = {
        "schema": "deixis/split/1",
        "dataset": dataset.name,
        "fingerprint": dataset.fingerprint,
        "seed": seed,
        "shares": shares,
        "strata": made.strata,
        "near": len(groups),
        "bundles": made.bundles,
        "left_out": list(made.left_out),
        "splits": {
            s: {"pictures": list(made.pictures[s]), "records": list(made.records[s])}
            for s in shares
        },
    }
    left = f", {len(made.left_out):,} records left out" if made.left_out else ""
    _tell(said, f"{made.bundles:,} bundles dealt out{left}", *_sides(made), out, json)


def _shares(written: Sequence[str]) -> dict[str, float]:
    shares = {}
    for one in written:
        name, _, value = one.partition("=")
        try:
            shares[name] = float(value)
        except ValueError:
            raise BadInput(f"--share: expected NAME=SHARE, got {one!r}") from None
    return shares


def _sides(made: splitting.Split) -> tuple[list[str], list[list[str]]]:
    """Columns and rows of a table of the splits, with the first few strata."""
    total = sum(map(len, made.records.values()))
    kinds = sorted({k for own in made.strata.values() for k in own})[:6]
    rows = [
        [s, f"{len(ids):,}", number(100 * len(ids) / max(total, 1)),
         f"{len(made.pictures[s]):,}", *(f"{made.strata[s].get(k, 0):,}" for k in kinds)]
        for s, ids in made.records.items()
    ]  # fmt: skip
    return ["split", "records", "%", "pictures", *kinds], rows


def _alike(dataset: Dataset) -> list[Sequence[str]]:
    """Groups of pictures that the rules on near pictures find."""
    with progress() as told:
        options = LintOptions(progress=told)
        found = [*near_silhouettes(dataset, options), *near_pictures(dataset, options)]
    return [group for f in found for group in f.evidence.get("groups", [f.ids]) if len(group) > 1]


def _tell(
    said: dict[str, Any], title: str, columns: Sequence[str], rows: Sequence[Sequence[str]],
    out: Path | None, json: bool,
) -> None:  # fmt: skip
    if out is not None:
        write_text(out, jsonlib.dumps(plain(said), ensure_ascii=False, indent=1) + "\n")
    if json:
        print_json(said)
    else:
        table(title, columns, rows)
