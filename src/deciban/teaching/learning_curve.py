"""Learning curves: the error of naive Bayes and of another classifier by the number of training rows."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing, check_random_state

from deciban.arrays.labels import encode
from deciban.arrays.types import Codes, Floats, Names, RandomState
from deciban.readers.recognise import is_table
from deciban.readers.source import open_table
from deciban.readers.texts import as_texts
from deciban.tables.rows import require_column
from deciban.teaching.logistic_regression import count_rows, logistic_regression, read_into_memory

if TYPE_CHECKING:
    from deciban.plots.learning_curve import LearningCurveDisplay

# Share of the rows that is tested on and never trained on.
HELD_OUT = 0.3
# Number of training sizes where none are given.
SIZES = 8
# Standard errors of the difference that a lead must exceed.
LEAD_ERRORS = 2.0
BLOCKS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Lead:
    """Neighbouring training sizes at which one classifier surely errs less than the other."""

    name: str
    first: int  # smallest of the sizes
    last: int  # largest of the sizes


@dataclass(frozen=True, eq=False, repr=False)
class LearningCurve:
    """Errors of two classifiers by the number of training rows, in several repeats."""

    names: tuple[str, str]
    sizes: NDArray[np.int64]
    errors: Floats  # [classifiers × repeats × sizes], both classifiers on the same held-out rows

    @property
    def mean(self) -> Floats:
        """[classifiers × sizes] mean error over the repeats."""
        return self.errors.mean(axis=1)

    @property
    def standard_error(self) -> Floats:
        """[classifiers × sizes] standard error of the mean over repeats; NaN for a single repeat."""
        repeats = self.errors.shape[1]
        if repeats < 2:
            return np.full(self.mean.shape, np.nan)
        return np.asarray(self.errors.std(axis=1, ddof=1) / np.sqrt(repeats))

    @property
    def difference(self) -> tuple[Floats, Floats]:
        """[sizes] mean difference of the errors, first minus second classifier, and its standard error.

        The difference is taken within each repeat, on the same rows.
        """
        paired = self.errors[:1] - self.errors[1:]
        curve = LearningCurve(self.names, self.sizes, paired)
        return curve.mean[0], curve.standard_error[0]

    @property
    def lead(self) -> NDArray[np.int64]:
        """[sizes] classifier that errs less, 0 or 1; −1 where the difference may be chance.

        A lead is a mean difference of more than twice its standard error. A single repeat shows none.
        """
        mean, error = self.difference
        return np.where(np.abs(mean) > LEAD_ERRORS * error, (mean > 0).astype(np.int64), -1)

    @property
    def difference_interval(self) -> tuple[Floats, Floats]:
        """[sizes] limits of the difference: its mean ± 2 standard errors; NaN for a single repeat."""
        mean, error = self.difference
        return mean - LEAD_ERRORS * error, mean + LEAD_ERRORS * error

    @property
    def leads(self) -> list[Lead]:
        """Sure leads in the order of the sizes: the classifier ahead, and the sizes from which to which it is."""
        lead = self.lead
        cuts = np.flatnonzero(np.diff(lead)) + 1
        parts = np.split(np.arange(len(lead)), cuts)
        return [
            Lead(self.names[lead[part[0]]], int(self.sizes[part[0]]), int(self.sizes[part[-1]]))
            for part in parts
            if lead[part[0]] >= 0
        ]

    @property
    def sure_from(self) -> dict[str, int | None]:
        """By classifier: smallest size from which on it surely leads, None if it does not at the largest size."""
        last = self.leads[-1:]
        final = {lead.name: lead.first for lead in last if lead.last == self.sizes[-1]}
        return {name: final.get(name) for name in self.names}

    @property
    def crossing(self) -> int | None:
        """Smallest size from which on the second classifier leads, None if there is none.

        It is the first of the sizes if the second classifier leads at all of them.
        """
        return self.sure_from[self.names[1]]

    def __str__(self) -> str:
        """Return a table of the errors, and a row of bars in which the highest bar is the largest error."""
        head = ("rows", *(f"{name} error" for name in self.names))
        cells = [
            tuple(map(_with_error, means, deviations)) for means, deviations in zip(self.mean.T, self.standard_error.T)
        ]
        rows = [head, *((f"{size:,}", *cell) for size, cell in zip(self.sizes, cells))]
        width = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = ["  ".join(f"{cell:>{w}}" for cell, w in zip(row, width)) for row in rows]
        lines.append("  ".join(f"{cell:>{w}}" for cell, w in zip(("", *self._bars()), width)))
        return "\n".join([*lines, self.verdict])

    __repr__ = __str__

    def plot(self, ax: Any = None, *, theme: str | None = None) -> LearningCurveDisplay:
        """Draw both curves with bands, and their paired difference below (needs matplotlib)."""
        from deciban.plots.learning_curve import LearningCurveDisplay

        return LearningCurveDisplay(self).plot(ax, theme=theme)

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment, remark_html, table_html, text_html
        from deciban.markup.sparkline import sparkline

        mean, error = self.difference
        columns = [*zip(self.mean, self.standard_error), (mean, error)]
        rows = [
            [f"{size:,}", *(_with_error(value[i], deviation[i]) for value, deviation in columns)]
            for i, size in enumerate(self.sizes)
        ]
        names = ["rows", *(f"{text_html(name)} error" for name in self.names), "difference"]
        chart = sparkline(np.log(self.sizes).tolist(), *self.mean.tolist())
        key = f"Line: {self.names[0]}; dashes: {self.names[1]}; rows on a logarithmic scale, errors from 0."
        return fragment(chart, remark_html(key), table_html(names, rows, range(4)), remark_html(self.verdict))

    @property
    def verdict(self) -> str:
        """A sentence on which classifier leads."""
        first, second = self.names
        if self.errors.shape[1] < 2:
            return "One repeat has no standard error, so it shows no lead; give repeats of at least 2."
        if self.crossing is not None:
            return f"{second} is ahead from {self.crossing:,} rows on, by more than twice the standard error."
        if self.lead[-1] == 0:
            return f"{first} is ahead at {self.sizes[-1]:,} rows: {second} does not overtake it."
        difference = f"{self.difference[0][-1]:+.4f} ± {self.difference[1][-1]:.4f}"
        return f"At {self.sizes[-1]:,} rows neither is ahead: the errors differ by {difference}, which may be chance."

    def _bars(self) -> list[str]:
        most = self.mean.max() or 1.0
        return ["".join(BLOCKS[round(7 * value / most)] for value in curve) for curve in self.mean]

    def to_arrow(self) -> Any:
        """Return an Arrow table with a row per size: mean error and standard error of both classifiers."""
        columns: dict[str, Any] = {"rows": self.sizes}
        for name, mean, deviation in zip(self.names, self.mean, self.standard_error):
            columns |= {f"{name} error": mean, f"{name} standard error": deviation}
        return pa.table(columns)


def _with_error(mean: float, error: float) -> str:
    return f"{mean:.4f} ± {error:.4f}" if error == error else f"{mean:.4f}"


def learning_curve(
    nb: Any,
    other: Any,
    X: Any,
    y: Any,
    *,
    sizes: Sequence[int] | None = None,
    repeats: int = 10,
    random_state: RandomState = None,
) -> LearningCurve:
    """Return the errors of two classifiers by the number of training rows. ``other=None`` is logistic regression.

    In every repeat 30 % of the rows are held out. Both classifiers learn from the same other rows and are tested on the
    same held-out rows. A larger training set contains the smaller ones. Training sets are stratified, and have at least
    one row of every class. X is an array, a list of texts or a table. y has one label per row, or is the name of a
    column of the table.

    >>> from deciban import NaiveBayes, Gaussian, oracles
    >>> X, y = oracles.Gaussian(mean=[[-1.0] * 8, [1.0] * 8], variance=4.0).sample(300, 0)
    >>> learning_curve(NaiveBayes(Gaussian()), None, X, y, sizes=[10, 100], repeats=3, random_state=0).sizes.tolist()
    [10, 100]
    """
    X, y = _split_labels(X, y)
    names, codes = encode(y)
    rows, most = len(codes), round((1 - HELD_OUT) * len(codes))
    train_sizes = _check_sizes(sizes, names, codes, most)
    if not isinstance(repeats, int | np.integer) or repeats < 1:
        raise ValueError(f"repeats is {repeats!r}; give a whole number of at least 1.")
    pair = ((nb, X), logistic_regression(X) if other is None else (other, X))
    rng = as_random_state(random_state)
    errors = np.empty((2, repeats, len(train_sizes)))
    for repeat in range(repeats):
        order = stratified_order(codes, rng)
        test, labels = order[most:rows], y[order[most:rows]]
        for i, size in enumerate(train_sizes):
            train = np.sort(order[:size])  # in the order of X, so that no classifier learns from the random order
            for k, (classifier, x) in enumerate(pair):
                predicted = _fit_and_predict(classifier, take_rows(x, train), y[train], take_rows(x, test))
                errors[k, repeat, i] = (np.asarray(predicted) != labels).mean()
    shown = type(nb).__name__, "logistic regression" if other is None else type(other).__name__
    return LearningCurve(shown if shown[0] != shown[1] else (f"{shown[0]} 1", f"{shown[1]} 2"), train_sizes, errors)


def _fit_and_predict(classifier: Any, x: Any, y: Names, new: Any) -> Any:
    """Return the labels of new rows by a fresh copy of the classifier, without warnings about few training rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(classifier).fit(x, y).predict(new)


def stratified_order(codes: Codes, rng: np.random.RandomState) -> NDArray[np.int64]:
    """Return a random order of the rows whose first n rows are stratified, for every n.

    One row of every class comes first. Then row i of the m rows of a class gets a random position in [i/m, (i + 1)/m].
    """
    position = np.empty(len(codes))
    for code in np.unique(codes):
        members = rng.permutation(np.flatnonzero(codes == code))
        position[members] = (np.arange(len(members)) + rng.random_sample(len(members))) / len(members)
        position[members[0]] -= 1
    return np.argsort(position)


def _check_sizes(sizes: Sequence[int] | None, names: Names, codes: Codes, most: int) -> NDArray[np.int64]:
    """Return the training sizes in ascending order: those given, or SIZES of them up to ``most``."""
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


def as_random_state(random_state: RandomState) -> np.random.RandomState:
    """Return scikit-learn's random generator for a seed, a generator or None."""
    try:
        return check_random_state(random_state)
    except ValueError:
        raise ValueError(
            f"random_state is {random_state!r}; give a whole number of at least 0, a numpy.random.RandomState, or None "
            "for other draws every time."
        ) from None


def _split_labels(X: Any, y: Any) -> tuple[Any, Names]:
    """Return the rows in a form whose rows can be taken by index, and their labels."""
    if is_table(X):
        X, y = _split_table_labels(X, y)
    elif isinstance(y, str):
        raise ValueError(f"y names the column {y!r} but X has no column names; give one label per row, or a table.")
    X = X if hasattr(X, "shape") else list(X) if as_texts(X) is not None else np.array(X, dtype=object)
    y = np.asarray(y)
    if count_rows(X) != len(y):
        raise ValueError(f"X has {count_rows(X)} rows and y {len(y)}; give one label per row.")
    return X, y


def _split_table_labels(X: Any, y: Any) -> tuple[Any, Any]:
    """Return a table without its labels, and the labels.

    A data frame stays a data frame, for classifiers that look columns up by name. Any other table is read into memory.
    """
    if not isinstance(y, str):
        return X if hasattr(X, "shape") else read_into_memory(X), y
    table = read_into_memory(X)
    require_column(open_table(table), y)
    labels = table.column(y).to_pylist()
    if not (hasattr(X, "drop") and hasattr(X, "columns")):
        return table.drop_columns([y]), labels
    return X.drop(columns=[y]) if hasattr(X, "iloc") else X.drop(y), labels


@singledispatch
def take_rows(X: Any, rows: NDArray[np.int64]) -> Any:
    """Return the rows of X with these indices. scikit-learn does not index Arrow tables, which have a ``take``."""
    return _safe_indexing(X, rows)


take_rows.register(pa.Table, pa.Table.take)
