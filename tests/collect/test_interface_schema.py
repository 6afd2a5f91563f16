"""Whatever a stranger sends, the interface answers as it describes itself, and never breaks."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from deixis.collect.app import make_app
from deixis.collect.arriving import arrive
from deixis.collect.context import Collect
from deixis.collect.export.counts import faults
from deixis.collect.platforms.platform import Arrival
from deixis.web.address import Address
from tests.collect.small import START

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def fuzz(server: Collect, examples: int) -> dict[str, int]:
    """Send generated requests to every operation; gives how many each got."""
    app = make_app(replace(server, address=Address(host="0.0.0.0", plain_http=True)))
    app.add_api_route("/openapi.json", app.openapi, include_in_schema=False)
    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    running = server.studies["games"]
    tokens = [secrets.token_hex(16) for _ in range(3)]
    for token in tokens:
        server.store.write(arrive, running.plan, Arrival(), token, "live", START)
    sent: dict[str, int] = {}

    def try_out(operation: Any) -> None:
        @settings(
            max_examples=examples,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            database=None,
            derandomize=True,
        )
        @given(case=operation.as_strategy(), token=st.sampled_from([None, *tokens]))
        def check(case: Any, token: str | None) -> None:
            if token is not None and case.headers and "Deixis-Token" in case.headers:
                case.headers["Deixis-Token"] = token
            sent[operation.label] = sent.get(operation.label, 0) + 1
            case.call_and_validate(checks=CHECKS)

        check()

    for result in schema.get_all_operations():
        try_out(result.ok())
    return sent


@pytest.mark.filterwarnings("ignore")
def test_the_interface_keeps_its_word(server: Collect) -> None:
    sent = fuzz(server, 8)
    assert set(sent) == {
        "GET /api/now",
        "POST /api/beat",
        "POST /api/leave",
        "POST /api/stop",
        "POST /api/write",
        "POST /api/{study}/arrive",
        "POST /hooks/prolific/{study}",
    }
    assert min(sent.values()) >= 5
    assert server.store.read(faults, server.studies["games"].id, "live") == []


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_the_interface_keeps_its_word_at_length(server: Collect) -> None:
    sent = fuzz(server, 400)
    print(f"\nschemathesis: {sum(sent.values())} requests to {len(sent)} operations, none broke")
    assert server.store.read(faults, server.studies["games"].id, "live") == []
