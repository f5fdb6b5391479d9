"""The parameters of a model as one table: the class prior, then every value of every column, classes across."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.names import is_missing
from deciban.arrays.types import Longs
from deciban.describe.groups import TableOfGroup, fitted_groups, target_name
from deciban.describe.top_words import TopWords, strongest_terms, top_words
from deciban.explain.derive import prior_workings
from deciban.likelihoods.factors import PROBABILITY, SCORE, Workings
from deciban.likelihoods.parameters import NUMBER, ParameterTable
from deciban.likelihoods.workings import Number, Ratio, exact
from deciban.model.classifier import Classifier
from deciban.model.missing import PSEUDO_COUNT
from deciban.terminal.values import short_value

if TYPE_CHECKING:
    import pyarrow as pa

# Values of a column that are listed, the most frequent ones.
LISTED_VALUES = 20
COUNTS_ONLY = (
    "These are the parameters of the counts. Predictions of this refined model multiply the evidence of every column "
    "by a weight, and add evidence of columns that are read together, or evidence of words that was learned."
)
# Keys of the mappings that ``Parameters.to_dicts`` returns.
ROW_NAMES = ("column", "value", "notation", "class", "number", "fraction", "count")


@dataclass(frozen=True)
class Parameter:
    """One line of the table: P(value | class) of a value, or a parameter such as the mean, for every class."""

    column: str
    value: Any  # the value, bin or word; the name of a parameter if ``notation`` is "number"
    classes: tuple[Any, ...]
    numbers: tuple[float, ...]  # per class, as the model uses them
    fractions: tuple[Fraction | None, ...]  # per class, the exact number; None if it is not a ratio of counts
    counts: tuple[float, ...] | None  # per class, the weight of the training rows or words with the value
    notation: str  # "P" for a probability, "score", or "number" for a parameter with a name
    label: str  # the value as text
    event: str  # "O = 1", "age below 5", a word, or "mean of age"
    cells: tuple[str, ...]  # per class, the number as text: 6/9, or a decimal

    def given(self, label: Any) -> Number:
        """Return the number of one class: a fraction where it is exact.

        >>> import deciban as db
        >>> nb = db.NaiveBayes(db.Bernoulli(), estimate="mle").fit([[0], [1], [1], [1]], ["a", "a", "b", "b"])
        >>> nb.parameters()["x0"][1].given("a")
        Fraction(1, 2)
        """
        if label not in self.classes:
            raise KeyError(f"{label!r} is not among the classes {list(self.classes)}.")
        c = self.classes.index(label)
        fraction = self.fractions[c]
        return self.numbers[c] if fraction is None else fraction

    def text(self, target: str) -> str:
        """Return the line in words: P(O = 1 | Y), mean of age, or a score."""
        return self.event if self.notation == NUMBER else f"{self.notation}({self.event} | {target})"


@dataclass(frozen=True)
class ColumnParameters:
    """The parameters of one column, or of columns that are read together."""

    name: str
    columns: tuple[str, ...]  # the columns that the lines are about
    event_model: str
    family: str  # of the distribution: Bernoulli, Categorical, Normal, …
    lines: tuple[Parameter, ...]
    omitted: int  # lines that are not listed
    are_terms: bool  # lines are words, or columns of one bag

    def __getitem__(self, value: Any) -> Parameter:
        for line in self.lines:
            if line.value == value or line.label == value:
                return line
        more = f"; {self.omitted} more are not listed" if self.omitted else ""
        raise KeyError(f"{value!r} is not among the values of {self.name}: {short_list(self.values)}{more}.")

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def values(self) -> list[Any]:
        """The values, bins, words or names of parameters that are listed."""
        return [line.value for line in self.lines]


@dataclass(frozen=True)
class Parameters:
    """The estimated parameters of a model: P(class), then the parameters of every column, classes across.

    Index it by a column, then by a value: ``nb.parameters()["O"][1].given(0)`` is P(O = 1 | class 0), a fraction where
    it is a ratio of counts. ``print`` shows the table.
    """

    target: str
    classes: tuple[Any, ...]
    prior: Parameter
    columns: tuple[ColumnParameters, ...]
    top_words: TopWords | None  # of texts and bags of more terms than are listed
    omitted: int  # columns that were not asked for
    remarks: tuple[str, ...]

    def __getitem__(self, column: str) -> ColumnParameters:
        for found in self.columns:
            if found.name == column or column in found.columns:
                return found
        raise KeyError(f"{column!r} is not among the columns {short_list([c.name for c in self.columns])}.")

    def __iter__(self) -> Iterator[ColumnParameters]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        return f"Parameters({len(self.classes)} classes, {len(self.columns)} columns)"

    def __str__(self) -> str:
        from deciban.describe.parameters_text import parameters_text

        return parameters_text(self)

    def to_markdown(self) -> str:
        """Return the table in Markdown."""
        from deciban.describe.parameters_text import parameters_markdown

        return parameters_markdown(self)

    def to_arrow(self) -> pa.Table:
        """Return a row for every line and class: column, value, class, number, fraction as text, count."""
        import pyarrow as pa

        names = {"column", "value", "notation", "class", "fraction"}
        kinds = {name: pa.string() if name in names else pa.float64() for name in ROW_NAMES}
        rows = [row | {"class": str(row["class"])} for row in self.to_dicts()]
        return pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in kinds.items()})

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a mapping for every line and class; the fraction is text, None where there is none."""
        return [
            dict(zip(ROW_NAMES, (line.column, line.label, line.notation, label, *numbers)))
            for line in self.lines
            for label, *numbers in zip(
                self.classes,
                line.numbers,
                [None if f is None else str(f) for f in line.fractions],
                line.counts or [None] * len(self.classes),
            )
        ]

    @property
    def lines(self) -> list[Parameter]:
        """The class prior and the lines of all columns, from top to bottom."""
        return [self.prior, *(line for column in self.columns for line in column.lines)]

    def _repr_html_(self) -> str:
        from deciban.describe.parameters_text import parameters_html

        return parameters_html(self)


def parameters(
    classifier: Classifier, names: list[str], columns: Sequence[str] | str | None = None, words: int = 10
) -> Parameters:
    """Return the parameters of all columns, or of the named ones; ``words`` are listed per class of a large bag."""
    if isinstance(words, bool) or not isinstance(words, int | np.integer) or words < 0:
        raise ValueError(f"words is {words!r}; give a whole number of at least 0.")
    wanted = chosen_columns(names, columns)
    classes = tuple(classifier.model.classes.tolist())
    groups = fitted_groups(classifier, names)
    tables = [t for group in groups for t in group.tables() if wanted.intersection(t.columns)]
    tables.sort(key=lambda t: names.index(t.columns[0]))
    found = tuple(_column(t, classifier, classes, names, words) for t in tables)
    large = words > 0 and len(classes) > 1 and any(c.are_terms and c.omitted for c in found)
    return Parameters(
        target_name(classifier),
        classes,
        _prior(classifier, classes),
        found,
        top_words(classifier, names, sorted(wanted), n=words) if large else None,
        len(names) - len(wanted),
        tuple(_remarks(classifier, found)),
    )


def chosen_columns(names: list[str], columns: Sequence[str] | str | None) -> set[str]:
    """Return the columns that are asked for, or raise if the model has no such column."""
    wanted = set(names) if columns is None else {columns} if isinstance(columns, str) else set(map(str, columns))
    lost = sorted(wanted - set(names))
    if lost:
        raise ValueError(f"{lost[0]!r} is not a column of the model; its columns are {short_list(names)}.")
    return wanted


def short_list(values: Sequence[Any], shown: int = 8) -> str:
    """Return values separated by commas, cut short if they are many."""
    more = f", … ({len(values)} in all)" if len(values) > shown else ""
    return ", ".join(short_value(v) for v in values[:shown]) + more


def _prior(classifier: Classifier, classes: tuple[Any, ...]) -> Parameter:
    numbers = np.exp(classifier.model.log_prior)
    proper = bool(np.isclose(numbers.sum(), 1.0))
    counts = tuple(classifier.seen.weight.tolist())
    workings = prior_workings(classifier) if proper else None
    notation = PROBABILITY if proper else SCORE
    target = target_name(classifier)
    return _line(target, None, ("", target), classes, numbers.tolist(), workings, counts, notation)


def _column(
    table: TableOfGroup, classifier: Classifier, classes: tuple[Any, ...], names: list[str], words: int
) -> ColumnParameters:
    inner = table.table
    lines = _listed(table, classifier, words)
    scores = inner.scores(lines)
    numbers = np.exp(scores) if inner.notation == PROBABILITY else scores
    counts = None if inner.counts is None else [tuple(row) for row in inner.counts(lines).tolist()]
    is_named = len(inner.columns) == 1 and len(names) > 1
    column = inner.name if is_named or not inner.are_terms else ""
    found = [
        _line(
            column,
            inner.value(i),
            (inner.label(i), _event(inner, i, is_named)),
            classes,
            numbers[k].tolist(),
            inner.workings(i),
            None if counts is None else counts[k],
            inner.notation,
        )
        for k, i in enumerate(lines.tolist())
    ]
    found += _missing_lines(classifier, names, table.columns, classes)
    omitted = inner.size - len(lines)
    return ColumnParameters(
        inner.name, table.columns, str(table.likelihood), inner.family, tuple(found), omitted, inner.are_terms
    )


def _listed(table: TableOfGroup, classifier: Classifier, words: int) -> Longs:
    """Return the lines that are listed: all, the most frequent values, or the words with the most evidence."""
    inner = table.table
    every = np.arange(inner.size)
    if inner.size <= LISTED_VALUES or inner.counts is None:
        return every[:LISTED_VALUES]
    if inner.are_terms and len(classifier.model.classes) > 1:
        return strongest_terms(inner, np.exp(classifier.log_prior), words)
    weight = inner.counts(every).sum(axis=1)
    return np.sort(np.argsort(-weight, kind="stable")[:LISTED_VALUES])


def _missing_lines(
    classifier: Classifier, names: list[str], columns: tuple[str, ...], classes: tuple[Any, ...]
) -> list[Parameter]:
    """Return P(missing | class) of the columns in which a missing value is evidence."""
    missing = classifier.missing_values
    if missing is None:
        return []
    pseudo, found = exact(PSEUDO_COUNT), []
    for i, j in enumerate(missing.columns):
        if names[j] in columns:
            pairs = list(zip(missing.missing[:, i].tolist(), missing.known[:, i].tolist()))
            workings = tuple(Ratio(exact(n), exact(n + m), pseudo, 2 * pseudo) for n, m in pairs)
            numbers = np.exp(missing.unweighted.log_probability[0][:, i]).tolist()
            counts = tuple(n for n, _ in pairs)
            found.append(
                _line(
                    names[j], None, ("missing", f"{names[j]} missing"), classes, numbers, workings, counts, PROBABILITY
                )
            )
    return found


def _event(table: ParameterTable, i: int, named: bool) -> str:
    return f"{table.value(i)} of {table.name}" if table.notation == NUMBER else table.event(i, named)


def _line(
    column: str,
    value: Any,
    texts: tuple[str, str],
    classes: tuple[Any, ...],
    numbers: list[float],
    workings: Workings,
    counts: tuple[float, ...] | None,
    notation: str,
) -> Parameter:
    exact_numbers = [None] * len(numbers) if workings is None else [w.fraction for w in workings]
    fractions = tuple(map(_checked_fraction, exact_numbers, numbers))
    cells = tuple(
        _cell(number, None if workings is None else workings[c], fractions[c]) for c, number in enumerate(numbers)
    )
    value = None if is_missing(value) else value
    return Parameter(column, value, classes, tuple(numbers), fractions, counts, notation, *texts, cells)


def _checked_fraction(fraction: Fraction | None, number: float) -> Fraction | None:
    """Return a fraction, or None if the model uses another number, as for a class that was never seen."""
    same = fraction is not None and bool(np.isclose(float(fraction), number, rtol=1e-9, atol=0.0))
    return fraction if same else None


def _cell(number: float, working: Any, fraction: Fraction | None) -> str:
    """Return a number as text: 6/9 if it is a ratio of whole numbers, else a decimal with its counts."""
    if not isinstance(working, Ratio):
        return short_number(number)
    above, below = working.count + working.pseudo, working.whole + working.pseudo_whole
    if fraction is not None and all(isinstance(n, Fraction) and n.denominator == 1 for n in (above, below)):
        return working.short_text
    return f"{short_number(number)} ({float(working.count):.6g} of {float(working.whole):.6g})"


def short_number(number: float) -> str:
    """Return a number with four digits, more if it is large."""
    return short_value(number) if abs(number) >= 1000 else f"{number:.4g}"


def _remarks(classifier: Classifier, columns: Sequence[ColumnParameters]) -> list[str]:
    found = []
    if any(line.notation == SCORE for column in columns for line in column.lines):
        found.append("A score is not a probability: it is the evidence of one occurrence, in natural logarithms.")
    if classifier.estimation.kind == "predictive":
        found.append("Parameters are integrated out: a probability is the mean over all their values.")
    if classifier.calibration is not None:
        found.append(f"Then {classifier.calibration} changes the posterior that follows from these parameters.")
    if classifier.refinement is not None:
        found.append(COUNTS_ONLY)
    if classifier.log_shift is not None:
        found.append("Class weights multiply the posterior afterwards.")
    return found
