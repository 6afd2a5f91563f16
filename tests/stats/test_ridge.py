from __future__ import annotations

import numpy as np
import pytest

from deixis.stats.ridge import TextRidge

GENERATOR = np.random.default_rng(0)
TEXTS = ["red dog", "red cat", "blue dog", "blue cat", "red dog", "a dog"]
VECTORS = GENERATOR.normal(size=(6, 3))


def test_weights_minimise_the_penalised_squares() -> None:
    """The primal normal equations, over all texts with their repeats."""
    made = TextRidge.fit(TEXTS, VECTORS, penalty=2.0, shrink=1.0)
    features = made.tfidf(TEXTS).toarray()
    centred = VECTORS - VECTORS.mean(axis=0)
    gram = features.T @ features + 2.0 * np.eye(features.shape[1])
    assert np.allclose(made.weights, np.linalg.solve(gram, features.T @ centred))


def test_a_score_is_a_gaussian_log_likelihood_up_to_what_all_candidates_share() -> None:
    made = TextRidge.fit(TEXTS, VECTORS, penalty=2.0, shrink=0.5)
    covariance = np.cov(VECTORS.T)
    covariance += 0.5 * np.trace(covariance) / 3 * np.eye(3)
    prediction = made.tfidf(["red dog"]).toarray()[0] @ made.weights
    scores = made.texts(["red dog"])[0] @ made.vectors(VECTORS).T
    expected = prediction @ np.linalg.solve(covariance, (VECTORS - VECTORS.mean(axis=0)).T)
    assert np.allclose(scores, expected)


def test_unknown_words_say_nothing() -> None:
    made = TextRidge.fit(TEXTS, VECTORS, penalty=1.0, shrink=1.0)
    assert not made.texts(["zzz", ""]).any()


def test_it_learns_what_is_there_to_learn() -> None:
    codes = GENERATOR.integers(0, 2, 200)
    sides, names = ("left", "right"), ("wing", "foot", "ear")
    texts = [f"{sides[1 - c]} {names[i % 3]}" for i, c in enumerate(codes)]
    vectors = np.c_[codes * 2.0 - 1, GENERATOR.normal(size=200)]
    made = TextRidge.fit(texts, vectors, penalty=1.0, shrink=1.0)
    left, right = made.texts(["left wing", "right wing"]) @ made.vectors(np.eye(2)[:1]).T
    assert left[0] > 0 > right[0]
    assert left[0] == pytest.approx(-right[0], rel=0.3)
