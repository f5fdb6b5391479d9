"""Leave-one-out of numbers under a Gaussian: mean and variance of a class that lost a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.labels import Codes, Floats
from deciban.likelihoods.left_out import Own, without_dust
from deciban.scorers import dense_numbers, own_curves, shared_curves
from deciban.scorers.predictive import log_density
from deciban.statistics import Moments
from deciban.statistics.moments import ratio

# Mean, variance and degrees of freedom from the weight and mean of a class, and the weight and deviation behind the
# variance.
Parameters = Callable[[Floats, Floats, Floats, Floats], tuple[Floats, Floats, Floats | None]]


@dataclass(frozen=True)
class LeftOutCurves:
    """Of rows that are in the moments (those of the prior included), by kernels where nothing takes more care."""

    moments: Moments
    varies: Any  # per feature
    parameters: Parameters
    quick: bool  # parameters are plain means and variances, and no cell was missing

    @property
    def _weight(self) -> Floats:
        return np.broadcast_to(self.moments.weight, self.moments.mean.shape)

    def own(self, x: Any, codes: Codes, weight: Floats) -> Floats:
        """What the own class says: one number per row."""
        rows, mean, deviation = self.moments.weight[:, 0].copy(), self.moments.mean, self.moments.deviation
        return self._run(
            lambda x, codes, weight: own_curves(x, codes, weight, rows, mean, deviation, self.varies),
            self._own_carefully,
            (dense_numbers(x), codes, weight),
        )

    def every(self, x: Any, codes: Codes, weight: Floats) -> Floats:
        """What all classes say that share their variances: rows × classes."""
        rows, mean, deviation = self.moments.weight[:, 0].copy(), self.moments.mean, self.moments.deviation.sum(axis=0)
        return self._run(
            lambda x, codes, weight: shared_curves(x, codes, weight, rows, mean, deviation, self.varies),
            self._every_carefully,
            (dense_numbers(x), codes, weight),
        )

    def _run(self, kernel: Own, carefully: Own, members: tuple[Floats, Codes, Floats]) -> Floats:
        """By the kernel, and again with care where it gives NaN."""
        if not self.quick:
            return carefully(*members)
        scores = kernel(*members)
        hard = np.flatnonzero(np.isnan(scores.reshape(len(scores), -1)).any(axis=1))
        if len(hard):
            x, codes, weight = members
            scores[hard] = carefully(x[hard], codes[hard], weight[hard])
        return scores

    def _own_carefully(self, x: Floats, codes: Codes, weight: Floats) -> Floats:
        n, mean, deviation = self._rest(x, codes, weight)
        return self._density(x, n, mean, n, deviation)

    def _every_carefully(self, x: Floats, codes: Codes, weight: Floats) -> Floats:
        n_own, mean_own, deviation_own = self._rest(x, codes, weight)
        before, whole = self._weight.sum(axis=0), self.moments.deviation.sum(axis=0)
        n_all = without_dust(before - (self._weight[codes] - n_own), before)
        deviation = np.maximum(without_dust(whole - (self.moments.deviation[codes] - deviation_own), whole), 0.0)
        scores = np.empty((len(codes), self.moments.classes))
        for c in range(self.moments.classes):
            mine = (codes == c)[:, None]
            n, mean = np.where(mine, n_own, self._weight[c]), np.where(mine, mean_own, self.moments.mean[c])
            scores[:, c] = self._density(x, n, mean, n_all, deviation)
        return scores

    def _rest(self, x: Floats, codes: Codes, weight: Floats) -> tuple[Floats, Floats, Floats]:
        """Weight, mean and deviation of a row's class without it."""
        before, mean, after = self._weight[codes], self.moments.mean[codes], self.moments.deviation[codes]
        w = np.where(np.isnan(x), 0.0, weight[:, None])
        n = without_dust(before - w, before)
        far = np.where(w > 0, x - mean, 0.0)
        left = without_dust(after - w * far**2 * ratio(before, n), after)
        return n, mean - far * ratio(w, n), np.maximum(left, 0.0)

    def _density(self, x: Floats, n: Floats, mean: Floats, n_of_variance: Floats, deviation: Floats) -> Floats:
        density = log_density(x, *self.parameters(n, mean, n_of_variance, deviation))
        return np.where(np.isnan(x), 0.0, density).sum(axis=1)
