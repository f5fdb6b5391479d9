"""Scorers: parameters ready to use. They add the log-likelihood of rows under every class, feature by feature.

The law every scorer obeys: ``evidence(x).sum(-1)`` equals what ``add_scores`` adds.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from deciban.findings import NEGATIVE, REPEATED, refuse, refuse_negative_threshold
from deciban.frame import Frame
from deciban.labels import MISSING, Codes, Floats, Names
from deciban.matrix import Array, Matrix, Sparse, densify, readable
from deciban.native import kernels
from deciban.statistics.tables import codes_among, starts

# Whole numbers up to here are the same as doubles.
EXACT = 1 << 53

ClassFree = Callable[[Array], Floats]


class Scorer(Protocol):
    """What an event model's ``estimate`` returns, and all a model needs to know."""

    reads_sparse: ClassVar[bool]  # False: a sparse block is made dense before it is scored

    @property
    def classes(self) -> int: ...

    @property
    def features(self) -> int: ...

    def add_scores(self, x: Matrix, out: Floats) -> int:
        """Add log P(x | class) of every row to ``out`` (rows × classes); returns the kernel's findings."""
        ...

    def evidence(self, x: Matrix) -> Floats:
        """The same by feature: rows × classes × features."""
        ...

    def class_free(self, x: Matrix) -> Floats:
        """The part of the log density that does not depend on the class, one number per row."""
        ...


def aligned(rows: int, columns: int) -> Floats:
    """Memory that begins at a cache line, so that a look-up touches no more lines than it must."""
    memory = np.empty(rows * columns + 8)
    skip = -memory.ctypes.data % 64 // 8
    return memory[skip : skip + rows * columns].reshape(rows, columns)


def class_major(parameters: Floats) -> Floats:
    """Classes × padded features: what dense kernels read with full vectors and no remainder."""
    classes, features = parameters.shape
    padded = aligned(classes, -(-features // kernels.PACK) * kernels.PACK)
    padded[:, :features] = parameters
    padded[:, features:] = 0.0
    return padded


def feature_major(parameters: Floats) -> Floats:
    """Features × padded classes: what look-ups by feature or category read, all classes at once."""
    classes, features = parameters.shape
    padded = aligned(features, -(-max(classes, 1) // kernels.LANES) * kernels.LANES)
    padded[:, :classes] = parameters.T
    padded[:, classes:] = 0.0
    return padded


def known(x: Array) -> NDArray[np.bool_]:
    """Which cells hold a number."""
    return ~np.isnan(x) if x.dtype.kind == "f" else np.ones(x.shape, dtype=bool)


def number_columns(x: Matrix | Frame) -> tuple[list[Array], list[Array | None], list[int]]:
    """Columns as numbers, each with the bits that say what is there, if not all is, and the first of them."""
    if isinstance(x, Frame):
        values, bits, first = zip(*map(x.valid_numbers, range(x.shape[1]))) if x.shape[1] else ((), (), ())
        return [readable(v) for v in values], list(bits), list(first)
    x = readable(densify(x))
    return [x[:, j : j + 1] for j in range(x.shape[1])], [None] * x.shape[1], [0] * x.shape[1]


def nothing(x: Matrix) -> Floats:
    return np.zeros(x.shape[0])


def lies_by_rows(x: Any, out: Floats) -> bool:
    """Whether rows are read and written side by side."""
    beside = (isinstance(a, np.ndarray) and (a.shape[1] < 2 or a.strides[1] == a.itemsize) for a in (x, out))
    return all(beside)


class Parameters:
    """What the scorers share."""

    reads_sparse: ClassVar[bool] = False
    by_rows: ClassVar[bool] = False  # contrasts rows side by side quicker than column after column

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.classes} classes × {self.features} features)"  # type: ignore[attr-defined]


@dataclass(frozen=True, eq=False, repr=False)
class Linear(Parameters):
    """log P(x | c) = Σ base + x·weight: Bernoulli, multinomial, complement, Poisson.

    A true zero is counted, not added. Where a weight or base is infinite the event is impossible; such cells are kept
    apart as a count of impossible factors that is itself linear in x, so 0·(−inf) and inf − inf never arise.
    """

    reads_sparse: ClassVar[bool] = True

    weight: Floats  # classes × features
    base: Floats | None = None  # classes × features; None: zero
    threshold: float | None = None  # x counts as x > threshold
    binary: bool = False  # refuse values other than 0 and 1
    free: ClassFree | None = None  # the part of the log density that no class changes

    @property
    def classes(self) -> int:
        return self.weight.shape[0]

    @property
    def features(self) -> int:
        return self.weight.shape[1]

    @property
    def by_rows(self) -> bool:  # type: ignore[override]
        return self._zeros is None

    @cached_property
    def _zeros(self) -> Zeros | None:
        """How many impossible factors a row has, as a linear function of x; None when nothing is impossible."""
        least = min(p.min(initial=0.0) for p in (self.weight, self.base) if p is not None)
        if least > -np.inf:
            return None
        present = self.weight == -np.inf
        absent = np.zeros_like(present) if self.base is None else self.base == -np.inf
        return Zeros(present.astype(float) - absent, absent.astype(float), self.threshold)

    @cached_property
    def _finite(self) -> tuple[Floats, Floats | None, Floats]:
        """Weight, base and the base's sum, with 0 in place of what is infinite."""
        weight, base = self.weight, self.base
        if self._zeros is not None:
            weight = np.where(np.isfinite(weight), weight, 0.0)
            base = None if base is None else np.where(np.isfinite(base), base, 0.0)
        return weight, base, np.zeros(self.classes) if base is None else base.sum(axis=1)

    @cached_property
    def _dense(self) -> tuple[Floats, Floats | None, Floats]:
        weight, base, total = self._finite
        return class_major(weight), None if base is None else class_major(base), total

    @cached_property
    def _sparse(self) -> tuple[Floats, Floats | None, Floats]:
        weight, base, total = self._finite
        return feature_major(weight), None if base is None else feature_major(base), total

    def add_scores(self, x: Matrix, out: Floats) -> int:
        found = self._add_sparse(x, out) if isinstance(x, Sparse) else self._add_dense(x, out)
        refuse(found, "the model")
        if self._zeros is not None:
            impossible = np.zeros_like(out)
            self._zeros.add_scores(x, impossible)
            out[impossible > 0] = -np.inf
        return found

    def _add_dense(self, x: Array, out: Floats) -> int:
        return int(kernels.score_linear(readable(x), *self._dense, self.threshold, self.binary, out))

    def _add_sparse(self, x: Sparse, out: Floats) -> int:
        refuse_negative_threshold(self.threshold)
        parts = x.values, x.indices, x.pointers, x.rows, x.by_column
        found = int(kernels.score_linear_sparse(*parts, *self._sparse, self.threshold, self.binary, out))
        # Entries stored twice cannot be binarized one by one: nothing was added yet.
        return self._add_sparse(x.without_repeats(), out) if found & REPEATED else found

    def contrast(self, x: Matrix, of: Codes, against: Codes, out: Floats) -> None:
        if isinstance(x, np.ndarray) and self.by_rows and lies_by_rows(x, out):
            weight, base, _ = self._dense
            kernels.contrast_linear_rows(readable(x), weight, base, self.threshold, of, against, out)
            return
        base = None if self.base is None else feature_major(self.base)
        columns = number_columns(densify(x))
        kernels.contrast_linear(*columns, feature_major(self.weight), base, self.threshold, of, against, out)

    def evidence(self, x: Matrix) -> Floats:
        x = densify(x)
        here = known(x)
        x = np.where(here, x, 0).astype(float)
        if self.threshold is not None:
            x = (x > self.threshold).astype(float)
        weight, base, _ = self._finite
        x = x[:, None, :]
        evidence = x * weight if base is None else base + x * weight
        if self._zeros is not None:
            impossible = self._zeros.base + x * self._zeros.weight
            evidence = np.where(impossible > 0, -np.inf, evidence)
        return np.where(here[:, None, :], evidence, 0.0)

    def class_free(self, x: Matrix) -> Floats:
        return self.free(densify(x)) if self.free else nothing(x)


class Zeros(Linear):
    """A count of impossible factors: finite, and with a base."""

    base: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Quadratic(Parameters):
    """log P(x | c) = Σ −½·log(2π·variance) − (x − mean)²/(2·variance): Gaussian.

    A variance of 0 marks a column that never varies: it is no evidence for anything.
    """

    by_rows: ClassVar[bool] = True

    mean: Floats  # classes × features
    variance: Floats  # classes × features

    @property
    def classes(self) -> int:
        return self.mean.shape[0]

    @property
    def features(self) -> int:
        return self.mean.shape[1]

    @cached_property
    def _terms(self) -> tuple[Floats, Floats]:
        """√(1/(2·variance)) and −½·log(2π·variance), both 0 where the variance is.

        A deviation is scaled before it is squared, so that it overflows no sooner than it must.
        """
        some = self.variance > 0
        variance = np.where(some, self.variance, 1.0)
        return np.where(some, np.sqrt(0.5 / variance), 0.0), np.where(some, -0.5 * np.log(2 * np.pi * variance), 0.0)

    @cached_property
    def _kernel(self) -> tuple[Floats, Floats, Floats, Floats]:
        scale, base = self._terms
        return class_major(self.mean), class_major(scale), class_major(base), base.sum(axis=1)

    @cached_property
    def _by_column(self) -> Floats:
        """Mean, scale and base of one column after the other."""
        scale, base = self._terms
        rows = np.stack([np.where(scale > 0, self.mean, 0.0), scale, base], axis=-1)
        return feature_major(rows.reshape(self.classes, -1))

    def add_scores(self, x: Matrix | Frame, out: Floats) -> int:
        if isinstance(x, Frame):
            found = kernels.score_curves(*number_columns(x), self._by_column, out)
        else:
            found = kernels.score_quadratic(readable(densify(x)), *self._kernel, out)
        refuse(found, "the model")
        return int(found)

    def contrast(self, x: Matrix | Frame, of: Codes, against: Codes, out: Floats) -> None:
        if isinstance(x, np.ndarray) and lies_by_rows(x, out):
            mean, scale, base, _ = self._kernel
            kernels.contrast_curve_rows(readable(x), mean, scale, base, of, against, out)
            return
        kernels.contrast_curves(*number_columns(x), self._by_column, of, against, out)

    def evidence(self, x: Matrix | Frame) -> Floats:
        x = dense_numbers(x)[:, None, :]
        scale, base = self._terms
        return np.where(np.isnan(x), 0.0, base - ((x - self.mean) * scale) ** 2)

    def class_free(self, x: Matrix) -> Floats:
        return nothing(x)


def dense_numbers(x: Matrix | Frame) -> Floats:
    """Rows × columns of floating point, NaN where a number is missing."""
    return (x.numbers() if isinstance(x, Frame) else densify(x)).astype(float, copy=False)


class _Entries(Parameters):
    """Scorers that look a cell's log probability up in a table per feature: classes × entries."""

    log_probability: tuple[Floats, ...]

    @property
    def classes(self) -> int:
        return self.log_probability[0].shape[0] if self.log_probability else 0


@dataclass(frozen=True, eq=False, repr=False)
class Table(_Entries):
    """log P(x | c) = Σ log of the entry of x's category.

    A category without an entry is no evidence, or counts as the category at position ``unseen`` of its feature.
    """

    by_rows: ClassVar[bool] = True

    log_probability: tuple[Floats, ...]  # per feature: classes × categories
    categories: tuple[Names, ...]
    unseen: tuple[int, ...] | None = None  # −1: no evidence; None: for no feature

    @property
    def features(self) -> int:
        return len(self.categories)

    @cached_property
    def _compact(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """low, start and table for codes 0, 1, 2 … of the categories as listed."""
        start = starts([len(c) for c in self.categories])
        return np.zeros(self.features, dtype=np.int64), start, feature_major(np.hstack(self.log_probability))

    @cached_property
    def _direct(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats] | None:
        """The same over the span of integer categories, so that integers need no look-up; None if there is no such."""
        if any(c.dtype.kind not in "iub" or not len(c) for c in self.categories) or (self._unseen >= 0).any():
            return None
        low, size = zip(*(_span(c) for c in self.categories)) if self.categories else ((), ())
        if sum(size) > 2 * DIRECT_TABLE or max(size, default=0) > DIRECT_TABLE:
            return None
        start = starts(size)
        table = np.zeros((self.classes, start[-1]))
        for j, names in enumerate(self.categories):
            table[:, start[j] + names.astype(np.int64) - low[j]] = self.log_probability[j]
        return np.array(low, dtype=np.int64), start, feature_major(table)

    def add_scores(self, x: Matrix | Frame, out: Floats) -> int:
        if isinstance(x, Frame):
            self._add_frame(x, out)
            return 0
        x = densify(x)
        if self._direct is not None and x.dtype.kind in "iub":
            return int(kernels.score_table(readable(x), *self._direct, out))
        kernels.score_table(self.codes(x), *self._compact, out)
        return NEGATIVE if x.dtype.kind in "if" and bool((x < 0).any()) else 0

    def _add_frame(self, x: Frame, out: Floats) -> None:
        columns, start, entries = self._of_frame(x)
        kernels.score_codes(columns, start, entries, out)

    def contrast(self, x: Matrix | Frame, of: Codes, against: Codes, out: Floats) -> None:
        if isinstance(x, Frame):
            columns, start, table = self._of_frame(x)
            low, table = np.zeros(self.features, dtype=np.int64), table[:-1]
        else:
            x = densify(x)
            direct = self._direct if x.dtype.kind in "iub" else None
            exact = direct is not None and (np.abs(direct[0]) < EXACT).all()  # numbers are compared as doubles
            low, start, table = self._compact if direct is None or not exact else direct
            x = x if exact else np.require(self.codes(x), requirements="C" if lies_by_rows(x, out) else "F")
            if lies_by_rows(x, out):
                kernels.contrast_code_rows(x, low, start, table, of, against, out)
                return
            columns = [x[:, j] for j in range(self.features)]
        kernels.contrast_codes([c[:, None] for c in columns], low, start, table, of, against, out)

    def _of_frame(self, x: Frame) -> tuple[list[Codes], NDArray[np.int64], Floats]:
        """Codes of a frame, and entries for them, with a last one of zeros for codes without.

        The table is brought into the order of the frame's names, which is less work than to change all its codes.
        """
        columns = [x.coded(j) for j in range(x.shape[1])]
        _, start, table = self._compact
        none = len(table)
        rows = [
            [s + p if p >= 0 else none for p in (position.get(v, unseen) for v in column.names.tolist())]
            for column, position, unseen, s in zip(columns, self._positions, self._unseen.tolist(), start.tolist())
        ]
        entries = np.append(table, np.zeros((1, table.shape[1])), axis=0)[[*itertools.chain(*rows), none]]
        return [c.codes for c in columns], starts([len(c.names) for c in columns]), entries

    def codes(self, x: Array | Frame) -> NDArray[np.int32]:
        """The category of every cell, −1 where it is no evidence."""
        return codes_among(x, self.categories, self._positions, self._unseen)

    @cached_property
    def _unseen(self) -> NDArray[np.int64]:
        return np.array([MISSING] * self.features if self.unseen is None else self.unseen, dtype=np.int64)

    @cached_property
    def _positions(self) -> list[dict[Any, int]]:
        return [{value: i for i, value in enumerate(names.tolist())} for names in self.categories]

    def evidence(self, x: Matrix | Frame) -> Floats:
        codes = self.codes(x if isinstance(x, Frame) else densify(x))
        columns = [
            np.where(codes[:, j, None] >= 0, table.T[codes[:, j]], 0.0)
            if table.size
            else np.zeros((len(codes), self.classes))
            for j, table in enumerate(self.log_probability)
        ]
        return np.stack(columns, axis=-1)

    def class_free(self, x: Matrix) -> Floats:
        return nothing(x)


@dataclass(frozen=True, eq=False, repr=False)
class Steps(_Entries):
    """log P(x | c) = Σ log of the entry of the bin x falls into: a function of x that is constant between cuts.

    Bin i of a feature holds the numbers from cut i − 1 up to, but without, cut i; the first and the last bin are open.
    """

    cuts: tuple[Floats, ...]  # per feature, sorted
    log_probability: tuple[Floats, ...]  # per feature: classes × bins, one more than cuts

    @property
    def features(self) -> int:
        return len(self.cuts)

    @cached_property
    def _entries(self) -> Floats:
        """The entries of one column after the other, then zeros for what is missing."""
        return feature_major(np.hstack([*self.log_probability, np.zeros((self.classes, 1))]))

    def add_scores(self, x: Matrix | Frame, out: Floats) -> int:
        kernels.score_steps(*number_columns(x), self._cuts, self._entries, out)
        return 0

    @cached_property
    def _cuts(self) -> list[Floats]:
        return [np.ascontiguousarray(cuts) for cuts in self.cuts]

    def bins(self, x: Matrix | Frame) -> NDArray[np.int32]:
        """The number of the bin of every cell, −1 where it is missing."""
        codes = np.empty(x.shape, dtype=np.int32, order="F")
        for j, column in enumerate(zip(*number_columns(x), self._cuts)):
            kernels.bin_codes(*column, codes[:, j])
        return codes

    def contrast(self, x: Matrix | Frame, of: Codes, against: Codes, out: Floats) -> None:
        kernels.contrast_steps(*number_columns(x), self._cuts, self._entries, of, against, out)

    def evidence(self, x: Matrix | Frame) -> Floats:
        bins = self.bins(x)
        columns = [np.where(b[:, None] >= 0, table.T[b], 0.0) for b, table in zip(bins.T, self.log_probability)]
        return np.stack(columns, axis=-1)

    def class_free(self, x: Matrix) -> Floats:
        return nothing(x)


def contrast(scorer: Scorer, x: Any, of: Codes, against: Codes, out: Floats) -> None:
    """Write log P(x_j | of) − log P(x_j | against) of every row and feature: rows × features."""
    if hasattr(scorer, "contrast"):
        # Kernels write column after column where they do not read row after row.
        into = out if lies_by_rows(x, out) or out.strides[0] == out.itemsize else np.empty(out.shape, order="F")
        scorer.contrast(x, of, against, into)
        if into is not out:
            out[:] = into
        return
    for j, scores in enumerate(np.moveaxis(scorer.evidence(x), 2, 0)):
        out[:, j] = contrast_of(scores, of, against)


def two_best(posterior: Floats, of: Codes, against: Codes) -> None:
    """Write the most probable class of every row, and the next; the same one if there is no other."""
    kernels.two_best(posterior, of, against)


def contrast_of(scores: Floats, of: Codes, against: Codes) -> Floats:
    """The score of one class less that of another, for every row; 0 where both are impossible."""
    out = np.empty(len(of))
    kernels.contrast_scores(np.ascontiguousarray(scores), of, against, out)
    return out


def own_curves(
    x: Array, codes: Codes, weight: Floats, rows: Floats, mean: Floats, deviation: Floats, varies: Array
) -> Floats:
    """The log density of rows under the normal distribution of their class without them; NaN: that takes more care.

    ``rows`` is the weight of every class, of which no cell was missing.
    """
    out = np.empty(len(codes))
    kernels.own_curves(readable(x), codes, weight, rows, mean, deviation, varies.astype(np.uint8), out)
    return out


def shared_curves(
    x: Array,
    codes: Codes,
    weight: Floats,
    rows: Floats,
    mean: Floats,
    deviation: Floats,
    varies: Array,
) -> Floats:
    """The same under all classes, rows × classes, where they share a variance per feature; ``deviation`` is of all."""
    out = np.zeros((len(codes), len(rows)))
    who = readable(x), codes, weight
    kernels.shared_curves(*who, rows, mean, deviation, float(rows.sum()), varies.astype(np.uint8), out)
    return out


def others_counts(x: Array, codes: Codes, weight: Floats, count: Floats) -> Floats:
    """−Σ x·log of shares, rows × classes, from counts that hold a row unless they are those of its class."""
    out = np.zeros((len(codes), len(count)))
    kernels.others_counts(readable(x), codes, weight, count, count.sum(axis=1), out)
    return out


def own_counts(x: Array, codes: Codes, weight: Floats, count: Floats) -> tuple[Floats, Floats]:
    """Σ x·log(count − w·x) and Σ x of every row, from the counts of its class; NaN where a cell is missing."""
    logs, total = np.empty(len(codes)), np.empty(len(codes))
    kernels.own_counts(readable(x), codes, weight, count, logs, total)
    return logs, total


# Entries a table over the span of integer categories may have.
DIRECT_TABLE = 1 << 16


def _span(names: Names) -> tuple[int, int]:
    low, high = int(names.min()), int(names.max())
    return low, high - low + 1


def normalize(joint: Floats, log_prior: Floats, *, log: bool) -> int:
    """Turn joint log probabilities into posteriors in place; the only place where a probability leaves the log scale.

    A row that is impossible under every class becomes the prior; returns how many there were.
    """
    impossible = int(kernels.centre(joint, log_prior))
    with np.errstate(under="ignore"):
        if log:
            joint -= np.log(np.exp(joint).sum(axis=1, keepdims=True))
        else:
            np.exp(joint, out=joint)
            kernels.divide_by_sum(joint)
    return impossible


def decide(joint: Floats, log_prior: Floats, codes: NDArray[np.int32]) -> int:
    """Write the most probable class of every row into ``codes``; returns how many rows were impossible."""
    return int(kernels.decide(joint, log_prior, codes))
