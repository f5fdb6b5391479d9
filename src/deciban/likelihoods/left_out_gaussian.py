"""Leave-one-out of numbers under a Gaussian: mean and variance of a class that lost a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import clear_rounding, safe_divide
from deciban.arrays.types import Codes, Exponents, Floats, Mask
from deciban.scorers.left_out import own_normal_scores, shared_normal_scores
from deciban.scorers.predictive import log_density
from deciban.statistics import Moments

# Mean, variance and degrees of freedom, from the weight and mean of a class, and the weight and deviation that its
# variance is estimated from.
Parameters = Callable[[Floats, Floats, Floats, Floats], tuple[Floats, Floats, Floats | None]]
Scores = Callable[[Floats, Codes, Floats], Floats]


@dataclass(frozen=True)
class LeftOutNormal:
    """Scores of rows that are in the moments, the prior's included; by a kernel except where that is too inexact."""

    moments: Moments
    varies: Mask  # per feature
    parameters: Parameters
    simple: bool  # parameters are plain means and variances, and no cell was missing
    unit: Exponents  # per feature: moments and parameters are those of the numbers divided by 2^unit

    @property
    def _weight(self) -> Floats:
        return np.broadcast_to(self.moments.weight, self.moments.mean.shape)

    def own_scores(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows] score under the own class."""
        moments = self.moments.weight[:, 0].copy(), self.moments.mean, self.moments.deviation

        def quick(cells: Floats, codes: Codes, weight: Floats) -> Floats:
            return own_normal_scores(cells, codes, weight, *moments, self.varies)

        return self._run(quick, self._careful_own, x, codes, weight)

    def all_scores(self, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] score where classes share their variances."""
        moments = self.moments.weight[:, 0].copy(), self.moments.mean, self.moments.deviation.sum(axis=0)

        def quick(cells: Floats, codes: Codes, weight: Floats) -> Floats:
            return shared_normal_scores(cells, codes, weight, *moments, self.varies)

        return self._run(quick, self._careful_all, x, codes, weight)

    def _run(self, quick: Scores, careful: Scores, x: Frame, codes: Codes, weight: Floats) -> Floats:
        """[rows] or [rows × classes] log densities of the numbers as given, not of numbers divided by 2^unit."""
        cells = x.floats()
        if not self.unit.any():
            return self._scores(quick, careful, (cells, codes, weight))
        scores = self._scores(quick, careful, (np.ldexp(cells, -self.unit), codes, weight))
        logs = np.where(np.isnan(cells) | ~self.varies, 0.0, self.unit * np.log(2)).sum(axis=1)
        return scores - logs.reshape(-1, *[1] * (scores.ndim - 1))

    def _scores(self, quick: Scores, careful: Scores, rows: tuple[Floats, Codes, Floats]) -> Floats:
        """Score by the kernel, and again with care the rows for which it gives NaN."""
        if not self.simple:
            return careful(*rows)
        scores = quick(*rows)
        if not np.isnan(scores.sum()):  # much cheaper than to look at every score
            return scores
        inexact = np.flatnonzero(np.isnan(scores.reshape(len(scores), -1)).any(axis=1))
        if len(inexact):
            x, codes, weight = rows
            scores[inexact] = careful(x[inexact], codes[inexact], weight[inexact])
        return scores

    def _careful_own(self, x: Floats, codes: Codes, weight: Floats) -> Floats:
        n, mean, deviation = self._remaining(x, codes, weight)
        return self._density(x, n, mean, n, deviation)

    def _careful_all(self, x: Floats, codes: Codes, weight: Floats) -> Floats:
        own_n, own_mean, own_deviation = self._remaining(x, codes, weight)
        before, whole = self._weight.sum(axis=0), self.moments.deviation.sum(axis=0)
        n_all = clear_rounding(before - (self._weight[codes] - own_n), before)
        deviation = np.maximum(clear_rounding(whole - (self.moments.deviation[codes] - own_deviation), whole), 0.0)
        scores = np.empty((len(codes), self.moments.classes))
        for c in range(self.moments.classes):
            mine = (codes == c)[:, None]
            n, mean = np.where(mine, own_n, self._weight[c]), np.where(mine, own_mean, self.moments.mean[c])
            scores[:, c] = self._density(x, n, mean, n_all, deviation)
        return scores

    def _remaining(self, x: Floats, codes: Codes, weight: Floats) -> tuple[Floats, Floats, Floats]:
        """Return weight, mean and deviation of every row's class without the row."""
        before, mean, deviation = self._weight[codes], self.moments.mean[codes], self.moments.deviation[codes]
        w = np.where(np.isnan(x), 0.0, weight[:, None])
        n = clear_rounding(before - w, before)
        distance = np.where(w > 0, x - mean, 0.0)
        with np.errstate(over="ignore"):  # a fixed variance takes numbers of any size
            left = clear_rounding(deviation - w * distance**2 * safe_divide(before, n), deviation)
        return n, mean - distance * safe_divide(w, n), np.maximum(left, 0.0)

    def _density(self, x: Floats, n: Floats, mean: Floats, variance_n: Floats, deviation: Floats) -> Floats:
        density = log_density(x, *self.parameters(n, mean, variance_n, deviation))
        return np.where(np.isnan(x), 0.0, density).sum(axis=1)
