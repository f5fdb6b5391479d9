"""Groups of columns of a classifier: their event models, statistics and scorers, which descriptions are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.parameters import ParameterTable
from deciban.likelihoods.scale_values import ScaledColumns
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.statistics import Block


@dataclass(frozen=True, eq=False)
class TableOfGroup:
    """A table of parameters, with its event model and the names of its columns."""

    table: ParameterTable
    likelihood: Likelihood
    fitted: FittedColumns

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns that the table is about."""
        return tuple(self.fitted.names[j] for j in self.table.columns.tolist())


@dataclass(frozen=True, eq=False)
class FittedGroup:
    """Columns that share an event model."""

    positions: list[int]  # among all columns
    likelihood: Likelihood
    fitted: FittedColumns

    def compare(self, favour: int, against: int) -> ScaledColumns:
        """Return its columns for scales of evidence between two classes."""
        fitted = self.fitted
        return ScaledColumns(
            fitted.names, fitted.statistics, fitted.estimation, fitted.scorer, favour=favour, against=against
        )

    def tables(self) -> list[TableOfGroup]:
        """Return the tables of parameters of its columns; those of a column that is prepared say so."""
        tables = self.likelihood.parameters(self.fitted)
        if self.likelihood.prepares:
            tables = [replace(table, name=f"prepare({table.name})") for table in tables]
        return [TableOfGroup(table, self.likelihood, self.fitted) for table in tables]

    def terms(self) -> TableOfGroup | None:
        """Return its words, or the columns of its bag; None if it has no terms."""
        table = self.likelihood.terms(self.fitted)
        return None if table is None else TableOfGroup(table, self.likelihood, self.fitted)


def fitted_groups(classifier: Classifier, names: Sequence[str]) -> list[FittedGroup]:
    """Return the groups of columns that predictions use."""
    scored = zip(classifier.scored, classifier.model.parts)
    return [_group(classifier, names, *pair, part.scorer) for pair, part in scored]


def all_groups(classifier: Classifier, names: Sequence[str]) -> list[FittedGroup]:
    """Return the groups of all columns, including columns that predictions ignore; without scorers."""
    return [_group(classifier, names, *pair, None) for pair in classifier.drawn()]


def _group(classifier: Classifier, names: Sequence[str], group: Group, block: Block, scorer: Any) -> FittedGroup:
    positions = group.column_indices(classifier.features).tolist()
    own = [str(names[j]) for j in positions]
    return FittedGroup(positions, group.likelihood, FittedColumns(own, block, classifier.estimation, scorer))


def target_name(classifier: Classifier) -> str:
    """Return the name of the label column, "class" if it has none."""
    schema = classifier.schema
    return "class" if schema is None or schema.target is None else schema.target


def weight_remark(classifier: Classifier) -> str:
    """Return a sentence that says that what is shown are counts, if predictions give their evidence a weight."""
    if classifier.refinement is None:
        return ""
    learned = "" if classifier.refinement.correction is None else ", and add learned evidence"
    return f"This is what was counted; predictions of this refined model multiply the evidence by a weight{learned}."
