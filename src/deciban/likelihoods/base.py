"""The base of every event model: the statistics it keeps, its parameters, and how it explains itself, with defaults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np

from deciban.arrays.frame import Coded, Frame
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import Dense, as_frame
from deciban.arrays.strings import StringBuffers
from deciban.arrays.types import Array, Codes, Floats
from deciban.likelihoods.distributions import BARS, CURVE, ColumnDistribution
from deciban.likelihoods.factors import DENSITY, PROBABILITY, Factors, ScoredRow, numbers_only
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.generative import Generative
from deciban.likelihoods.inspection import Inspection, inspect_columns
from deciban.likelihoods.left_out import LeftOut, OneByOne
from deciban.likelihoods.parameters import ParameterTable, scorer_tables
from deciban.likelihoods.scale_values import ColumnValues, ScaledColumns
from deciban.priors.counts import log
from deciban.priors.estimation import Estimation
from deciban.scorers.base import Scorer, known_cells
from deciban.scorers.posterior import log_sum_exp
from deciban.statistics import Block, Sums

# A column that was drawn: numbers, categories or texts.
Drawn: TypeAlias = Array | Coded | StringBuffers

# Rows that are drawn where the expected evidence has no closed form.
DRAWN_ROWS = 4096


@dataclass(frozen=True)
class Information:
    """Mutual information of columns with the class, in nats; NaN where an event model cannot tell."""

    columns: Floats  # per column
    words: dict[str, float] | None = None  # of the most informative words of a text


class Likelihood(Generative, ABC):
    """An event model: P(columns | class). Subclasses are frozen dataclasses of hyperparameters, without state.

    To write one outside this package, name the block of statistics it ``keeps`` and turn such a block into a scorer in
    ``estimate``; fitting, merging, forgetting, prediction, explanations and leave-one-out follow. ``draw`` adds
    samples, ``factors`` derivations.
    """

    keeps: ClassVar[Any]  # a Block class
    complete: ClassVar[bool] = False  # refuse missing cells
    reads_names: ClassVar[bool] = False  # a table's column is read as categories or text, not as numbers
    reads_text: ClassVar[bool] = False  # as documents
    joins_columns: ClassVar[bool] = False  # its columns are counts of one event, and only make sense together
    one_column: ClassVar[bool] = False  # every column has a block of statistics of its own
    unit_free: ClassVar[bool] = False  # probabilities, not densities, which change with the unit of a column
    # Hyperparameters that do not change the statistics: they may change after training.
    opinions: ClassVar[tuple[str, ...]] = ("prior",)

    @property
    def name(self) -> str:
        """Name in messages."""
        return type(self).__name__

    def __repr__(self) -> str:
        """Return the event model with the hyperparameters that differ from their defaults."""
        if not is_dataclass(self):
            return f"{self.name}()"
        changed = [f.name for f in fields(self) if f.repr and not alike(getattr(self, f.name), f.default)]
        return f"{self.name}({', '.join(f'{name}={getattr(self, name)!r}' for name in changed)})"

    def prepare(self, x: Array) -> Array:
        """Return what the event model sees instead of an array x, both in training and in prediction."""
        return x

    def log_jacobian(self, x: Array) -> Array | float:
        """Return log |d prepare(x) / dx| [rows × columns] of an array x, or its sum [rows]; 0 by default.

        It turns ``log_likelihood`` into a density of the numbers as they are given. A missing cell counts 0.
        """
        return 0.0

    @property
    def prepares(self) -> bool:
        """Whether columns are changed before they are read."""
        return type(self).prepare is not Likelihood.prepare

    def read_log_jacobian(self, x: Frame) -> Floats:
        """[rows] part of the log density that is due to ``prepare``."""
        if not self.prepares or type(self).log_jacobian is Likelihood.log_jacobian:
            return np.zeros(x.shape[0])
        cells = np.asarray(x) if self.reads_names else x.numbers(self.name)
        logs = np.asarray(self.log_jacobian(cells), dtype=float)
        if logs.ndim == 2:
            logs = np.where(known_cells(cells), logs, 0.0).sum(axis=1)
        return np.array(np.broadcast_to(logs, (x.shape[0],)))

    @property
    def reads_sparse(self) -> bool:
        """Whether sparse rows need not be made dense."""
        return bool(self.keeps.reads_sparse) and not self.prepares

    def read(self, x: Frame) -> Frame:
        """Return columns as the event model reads them: names as they are, numbers in one array, prepared."""
        if self.prepares:
            return as_frame(self.prepare(np.asarray(x) if self.reads_names else x.numbers(self.name)))
        if self.reads_names:
            return x.dense()
        return x if self.reads_sparse and x.compressed() is not None else Dense(x.numbers(self.name))

    @property
    def reads_whole_numbers(self) -> bool:
        """Whether cells are counts, or 0 and 1. Pictures then show whole numbers only."""
        return False

    @property
    def date_part(self) -> str | None:
        """The part of a date or time that is read from a table's column, None to read its values as they are."""
        return None

    @property
    def needs_uniform_prior(self) -> bool:
        """Whether scores are not log probabilities, and so small that a class prior would dominate."""
        return False

    def summarize(self, x: Frame, labels: Labels) -> Block:
        """Return the statistics of a batch of rows, as :meth:`read` gives them."""
        return self.keeps.of(x, labels)

    def summarize_with_hint(self, x: Frame, labels: Labels, hint: Any) -> Block:
        """Return the same statistics, perhaps faster; ``hint`` are the statistics of other rows of the columns."""
        return self.summarize(x, labels)

    def has_same_statistics(self, other: Likelihood) -> bool:
        """Return whether another event model would keep the same statistics."""
        mine, theirs = ({k: v for k, v in vars(m).items() if k not in self.opinions} for m in (self, other))
        return type(self) is type(other) and alike(mine, theirs)

    def same_as(self, other: Any) -> bool:
        """Return whether another event model has the same type and hyperparameters."""
        return alike(self, other)

    @abstractmethod
    def estimate(self, statistics: Any, estimation: Estimation) -> Scorer:
        """Return parameters from statistics: a pure function, so smoothing can change after training."""

    def family_obstacle(self) -> str:
        """Return what to declare instead where classes of a family cannot share a prior, empty if they can.

        They can where ``estimate`` interpolates shares of counts for ``estimation.family_codes``.
        """
        return "Categorical, Binned, Bernoulli, Multinomial or Words, which count"

    def integrates_out(self, estimation: Estimation) -> bool:
        """Return whether parameters are integrated out of P(columns | class), instead of estimated.

        If False, the parameters under ``estimate="predictive"`` are those of "map".
        """
        return False

    def left_out(self, statistics: Any, estimation: Estimation) -> LeftOut:
        """Return what ``estimate`` gives, for rows that are among the statistics, each scored without itself.

        By default parameters are estimated anew for every row; event models with a closed form override this.
        """
        classes = statistics.classes

        def summarize_row(row: Frame, codes: Codes, weight: Floats) -> Block:
            return self.summarize(row, Labels(classes, codes, weight))

        return OneByOne(summarize_row, lambda rest: self.estimate(rest, estimation), statistics)

    def left_out_by_column(self, statistics: Any, estimation: Estimation) -> Sequence[LeftOut]:
        """Return what ``left_out`` gives for every column by itself."""
        columns = (statistics.only(np.array([j])) for j in range(statistics.features))
        return [self.left_out(column, estimation) for column in columns]

    def count_parameters(self, statistics: Any, estimation: Estimation) -> int:
        """Return the number of free parameters of all classes and columns together."""
        raise ValueError(f"{self.name} does not know its number of parameters; define count_parameters().")

    def draw(self, statistics: Any, estimation: Estimation, codes: Codes, rng: np.random.Generator) -> Sequence[Drawn]:
        """Draw the columns of rows of the given classes from the distribution that ``estimate`` has found."""
        raise ValueError(
            f"{self.name} does not say how its columns are drawn; give these columns another event model, or define "
            "draw(statistics, estimation, codes, rng), which returns a column of values for each."
        )

    def round_drawn(self, drawn: Array) -> Array:
        """Return numbers that were drawn for a column of whole numbers as whole numbers."""
        return np.rint(drawn)

    def variants(self, all_open: bool) -> Sequence[Likelihood]:
        """Return event models of the same statistics, if it is left to the rows which of them fits best.

        With ``all_open``, hyperparameters that were not given are chosen like those given as "auto".
        """
        return ()

    def ladders(self, statistics: Any, all_open: bool) -> Sequence[Sequence[Likelihood]]:
        """Return sequences of event models of these statistics, each from much smoothing to little.

        A search follows every sequence as far as it gets better. ``all_open`` says what it says for ``variants``.
        """
        return ()

    @property
    def reads_alpha(self) -> bool:
        """Whether the pseudo-count of the settings matters: not where an event model has a prior of its own."""
        return True

    def term_variants(self) -> Sequence[Likelihood]:
        """Return event models of other terms of a text, of which one is chosen before rows are counted; first the one
        that few rows get.
        """
        return ()

    def with_terms_of(self, other: Likelihood) -> Likelihood:
        """Return the term variant that equals another event model, or else this event model as it is."""
        return next((model for model in self.term_variants() if model.same_as(other)), self)

    @property
    def starting_model(self) -> Likelihood:
        """The event model of the same statistics that a search begins with, if everything is left to the rows."""
        return self

    def column_variants(self) -> Sequence[Likelihood]:
        """Return event models of the same statistics, if it is left to the rows which fits a single column best."""
        return ()

    @property
    def reads_columns_separately(self) -> bool:
        """Whether each of its columns is read as it would be without the others."""
        return not self.joins_columns and is_one_for_all(self)

    def evidence_priors(self, statistics: Any, estimation: Estimation) -> Sequence[float] | None:
        """Return the pseudo-count or strength that was found by evidence for every column; None if none was sought."""
        return None

    def factors(self, row: ScoredRow) -> Factors:
        """Return the factors that one row has, for a derivation: by default a number for every cell.

        An event model that is ``unit_free`` has probabilities P(…), any other densities p(…).
        """
        return numbers_only(row, PROBABILITY if self.unit_free else DENSITY)

    def scale_values(self, columns: ScaledColumns) -> Sequence[ColumnValues] | None:
        """Return the values that are marked on a scale of evidence, for every column or for all of them together.

        By default it returns None, and the values of the rows that the model remembers are marked.
        """
        return None

    def distribution(self, fitted: FittedColumns, j: int, numbers: Floats) -> ColumnDistribution:
        """Return P(value | class) of column j, for a picture.

        By default it is evaluated at the values that the scorer lists, else at the ``numbers``, which cover the column.
        """
        scorer = fitted.scorer
        tables = scorer.value_tables()
        if tables is not None:
            values, log_probability = tables[j]
            return ColumnDistribution(BARS, tuple(values), np.exp(log_probability))
        x = np.full((len(numbers), scorer.features), np.nan)
        x[:, j] = numbers
        read = self.read(Dense(x))
        free = scorer.class_free(read) + self.read_log_jacobian(Dense(x))
        heights = np.exp(scorer.evidence(read)[:, :, j] + free[:, None]).T
        return ColumnDistribution(BARS if self.unit_free else CURVE, tuple(numbers.tolist()), heights)

    def parameters(self, fitted: FittedColumns) -> Sequence[ParameterTable]:
        """Return a table of parameters for every column, or for columns that are read together.

        By default the scorer lists them: log probabilities of values, or arrays [classes × columns].
        """
        return scorer_tables(fitted, self.name)

    def terms(self, fitted: FittedColumns) -> ParameterTable | None:
        """Return the words of texts, or the columns of a bag, with log P(term | class); None by default."""
        return None

    def length_steps(self, fitted: FittedColumns) -> Sequence[str]:
        """Return the distribution of a text's length in every class, in words; empty if the story does not draw it."""
        return ()

    def inspection(self, statistics: Any, scorer: Any, prior: Floats) -> Inspection | None:
        """Return the columns as few codes for a diagnosis, None if they cannot be looked at one by one."""
        return None if self.joins_columns else inspect_columns(statistics)

    def information(self, statistics: Any, estimation: Estimation, scorer: Any, prior: Floats) -> Information:
        """Return the expected evidence of every column: in closed form if the scorer has one, else from drawn rows."""
        found = scorer.information(prior)
        return Information(self._drawn_information(statistics, estimation, scorer, prior) if found is None else found)

    def _drawn_information(self, statistics: Any, estimation: Estimation, scorer: Scorer, prior: Floats) -> Floats:
        rng = np.random.default_rng(0)
        codes = rng.choice(len(prior), DRAWN_ROWS, p=prior).astype(np.int32)
        try:
            columns = self.draw(statistics, estimation, codes, rng)
            x = np.stack([np.asarray(column, dtype=float) for column in columns], axis=1)
        except (ValueError, TypeError, AttributeError):
            return np.full(scorer.features, np.nan)
        scores = scorer.evidence(Dense(x))
        own = scores[np.arange(DRAWN_ROWS), codes]
        mixed = log_sum_exp(scores + log(prior)[:, None], axis=1)
        return np.asarray((own - mixed).mean(axis=0))


def refuse_negative_counts(statistics: Sums) -> None:
    """Raise if a count is below 0."""
    if statistics.total.size and statistics.total.min() < 0:
        raise ValueError(
            "a count is below 0: rows were subtracted that were never added; subtract only what was added."
        )


def is_one_for_all(value: Any) -> bool:
    """Return whether no hyperparameter is an array, which might have an entry for every column."""
    if is_dataclass(value):
        return all(is_one_for_all(getattr(value, f.name)) for f in fields(value))
    return isinstance(value, str) or not isinstance(value, Iterable)


def alike(a: Any, b: Any) -> bool:
    """Return whether two hyperparameters are equal, arrays included."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, Likelihood) or is_dataclass(a):
        return alike(vars(a), vars(b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else bool(a == b)
