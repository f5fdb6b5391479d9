"""Marginal likelihood: the probability of statistics with parameters integrated out, and the prior that maximises it.

It needs statistics alone, so it works on streams and on merged files.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from deciban.arrays.types import Floats

# The range in which the best number is sought, and the points of the grid before it is refined.
LEAST, MOST, GRID_POINTS = 1e-6, 1e6, 49


def best_pseudo_count(entries: Floats, whole: Floats, values: int) -> float:
    """Return the β of a symmetric Dirichlet over ``values`` values that makes the counts of all classes most probable.

    ``entries`` are the counts of all classes, ``whole`` their sum in each class. The maximised evidence is
    Σ_c [log Γ(mβ) − log Γ(N_c + mβ)] + Σ [log Γ(n + β) − log Γ(β)].

    >>> round(best_pseudo_count(np.array([30.0, 10, 10, 30]), np.array([40.0, 40]), 2), 2)
    2.12
    """
    from scipy.special import psi

    n, repeats = np.unique(entries[entries > 0], return_counts=True)
    whole = whole[whole > 0]

    def slope(beta: float) -> float:
        """Return the derivative of the evidence by log β."""
        of_values = np.sum(repeats * (psi(n + beta) - psi(beta)))  # not @, which depends on the threads of BLAS
        of_classes = (psi(whole + values * beta) - psi(values * beta)).sum()
        return float(beta * (of_values - values * of_classes))

    return best_positive(lambda beta: counts_evidence(entries, whole, values, beta), slope)


def counts_evidence(entries: Floats, whole: Floats, values: int, beta: float) -> float:
    """Return log P(counts) under a symmetric Dirichlet(β), for one order of the draws."""
    from scipy.special import gammaln

    of_classes = gammaln(values * beta) - gammaln(whole + values * beta)
    return float(of_classes.sum() + (gammaln(entries + beta) - gammaln(beta)).sum())


def best_positive(value: Callable[[float], float], slope: Callable[[float], float] | None = None) -> float:
    """Return the number from LEAST to MOST where ``value`` is greatest.

    The best point of a grid comes first, as there may be several peaks; the maximum near it is then refined.
    """
    from scipy.optimize import brentq, minimize_scalar

    grid = np.linspace(np.log(LEAST), np.log(MOST), GRID_POINTS)
    heights = [value(float(np.exp(t))) for t in grid]
    top = int(np.argmax(heights))
    low, high = grid[max(0, top - 1)], grid[min(GRID_POINTS - 1, top + 1)]
    if slope is not None:
        if slope(np.exp(low)) <= 0 or slope(np.exp(high)) >= 0:  # the best is an end of the range
            return float(np.exp(grid[top]))
        return float(np.exp(brentq(lambda t: slope(np.exp(t)), low, high, xtol=1e-13)))
    found = minimize_scalar(lambda t: -value(np.exp(t)), bounds=(low, high), method="bounded", options={"xatol": 1e-10})
    return float(np.exp(found.x))


def gaussian_evidence(
    n: Floats, mean: Floats, deviation: Floats, prior_mean: Floats, prior_variance: Floats, strength: float
) -> float:
    """Return log P(numbers) of classes with a mean and a variance each, under NormalInverseGamma."""
    from scipy.special import gammaln

    both = strength + n
    between = strength * n / both * (mean - prior_mean) ** 2
    imagined = strength * prior_variance
    return float(
        np.sum(
            0.5 * np.log(strength / both)
            + gammaln(both / 2)
            - gammaln(strength / 2)
            + strength / 2 * np.log(imagined)
            - both / 2 * np.log(imagined + deviation + between)
            - n / 2 * np.log(np.pi)
        )
    )


def gaussian_evidence_slope(
    n: Floats, mean: Floats, deviation: Floats, prior_mean: Floats, prior_variance: Floats, strength: float
) -> float:
    """Return the derivative of :func:`gaussian_evidence` by the strength.

    Its root is exact to rounding, where a maximum is flat and found only to the root of rounding.
    """
    from scipy.special import digamma

    both = strength + n
    square = (mean - prior_mean) ** 2
    imagined = strength * prior_variance
    whole = imagined + deviation + strength * n / both * square
    return float(
        0.5
        * np.sum(
            1 / strength
            - 1 / both
            + digamma(both / 2)
            - digamma(strength / 2)
            + np.log(imagined / whole)
            + 1
            - both * (prior_variance + (n / both) ** 2 * square) / whole
        )
    )
