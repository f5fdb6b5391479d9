"""Joint normal distributions of several columns: one covariance for all classes, or one for each.

Each class has one imagined row at the centre. A row that was trained on is left out in closed form: its own class loses
it, and with one covariance for all classes every class does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deciban.arrays.types import Codes, Floats
from deciban.statistics.products import Products

# Imagined rows of the covariance of all classes; they show the unit matrix, in squared standard deviations.
SHARED_RIDGE = 3.0
# Imagined rows of every class's covariance, at least, and the share of the unit matrix in what they show; the rest is
# the covariance of all classes.
CLASS_RIDGE, UNIT_SHARE = 10.0, 0.1
# What is left of a row's own direction when it is left out, at least: rounding must not make it negative.
LEAST_REST = 1e-9
# Multiplications of a block of rows, at most: what is computed stays in the cache, and the product of matrices is too
# small for OpenBLAS to start threads of its own beside those that predict.
BLOCK_PRODUCTS = 1 << 18


@dataclass(frozen=True, eq=False)
class JointNormal:
    """Statistics of vectors, and the means of the classes with one imagined row at the centre of each."""

    products: Products

    @cached_property
    def weight(self) -> Floats:
        """[classes] weight with the imagined row."""
        return self.products.weight + 1.0

    @cached_property
    def mean(self) -> Floats:
        """[classes × coordinates] mean."""
        return self.products.total / self.weight[:, None]

    @cached_property
    def scatter(self) -> Floats:
        """[coordinates × coordinates] sum over all classes of squared distances from their means."""
        return self.products.pooled - np.einsum("c,ci,cj->ij", self.weight, self.mean, self.mean)

    def without(self, codes: Codes, weight: Floats) -> tuple[Floats, Floats]:
        """[rows] factor of the distance from the own mean, and weight of the row's direction, when it is left out."""
        whole = self.weight[codes]
        factor = whole / (whole - weight)
        return factor, weight * factor


class SharedNormal(JointNormal):
    """One covariance for all classes: the log-odds of two classes are linear in the coordinates."""

    @cached_property
    def rows(self) -> float:
        """Weight of all rows, imagined ones included."""
        return float(self.weight.sum()) + SHARED_RIDGE

    @cached_property
    def inverse(self) -> Floats:
        """[coordinates × coordinates] inverse of the scatter."""
        return _inverse(self.scatter + SHARED_RIDGE * np.eye(len(self.scatter)))

    @cached_property
    def slopes(self) -> Floats:
        """[classes × coordinates] slope of the score."""
        return self.rows * (self.mean @ self.inverse)

    @cached_property
    def constants(self) -> Floats:
        """[classes] part of the score that no row changes."""
        return np.asarray(-(self.slopes * self.mean).sum(axis=1) / 2)

    def evidence(self, vectors: Floats) -> Floats:
        """[rows × classes × coordinates] share of every coordinate in the score: none at the mean of all rows."""
        return self.slopes * vectors[:, None, :]

    def scores(self, vectors: Floats) -> Floats:
        """[rows × classes] log density, up to a constant per row."""
        return self.constants + vectors @ self.slopes.T

    def left_out(self, vectors: Floats, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] log density of rows that were trained on, each without itself, up to a constant per row."""
        rows = np.arange(len(codes))
        turned, means = vectors @ self.inverse, self.mean @ self.inverse
        square, across, between = (turned * vectors).sum(axis=1), turned @ self.mean.T, means @ self.mean.T
        distance = square[:, None] - 2 * across + np.diag(between)
        product = square[:, None] - across[rows, codes][:, None] - across + between[codes]
        own = distance[rows, codes]
        factor, direction = self.without(codes, weight)
        rest = np.maximum(1 - direction * own, LEAST_REST)
        distance += (direction / rest)[:, None] * product**2
        distance[rows, codes] = factor**2 * own / rest
        return -(self.rows - weight)[:, None] / 2 * distance


class ClassNormals(JointNormal):
    """Normal distributions of the numbers, with a covariance per class, drawn towards the one of all classes.

    Means and covariances are integrated out, which gives Student's t in several dimensions (Murphy 2007, section 8.3):
    −(ν + 1)/2 · log(1 + κ/(κ + 1) · (v − m)ᵀ S⁻¹ (v − m)) and constants, with κ rows at the mean m, ν rows in the
    scatter S. Its tails are heavy, so that one far row is not decided by this alone.
    """

    @cached_property
    def numbers(self) -> int:
        """Number of coordinates that are numbers."""
        return self.products.by_class.shape[1]

    @cached_property
    def strength(self) -> float:
        """Imagined rows of every class's covariance."""
        return max(CLASS_RIDGE, float(self.numbers))

    @cached_property
    def rows(self) -> Floats:
        """[classes] weight, imagined rows included."""
        return self.weight + self.strength

    @cached_property
    def centers(self) -> Floats:
        """[classes × numbers] mean."""
        return self.mean[:, : self.numbers]

    @cached_property
    def scatters(self) -> Floats:
        """[classes × numbers × numbers] sums of squared distances from the class's mean, drawn towards those of all."""
        pooled = self.scatter[: self.numbers, : self.numbers] / self.weight.sum()
        target = (1 - UNIT_SHARE) * pooled + UNIT_SHARE * np.eye(self.numbers)
        own = self.products.by_class - np.einsum("c,ci,cj->cij", self.weight, self.centers, self.centers)
        return own + self.strength * target

    @cached_property
    def inverse(self) -> Floats:
        """[classes × numbers × numbers] inverses of the scatters."""
        return _inverse(self.scatters)

    @cached_property
    def log_volume(self) -> Floats:
        """[classes] logarithm of the determinant of the scatter."""
        return np.asarray(np.linalg.slogdet(self.scatters)[1])

    @cached_property
    def constants(self) -> Floats:
        """[classes] part of the log density that does not depend on the row, up to one constant for all classes."""
        return self._constants(self.rows, self.weight, self.log_volume)

    def _constants(self, rows: Floats, weight: Floats, log_volume: Floats) -> Floats:
        spread = self.numbers * np.log(weight / (weight + 1))
        gammas = log_gamma((rows + 1) / 2) - log_gamma((rows + 1 - self.numbers) / 2)
        constants = gammas + (spread - log_volume) / 2
        return np.asarray(constants)

    def evidence(self, vectors: Floats) -> Floats:
        """[rows × classes] log density without the ``constants``, up to a constant per row."""
        return _log_tail(self.rows, self.weight, self._distances(vectors))

    def scores(self, vectors: Floats) -> Floats:
        """[rows × classes] log density, up to a constant per row."""
        return self.constants + self.evidence(vectors)

    def _distances(self, vectors: Floats) -> Floats:
        """[rows × classes] squared distance from the mean, in units of the scatter."""
        numbers, out = vectors[:, : self.numbers], np.empty((len(vectors), len(self.weight)))
        turning = np.hstack(list(self.inverse))  # one product for all classes
        shift = np.einsum("ci,cij->cj", self.centers, self.inverse)
        step = max(1, BLOCK_PRODUCTS // max(1, turning.size))
        for begin in range(0, len(numbers), step):
            some = np.ascontiguousarray(numbers[begin : begin + step])
            turned = (some @ turning).reshape(len(some), *shift.shape) - shift
            np.einsum("rci,rci->rc", turned, some[:, None, :] - self.centers, out=out[begin : begin + len(some)])
        return out

    def left_out(self, vectors: Floats, codes: Codes, weight: Floats) -> Floats:
        """[rows × classes] log density of rows that were trained on, each taken out of its own class."""
        distance, place = self._distances(vectors), (np.arange(len(codes)), codes)
        out = self.constants + _log_tail(self.rows, self.weight, distance)
        factor, direction = self.without(codes, weight)
        left = np.maximum(1 - direction * distance[place], LEAST_REST)
        rows, others = self.rows[codes] - weight, self.weight[codes] - weight
        constants = self._constants(rows, others, self.log_volume[codes] + np.log(left))
        out[place] = constants + _log_tail(rows, others, factor**2 * distance[place] / left)
        return out


def log_gamma(numbers: Floats) -> Floats:
    """Return log Γ of numbers, few of which differ, without SciPy, whose import would slow the command line."""
    distinct, position = np.unique(numbers, return_inverse=True)
    return np.array([math.lgamma(number) for number in distinct.tolist()])[position].reshape(np.shape(numbers))


def _log_tail(rows: Floats, weight: Floats, distance: Floats) -> Floats:
    """Return the part of Student's log density that depends on the distance from the mean."""
    return np.asarray(-(rows + 1) / 2 * np.log1p(weight / (weight + 1) * np.maximum(distance, 0.0)))


def _inverse(matrix: Floats) -> Floats:
    return np.asarray(np.linalg.inv(matrix), dtype=float)
