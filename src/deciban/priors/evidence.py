"""Marginal likelihood: how probable the statistics are once the parameters are integrated out, and the prior that makes
them most probable. It needs statistics alone, so it works on streams and on merged files."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from deciban.arrays.labels import Floats

# Where the best number is sought, and how finely before it is refined.
LEAST, MOST, STEPS = 1e-6, 1e6, 49


def best_pseudo_count(entries: Floats, whole: Floats, values: int) -> float:
    """The β of a symmetric Dirichlet over so many values, the same in every class, that makes counts most probable.

    ``entries`` are the counts above zero of all classes, ``whole`` their sum in each. Maximised is
    Σ_c [log Γ(mβ) − log Γ(N_c + mβ)] + Σ [log Γ(n + β) − log Γ(β)].

    >>> round(best_pseudo_count(np.array([30.0, 10, 10, 30]), np.array([40.0, 40]), 2), 2)
    2.12
    """
    from scipy.special import psi

    n, repeats = np.unique(entries[entries > 0], return_counts=True)
    whole = whole[whole > 0]

    def slope(beta: float) -> float:
        """The derivative by log β."""
        of_values = repeats @ (psi(n + beta) - psi(beta))
        of_classes = (psi(whole + values * beta) - psi(values * beta)).sum()
        return float(beta * (of_values - values * of_classes))

    return best(lambda beta: counts_evidence(entries, whole, values, beta), slope)


def counts_evidence(entries: Floats, whole: Floats, values: int, beta: float) -> float:
    """log P(counts) under a symmetric Dirichlet(β), of one order of the draws."""
    from scipy.special import gammaln

    of_classes = gammaln(values * beta) - gammaln(whole + values * beta)
    return float(of_classes.sum() + (gammaln(entries + beta) - gammaln(beta)).sum())


def best(value: Callable[[float], float], slope: Callable[[float], float] | None = None) -> float:
    """The positive number where ``value`` is greatest: a grid first, for there may be more than one peak."""
    from scipy.optimize import brentq, minimize_scalar

    grid = np.linspace(np.log(LEAST), np.log(MOST), STEPS)
    heights = [value(float(np.exp(t))) for t in grid]
    top = int(np.argmax(heights))
    low, high = grid[max(0, top - 1)], grid[min(STEPS - 1, top + 1)]
    if slope is not None:
        if slope(np.exp(low)) <= 0 or slope(np.exp(high)) >= 0:  # the best is an end of the range
            return float(np.exp(grid[top]))
        return float(np.exp(brentq(lambda t: slope(np.exp(t)), low, high, xtol=1e-13)))
    found = minimize_scalar(lambda t: -value(np.exp(t)), bounds=(low, high), method="bounded", options={"xatol": 1e-10})
    return float(np.exp(found.x))


def gaussian_evidence(n: Floats, mean: Floats, deviation: Floats, at: float, spread: float, strength: float) -> float:
    """log P(numbers) of classes with a mean and a variance each, under NormalInverseGamma(at, spread, strength)."""
    from scipy.special import gammaln

    s, all_of = strength, strength + n
    between = s * n / all_of * (mean - at) ** 2
    return float(
        np.sum(
            0.5 * np.log(s / all_of)
            + gammaln(all_of / 2)
            - gammaln(s / 2)
            + s / 2 * np.log(s * spread)
            - all_of / 2 * np.log(s * spread + deviation + between)
            - n / 2 * np.log(np.pi)
        )
    )
