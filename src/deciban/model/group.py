"""Groups: columns that share an event model and a block of statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deciban.arrays.frame import Columns, Frame
from deciban.arrays.labels import Labels
from deciban.arrays.types import Floats, Longs
from deciban.likelihoods.base import Likelihood
from deciban.statistics import Block


@dataclass(frozen=True, eq=False)
class Group:
    """Some columns, and the event model that reads them."""

    columns: Columns
    likelihood: Likelihood

    def read(self, x: Frame) -> Frame:
        """Return this group's columns of all columns, as the event model reads them."""
        return self.likelihood.read(x.take(self.columns))

    def log_jacobian(self, x: Frame) -> Floats:
        """[rows] part of the log density that is due to the way the event model reads this group's columns."""
        return self.likelihood.read_log_jacobian(x.take(self.columns))

    def column_indices(self, features: int) -> Longs:
        """Column indices of this group in a table of ``features`` columns."""
        return np.arange(features)[slice(None) if self.columns is None else self.columns]

    def zero(self, features: int) -> Block:
        """Return the statistics of no rows of a table of ``features`` columns."""
        return self.likelihood.keeps.zero(self.column_indices(features).size)

    @property
    def needs_dense(self) -> bool:
        """Whether sparse rows must be made dense."""
        return not self.likelihood.reads_sparse

    def summarize(self, x: Frame, labels: Labels, hint: Block | None = None) -> Block:
        """Return the statistics of a block of rows, perhaps faster with those of other rows as a hint."""
        read = self.read(x)
        # A hint may change the order of addition, which only sums of whole numbers do not feel.
        if hint is None or not labels.has_whole_weights:
            return self.likelihood.summarize(read, labels)
        return self.likelihood.summarize_with_hint(read, labels, hint)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Group):
            return NotImplemented
        same_columns = type(self.columns) is type(other.columns) and np.array_equal(self.columns, other.columns)  # type: ignore[arg-type]
        return same_columns and self.likelihood.same_as(other.likelihood)

    __hash__ = None  # type: ignore[assignment]


def split_by_model(
    group: Group, features: int, block: Block, models: Sequence[Likelihood | None]
) -> list[tuple[Group, Block]]:
    """Split a group by the event models of its columns, with the statistics of each; None leaves a column out."""
    kinds = distinct_models(models)
    if len(kinds) == 1 and None not in models:
        return [(Group(group.columns, kinds[0]), block)]
    columns = group.column_indices(features)
    places = [np.array([i for i, model in enumerate(models) if kind.same_as(model)]) for kind in kinds]
    return [(Group(columns[place], kind), block.only(place)) for kind, place in zip(kinds, places)]


def distinct_models(models: Sequence[Likelihood | None]) -> list[Likelihood]:
    """Return every event model once, in the order of appearance, without None."""
    found: list[Likelihood] = []
    for model in models:
        if model is not None and not any(model.same_as(other) for other in found):
            found.append(model)
    return found


def check_replacements(before: Likelihood, models: Sequence[Likelihood]) -> None:
    """Raise unless all event models read the statistics that one event model has kept."""
    kinds = distinct_models(models)
    for kind in kinds:
        if not kind.has_same_statistics(before):
            raise ValueError(
                f"{kind} needs other facts than {before} has kept; what can change after training is "
                f"{', '.join(before.opinions)}. Fit again for anything else."
            )
    if len(kinds) > 1 and before.joins_columns:
        raise ValueError(f"columns joined under {before} share one event model; give them all one.")
