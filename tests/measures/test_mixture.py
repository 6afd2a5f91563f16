from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture

from deixis.errors import BadInput
from deixis.measures.mixture import best, fitted, mixtures
from deixis.measures.people import Worker


def planted(shares: list[float], workers: int, n: int = 60, seed: int = 0) -> list[Worker]:
    generator = np.random.default_rng(seed)
    drawn = [generator.choice(shares) for _ in range(workers)]
    return [Worker(str(i), int(generator.binomial(n, p)), n) for i, p in enumerate(drawn)]


@pytest.mark.parametrize("kind", ["binomial", "gaussian"])
def test_two_kinds_of_workers_are_found(kind: str) -> None:
    """Those of KiloGram's study: 52.5 and 83.8 %."""
    chosen = best(mixtures(planted([0.525, 0.838], 200), kind, most=3))
    assert len(chosen.means) == 2
    assert chosen.means == pytest.approx([0.525, 0.838], abs=0.02)
    assert chosen.weights == pytest.approx([0.5, 0.5], abs=0.08)
    assert chosen.members.sum(axis=1) == pytest.approx(np.ones(200))


@pytest.mark.parametrize("kind", ["binomial", "gaussian"])
def test_one_kind_is_one(kind: str) -> None:
    assert len(best(mixtures(planted([0.8], 200), kind, most=3)).means) == 1


def test_binomial_knows_that_few_judgments_are_noisy() -> None:
    """Ten judgments each spread shares widely; that is no second kind of workers."""
    workers = [*planted([0.8], 60, n=10), *planted([0.8], 60, n=1000, seed=1)]
    assert len(best(mixtures(workers, "binomial")).means) == 1
    assert len(best(mixtures(workers, "gaussian")).means) > 1


def test_as_likely_as_the_librarys() -> None:
    workers = planted([0.4, 0.9], 120)
    shares = np.array([[w.share] for w in workers])
    theirs = GaussianMixture(2, reg_covar=1e-9, n_init=5, random_state=0, tol=1e-9).fit(shares)
    ours = fitted(
        np.array([w.right for w in workers], float), np.array([w.n for w in workers], float),
        "gaussian", 2,
    )  # fmt: skip
    assert ours.loglik == pytest.approx(theirs.score(shares) * len(workers), abs=1e-3)
    assert ours.bic == pytest.approx(theirs.bic(shares), abs=1e-2)
    assert ours.means == pytest.approx(np.sort(theirs.means_.ravel()), abs=1e-4)


def test_more_components_are_never_less_likely() -> None:
    found = mixtures(planted([0.5, 0.7, 0.9], 80), "binomial")
    likely = [m.loglik for m in found]
    assert all(b >= a - 1e-6 for a, b in pairwise(likely))


def test_few_workers() -> None:
    found = mixtures([Worker("a", 3, 4), Worker("b", 4, 4)], "gaussian")
    assert len(found) == 2
    assert all(np.isfinite(m.loglik) for m in found)
    assert found[0].fields()["components"] == 1


def test_mistakes() -> None:
    with pytest.raises(BadInput, match="no mixture 'beta'"):
        mixtures([Worker("a", 1, 1)], "beta")
    with pytest.raises(BadInput, match="at least one judgment each"):
        mixtures([Worker("a", 0, 0)], "binomial")
    with pytest.raises(BadInput, match="at least one judgment each"):
        mixtures([], "binomial")
