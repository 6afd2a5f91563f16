"""Logistic regression with an L2 penalty, on sparse features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse, special

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Logistic:
    """A fitted regression.

    Attributes:
        weights: shape (d,).
        bias: of the log-odds; not penalised.
    """

    weights: Floats
    bias: float

    @classmethod
    def fit(
        cls,
        features: sparse.csr_array,
        labels: NDArray[np.bool_],
        *,
        strength: float,
        start: Logistic | None = None,
        tolerance: float = 1e-4,
    ) -> Logistic:
        """Minimise |w|²/2 + strength · Σ log(1 + exp(-y (w·x + b))), by L-BFGS.

        Args:
            features: shape (n, d).
            labels: shape (n,).
            strength: how much examples count against the penalty (C in the usual notation).
            start: where to begin, such as the solution for another strength.
            tolerance: of the gradient's largest element, per unit of `strength`.

        >>> x = sparse.csr_array(np.array([[1.0], [0.9], [-1.0], [-0.8]]))
        >>> model = Logistic.fit(x, np.array([True, True, False, False]), strength=1.0)
        >>> (model.odds(x) > 0).tolist()
        [True, True, False, False]
        """
        signs = np.where(labels, 1.0, -1.0)
        turned = sparse.csr_array(features.T)
        d = features.shape[1]

        def loss(point: Floats) -> tuple[float, Floats]:
            margins = signs * (features @ point[:d] + point[d])
            value = 0.5 * point[:d] @ point[:d] + strength * np.logaddexp(0, -margins).sum()
            pull = -strength * signs * special.expit(-margins)
            return float(value), np.append(point[:d] + turned @ pull, pull.sum())

        begin = np.zeros(d + 1) if start is None else np.append(start.weights, start.bias)
        found = optimize.minimize(
            loss,
            begin,
            jac=True,
            method="L-BFGS-B",
            options={"gtol": tolerance * strength, "ftol": 1e-6 * tolerance, "maxiter": 500},
        )
        return cls(found.x[:d], float(found.x[d]))

    def odds(self, features: sparse.csr_array) -> Floats:
        """Log-odds of true, shape (n,)."""
        return np.asarray(features @ self.weights + self.bias)
