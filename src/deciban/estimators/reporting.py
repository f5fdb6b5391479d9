"""The report that a fitted estimator makes about itself and labelled rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sklearn.base import clone

from deciban.estimators.evaluating import EvaluatingEstimator
from deciban.estimators.inputs import read_input

if TYPE_CHECKING:
    from deciban.arrays.types import FilePath
    from deciban.report import Report
    from deciban.tables.learning_curve import LearningCurve


class ReportingEstimator(EvaluatingEstimator):
    """An estimator that reports on itself."""

    def report(
        self,
        X: Any,
        y: Any,
        path: FilePath | None = None,
        *,
        rows: int = 3,
        explain: Sequence[int] = (),
        columns: int = 6,
        favour: Any = None,
        learning_curve: bool = False,
        data: bool = True,
        max_bytes: int = 2_000_000,
    ) -> Report:
        """Report on the model and its decisions for rows with labels, as one HTML file that needs no other file.

        It is written to ``path`` if one is given; ``report.save(path)`` writes it later. ``rows`` is the number of most
        wrong and of least sure rows that are explained, ``explain`` has the numbers of other rows, counted from 0, and
        ``columns`` is the number of columns shown in detail. ``favour`` is the label of the class whose probability,
        prior and costs are shown: by default the second of two classes, or the rarest of more. ``learning_curve=True``
        trains new models on more and more of the rows. ``data=False`` shows no single row, and no value or word of one.
        If the file would be larger than ``max_bytes``, the least important pictures are left out. docs/report.md
        describes the sections.
        """
        from deciban.report.collect import Limits, scores_for_report
        from deciban.report.origin import Origin, model_digest
        from deciban.report.report import make_report

        classifier = self._fitted()
        limits = Limits(rows, columns, favour, tuple(explain), data=data)
        origin = Origin(command="nb.report(X, y)", digest=model_digest(classifier))
        batches = self._input(X, label_column=y if isinstance(y, str) else None).scored_rows(y, scores_for_report)
        curve = self._learning_curve(X, y) if learning_curve else None
        found = make_report(classifier, self._column_names(), batches, limits, origin, max_bytes, curve)
        if path is not None:
            found.save(path)
        return found

    def _learning_curve(self, X: Any, y: Any) -> LearningCurve:
        """Return the errors of models with the parameters of this one, by the number of rows that they learn from."""
        from deciban.tables.learning_curve import curve_of_model
        from deciban.terminal.progress import show_steps

        label_column = y if isinstance(y, str) else None
        rows = read_input(clone(self), X, before=None, label_column=label_column)
        with show_steps("report") as announce:
            return curve_of_model(*rows.hold_out(y), announce)
