"""The groups of columns of a classifier, each with what its event model needs to describe its parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace

from deciban.likelihoods.base import Likelihood
from deciban.likelihoods.parameters import FittedColumns, ParameterTable
from deciban.model.classifier import Classifier


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

    likelihood: Likelihood
    fitted: FittedColumns

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


def fitted_groups(classifier: Classifier, names: list[str]) -> list[FittedGroup]:
    """Return the groups of columns that predictions use."""
    found = []
    for (group, block), part in zip(classifier.scored, classifier.model.parts):
        columns = [names[j] for j in group.column_indices(classifier.features).tolist()]
        found.append(FittedGroup(group.likelihood, FittedColumns(columns, block, classifier.estimation, part.scorer)))
    return found


def target_name(classifier: Classifier) -> str:
    """Return the name of the label column, "class" if it has none."""
    schema = classifier.schema
    return "class" if schema is None or schema.target is None else schema.target
