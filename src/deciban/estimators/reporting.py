"""The report that a fitted estimator makes about itself and labelled rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from deciban.estimators.evaluating import EvaluatingEstimator

if TYPE_CHECKING:
    from deciban.arrays.types import FilePath
    from deciban.report import Report


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
        data: bool = True,
        max_bytes: int = 2_000_000,
    ) -> Report:
        """Report on the model and on how it does on rows with labels, as one HTML file that needs no other file.

        It is written to ``path`` if one is given; ``report.save(path)`` writes it later. ``rows`` is the number of most
        wrong and of least sure rows that are explained, ``explain`` has the numbers of other rows, counted from 0, and
        ``columns`` is the number of columns shown in detail. ``data=False`` shows no single row, and no value or word
        of one. If the file would be larger than ``max_bytes``, the least important pictures are left out.
        docs/report.md describes the sections.
        """
        from deciban.report.collect import Limits, scores_for_report
        from deciban.report.origin import Origin, model_digest
        from deciban.report.report import make_report

        classifier = self._fitted()
        limits = Limits(rows, columns, tuple(explain), data=data)
        origin = Origin(command="nb.report(X, y)", digest=model_digest(classifier))
        batches = self._input(X, label_column=y if isinstance(y, str) else None).scored_rows(y, scores_for_report)
        found = make_report(classifier, self._column_names(), batches, limits, origin, max_bytes)
        if path is not None:
            found.save(path)
        return found
