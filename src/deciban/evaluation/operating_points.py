"""Operating points: decisions for the same rows under several class priors, or under several costs of mistakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.json_values import finite_or_none, json_value
from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names
from deciban.arrays.types import Codes, Floats, Names
from deciban.evaluation.reliability import find_class
from deciban.model.classifier import Classifier
from deciban.model.decision import Decision
from deciban.model.model import Model
from deciban.priors.counts import share
from deciban.terminal.tables import PrintedTable
from deciban.terminal.values import label_list

if TYPE_CHECKING:
    from deciban.plots.operating_points import OperatingPointsDisplay

# Class priors, besides the one in use, and cost ratios that are tried if none are given.
PRIORS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
RATIOS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
PRIOR, COSTS = "prior", "costs"


@dataclass(frozen=True, eq=False, repr=False)
class OperatingPoints:
    """Decisions for the same rows under several class priors or costs. ``print`` shows a table, ``plot`` draws it.

    If the ``prior`` is varied, ``values`` are P(favour); the other classes keep their proportions. If ``costs`` are,
    ``values`` are the cost of predicting ``favour`` wrongly, where any other mistake costs 1.
    """

    varied: str  # "prior" or "costs"
    classes: Names
    favour: Any  # label of the class whose prior or costs vary
    values: Floats  # [points]
    confusions: Floats  # [points × true × predicted] number of rows
    priors: Floats  # [points × classes] class prior of the model
    costs: Floats  # [points × true × predicted] cost of every decision
    current: float  # value that changes nothing: the prior in use, or a cost of 1
    rows: int
    left_out: int = 0  # rows without a label, or with one that the model does not know

    @property
    def position(self) -> int:
        """Position of the class ``favour``."""
        return self.classes.tolist().index(self.favour)

    @property
    def accuracy(self) -> Floats:
        """[points] share of rows that are decided right."""
        return np.trace(self.confusions, axis1=1, axis2=2) / self.confusions.sum(axis=(1, 2))

    @property
    def predicted_share(self) -> Floats:
        """[points] share of rows that are predicted as ``favour``."""
        return self.confusions[:, :, self.position].sum(axis=1) / self.confusions.sum(axis=(1, 2))

    @property
    def recall(self) -> Floats:
        """[points] share of the rows of ``favour`` that are predicted so; NaN if it has no rows."""
        return _ratio(self._hits, self.confusions[:, self.position].sum(axis=1))

    @property
    def precision(self) -> Floats:
        """[points] share of the rows predicted as ``favour`` that are of this class; NaN if there are none."""
        return _ratio(self._hits, self.confusions[:, :, self.position].sum(axis=1))

    @property
    def mean_cost(self) -> Floats:
        """[points] mean cost of a decision; if the prior is varied, a mistake costs 1."""
        return (self.confusions * self.costs).sum(axis=(1, 2)) / self.confusions.sum(axis=(1, 2))

    @property
    def against_rest(self) -> Floats:
        """[points × 2 × 2] number of rows, true × predicted, of all other classes together and of ``favour``."""
        total, hits = self.confusions.sum(axis=(1, 2)), self._hits
        true = self.confusions[:, self.position].sum(axis=1)
        predicted = self.confusions[:, :, self.position].sum(axis=1)
        cells = [total - true - predicted + hits, predicted - hits, true - hits, hits]
        return np.stack(cells, axis=1).reshape(-1, 2, 2)

    @property
    def _hits(self) -> Floats:
        return self.confusions[:, self.position, self.position]

    def where_used(self) -> OperatingPoints:
        """Return the points as they are expected where classes are as frequent as each point's prior says.

        The rows of every class are weighted to the share that the prior gives it. A class without rows is left out.
        """
        rows = self.confusions.sum(axis=2, keepdims=True)
        weighted = np.divide(self.confusions, rows, out=np.zeros_like(self.confusions), where=rows > 0)
        weighted *= self.priors[:, :, None]
        weighted *= self.rows / weighted.sum(axis=(1, 2), keepdims=True)
        return replace(self, confusions=weighted)

    def nearest(self, value: float) -> int:
        """Return the position of the point whose value is nearest: in ratio for costs, in odds for priors."""
        scale: Callable[[Any], Any] = np.log if self.varied == COSTS else lambda p: np.log(p) - np.log1p(-p)
        value = min(max(value, float(self.values.min())), float(self.values.max()))  # a model's prior may be 0 or 1
        return int(np.abs(scale(self.values) - scale(value)).argmin())

    def table(self) -> PrintedTable:
        """Return the points as a table for people."""
        name = f"P({self.favour})" if self.varied == PRIOR else f"cost of a wrong {self.favour}"
        scores = {
            "predicted": self.predicted_share,
            "recall": self.recall,
            "precision": self.precision,
            "accuracy": self.accuracy,
            "mean cost": self.mean_cost,
        }
        rows = [
            [f"{value:.4g}", *("–" if s[i] != s[i] else f"{s[i]:.4f}" for s in scores.values())]
            for i, value in enumerate(self.values.tolist())
        ]
        own = f"P({self.favour}) of the model is" if self.varied == PRIOR else "mistakes cost the same if it is"
        below = f"{self.rows:,} rows; {own} {self.current:.4g}"
        return PrintedTable("", [name, *scores], rows, below)

    def __str__(self) -> str:
        from deciban.terminal.tables import tables_text

        return tables_text([self.table()])

    def __repr__(self) -> str:
        low, high = self.values.min(), self.values.max()
        varied = "priors" if self.varied == PRIOR else "costs"
        return f"OperatingPoints({len(self.values)} {varied} of {self.favour} from {low:.4g} to {high:.4g})"

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment, printed_table_html

        return fragment(printed_table_html(self.table()))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; None for a ratio of zeros."""
        names = "accuracy", "predicted_share", "recall", "precision", "mean_cost"
        return {
            "varied": self.varied,
            "favour": json_value(self.favour),
            "current": self.current,
            "rows": self.rows,
            "left_out": self.left_out,
            "classes": [json_value(c) for c in self.classes.tolist()],
            "values": self.values.tolist(),
            **{name: [finite_or_none(v) for v in getattr(self, name)] for name in names},
            "confusions": self.confusions.tolist(),
        }

    def plot(self, ax: Any = None, *, theme: str | None = None) -> OperatingPointsDisplay:
        """Draw three of the confusion matrices above curves of the scores (needs matplotlib)."""
        from deciban.plots.operating_points import CostsDisplay, PriorsDisplay

        display = PriorsDisplay if self.varied == PRIOR else CostsDisplay
        return display(self).plot(ax, theme=theme)


class PointsTally:
    """Counts of decisions at several points, batch by batch; ``decide`` returns codes [points × rows] for rows."""

    def __init__(self, points: OperatingPoints, decide: Callable[[Model, Any], Codes]) -> None:
        self.points, self.decide = points, decide

    def add(self, names: Names, labels: Labels, decided: Codes) -> None:
        """Add rows with labels among ``names``, and their decisions [points × rows]."""
        if labels.codes is None:
            raise ValueError("y holds weights of classes (soft labels); decisions are compared with one label per row.")
        classes = len(self.points.classes)
        true = np.append(find_names(names, self.points.classes), -1)[labels.codes]
        known = true >= 0
        counts = [np.bincount(true[known] * classes + codes[known], minlength=classes**2) for codes in decided]
        confusions = self.points.confusions + np.array(counts).reshape(-1, classes, classes)
        rows, left_out = int(known.sum()), int((~known).sum())
        self.points = replace(
            self.points,
            confusions=confusions,
            rows=self.points.rows + rows,
            left_out=self.points.left_out + left_out,
        )

    def result(self) -> OperatingPoints:
        """Return the points; raise if no row had a label that the model knows."""
        if not self.points.rows:
            raise ValueError("no row has a label that the model knows; there is nothing to compare.")
        return self.points


def prior_points(classifier: Classifier, favour: Any, priors: ArrayLike | None) -> PointsTally:
    """Return a tally of decisions under several priors of a class; the others keep their proportions."""
    model = classifier.model
    position = _favoured(favour, model.classes)
    own = share(np.exp(model.log_prior))
    usual = [*PRIORS, *(p for p in own[[position]].tolist() if 0 < p < 1)]
    values = _checked_values("priors", usual if priors is None else priors, above=0.0, below=1.0)
    others = share(np.where(np.arange(len(own)) == position, 0.0, own))
    given = values[:, None] * np.eye(len(own))[position] + (1 - values[:, None]) * others
    labels = model.classes.tolist()
    models = [
        classifier.with_settings(replace(classifier.settings, class_prior=dict(zip(labels, prior.tolist())))).model
        for prior in given
    ]

    def decide(used: Model, x: Any) -> Codes:
        return np.stack([replace(m, threads=used.threads).codes(x) for m in models])

    mistakes = np.broadcast_to(1.0 - np.eye(len(own)), (len(values), len(own), len(own)))
    return PointsTally(_empty(PRIOR, model.classes, position, values, given, mistakes, float(own[position])), decide)


def cost_points(classifier: Classifier, favour: Any, ratios: ArrayLike | None) -> PointsTally:
    """Return a tally of decisions of the least expected cost, for several costs of predicting a class wrongly."""
    model = classifier.model
    position, number = _favoured(favour, model.classes), len(model.classes)
    values = _checked_values("ratios", RATIOS if ratios is None else ratios, above=0.0, below=np.inf)
    wrong = (np.arange(number) != position)[:, None] & (np.arange(number) == position)
    costs = np.where(wrong, values[:, None, None], 1.0 - np.eye(number))
    priors = np.broadcast_to(share(np.exp(model.log_prior)), (len(values), number))

    def decide(used: Model, x: Any) -> Codes:
        posterior = used.posterior(x)
        return np.stack([Decision(matrix).codes(posterior, model.classes) for matrix in costs])

    return PointsTally(_empty(COSTS, model.classes, position, values, priors, costs, 1.0), decide)


def _empty(
    varied: str, classes: Names, position: int, values: Floats, priors: Floats, costs: Floats, current: float
) -> OperatingPoints:
    """Return points without rows."""
    return OperatingPoints(
        varied, classes, classes.tolist()[position], values, np.zeros(costs.shape), priors, costs, current, 0
    )


def _favoured(favour: Any, classes: Names) -> int:
    """Return the position of the class to vary: by default the second of two classes."""
    if len(classes) < 2:
        raise ValueError(f"the model has {len(classes)} class; decisions vary only between at least 2.")
    position = find_class(favour, classes)
    if position is None and len(classes) > 2:
        raise ValueError(f"favour must name one of the {len(classes)} classes: {label_list(classes.tolist())}.")
    return 1 if position is None else position


def _checked_values(name: str, given: Any, above: float, below: float) -> Floats:
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        values = np.array(np.nan)
    if values.ndim != 1 or not len(values) or not ((values > above) & (values < below)).all():
        between = f"above {above:g} and below {below:g}" if np.isfinite(below) else f"above {above:g}"
        raise ValueError(f"{name} are {given!r}; give numbers {between}, as in {name}=[0.1, 0.5].")
    return np.unique(values)


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0)
