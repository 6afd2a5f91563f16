"""Power of paired comparisons."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from deixis.errors import BadInput
from deixis.seeds import draw
from deixis.stats.power import Paired, clustered_power, effect_found, mcnemar_power


@pytest.mark.parametrize(("items", "power"), [(200, 0.14), (500, 0.36), (1000, 0.67), (2000, 0.93)])
def test_published_power(items: int, power: float) -> None:
    """3 points at 15 % discordance; the published figures are to about a point."""
    assert mcnemar_power(Paired(0.03, 0.15), items) == pytest.approx(power, abs=0.011)


def test_exact_power_is_that_of_simulated_studies() -> None:
    generator = draw(0, "power")
    counts = generator.multinomial(300, [0.12, 0.06, 0.82], 40_000)
    discordant = counts[:, 0] + counts[:, 1]
    p = np.minimum(1, 2 * special.bdtr(np.minimum(counts[:, 0], counts[:, 1]), discordant, 0.5))
    exact = mcnemar_power(Paired(0.06, 0.18), 300)
    assert exact == pytest.approx(np.mean(p <= 0.05), abs=0.01)


def test_without_effect_power_is_at_most_the_level() -> None:
    assert mcnemar_power(Paired(0.0, 0.2), 400) <= 0.05
    assert clustered_power(Paired(0.0, 0.2), 100, 4, 0.3) == pytest.approx(0.05, abs=0.02)


def test_clusters_cost_power_and_single_items_do_not() -> None:
    paired = Paired(0.03, 0.15)
    assert clustered_power(paired, 1000, 1, 0.0) == pytest.approx(
        mcnemar_power(paired, 1000), abs=0.04
    )
    assert clustered_power(paired, 250, 4, 0.3) < clustered_power(paired, 250, 4, 0.0) - 0.1


def test_the_effect_found_is_found_four_times_in_five() -> None:
    found = effect_found(Paired(0.0, 0.15), 1000, 1.0)
    assert mcnemar_power(Paired(float(found), 0.15), 1000) == pytest.approx(0.8, abs=0.03)


def test_impossible_designs_are_refused() -> None:
    with pytest.raises(BadInput, match="at most the discordance"):
        Paired(0.2, 0.1)
    with pytest.raises(BadInput, match="2 clusters"):
        clustered_power(Paired(0.1, 0.2), 1, 4, 0.1)
