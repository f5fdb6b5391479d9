"""Pairs of columns: how often values meet, class by class; counts that add up like everything else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.special import xlogy
from scipy.stats import chi2

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import TINY
from deciban.arrays.types import Codes, Floats, Longs
from deciban.model.classifier import Classifier
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


def inspect(classifier: Classifier, names: list[str]) -> Inspected:
    """Return the columns that predictions use as few codes; columns that are read together are not looked at.

    Columns in which a missing value counts have one more code, for a missing value.
    """
    found: list[PairedColumn] = []
    readers: list[Callable[[Frame], Codes]] = []
    prior = np.exp(classifier.log_prior)
    missing = () if classifier.missing_values is None else classifier.missing_values.columns
    for (group, block), part in zip(classifier.scored, classifier.model.parts):
        inspection = group.likelihood.inspection(block, part.scorer, prior)
        if inspection is None:
            continue
        indices = group.column_indices(classifier.features)
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

    return Inspected(tuple(found), all_codes)


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
    rows, columns = (table.sum(1) > 0).sum(), (table.sum(0) > 0).sum()
    return float(max(0, rows - 1) * max(0, columns - 1) / (2 * max(table.sum(), 1.0)))


def is_dependent(table: Floats, level: float = SIGNIFICANT) -> bool:
    """Return whether rows and columns of a table of counts go together, by a G-test."""
    freedom = max(0, (table.sum(1) > 0).sum() - 1) * max(0, (table.sum(0) > 0).sum() - 1)
    return bool(freedom and 2 * table.sum() * table_information(table) > chi2.ppf(1 - level, freedom))
