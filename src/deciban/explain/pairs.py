"""Pairs of columns: how often values meet, class by class; counts that add up like everything else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import sparse
from scipy.special import xlogy
from scipy.stats import chi2

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import TINY
from deciban.arrays.types import Codes, Floats, Longs
from deciban.model.classifier import Classifier
from deciban.model.summary import unweighted_columns
from deciban.statistics.base import offsets_of

# Significance level of a pair of columns that go together.
SIGNIFICANT = 1e-3


@dataclass(frozen=True)
class PairedColumn:
    """A column, or a word of a text, as few codes."""

    name: str
    values: int
    is_word: bool = False


@dataclass(frozen=True, eq=False)
class Inspected:
    """All columns that are looked at, and the function that turns rows into their codes [rows × columns]."""

    columns: tuple[PairedColumn, ...]
    codes: Callable[[Frame], Codes]
    skipped: tuple[str, ...]  # sentences on columns that are left out, with the reason


def inspect(classifier: Classifier, names: list[str]) -> Inspected:
    """Return the columns that predictions use as few codes; columns that are read together are not looked at.

    Columns in which a missing value counts have one more code, for a missing value.
    """
    found: list[PairedColumn] = []
    readers: list[Callable[[Frame], Codes]] = []
    prior = np.exp(classifier.log_prior)
    missing = () if classifier.missing_values is None else classifier.missing_values.columns
    together: list[str] = []
    for (group, block), part in zip(classifier.scored, classifier.model.parts):
        inspection = group.likelihood.inspection(block, part.scorer, prior)
        indices = group.column_indices(classifier.features)
        if inspection is None:
            together.append(f"{', '.join(names[j] for j in indices)} (read together)")
            continue
        for column in inspection.columns:
            j = int(indices[column.place])
            counts_missing = j in missing and column.word is None
            found.append(PairedColumn(column.word or names[j], column.values + counts_missing, column.word is not None))
        sizes = np.array([column.values for column in inspection.columns])
        counted = np.array([indices[c.place] in missing and c.word is None for c in inspection.columns], dtype=bool)
        readers.append(_reader(group.read, inspection.codes, sizes, counted))

    def all_codes(x: Frame) -> Codes:
        parts = [reader(x) for reader in readers]
        return np.concatenate(parts, axis=1) if parts else np.zeros((x.shape[0], 0), dtype=np.int32)

    return Inspected(tuple(found), all_codes, (*_columns_without_use(classifier, names), *together))


def _columns_without_use(classifier: Classifier, names: list[str]) -> list[str]:
    """Return the columns that predictions do not use, and the texts of which only some words are looked at."""
    ignored = [names[j] for j in (() if classifier.choices is None else classifier.choices.ignored_columns)]
    ignored += [name for name in (names[j] for j in unweighted_columns(classifier)) if name not in ignored]
    left_out = [c.name for c in (() if classifier.schema is None else classifier.schema.columns) if not c.likelihood]
    texts = [
        names[j]
        for (group, _), part in zip(classifier.scored, classifier.model.parts)
        for j in group.column_indices(classifier.features)
        if part.scorer.reads_text
    ]
    return [
        *([f"{', '.join(left_out)} (left out in training)"] if left_out else []),
        *([f"{', '.join(ignored)} (ignored: predictions are better without)"] if ignored else []),
        *(f"words of {name} beyond the most informative ones" for name in texts),
    ]


def _reader(
    read: Callable[[Frame], Frame], codes: Callable[[Frame], Codes], sizes: Longs, counts_missing: Codes
) -> Callable[[Frame], Codes]:
    """Return a function from rows to codes, clipped to the number of values; a missing value may be the last code."""

    def read_codes(x: Frame) -> Codes:
        found = np.minimum(codes(read(x)), sizes - 1)
        return np.where((found < 0) & counts_missing, sizes, found).astype(np.int32)

    return read_codes


@dataclass(frozen=True, eq=False)
class Pairs:
    """Counts of rows in which two values meet: a matrix per class [values × values], and the rows per class."""

    columns: tuple[PairedColumn, ...]
    meetings: tuple[Floats, ...]
    rows: Floats

    def __add__(self, other: Pairs) -> Pairs:
        meetings = tuple(a + b for a, b in zip(self.meetings, other.meetings))
        return Pairs(self.columns, meetings, self.rows + other.rows)

    @property
    def start(self) -> Longs:
        """Offset of every column's values."""
        return offsets_of([c.values for c in self.columns])

    def table(self, i: int, j: int) -> Floats:
        """[classes × values of i × values of j] counts of the rows where neither is missing."""
        s = self.start
        return np.stack([m[s[i] : s[i + 1], s[j] : s[j + 1]] for m in self.meetings])

    def counts(self, i: int) -> Floats:
        """[classes × values] counts of one column."""
        s = self.start
        return np.stack([np.diagonal(m)[s[i] : s[i + 1]] for m in self.meetings])

    @staticmethod
    def of(columns: tuple[PairedColumn, ...], codes: Codes, classes: Codes, number: int) -> Pairs:
        """Count rows with these codes [rows × columns], and the class of every row, −1 for none."""
        start = offsets_of([c.values for c in columns])
        meetings = []
        for c in range(number):
            own = codes[classes == c]
            row, column = np.nonzero(own >= 0)
            position = start[column] + own[row, column]
            present = sparse.csr_matrix((np.ones(len(position)), (row, position)), shape=(len(own), start[-1]))
            meetings.append((present.T @ present).toarray())
        return Pairs(columns, tuple(meetings), np.bincount(classes[classes >= 0], minlength=number).astype(float))


def table_information(table: Floats) -> float:
    """Return the mutual information of rows and columns of a table of counts, in nats."""
    whole = table.sum()
    if whole <= 0:
        return 0.0
    p = table / whole
    return float(xlogy(p, p).sum() - xlogy(p.sum(1), p.sum(1)).sum() - xlogy(p.sum(0), p.sum(0)).sum())


def corrected_information(table: Floats) -> float:
    """Return the mutual information of a table less what chance shows, at least 0."""
    return max(0.0, table_information(table) - chance_information(table))


def count_entropy(counts: Floats) -> float:
    """Return the entropy of counts, in nats."""
    p = counts / max(counts.sum(), TINY)
    return float(-xlogy(p, p).sum())


def chance_information(table: Floats) -> float:
    """Return the mean information of a table of independent rows and columns: degrees of freedom / 2N."""
    return degrees_of_freedom(table) / (2 * max(float(table.sum()), 1.0))


def is_dependent(table: Floats, level: float = SIGNIFICANT) -> bool:
    """Return whether rows and columns of a table of counts go together, by a G-test."""
    return bool(degrees_of_freedom(table) and table_information(table) > detectable_information(table, level))


def detectable_information(table: Floats, level: float = SIGNIFICANT) -> float:
    """Return the least mutual information, in nats, that a G-test of a table of counts finds significant."""
    freedom = degrees_of_freedom(table)
    return significant_sum(freedom, level) / (2 * max(float(table.sum()), 1.0)) if freedom else 0.0


@lru_cache(maxsize=1 << 12)
def significant_sum(freedom: int, level: float) -> float:
    """Return the quantile of the χ² distribution; kept, as a diagnosis asks for few of them in every pair and class."""
    return float(chi2.ppf(1 - level, freedom))


def degrees_of_freedom(table: Floats) -> int:
    """Return the degrees of freedom of a table of counts, without empty rows and columns."""
    rows, columns = (table.sum(1) > 0).sum(), (table.sum(0) > 0).sum()
    return int(max(0, rows - 1) * max(0, columns - 1))
