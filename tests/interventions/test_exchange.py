from __future__ import annotations

import pytest

from deixis.errors import BadInput
from deixis.interventions.exchange import donor, partner, same


def test_each_operator(given_) -> None:
    around = given_(donor="donated", partner="partner's")
    assert donor("own", around) == "donated"
    assert partner("own", around) == "partner's"
    assert same("own", around) == "own"


@pytest.mark.parametrize("operator", [donor, partner, same])
def test_none_takes_an_argument(given_, operator) -> None:
    with pytest.raises(BadInput, match=r"expected no argument"):
        operator("own", given_("1"))
