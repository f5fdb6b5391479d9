"""The base of every scorer: what a model needs of it, and how it explains its scores, with defaults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.names import is_missing
from deciban.arrays.native import kernels
from deciban.arrays.terms import Term
from deciban.arrays.types import Array, Codes, Floats, Longs

# The part of a log density that is the same for every class, per row.
ClassFree = Callable[[Frame], Floats]

# Reasons why a cell is not evidence.
NO_VALUE = "missing"
NEVER_SEEN = "never seen in training"
SAME_FOR_ALL = "says the same of every class"


class Piece(NamedTuple):
    """A piece of a column's evidence: the column as a whole, or a word of its text."""

    scores: Floats  # log P(piece | class) of every class
    value: Any
    word: str | None = None
    learned: Floats | None = None  # the part of the scores that a correction has learned


@dataclass(frozen=True)
class LinearTerms:
    """The log-odds of two classes as a linear function of some columns.

    Either every column has a slope, which multiplies its number, or every column has a weight per value.
    """

    slopes: Floats | None = None  # per column
    bases: Floats | None = None  # per column, the log-odds at the number 0
    values: list[dict[Any, float]] | None = None  # per column, a weight for every value, bin or word
    intercept: float = 0.0


@dataclass(frozen=True, eq=False)
class KnownSource:
    """An event model and statistics, such that the maximum-likelihood estimate has the parameters of a scorer."""

    likelihood: Any
    block: Any


class NotLinearError(ValueError):
    """The log-odds of a scorer are not a linear function of its columns."""


class Scorer:
    """Parameters ready to use: log P(x | class) of rows, by class and by feature.

    The law that every scorer obeys: ``evidence(x).sum(-1)`` equals what ``add_scores`` adds. Subclasses define
    ``classes``, ``features``, ``add_scores`` and ``evidence``; everything else has a default.
    """

    reads_sparse: ClassVar[bool] = False  # False: sparse rows are made dense before they are scored
    reads_text: ClassVar[bool] = False  # its one column holds documents
    reads_infinity: ClassVar[bool] = False  # an infinite number is a value like any other
    source = cast(KnownSource | None, None)  # of a scorer with known parameters
    by_rows: bool = False  # writes contrasts row by row, for rows that are contiguous in memory

    @property
    def classes(self) -> int:
        """Number of classes."""
        raise NotImplementedError

    @property
    def features(self) -> int:
        """Number of columns."""
        raise NotImplementedError

    def add_scores(self, x: Frame, out: Floats) -> int:
        """Add log P(x | class) of every row to ``out`` [rows × classes]; return the kernel's findings."""
        raise NotImplementedError

    def evidence(self, x: Frame) -> Floats:
        """[rows × classes × features] log P(cell | class)."""
        raise NotImplementedError

    def class_free(self, x: Frame) -> Floats:
        """[rows] part of the log density that is the same for every class."""
        return np.zeros(x.shape[0])

    @property
    def correctable_words(self) -> Any:
        """The scorer of words, if their evidence can be corrected; None if it cannot."""
        return None

    def weighted(self, weights: Floats) -> Scorer:
        """Return a scorer that multiplies the evidence of every column by a weight."""
        from deciban.scorers.weighted import Weighted

        return Weighted(self, weights)

    def contrast(self, x: Frame, favour: Codes, against: Codes, out: Floats) -> None:
        """Write log P(cell | favour) − log P(cell | against) to ``out`` [rows × features]."""
        for j, scores in enumerate(np.moveaxis(self.evidence(x), 2, 0)):
            out[:, j] = difference_of_scores(scores, favour, against)

    def pieces(self, x: Frame, j: int, value: Any, scores: Floats) -> list[Piece]:
        """Return the pieces that the evidence of a cell consists of: by default one, the cell itself.

        ``x`` has one row; ``value`` is the cell as a Python value, ``scores`` its evidence.
        """
        return [Piece(scores, value)]

    def terms(self, document: str) -> list[Term]:
        """Return the words of a document with their places, named as the words of ``pieces``; none by default."""
        return []

    def silence(self, x: Frame, j: int, value: Any) -> str:
        """Return the reason why a cell is not evidence, given that all classes score it the same."""
        return NO_VALUE if is_missing(value) else SAME_FOR_ALL

    def information(self, prior: Floats) -> Floats | None:
        """[features] mutual information with the class, in nats; None if the parameters alone do not tell."""
        return None

    def normal_parameters(self, j: int) -> tuple[Floats, Floats] | None:
        """Return mean and standard deviation of column j in every class, None unless it is normal in all of them."""
        return None

    def linear_terms(self, favour: int, against: int) -> LinearTerms:
        """Return the log-odds of two classes as a linear function, or raise a NotLinearError."""
        raise NotLinearError("are not linear")

    def value_tables(self) -> list[tuple[list[Any], Floats]] | None:
        """Return the values of every column and their log probability [classes × values]; None if there are none."""
        return None

    def parameter_arrays(self) -> dict[str, Floats]:
        """Return the parameters by name, each [classes × columns]: by default the fields that have this shape."""
        shape = self.classes, self.features
        arrays: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)} if is_dataclass(self) else {}
        return {name: a for name, a in arrays.items() if isinstance(a, np.ndarray) and a.shape == shape}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.classes} classes × {self.features} features)"


class LookupScorer(Scorer):
    """A scorer that looks a cell's log probability up in a table per feature."""

    reads_infinity: ClassVar[bool] = True

    log_probability: tuple[Floats, ...]  # per feature: classes × entries

    @property
    def classes(self) -> int:
        return self.log_probability[0].shape[0] if self.log_probability else 0

    @property
    def features(self) -> int:
        return len(self.log_probability)

    def weighted(self, weights: Floats) -> Scorer:
        tables = zip(weights.tolist(), self.log_probability)
        weighted = tuple(weight * table if weight else np.zeros_like(table) for weight, table in tables)
        return replace(self, log_probability=weighted)  # type: ignore[type-var]

    def information(self, prior: Floats) -> Floats:
        from deciban.scorers.information import mutual_information

        return np.array([mutual_information(prior, table) for table in self.log_probability])

    def look_up(self, codes: Codes) -> Floats:
        """[rows × classes × features] log probability of every code, 0 for −1."""
        start, entries = self._joined
        position = np.where(codes >= 0, start + codes, len(entries) - 1)
        return np.moveaxis(entries[position], 2, 1)

    @cached_property
    def _joined(self) -> tuple[Longs, Floats]:
        """Offset of every feature's table in the concatenated tables [entries × classes], whose last entry is zeros."""
        start = np.cumsum([0, *(table.shape[1] for table in self.log_probability)])[:-1]
        return start, np.concatenate([*(table.T for table in self.log_probability), np.zeros((1, self.classes))])


def difference_of_scores(scores: Floats, favour: Codes, against: Codes) -> Floats:
    """[rows] score of one class less the score of another; 0 where both are impossible."""
    out = np.empty(len(favour))
    kernels.contrast_scores(np.ascontiguousarray(scores), favour, against, out)
    return out


def log_odds(favour: Floats, against: Floats) -> Floats:
    """Return favour − against, 0 where the two are equal, infinities included."""
    with np.errstate(invalid="ignore"):
        return np.where(favour == against, 0.0, favour - against)


def aligned_array(rows: int, columns: int) -> Floats:
    """Return an array that begins at a cache line, so that a look-up touches as few cache lines as possible."""
    memory = np.empty(rows * columns + 8)
    skip = -memory.ctypes.data % 64 // 8
    return memory[skip : skip + rows * columns].reshape(rows, columns)


def class_major(parameters: Floats) -> Floats:
    """[classes × padded features] copy that dense kernels read with full vectors and no remainder."""
    classes, features = parameters.shape
    padded = aligned_array(classes, -(-features // kernels.PACK) * kernels.PACK)
    padded[:, :features] = parameters
    padded[:, features:] = 0.0
    return padded


def feature_major(parameters: Floats) -> Floats:
    """[features × padded classes] copy from which look-ups by feature or category read all classes at once."""
    classes, features = parameters.shape
    padded = aligned_array(features, -(-max(classes, 1) // kernels.LANES) * kernels.LANES)
    padded[:, :classes] = parameters.T
    padded[:, classes:] = 0.0
    return padded


def known_cells(x: Array) -> Array:
    """Return a mask of the cells that hold a number."""
    return ~np.isnan(x) if x.dtype.kind == "f" else np.ones(x.shape, dtype=bool)


def are_row_contiguous(*arrays: Array | None) -> bool:
    """Return whether the cells of a row are adjacent in memory, in all of the arrays."""
    return all(a is not None and (a.shape[1] < 2 or a.strides[1] == a.itemsize) for a in arrays)
