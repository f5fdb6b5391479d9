"""The public Model: known or fitted parameters, with samples, explanations, derivations and the Bayes error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.alias import checked_row_count, generator
from deciban.arrays.frame import Coded
from deciban.arrays.matrix import as_frame
from deciban.arrays.names import object_array, sort_names
from deciban.arrays.types import Array, RandomState
from deciban.likelihoods.known import whole_counts
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.model import Model as BaseModel
from deciban.model.sampling import DrawnRows, draw_rows
from deciban.model.settings import Settings
from deciban.priors.estimation import Estimation
from deciban.statistics import Statistics

if TYPE_CHECKING:
    import pyarrow as pa

    from deciban.explain import Derivation, Explanation, ScoreDerivation

# Rows that are drawn at a time.
DRAWN_ROWS = 1 << 16


class BayesError(float):
    """The error of the best possible decision: a number that also has the ``standard_error`` of its estimate.

    ``samples`` is the number of rows that were drawn, 0 for an exact value, whose standard error is 0.
    """

    standard_error: float
    samples: int

    def __new__(cls, value: float, standard_error: float = 0.0, samples: int = 0) -> BayesError:
        """Return the error as a float with its standard error."""
        found = super().__new__(cls, value)
        found.standard_error, found.samples = standard_error, samples
        return found

    def __repr__(self) -> str:
        shown = float.__repr__(self) if not self.samples else f"{float(self):.5f} ± {self.standard_error:.5f}"
        return shown

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return BayesError, (float(self), self.standard_error, self.samples)


@dataclass(frozen=True, eq=False, repr=False)
class Model(BaseModel):
    """P(class) and P(columns | class): known parameters, or those of a fitted estimator (``nb.model_``).

    A model of known parameters is the Bayes-optimal predictor for rows that follow it.

    >>> from deciban import Gaussian
    >>> model = Model.known(["low", "high"], [0.5, 0.5], Gaussian.known([[-1.0], [1.0]], [[1.0], [1.0]]))
    >>> model.sample(3, random_state=0).column_names
    ['x0', 'label']
    >>> model.bayes_error(samples=1_000_000, random_state=0)  # Φ(−1) = 0.15866
    0.15877 ± 0.00015
    """

    fitted: Classifier | None = None  # the classifier whose parameters these are, None if they are known

    @staticmethod
    def of(classifier: Classifier) -> Model:
        """Return the model of a trained classifier."""
        model = classifier.model
        return Model(**{f.name: getattr(model, f.name) for f in fields(model)}, fitted=classifier)

    @cached_property
    def classifier(self) -> Classifier:
        """A classifier with these parameters: known ones are estimated from one imagined row per class."""
        if self.fitted is not None:
            return self.fitted
        groups, blocks = [], []
        for part in self.parts:
            source = part.scorer.source
            if source is None:
                raise ValueError(
                    f"{part.scorer!r} has no event model to draw rows by; make it with .known(...) of an event model, "
                    "and give Multinomial.known(...) a length."
                )
            groups.append(Group(part.columns, source.likelihood))
            blocks.append(source.block)
        names, position = sort_names(self.classes)
        order = np.argsort(position)
        weight = whole_counts(np.exp(self.log_prior)[None])[0][order]
        sorted_blocks = tuple(block.spread(position, len(names)) for block in blocks)
        statistics = Statistics(names, weight, sorted_blocks)
        return Classifier(
            tuple(groups), statistics, Settings(Estimation(0.0, "mle"), threads=self.threads), self.classes
        )

    def sample(self, n: int = 1, random_state: RandomState = None, columns: Sequence[str] | None = None) -> pa.Table:
        """Draw n rows: an Arrow table of the columns, called x0, x1, … or as ``columns`` says, and the labels."""
        from deciban.tables.generate import generate

        return generate(self.classifier, n, random_state, self._names(columns))

    def explain(
        self, X: Any, *, favour: Any = None, against: Any = None, columns: Sequence[str] | None = None
    ) -> Explanation:
        """Explain the decisions for rows, as ``NaiveBayes.explain`` does; ``columns`` are names for the columns."""
        from deciban.explain.explanation import Explanation
        from deciban.explain.rows import class_positions, explain_table
        from deciban.readers.source import open_table

        if self.fitted is not None and self.fitted.table_schema is not None:
            return explain_table(self.fitted, open_table(X), favour, against)
        x = as_frame(X if hasattr(X, "shape") else as_matrix(X)).sliceable(dense=True)
        contrast = self.contrast(x, *class_positions(self, favour, against))
        return Explanation(self, tuple(self._names(columns)), contrast, [x], "", None)

    def derive(
        self, row: Any, *, costs: Any = None, columns: Sequence[str] | None = None
    ) -> Derivation | ScoreDerivation:
        """Derive the decision for one row, as ``NaiveBayes.derive`` does; parameters are shown as fractions."""
        from deciban.explain.derive import derive_row

        is_row = not hasattr(row, "shape") and not any(isinstance(cell, list | tuple) for cell in row)
        rows = [row] if is_row or getattr(row, "ndim", 2) == 1 else row
        return derive_row(self.classifier, self.explain(rows, columns=columns), costs)

    def bayes_error(
        self,
        x: Array | None = None,
        *,
        domain: Sequence[Sequence[Any]] | None = None,
        samples: int | None = None,
        random_state: RandomState = None,
    ) -> BayesError:
        """Return the error of the best possible decision when this model is the truth.

        Exact with a ``domain`` (the values of each column; every combination is visited): 1 − Σ_x max_c P(x, c).
        Otherwise the mean of 1 − max_c P(c | x) over rows: ``samples`` rows that are drawn here, or rows ``x`` that
        were drawn from the model. The result is a float with the ``standard_error`` of that mean.
        """
        if (x is not None) + (domain is not None) + (samples is not None) != 1:
            raise ValueError(
                "bayes_error takes one of: samples= to draw rows, x with rows drawn from the model, or the domain= of "
                "every column."
            )
        if domain is not None:
            return BayesError(super().bayes_error(domain=domain))
        if samples is None:
            return _mean_error([1 - self.posterior(as_frame(np.asarray(x))).max(axis=1)])
        left, rng = checked_row_count(samples, least=1), generator(random_state)
        parts = []
        while left > 0:
            rows = draw_rows(self.classifier, min(left, DRAWN_ROWS), rng)
            parts.append(1 - self.posterior(drawn_matrix(rows)).max(axis=1))
            left -= DRAWN_ROWS
        return _mean_error(parts)

    def _names(self, columns: Sequence[str] | None) -> list[str]:
        if columns is not None and len(columns) != self.features:
            raise ValueError(f"columns has {len(columns)} names for {self.features} columns; give one for each.")
        if columns is not None:
            return [str(name) for name in columns]
        return [f"x{j}" for j in range(self.features)] if self.fitted is None else self.fitted.column_names()


def _mean_error(parts: list[Any]) -> BayesError:
    errors = np.concatenate(parts)
    spread = float(errors.std(ddof=1)) / len(errors) ** 0.5 if len(errors) > 1 else float("inf")
    return BayesError(float(errors.mean()), spread, len(errors))


def as_matrix(rows: Any) -> Array:
    """Return a list of rows as an array: of numbers if all cells are numbers, else of objects."""
    cells = [list(row) for row in rows]
    numeric = all(isinstance(cell, int | float | np.number) for row in cells for cell in row)
    return np.array(cells, dtype=None if numeric else object)


def drawn_matrix(rows: DrawnRows) -> Array:
    """Return drawn columns as one array: of numbers if all of them are, else of objects."""
    columns = [column.objects() if isinstance(column, Coded) else np.asarray(column) for column in rows.columns]
    if all(column.dtype.kind in "biuf" for column in columns):
        return np.column_stack(columns)
    return np.column_stack([object_array(column.tolist()) for column in columns])
