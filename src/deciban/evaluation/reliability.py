"""Reliability: how often predictions come true, by their probability, before and after calibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.json_values import finite_or_none, json_value
from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names, name_array
from deciban.arrays.types import Floats, Mask, Names
from deciban.model.model import Model
from deciban.scorers.posterior import normalize
from deciban.terminal.values import label_list

if TYPE_CHECKING:
    from deciban.plots.reliability import ReliabilityDisplay

# Probability that an interval covers the true share.
COVERAGE = 0.95
# The most bins that are accepted; more could not be read, and most would be empty.
MOST_BINS = 1000


@dataclass(frozen=True, eq=False, repr=False)
class ReliabilityBins:
    """Numbers of rows, and of right predictions, in bins of equal width of a predicted probability."""

    rows: Floats  # [bins] number of rows
    probability_sum: Floats  # [bins] sum of the predicted probabilities
    right: Floats  # [bins] number of rows in which the prediction was right

    @property
    def edges(self) -> Floats:
        """[bins + 1] limits of the bins; the last bin includes its upper limit."""
        return np.linspace(0.0, 1.0, len(self.rows) + 1)

    @property
    def confidence(self) -> Floats:
        """[bins] mean predicted probability; NaN for a bin without rows."""
        return _per_row(self.probability_sum, self.rows)

    @property
    def share(self) -> Floats:
        """[bins] share of the rows in which the prediction was right; NaN for a bin without rows."""
        return _per_row(self.right, self.rows)

    @property
    def interval(self) -> tuple[Floats, Floats]:
        """[bins] lower and upper limits of the exact 95 % interval of the share (Clopper and Pearson, 1934)."""
        return clopper_pearson(self.right, self.rows)

    @property
    def mean_confidence(self) -> float:
        """Mean predicted probability of all rows."""
        return float(self.probability_sum.sum() / self.rows.sum())

    @property
    def mean_share(self) -> float:
        """Share of all rows in which the prediction was right."""
        return float(self.right.sum() / self.rows.sum())

    @property
    def calibration_error(self) -> float:
        """Expected calibration error: the mean distance of confidence and share, bins weighted by their rows."""
        return float(np.abs(self.right - self.probability_sum).sum() / self.rows.sum())

    def to_dicts(self) -> list[dict[str, float | None]]:
        """Return a mapping for every bin; None for a number that a bin without rows does not have."""
        low, high = self.interval
        columns = {
            "from": self.edges[:-1],
            "to": self.edges[1:],
            "rows": self.rows,
            "confidence": self.confidence,
            "share": self.share,
            "low": low,
            "high": high,
        }
        return [{k: finite_or_none(v[i]) for k, v in columns.items()} for i in range(len(self.rows))]


@dataclass(frozen=True, eq=False, repr=False)
class Reliability:
    """Shares of predictions that came true, by predicted probability. ``print`` shows a table, ``plot`` draws it.

    The prediction is one class, ``favour``, or, if that is None, the class decided on for each row. ``before`` has the
    probabilities that follow from prior and evidence alone, ``after`` those of ``predict_proba``: calibrated, and
    multiplied by class weights.
    """

    classes: Names
    favour: Any  # label of the class whose probability is compared; None: the class decided on
    before: ReliabilityBins
    after: ReliabilityBins
    calibration: str | None  # the calibration in words, None if there is none
    rows: int  # rows with a label
    unlabelled: int = 0  # rows without a label, which are left out

    @property
    def is_changed(self) -> bool:
        """Whether calibration or class weights changed the probabilities."""
        pairs = zip(
            (self.before.rows, self.before.probability_sum, self.before.right),
            (self.after.rows, self.after.probability_sum, self.after.right),
        )
        return not all(np.array_equal(a, b) for a, b in pairs)

    @property
    def prediction(self) -> str:
        """The event whose probability is compared with its share, in words."""
        return "the decision" if self.favour is None else str(self.favour)

    def __repr__(self) -> str:
        error = f"{self.after.calibration_error:.4f}"
        if self.is_changed:
            error = f"{self.before.calibration_error:.4f} before calibration and {error} after"
        return f"Reliability({self.rows:,} rows, P({self.prediction}): calibration error {error})"

    def __str__(self) -> str:
        from deciban.evaluation.tables import reliability_tables
        from deciban.terminal.tables import tables_text

        return tables_text(reliability_tables(self))

    def _repr_html_(self) -> str:
        from deciban.evaluation.tables import reliability_tables
        from deciban.markup.html import fragment, printed_table_html

        return fragment(*map(printed_table_html, reliability_tables(self)))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "rows": self.rows,
            "unlabelled": self.unlabelled,
            "prediction": None if self.favour is None else json_value(self.favour),
            "calibration": self.calibration,
            **{
                name: {
                    "confidence": bins.mean_confidence,
                    "share": bins.mean_share,
                    "calibration_error": bins.calibration_error,
                    "bins": bins.to_dicts(),
                }
                for name, bins in (("before", self.before), ("after", self.after))
            },
        }

    def plot(self, ax: Any = None, *, theme: str | None = None) -> ReliabilityDisplay:
        """Draw both curves with intervals, and the numbers of rows below (needs matplotlib)."""
        from deciban.plots.reliability import ReliabilityDisplay

        return ReliabilityDisplay(self).plot(ax, theme=theme)


class ReliabilityTally:
    """Sums over predicted rows from which the reliability follows, batch by batch.

    ``favour`` is the label of a class; by default it is the second of two classes, and with more classes the one
    decided on for each row.
    """

    def __init__(self, model: Model, favour: Any, bins: int) -> None:
        if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or not 1 <= bins <= MOST_BINS:
            raise ValueError(f"bins is {bins!r}; give a whole number from 1 to {MOST_BINS:,}.")
        self.model = model
        self.position = find_class(favour, model.classes)
        if self.position is None and len(model.classes) == 2:
            self.position = 1
        self.sums = np.zeros((2, 3, int(bins)))  # before and after: rows, probabilities, right predictions
        self.unlabelled = 0

    def add(self, names: Names, labels: Labels, posteriors: tuple[Floats, Floats]) -> None:
        """Add rows with labels among ``names``, and their posteriors [rows × classes] before and after calibration."""
        if labels.codes is None:
            raise ValueError("y holds weights of classes (soft labels); reliability needs one label per row.")
        labelled = labels.codes >= 0
        self.unlabelled += labels.unlabelled
        true = find_names(names, self.model.classes)[labels.codes[labelled]]
        for sums, posterior in zip(self.sums, posteriors):
            chosen = posterior[labelled]
            if self.position is None:
                _add_to_bins(sums, chosen.max(axis=1), chosen.argmax(axis=1) == true)
            else:
                _add_to_bins(sums, chosen[:, self.position], true == self.position)

    def result(self) -> Reliability:
        """Return the reliability over all rows; raise if none has a label."""
        if not self.sums.any():
            raise ValueError("no row has a label; there is nothing to compare.")
        calibration = self.model.calibration
        before, after = (ReliabilityBins(*sums) for sums in self.sums)
        return Reliability(
            self.model.classes,
            None if self.position is None else self.model.classes.tolist()[self.position],
            before,
            after,
            None if calibration is None else str(calibration),
            int(self.sums[0, 0].sum()),
            self.unlabelled,
        )


def posteriors_before_and_after(model: Model, x: Any) -> tuple[Floats, Floats]:
    """[rows × classes] P(class | x) from prior and evidence alone, and as ``predict_proba`` returns it."""
    joint = model.joint_log_probability(x)
    after = np.exp(model.calibrated_log_posterior(joint))
    normalize(joint, model.log_prior, log=True)
    return np.exp(joint), after


def find_class(label: Any, classes: Names) -> int | None:
    """Return the position of a label among the classes, None for None; raise if it is not among them."""
    if label is None:
        return None
    position = int(find_names(name_array([label]), classes)[0])
    if position < 0:
        raise ValueError(f"favour is {label!r}, which is not among the classes {label_list(classes.tolist())}.")
    return position


def clopper_pearson(right: Floats, rows: Floats, coverage: float = COVERAGE) -> tuple[Floats, Floats]:
    """Return the limits of the exact interval of a binomial probability; NaN without rows.

    >>> low, high = clopper_pearson(np.array([9.0]), np.array([10.0]))
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.555], [0.9975])
    """
    from scipy.special import betaincinv

    tail, wrong = (1 - coverage) / 2, rows - right
    low = np.where(right > 0, betaincinv(np.maximum(right, 1), wrong + 1, tail), 0.0)
    high = np.where(wrong > 0, betaincinv(right + 1, np.maximum(wrong, 1), 1 - tail), 1.0)
    return np.where(rows > 0, low, np.nan), np.where(rows > 0, high, np.nan)


def _add_to_bins(sums: Floats, probability: Floats, right: Mask) -> None:
    bins = sums.shape[1]
    place = np.minimum((probability * bins).astype(np.int64), bins - 1)
    for total, values in zip(sums, (None, probability, right)):
        total += np.bincount(place, values, bins)


def _per_row(total: Floats, rows: Floats) -> Floats:
    return np.divide(total, rows, out=np.full(len(rows), np.nan), where=rows > 0)
