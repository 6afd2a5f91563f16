"""Ridge regression from texts to vectors, scored as a Gaussian would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from deixis.text.tfidf import Tfidf

Floats = NDArray[np.float64]


def ridge(features: sparse.csr_array, targets: Floats, penalty: float) -> Floats:
    """Weights that predict targets, shape (f, d), by whichever side has the smaller system.

    Args:
        features: shape (n, f).
        targets: centred, shape (n, d).
        penalty: on the squared weights.

    >>> weights = ridge(sparse.csr_array(np.eye(2)), np.array([[2.0], [4.0]]), 1.0)
    >>> weights.ravel().round(6).tolist()
    [1.0, 2.0]
    """
    n, width = features.shape
    dual = n <= width
    system = (features @ features.T if dual else features.T @ features).toarray()
    system[np.diag_indices_from(system)] += penalty
    if dual:
        return np.asarray(features.T @ linalg.solve(system, targets, assume_a="pos"))
    return np.asarray(linalg.solve(system, features.T @ targets, assume_a="pos"))


@dataclass(frozen=True)
class TextRidge:
    """Predicts a vector from a text; both end in a space where the dot product is the score.

    Scores are prediction' (C + shrink·mean variance·I)^-1 (vector - mean): up to a term that is
    the same for all candidates, the log-likelihood of a vector under a Gaussian around the
    prediction, with the shrunken covariance C of all vectors.

    Attributes:
        tfidf: features of texts.
        weights: from features to centred vectors, shape (f, d).
        mean: of vectors, shape (d,).
        whitener: square root of the inverse shrunken covariance, shape (d, d).
    """

    tfidf: Tfidf
    weights: Floats
    mean: Floats
    whitener: Floats

    @classmethod
    def fit(
        cls, texts: Sequence[str], vectors: Floats, *, penalty: float, shrink: float
    ) -> TextRidge:
        """Fit in the dual, over distinct texts: a text seen n times counts as its mean, n times.

        Args:
            texts: n texts.
            vectors: what each goes with, shape (n, d).
            penalty: on the squared weights.
            shrink: how much of the mean variance is added to every variance.
        """
        distinct, rows, counts = np.unique(texts, return_inverse=True, return_counts=True)
        tfidf = Tfidf.fit(distinct.tolist())
        features = tfidf(distinct.tolist())
        totals = np.zeros((len(distinct), vectors.shape[1]))
        np.add.at(totals, rows, vectors)
        mean = vectors.mean(axis=0)
        kernel = (features @ features.T).toarray()
        kernel[np.diag_indices_from(kernel)] += penalty / counts
        dual = linalg.solve(kernel, totals / counts[:, None] - mean, assume_a="pos")
        values, axes = linalg.eigh(np.cov(vectors.T))
        values = np.maximum(values, 0)
        whitener = axes / np.sqrt(values + shrink * values.mean())
        return cls(tfidf, features.T @ dual, mean, whitener)

    def texts(self, texts: Sequence[str]) -> Floats:
        """Predictions, shape (n, d); zero for a text of which nothing is known."""
        return np.asarray(self.tfidf(texts) @ self._whitened)

    def vectors(self, vectors: Floats) -> Floats:
        """Vectors in the same space, shape (n, d)."""
        # Row by row: in a product of matrices a row's last digits depend on how many others
        # there are, and numbers would on how work is cut.
        rows = [row @ self.whitener for row in vectors - self.mean]
        return np.array(rows).reshape(len(vectors), len(self.mean))

    @cached_property
    def _whitened(self) -> Floats:
        return np.asarray(self.weights @ self.whitener)
