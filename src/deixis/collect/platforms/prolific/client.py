"""Prolific's interface, as far as we use it; every failure says whether anything was done."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, cast

import httpx

ATTEMPTS = 4
"""How often a question that changes nothing is asked."""


class Failed(Exception):
    """Prolific said no: nothing was done."""


class Unknown(Exception):
    """No answer, or none that says whether it was done."""


class Client:
    """A client with a token.

    Args:
        api: address of the interface, with a slash at the end.
        token: of a researcher.
        timeout: seconds.
        pause: seconds before a question is asked again; doubled each time.
    """

    def __init__(self, api: str, token: str, *, timeout: float = 20, pause: float = 0.5) -> None:
        headers = {"Authorization": f"Token {token}"}
        self._http = httpx.Client(base_url=api, headers=headers, timeout=timeout)
        self._pause = pause

    def close(self) -> None:
        """Let go of connections."""
        self._http.close()

    def submissions(self, study: str) -> Iterator[dict[str, Any]]:
        """Every submission of a study, page after page."""
        path: str | None = f"submissions/?study={study}"
        while path:
            page = self._get(path)
            yield from page.get("results", [])
            link = page.get("_links", {}).get("next", {})
            path = link.get("href") if isinstance(link, dict) else None

    def submission(self, key: str) -> dict[str, Any]:
        """One submission."""
        return self._get(f"submissions/{key}/")

    def approve(self, key: str) -> None:
        """Approve a submission; its reward is paid."""
        self._post(f"submissions/{key}/transition/", {"action": "APPROVE"})

    def reject(self, key: str, message: str, category: str) -> None:
        """Reject a submission; the message has 100 characters or more."""
        body = {"action": "REJECT", "message": message, "rejection_category": category}
        self._post(f"submissions/{key}/transition/", body)

    def screen_out(self, study: str, keys: Sequence[str], amount: int) -> None:
        """Send people away with a small payment, in hundredths; their places are given anew."""
        body = {
            "submission_ids": list(keys),
            "bonus_per_submission": amount / 100,
            "increase_places": True,
        }
        self._post(f"studies/{study}/screen-out-submissions/", body)

    def prepare_bonuses(self, study: str, amounts: Sequence[tuple[str, int]]) -> str:
        """Write a list of bonuses, in hundredths, by participant; pays nothing. Gives its id."""
        lines = "\n".join(f"{person},{amount / 100:.2f}" for person, amount in amounts)
        body = {"study_id": study, "csv_bonuses": lines}
        return str(self._post("submissions/bonus-payments/", body)["id"])

    def pay_bonuses(self, key: str) -> None:
        """Pay a list of bonuses. Asked twice, it pays twice."""
        self._post(f"bulk-bonus-payments/{key}/pay/", {})

    def create_study(self, body: dict[str, Any]) -> str:
        """Make a study that is not published; gives its id."""
        return str(self._post("studies/", body)["id"])

    def study(self, key: str) -> dict[str, Any]:
        """One study."""
        return self._get(f"studies/{key}/")

    def _get(self, path: str) -> dict[str, Any]:
        pause = self._pause
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._read(self._http.get(path))
            except (Unknown, httpx.TransportError) as error:
                if attempt == ATTEMPTS:
                    raise Unknown(f"Prolific does not answer: {error!r}") from None
                time.sleep(pause)
                pause *= 2
        raise AssertionError("unreachable")

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        try:
            return self._read(self._http.post(path, json=body))
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise Failed(f"Prolific cannot be reached: {error!r}") from None
        except httpx.TransportError as error:
            raise Unknown(f"Prolific did not answer: {error!r}") from None

    def _read(self, reply: httpx.Response) -> dict[str, Any]:
        if reply.status_code == 429 or reply.status_code >= 500:
            raise Unknown(f"Prolific answered {reply.status_code}")
        if reply.status_code >= 400:
            raise Failed(f"Prolific answered {reply.status_code}: {reply.text[:300]}")
        try:
            return cast("dict[str, Any]", reply.json() if reply.content else {})
        except ValueError:
            raise Unknown("Prolific answered what is no JSON") from None
