"""Comparison of estimates of one probability: maximum likelihood, most probable (MAP) and predictive."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.types import Floats
from deciban.describe.groups import TableOfGroup, fitted_groups, target_name
from deciban.describe.parameters import chosen_columns, short_list, short_number
from deciban.likelihoods.workings import Number, Ratio, exact
from deciban.model.classifier import Classifier
from deciban.priors.counts import as_numbers, is_amount
from deciban.priors.estimation import Estimation
from deciban.priors.priors import Beta, Dirichlet, Prior
from deciban.terminal.tables import PrintedTable, tables_text
from deciban.terminal.values import label_list

if TYPE_CHECKING:
    import pyarrow as pa

    from deciban.plots.estimates import EstimatesDisplay

# Points of a curve over all of [0, 1], and of the part where the posterior lies.
POINTS = 201
# Standard deviations of the posterior that the finer part of a curve reaches to either side.
REACH = 6.0


@dataclass(frozen=True, eq=False)
class ClassEstimates:
    """Estimates of θ = P(value | class) from n of N rows and a Beta(a, b) prior, and the curves over θ.

    The likelihood θⁿ·(1 − θ)ᴺ⁻ⁿ is scaled to an area of 1, as the prior and the posterior have.
    """

    label: Any  # of the class; None without a class
    count: float  # n: rows with the value
    whole: float  # N: all rows
    a: float  # of the prior
    b: float
    mle: Number | None  # n / N; None without rows
    map: Number | None  # (n + a − 1) / (N + a + b − 2); None if the posterior has no maximum inside
    predictive: Number  # (n + a) / (N + a + b): the mean of the posterior
    theta: Floats  # ascending, from 0 to 1
    prior: Floats  # density at every theta
    likelihood: Floats
    posterior: Floats

    @property
    def estimates(self) -> dict[str, Number | None]:
        """The three estimates by name."""
        return {"maximum likelihood": self.mle, "MAP": self.map, "predictive": self.predictive}


@dataclass(frozen=True, eq=False, repr=False)
class EstimateComparison:
    """Maximum likelihood, MAP and predictive estimates of P(value | class), class by class.

    >>> import deciban as db
    >>> coin = db.compare_estimates(7, 3, prior=db.Beta(2, 2))
    >>> [str(estimate) for estimate in coin[0].estimates.values()]
    ['7/10', '2/3', '9/14']
    """

    event: str  # such as "S = 1"
    target: str | None  # name of the class; None without classes
    classes: tuple[ClassEstimates, ...]

    def __getitem__(self, i: int) -> ClassEstimates:
        return self.classes[i]

    def __len__(self) -> int:
        return len(self.classes)

    def given(self, label: Any) -> ClassEstimates:
        """Return the estimates of one class."""
        for found in self.classes:
            if found.label == label:
                return found
        raise KeyError(f"{label!r} is not among the classes {label_list([found.label for found in self.classes])}.")

    def class_text(self, found: ClassEstimates) -> str:
        """Return "Y = 1", empty without classes."""
        return "" if self.target is None else f"{self.target} = {found.label}"

    @property
    def title(self) -> str:
        """The probability that is estimated."""
        return f"P({self.event})" if self.target is None else f"P({self.event} | {self.target})"

    def _table(self) -> PrintedTable:
        names = ["", "seen", "prior", *self.classes[0].estimates]
        rows = [
            [
                self.class_text(found) or self.event,
                f"{found.count:.6g} of {found.whole:.6g}",
                f"Beta({found.a:.4g}, {found.b:.4g})",
                *(_estimate_text(estimate) for estimate in found.estimates.values()),
            ]
            for found in self.classes
        ]
        return PrintedTable(self.title, names, rows)

    def __repr__(self) -> str:
        return f"EstimateComparison({self.title}, {len(self.classes)} {'class' if len(self) == 1 else 'classes'})"

    def __str__(self) -> str:
        return tables_text([self._table()])

    def to_arrow(self) -> pa.Table:
        """Return the curves: a row for every class and theta."""
        import pyarrow as pa

        names = ("theta", "prior", "likelihood", "posterior")
        labels = [str(found.label) for found in self.classes for _ in found.theta]
        curves = {name: np.concatenate([getattr(found, name) for found in self.classes]) for name in names}
        return pa.table({"class": labels, **curves})

    def plot(self, ax: Any = None, *, theme: str | None = None) -> EstimatesDisplay:
        """Draw prior, likelihood and posterior (needs matplotlib); see ``deciban.plots.EstimatesDisplay``."""
        from deciban.plots.estimates import EstimatesDisplay

        return EstimatesDisplay(self).plot(ax, theme=theme)

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment, printed_table_html

        return fragment(printed_table_html(self._table()))


def _estimate_text(estimate: Number | None) -> str:
    if estimate is None:
        return "–"
    text = str(estimate) if not isinstance(estimate, float) else ""
    return short_number(float(estimate)) if not text or len(text) > 9 else f"{text} = {short_number(float(estimate))}"


def compare_estimates(heads: float, tails: float, prior: Any = None, *, event: str = "heads") -> EstimateComparison:
    """Compare the estimates of a coin's probability of heads after some tosses, under a Beta(a, b) prior.

    ``prior`` is Beta(a, b), or a pseudo-count λ, which is Beta(1 + λ, 1 + λ); without one it is Beta(1, 1), the uniform
    distribution. The likelihood has its maximum at heads / (heads + tails).
    """
    for name, value in (("heads", heads), ("tails", tails)):
        if not is_amount(value):
            raise ValueError(f"{name} is {value!r}; give a number of at least 0.")
    a, b = _beta(prior, 2) if prior is not None else (1.0, 1.0)
    return EstimateComparison(event, None, (class_estimates(None, heads, heads + tails, a, b),))


def class_estimates(label: Any, count: float, whole: float, a: float, b: float) -> ClassEstimates:
    """Return the estimates from ``count`` of ``whole`` rows under Beta(a, b), with their curves."""
    from scipy.stats import beta

    n, every = exact(count), exact(whole)
    below = exact(whole + a + b - 2)
    inside = count + a >= 1 and whole - count + b >= 1 and below > 0
    theta = _grid(count + a, whole - count + b)
    shapes = (a, b), (count + 1, whole - count + 1), (count + a, whole - count + b)
    try:
        curves = [np.asarray(beta.pdf(theta, *shape)) for shape in shapes]
    except OverflowError:
        raise ValueError(
            f"the prior Beta({a:.4g}, {b:.4g}) is too extreme for its curve; choose a and b nearer to 1."
        ) from None
    return ClassEstimates(
        label,
        float(count),
        float(whole),
        a,
        b,
        n / every if every > 0 else None,
        exact(count + a - 1) / below if inside else None,
        exact(count + a) / exact(whole + a + b),
        theta,
        *curves,
    )


def _grid(a: float, b: float) -> Floats:
    """Return values of θ from 0 to 1, more of them where Beta(a, b) has its mass."""
    mean = a / (a + b)
    reach = REACH * np.sqrt(mean * (1 - mean) / (a + b + 1))
    fine = np.linspace(max(0.0, mean - reach), min(1.0, mean + reach), POINTS)
    return np.unique(np.concatenate([np.linspace(0.0, 1.0, POINTS), fine]))


def compare_model_estimates(
    classifier: Classifier, names: list[str], column: str, value: Any = None, prior: Any = None
) -> EstimateComparison:
    """Compare the estimates of P(column = value | class) for every class of a model.

    One value against all others of its column has a Beta distribution, also where all values together have a Dirichlet.
    """
    chosen_columns(names, str(column))
    if classifier.families is not None:
        raise ValueError(
            "estimates are compared for classes that share nothing, and this model has families; compare those of "
            "reestimate(families=None)."
        )
    table = _table_of(classifier, names, str(column))
    inner = table.table
    i = _line_of(table, str(column) if value is None and inner.are_terms else value)
    workings = inner.workings(i)
    if workings is None or not all(isinstance(w, Ratio) for w in workings) or inner.notation == "number":
        raise ValueError(
            f"the parameters of {column} under {table.likelihood} are not shares of counts; choose a column of "
            "categories, bits, bins or words."
        )
    classes = []
    for label, working in zip(classifier.model.classes.tolist(), workings):
        assert isinstance(working, Ratio)
        a, b = _model_beta(working, classifier.estimation) if prior is None else _beta(prior, _values(table))
        classes.append(class_estimates(label, float(working.count), float(working.whole), a, b))
    return EstimateComparison(inner.event(i, len(names) > 1), target_name(classifier), tuple(classes))


def _table_of(classifier: Classifier, names: list[str], column: str) -> TableOfGroup:
    for group in fitted_groups(classifier, names):
        for table in group.tables():
            if column in table.columns:
                return table
    raise ValueError(f"{column} is not used for predictions, so it has no parameters.")


def _values(table: TableOfGroup) -> int:
    """Return the number of values that share a Dirichlet distribution: two where each term is present or absent."""
    return 2 if table.table.family == "Bernoulli" else table.table.size


def _line_of(table: TableOfGroup, value: Any) -> int:
    inner = table.table
    if value is None:
        return inner.size - 1
    found = [i for i in range(inner.size) if inner.value(i) == value or str(inner.value(i)) == str(value)]
    if not found:
        values = [inner.value(i) for i in range(min(inner.size, 9))]
        more = ", …" if inner.size > len(values) else ""
        raise ValueError(f"value is {value!r}; {inner.name} has {short_list(values, 9)}{more}.")
    return found[0]


def _model_beta(working: Ratio, estimation: Estimation) -> tuple[float, float]:
    """Return a and b of the Beta distribution whose pseudo-counts the model adds; uniform for maximum likelihood."""
    imagined = float(working.pseudo), float(working.pseudo_whole - working.pseudo)
    more = 0.0 if estimation.kind == "predictive" else 1.0
    a, b = (n + more for n in imagined)
    return (a, b) if a > 0 and b > 0 else (1.0, 1.0)


def _beta(prior: Any, values: int) -> tuple[float, float]:
    """Return a and b of a prior for one of ``values`` values against the others."""
    if isinstance(prior, Beta):
        a, b = (as_numbers(getattr(prior, f.name)) for f in fields(prior)[:2])
    elif isinstance(prior, Dirichlet) and not isinstance(prior.beta, str):
        a = as_numbers(prior.beta)
        b = a * (values - 1)
    elif not isinstance(prior, Prior) and is_amount(prior):
        a = as_numbers(1 + prior)
        b = 1 + as_numbers(prior) * (values - 1)
    else:
        a = b = np.array(np.nan)
    if a.ndim or b.ndim or not (0 < a < np.inf and 0 < b < np.inf):
        raise ValueError(f"prior is {prior!r}; give Beta(a, b), Dirichlet(beta) of one number, or a pseudo-count.")
    return float(a), float(b)
