"""Logistic regression, against scikit-learn and against its own gradient."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from deixis.stats.logistic import Logistic


@pytest.mark.parametrize("strength", [0.1, 3.0])
def test_it_finds_the_minimum_that_others_find(strength: float) -> None:
    generator = np.random.default_rng(0)
    table = sparse.random_array((200, 30), density=0.2, rng=generator).tocsr()
    labels = table @ generator.normal(size=30) + generator.normal(size=200) > 0.3
    model = Logistic.fit(table, labels, strength=strength, tolerance=1e-7)
    other = LogisticRegression(C=strength, tol=1e-10, max_iter=10_000).fit(table, labels)
    assert model.weights == pytest.approx(other.coef_[0], abs=1e-4)
    assert model.bias == pytest.approx(other.intercept_[0], abs=1e-4)
    again = Logistic.fit(table, labels, strength=strength, start=model, tolerance=1e-7)
    assert again.weights == pytest.approx(model.weights, abs=1e-5)


def test_one_label_only() -> None:
    model = Logistic.fit(sparse.csr_array(np.eye(3)), np.ones(3, bool), strength=1.0)
    assert (model.odds(sparse.csr_array(np.eye(3))) > 0).all()
