"""Pictures of a fitted estimator, and the data of two of them: decision regions and class-conditional densities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.estimators.explaining import ExplainingEstimator

if TYPE_CHECKING:
    from deciban.arrays.frame import Frame
    from deciban.describe.columns import LabelledCells
    from deciban.describe.densities import Densities
    from deciban.describe.regions import Regions
    from deciban.plots.display import Display


class PicturingEstimator(ExplainingEstimator):
    """An estimator that draws itself."""

    def regions(
        self,
        x: Any,
        y: Any,
        *,
        at: Any = None,
        resolution: int = 200,
        bounds: Any = None,
        rows: Any = None,
        labels: Any = None,
    ) -> Regions:
        """Return the posterior and the decision over two columns of numbers; x and y are their names or numbers.

        Other columns are missing, or have the values of the row ``at``: a mapping, or a row as ``predict`` takes it.
        ``resolution`` is the number of points of a line, ``bounds`` ((least x, greatest x), (least y, greatest y)).
        ``rows`` with their ``labels``, which may name a column of a table, are drawn as points; by default these are
        the rows that the model remembers. ``boundary(a, b)`` of the result is exact, ``plot()`` draws it.

        >>> from deciban import Gaussian, NaiveBayes
        >>> X, y = [[1.0, 1.0], [2.0, 1.0], [7.0, 2.0], [8.0, 4.0]], ["low", "low", "high", "high"]
        >>> regions = NaiveBayes(Gaussian(variance=1.0)).fit(X, y).regions(0, 1)
        >>> regions.decision.shape, len(regions.ellipses)
        ((200, 200), 2)
        """
        from deciban.describe.columns import column_index
        from deciban.describe.regions import find_regions

        classifier, names = self._fitted(), self._column_names()
        pair = column_index(names, x), column_index(names, y)
        row = None if at is None else self._one_row(at)
        found = self._cells(pair, rows, labels)
        return find_regions(classifier, names, pair, found, row, resolution, bounds)

    def densities(self, column: Any, *, weighted: bool = False, rows: Any = None, labels: Any = None) -> Densities:
        """Return P(value | class) of a column, which is given by name or number: a curve, steps, or a bar per value.

        ``weighted`` multiplies by P(class), so that the highest class is the most probable one given this column alone.
        ``rows`` with their ``labels`` are drawn as a rug; by default these are the rows that the model remembers.

        >>> from deciban import Categorical, NaiveBayes
        >>> nb = NaiveBayes(Categorical(), estimate="mle").fit([["sun"], ["rain"], ["rain"]], ["out", "in", "out"])
        >>> nb.densities(0).heights.tolist()
        [[1.0, 0.0], [0.5, 0.5]]
        """
        from deciban.describe.columns import find_column
        from deciban.describe.densities import find_densities

        classifier = self._fitted()
        found = find_column(classifier, self._column_names(), column)
        cells = None if found.likelihood.reads_names else self._cells((found.position,), rows, labels)
        return find_densities(classifier, found, cells, weighted)

    def plot(self, kind: str, *args: Any, **options: Any) -> Display:
        """Draw a picture of the model (needs matplotlib): ``nb.plot("reliability", X, y)``.

        ``deciban.plots.KINDS`` lists the kinds. Other arguments are those of ``from_estimator`` of the kind's display.
        """
        from deciban.plots import find_display

        return find_display(kind).from_estimator(self, *args, **options)

    def _one_row(self, row: Any) -> Frame:
        """Return one row, given as a mapping, a sequence of cells or rows with one row, as the model reads it."""
        is_cells = not isinstance(row, Mapping) and (
            (isinstance(row, np.ndarray) and row.ndim == 1)
            or (
                isinstance(row, list | tuple)
                and not any(isinstance(c, list | tuple | np.ndarray | Mapping) for c in row)
            )
        )
        explained = self.explain([list(row)] if is_cells else row)
        if len(explained) != 1:
            raise ValueError(f"at has {len(explained)} rows; give one row, whose values the other columns are held at.")
        return explained.row(0)

    def _cells(self, columns: Sequence[int], rows: Any, labels: Any) -> LabelledCells | None:
        """Return the cells of some columns in the rows given, else in the rows that the model remembers."""
        from deciban.describe.columns import cells_of, labelled_cells, remembered_cells

        classifier = self._fitted()
        if rows is None:
            if labels is not None:
                raise ValueError("labels are given without rows; give both, or neither for the remembered rows.")
            return remembered_cells(classifier, columns)

        def read_cells(model: Any, x: Frame) -> Any:
            return np.column_stack([cells_of(x, columns), model.codes(x)])

        if labels is None:
            found = self._input(rows).score(read_cells)
            names, codes = classifier.model.classes, np.full(len(found), -1, dtype=np.int32)
        else:
            label_column = labels if isinstance(labels, str) else None
            names, codes, found = self._input(rows, label_column).score_labelled(labels, read_cells)
        return labelled_cells(classifier.model.classes, names, codes, (found[:, :-1], found[:, -1].astype(np.int32)))
