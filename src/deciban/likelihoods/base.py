"""The protocol of an event model: what it keeps, how a column is prepared, how parameters follow from statistics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np

from deciban.arrays.frame import Coded, Frame
from deciban.arrays.labels import Codes, Floats, Labels, Strings, missing
from deciban.arrays.matrix import Array, Matrix
from deciban.likelihoods.left_out import LeftOut, OneByOne
from deciban.priors.priors import Estimation
from deciban.scorers import Scorer
from deciban.statistics import Block, Sums

# A column that was drawn: numbers, categories or texts.
Drawn: TypeAlias = Array | Coded | Strings


class Likelihood(ABC):
    """An event model: P(columns | class). Subclasses are frozen dataclasses of hyperparameters, without state.

    To write one outside this package, name the block of statistics it ``keeps`` and turn such a block into a scorer in
    ``estimate``; fitting, merging, forgetting and prediction follow. For samples of the model, define ``draw``.
    """

    keeps: ClassVar[Any]  # a Block class
    complete: ClassVar[bool] = False  # refuse missing cells
    reads_names: ClassVar[bool] = False  # a table's column is read as categories or text, not as numbers
    reads_text: ClassVar[bool] = False  # as documents
    joins_columns: ClassVar[bool] = False  # its columns are counts of one event, and only make sense together
    one_column: ClassVar[bool] = False  # every column has a block of statistics of its own
    unit_free: ClassVar[bool] = False  # probabilities, not densities, which change with the unit of a column
    # Hyperparameters that statistics know nothing of: they may change after training.
    opinions: ClassVar[tuple[str, ...]] = ("prior",)

    @property
    def name(self) -> str:
        """What messages call it."""
        return type(self).__name__

    def __repr__(self) -> str:
        """As short as it can be written: hyperparameters that are not the default's."""
        if not is_dataclass(self):
            return f"{self.name}()"
        changed = [f.name for f in fields(self) if f.repr and not alike(getattr(self, f.name), f.default)]
        return f"{self.name}({', '.join(f'{name}={getattr(self, name)!r}' for name in changed)})"

    def prepare(self, x: Any) -> Any:
        """What the event model sees instead of x, both in training and in prediction; x itself by default."""
        return x

    @property
    def outweighed(self) -> bool:
        """Whether its scores, which are no log probabilities then, are small next to those of the classes."""
        return False

    @property
    def prepares(self) -> bool:
        return type(self).prepare is not Likelihood.prepare

    @property
    def reads_sparse(self) -> bool:
        """Whether sparse rows need not be made dense: the statistics read them, and nothing is prepared."""
        return bool(self.keeps.reads_sparse) and not self.prepares

    def numbers(self, x: Any) -> Any:
        """x as an array the event model can read: numbers, unless it says otherwise; what is missing becomes NaN."""
        if isinstance(x, Frame):
            return x.numbers()
        if x.dtype.kind in "fiubc":
            return x
        if x.dtype.kind in "mM":
            return np.where(np.isnat(x), np.nan, x.astype(np.int64).astype(float))
        if x.dtype == object:
            x = np.where(missing(x.ravel()).reshape(x.shape), np.nan, x)
        try:
            return x.astype(float)
        except ValueError as error:
            raise ValueError(f"{self.name} needs numbers: {error}; give such a column Categorical().") from None

    def summarize(self, x: Matrix, labels: Labels) -> Block:
        """The statistics of a batch, already prepared."""
        return self.keeps.of(x, labels)

    def summarize_like(self, x: Matrix, labels: Labels, like: Any) -> Block:
        """The same; statistics of other rows of the same columns may tell it what to expect, so that it is quicker."""
        return self.summarize(x, labels)

    def reads_like(self, other: Likelihood) -> bool:
        """Whether the other event model would have the same statistics."""
        mine, its = ({k: v for k, v in vars(m).items() if k not in self.opinions} for m in (self, other))
        return type(self) is type(other) and alike(mine, its)

    def same_as(self, other: Any) -> bool:
        """Whether the other event model has the same type and hyperparameters."""
        return alike(self, other)

    @abstractmethod
    def estimate(self, statistics: Any, how: Estimation) -> Scorer:
        """Parameters from statistics: a pure function, so smoothing can change after training."""

    def parameters(self, statistics: Any, how: Estimation) -> int:
        """How many free parameters follow from statistics, of all classes and columns together."""
        raise ValueError(f"{self.name} does not say how many parameters it has; give it a method parameters().")

    def draw(self, statistics: Any, how: Estimation, codes: Codes, rng: np.random.Generator) -> Sequence[Drawn]:
        """Its columns for rows of the given classes, drawn from what ``estimate`` has for parameters."""
        raise ValueError(
            f"{self.name} does not say how its columns are drawn; give these columns another event model, or define "
            "draw(statistics, how, codes, rng), which returns a column of values for each."
        )

    def whole(self, drawn: Array) -> Array:
        """Numbers that were drawn for a column of whole numbers as such."""
        return np.rint(drawn)

    def variants(self, everything: bool) -> Sequence[Likelihood]:
        """Event models that read the same statistics, where it is left to the rows which of them fits best.

        ``everything`` that was not said is left to the rows, not only what was said to be.
        """
        return ()

    def apart(self) -> Sequence[Likelihood]:
        """The same, where it is left to the rows which of them fits a single column best."""
        return ()

    @property
    def reads_columns_alone(self) -> bool:
        """Whether each of its columns is read as it would be without the others."""
        return not self.joins_columns and is_one_for_all(self)

    def left_out(self, statistics: Any, how: Estimation) -> LeftOut:
        """What ``estimate`` gives, for rows that are among the statistics, each scored without itself.

        By default parameters are estimated for every row anew; event models that know better say so.
        """
        classes = statistics.classes

        def summarize(row: Any, codes: Codes, weight: Floats) -> Block:
            return self.summarize(row, Labels(classes, codes, weight))

        return OneByOne(summarize, lambda rest: self.estimate(rest, how), statistics)


def refuse_negative_counts(statistics: Sums) -> None:
    if statistics.total.size and statistics.total.min() < 0:
        raise ValueError(
            "a count is below 0: rows were subtracted that were never added; subtract only what was added."
        )


def is_one_for_all(value: Any) -> bool:
    """Whether there is no array among hyperparameters that might have an entry for every column."""
    if is_dataclass(value):
        return all(is_one_for_all(getattr(value, f.name)) for f in fields(value))
    return isinstance(value, str) or not isinstance(value, Iterable)


def alike(a: Any, b: Any) -> bool:
    """Equality that arrays among the hyperparameters do not upset."""
    if type(a) is not type(b):
        return False
    if isinstance(a, Likelihood) or is_dataclass(a):
        return alike(vars(a), vars(b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else bool(a == b)
