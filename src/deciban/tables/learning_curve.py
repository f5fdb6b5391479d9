"""Learning curves: the errors of two classifiers by the number of training rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names
from deciban.arrays.types import Codes, Floats, Names
from deciban.evaluation.folds import HoldOut
from deciban.terminal.progress import Announce

if TYPE_CHECKING:
    from deciban.plots.learning_curve import LearningCurveDisplay

# Share of the rows that is tested on and never trained on.
HELD_OUT = 0.3
# Number of training sizes where none are given.
SIZES = 8
# Standard errors of the difference that a lead must exceed.
LEAD_ERRORS = 2.0
# Rows of the curve of a model, at most, and the seed by which they are chosen and held out.
MOST_ROWS, SEED = 20_000, 0
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
        """Sure leads in the order of the sizes: the classifier ahead, with the smallest and the largest size."""
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
        """Smallest size from which each classifier surely leads, by name; None if it does not at the largest size."""
        last = self.leads[-1:]
        final = {lead.name: lead.first for lead in last if lead.last == self.sizes[-1]}
        return {name: final.get(name) for name in self.names}

    @property
    def crossing(self) -> int | None:
        """Smallest size from which the second classifier leads, None if there is none.

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
        import pyarrow as pa

        columns: dict[str, Any] = {"rows": self.sizes}
        for name, mean, deviation in zip(self.names, self.mean, self.standard_error):
            columns |= {f"{name} error": mean, f"{name} standard error": deviation}
        return pa.table(columns)


def _with_error(mean: float, error: float) -> str:
    return f"{mean:.4f} ± {error:.4f}" if error == error else f"{mean:.4f}"


def curve_of_model(
    names: Names, labels: Labels, hold_out: HoldOut, announce: Announce, repeats: int = 5
) -> LearningCurve:
    """Return the errors of models that are trained on more and more rows, and of naming their commonest class.

    ``hold_out`` trains on some rows and scores others. At most MOST_ROWS rows are used, a random sample of them.
    """
    if labels.codes is None:
        raise ValueError("y holds weights of classes (soft labels); a learning curve needs one label per row.")
    rng = np.random.RandomState(SEED)
    rows = np.flatnonzero(labels.codes >= 0)
    rows = np.sort(rng.permutation(rows)[:MOST_ROWS])
    seen, codes = np.unique(labels.codes[rows], return_inverse=True)
    most = round((1 - HELD_OUT) * len(rows))
    sizes = curve_sizes(None, names[seen], codes.astype(np.int32), most)
    errors = np.empty((2, repeats, len(sizes)))
    for repeat in range(repeats):
        order = stratified_order(codes.astype(np.int32), rng)
        test = order[most:]
        for i, size in enumerate(sizes):
            announce("learning curve", (repeat * len(sizes) + i) / errors[0].size)
            train = np.sort(order[:size])
            classes, log_posterior = hold_out(rows[train], rows[test])
            decided = find_names(classes, names[seen])[log_posterior.argmax(axis=1)]
            commonest = np.bincount(codes[train]).argmax()
            errors[:, repeat, i] = (decided != codes[test]).mean(), (commonest != codes[test]).mean()
    return LearningCurve(("naive Bayes", "commonest class"), sizes, errors)


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


def curve_sizes(sizes: Sequence[int] | None, names: Names, codes: Codes, most: int) -> NDArray[np.int64]:
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
