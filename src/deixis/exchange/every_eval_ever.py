"""Records in the schema of Every Eval Ever, with intervals."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from typing import Any

from deixis import __version__
from deixis.exchange.results import Line, lines, measures_of
from deixis.plain import plain
from deixis.runs.held import Held
from deixis.units import MEASURES

SCHEMA = "0.3.0"
"""The version of the schema that records are written in."""


def as_record(held: Held) -> bytes:
    """One record of a run: a result for each condition, with its interval and number of samples."""
    return (json.dumps(plain(record(held)), indent=1, ensure_ascii=False) + "\n").encode()


def record(held: Held) -> dict[str, Any]:
    """The record as an object."""
    spec = held.spec
    now = f"{time.time():.0f}"
    found = lines(held)
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{spec['source']}/{spec['player']}/{now}",
        "retrieved_timestamp": now,
        "source_metadata": {
            "source_name": held.name,
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "deixis", "version": __version__},
        "model_info": {
            "name": spec["player"],
            "id": spec["player"],
            "additional_details": {
                "revision": str(spec.get("revision", "unknown")),
                # Who ran the model, and whether its weights can be had, is nothing a run knows.
                "deployment_type": "unknown",
                "model_availability": "unknown",
            },
        },
        "evaluation_results": [_result(line, spec, measures_of(held)[0]) for line in found],
    }


def _result(line: Line, spec: Mapping[str, Any], name: str) -> dict[str, Any]:
    measure = MEASURES[name]
    condition = line.condition or "as it is"
    details = {"condition": condition}
    if line.gap is not None:
        details |= {
            "points_lost": f"{measure.scale * line.gap.value:.6g}",
            "points_lost_low": f"{measure.scale * line.gap.low:.6g}",
            "points_lost_high": f"{measure.scale * line.gap.high:.6g}",
            "verdict": line.gap.verdict,
        }
    uncertainty: dict[str, Any] = {"num_samples": line.n}
    if math.isfinite(line.low) and math.isfinite(line.high):
        uncertainty["confidence_interval"] = {
            "lower": line.low,
            "upper": line.high,
            "confidence_level": 0.95,
            "method": "cluster-robust t",
        }
    return {
        "evaluation_result_id": f"{spec['source']}/{condition}/{name}",
        "evaluation_name": f"{spec['source']} ({condition})",
        "source_data": {
            "dataset_name": spec["source"],
            "source_type": "other",
            "additional_details": {"fingerprint": str(spec["fingerprint"])},
        },
        "metric_config": {
            "evaluation_description": f"{name.replace('_', ' ')}, ties at chance",
            "metric_id": name,
            "metric_name": name.replace("_", " "),
            "metric_kind": name,
            "metric_unit": "percent",
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": 100,
        },
        "score_details": {
            "score": line.value,
            "details": details,
            "uncertainty": uncertainty,
        },
    }
