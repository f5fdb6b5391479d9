"""Learning curves: naive Bayes against another classifier, on more and more rows."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing, check_random_state

from deciban.arrays.frame import is_table
from deciban.arrays.labels import Codes, Floats, Names, encode
from deciban.arrays.texts import as_lines
from deciban.readers.source import open_table
from deciban.tables.jobs import need_column
from deciban.teaching.logistic_regression import in_memory, logistic_regression, row_count

# The share of rows that is never trained on, and the number of sizes, where they are not given.
HELD_OUT = 0.3
SIZES = 8
BLOCKS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurve:
    """The error of two classifiers by the number of training rows, each a mean over repeats with its standard error."""

    names: tuple[str, str]
    sizes: NDArray[np.int64]
    errors: Floats  # classifiers × repeats × sizes, on the same held-out rows for both

    @property
    def mean(self) -> Floats:
        """Classifiers × sizes."""
        return self.errors.mean(axis=1)

    @property
    def standard_error(self) -> Floats:
        """Of the mean over repeats, classifiers × sizes; NaN for a single repeat."""
        repeats = self.errors.shape[1]
        if repeats < 2:
            return np.full(self.mean.shape, np.nan)
        return np.asarray(self.errors.std(axis=1, ddof=1) / np.sqrt(repeats))

    @property
    def difference(self) -> tuple[Floats, Floats]:
        """Mean error of the first minus that of the second by size, and its standard error over the pairs."""
        both = self.errors[:1] - self.errors[1:]
        curve = LearningCurve(self.names, self.sizes, both)
        return curve.mean[0], curve.standard_error[0]

    @property
    def crossing(self) -> int | None:
        """The size from which on the second errs less than the first, at all sizes tried; None if it never does.

        The first size of all says that it was ahead from the beginning.
        """
        behind = np.flatnonzero(self.difference[0] <= 0)
        first = 0 if not len(behind) else int(behind[-1]) + 1
        return None if first == len(self.sizes) else int(self.sizes[first])

    def __str__(self) -> str:
        """A table, and the errors as bars, of which a full one is the largest error."""
        head = ("rows", *(f"{name} error" for name in self.names))
        cells = [
            tuple(f"{m:.4f} ± {s:.4f}" if s == s else f"{m:.4f}" for m, s in zip(means, deviations))
            for means, deviations in zip(self.mean.T, self.standard_error.T)
        ]
        rows = [head, *((f"{size:,}", *cell) for size, cell in zip(self.sizes, cells))]
        width = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = ["  ".join(f"{cell:>{w}}" for cell, w in zip(row, width)) for row in rows]
        lines.append("  ".join(f"{cell:>{w}}" for cell, w in zip(("", *self._bars()), width)))
        crossing = self.crossing
        last = (
            f"{self.names[1]} does not overtake {self.names[0]}."
            if crossing is None
            else f"{self.names[1]} is ahead from {crossing:,} rows on."
        )
        return "\n".join([*lines, last])

    __repr__ = __str__

    def _bars(self) -> list[str]:
        most = self.mean.max() or 1.0
        return ["".join(BLOCKS[round(7 * value / most)] for value in curve) for curve in self.mean]

    def to_arrow(self) -> Any:
        """A row per size: the mean error of both and their standard errors."""
        columns: dict[str, Any] = {"rows": self.sizes}
        for name, mean, deviation in zip(self.names, self.mean, self.standard_error):
            columns |= {f"{name} error": mean, f"{name} standard error": deviation}
        return pa.table(columns)


def learning_curve(
    nb: Any,
    other: Any,
    X: Any,
    y: Any,
    *,
    sizes: Sequence[int] | None = None,
    repeats: int = 10,
    random_state: Any = None,
) -> LearningCurve:
    """The errors of two classifiers that learn from more and more rows; ``other=None`` is logistic regression.

    In every repeat 30 % of the rows are held out, and both classifiers learn from the same rows of the rest and are
    tested on the same held-out ones; larger training sets hold the smaller ones. Classes have their share in each of
    them, and every class at least a row. X is an array, a list of texts or a table, and y one label per row, or the
    name of a table's column.

    >>> from deciban import NaiveBayes, Gaussian, oracles
    >>> X, y = oracles.Gaussian(mean=[[-1.0] * 8, [1.0] * 8], variance=4.0).sample(300, 0)
    >>> learning_curve(NaiveBayes(Gaussian()), None, X, y, sizes=[10, 100], repeats=3, random_state=0).sizes.tolist()
    [10, 100]
    """
    X, y = _with_labels(X, y)
    names, codes = encode(y)
    rows, most = len(codes), round((1 - HELD_OUT) * len(codes))
    at = _checked(sizes, names, codes, most)
    if not isinstance(repeats, int | np.integer) or repeats < 1:
        raise ValueError(f"repeats is {repeats!r}; give a whole number of at least 1.")
    pair = ((nb, X), logistic_regression(X) if other is None else (other, X))
    rng = random_source(random_state)
    errors = np.empty((2, repeats, len(at)))
    for repeat in range(repeats):
        order = stratified(codes, rng)
        test, labels = order[most:rows], y[order[most:rows]]
        for i, size in enumerate(at):
            train = np.sort(order[:size])  # rows keep their order, which is nobody's evidence
            for k, (classifier, x) in enumerate(pair):
                predicted = _fitted(classifier, _take(x, train), y[train], _take(x, test))
                errors[k, repeat, i] = (np.asarray(predicted) != labels).mean()
    shown = type(nb).__name__, "logistic regression" if other is None else type(other).__name__
    return LearningCurve(shown if shown[0] != shown[1] else (f"{shown[0]} 1", f"{shown[1]} 2"), at, errors)


def _fitted(classifier: Any, x: Any, y: Names, new: Any) -> Any:
    """Predictions of a new classifier of its kind; few rows make for warnings that say only that they are few."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(classifier).fit(x, y).predict(new)


def stratified(codes: Codes, rng: np.random.RandomState) -> NDArray[np.int64]:
    """All rows in a random order of which every beginning has a row of every class, and then of each its share."""
    when = np.empty(len(codes))
    for code in np.unique(codes):
        members = rng.permutation(np.flatnonzero(codes == code))
        when[members] = (np.arange(len(members)) + rng.random_sample(len(members))) / len(members)
        when[members[0]] -= 1
    return np.argsort(when)


def _checked(sizes: Sequence[int] | None, names: Names, codes: Codes, most: int) -> NDArray[np.int64]:
    if (codes < 0).any():
        raise ValueError("y has rows without a label; drop them.")
    if len(names) < 2:
        raise ValueError(f"y has {len(names)} class; a curve compares classifiers of at least 2.")
    least = max(2 * len(names), 10)
    if sizes is None:
        if most < least:
            raise ValueError(f"there are {len(codes)} rows, too few to hold some out; give at least {least * 2}.")
        return np.unique(np.geomspace(least, most, SIZES).round().astype(np.int64))
    found = np.unique(np.asarray(sizes))
    if found.dtype.kind not in "iu" or not len(found) or found[0] < len(names) or found[-1] > most:
        raise ValueError(
            f"sizes are {list(sizes)}; give whole numbers from {len(names)}, a row for every class, to {most:,}, "
            f"as {HELD_OUT:.0%} of the {len(codes):,} rows are held out."
        )
    return found.astype(np.int64)


def random_source(random_state: Any) -> np.random.RandomState:
    """As scikit-learn understands it."""
    try:
        return check_random_state(random_state)
    except ValueError:
        raise ValueError(
            f"random_state is {random_state!r}; give a whole number of at least 0, a numpy.random.RandomState, or None "
            "for other draws every time."
        ) from None


def _with_labels(X: Any, y: Any) -> tuple[Any, Names]:
    """Rows that can be picked by number, and their labels apart."""
    if is_table(X):
        X, y = _table_with_labels(X, y)
    elif isinstance(y, str):
        raise ValueError(f"y names the column {y!r} but X has no column names; give one label per row, or a table.")
    X = X if hasattr(X, "shape") else list(X) if as_lines(X) is not None else np.array(X, dtype=object)
    y = np.asarray(y)
    if row_count(X) != len(y):
        raise ValueError(f"X has {row_count(X)} rows and y {len(y)}; give one label per row.")
    return X, y


def _table_with_labels(X: Any, y: Any) -> tuple[Any, Any]:
    """Frames stay what they are, for classifiers that know columns by name; anything else is read into memory."""
    if isinstance(y, str):
        table = in_memory(X)
        need_column(open_table(table), y)
        labels = table.column(y).to_pylist()
        is_frame = hasattr(X, "drop") and hasattr(X, "columns")
        return (X.drop(columns=[y]) if hasattr(X, "iloc") else X.drop(y)) if is_frame else table.drop_columns(
            [y]
        ), labels
    return X if hasattr(X, "shape") else in_memory(X), y


def _take(X: Any, rows: NDArray[np.int64]) -> Any:
    return X.take(rows) if isinstance(X, pa.Table) else _safe_indexing(X, rows)
