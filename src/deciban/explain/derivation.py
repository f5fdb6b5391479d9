"""Derivations: the worked solution for a row as a lecturer would write it; data, without words."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.tolerances import TINY
from deciban.arrays.types import Floats, Names
from deciban.explain.explanation import Explanation
from deciban.explain.row_explanation import Item, RowExplanation
from deciban.likelihoods.factors import Derived, Ratio, Working, as_fraction
from deciban.model.classifier import Classifier
from deciban.model.missing import PSEUDO_COUNT
from deciban.priors.class_prior import as_class_prior
from deciban.scorers.base import SAME_FOR_ALL
from deciban.scorers.posterior import softmax

# Factors shown one by one; the others are one product.
SHOWN_FACTORS = 12
# Classes shown one by one.
SHOWN_CLASSES = 4
# Relative difference allowed between a fraction and the model's own number.
AGREEMENT = 1e-9


@dataclass(frozen=True)
class Factor:
    """P(value | class) of a column or word, or P(class): the logarithm for every class, and its workings."""

    name: str
    scores: Floats
    workings: tuple[Working, ...] | None = None  # per class; None: only the number can be shown

    def fraction(self, c: int) -> Fraction | None:
        """Return the factor exactly, None if it is not a ratio of counts."""
        return None if self.workings is None else self.workings[c].fraction

    def checked(self) -> Factor:
        """Return the factor, without its workings if they do not give the model's number."""
        for c, score in enumerate(self.scores.tolist()):
            exact = self.fraction(c)
            if exact is not None and abs(float(exact) - np.exp(score)) > AGREEMENT * max(float(exact), TINY):
                return Factor(self.name, self.scores)
        return self


@dataclass(frozen=True)
class Derivation:
    """Prior, factors, products, their sum, the posterior and the decision."""

    classes: Names
    target: str
    prior: Factor
    factors: tuple[Factor, ...]  # those that are shown
    hidden_log_product: Floats | None  # the logarithm of the product of those that are not, per class
    hidden_factors: int  # the number of factors that are not shown
    silent: tuple[Item, ...]
    posterior: Floats  # that follows from the factors
    predicted: Floats  # what predict_proba gives
    remarks: tuple[str, ...]

    @property
    def shown(self) -> list[int]:
        """Positions of the classes that are shown, in their own order."""
        likeliest = np.argsort(-self.posterior, kind="stable")[:SHOWN_CLASSES]
        return sorted(likeliest.tolist())

    @cached_property
    def log_products(self) -> Floats:
        """Logarithm of the product of prior and factors, per class."""
        parts = [self.prior.scores, *(f.scores for f in self.factors)]
        return np.sum(parts if self.hidden_log_product is None else [*parts, self.hidden_log_product], axis=0)

    def product(self, c: int) -> Fraction | None:
        """Return the product exactly, None unless every factor is a ratio of counts."""
        parts = [f.fraction(c) for f in (self.prior, *self.factors)]
        if self.hidden_log_product is not None or any(p is None for p in parts):
            return None
        return Fraction(np.prod(np.array(parts, dtype=object)))

    @cached_property
    def total(self) -> Fraction | None:
        """The sum of all products, exactly."""
        products = [self.product(c) for c in range(len(self.classes))]
        return None if any(p is None for p in products) else sum((p for p in products if p is not None), Fraction(0))

    @property
    def decision(self) -> Any:
        """Label of the most probable class."""
        return self.classes.tolist()[int(self.predicted.argmax())]

    def __str__(self) -> str:
        from deciban.explain.show.derivation_text import as_text

        return as_text(self)

    def to_markdown(self) -> str:
        """Return Markdown with formulas in LaTeX."""
        from deciban.explain.show.derivation_tex import as_markdown

        return as_markdown(self)

    def to_html(self) -> str:
        """Return a complete HTML page."""
        from deciban.explain.show.derivation_html import as_html

        return as_html(self)


def derive_row(classifier: Classifier, explanation: Explanation) -> Derivation:
    """Return the worked solution for the only row of an explanation."""
    if len(explanation) != 1:
        raise ValueError(f"derive takes one row, not {len(explanation)}; give one, such as rows[:1] or a mapping.")
    row, model = explanation[0], classifier.model
    factors = _factors(classifier, explanation, row)
    order = np.argsort(-np.abs([row.decibans(f.scores) for f in factors]), kind="stable") if factors else np.arange(0)
    shown = sorted(order[:SHOWN_FACTORS].tolist())
    hidden = [f.scores for i, f in enumerate(factors) if i not in shown]
    posterior = softmax(row.joint[None])[0]
    return Derivation(
        model.classes,
        row.target or "class",
        Factor("", model.log_prior, _prior_workings(classifier)).checked(),
        tuple(factors[i].checked() for i in shown),
        np.sum(hidden, axis=0) if hidden else None,
        len(hidden),
        tuple(item for item in row.silent if item.silent != SAME_FOR_ALL),
        posterior if posterior.any() else np.exp(model.log_prior),  # an impossible row has its prior
        row.posterior,
        tuple(_remarks(classifier, factors)),
    )


def _factors(classifier: Classifier, explanation: Explanation, row: RowExplanation) -> list[Factor]:
    """Return a factor for every item that is evidence, or that all classes score the same."""
    derived = _derived(classifier, explanation, row)
    found = []
    for item in row.items:
        if item.silent not in ("", SAME_FOR_ALL):
            continue
        working = derived.get(id(item))
        note = f" ({working.note})" if working is not None and working.note else ""
        found.append(Factor(item.text + note, item.scores, None if working is None else working.workings))
    return found


def _derived(classifier: Classifier, explanation: Explanation, row: RowExplanation) -> dict[int, Derived]:
    """Return the workings of items by their identity."""
    x = explanation.row(0)
    found: dict[int, Derived] = {}
    by_column: dict[int, list[Item]] = {}
    for item in row.items:
        if item.presence:
            found[id(item)] = _presence_workings(classifier, item)
        else:
            by_column.setdefault(item.column, []).append(item)
    for (group, block), part in zip(classifier.scored, classifier.model.parts):
        columns = group.column_indices(classifier.features).tolist()
        workings = group.likelihood.factors(block, classifier.estimation, group.read(x), part.scorer)
        for j, pieces in zip(columns, workings):
            found |= {id(item): piece for item, piece in zip(by_column[j], pieces) if piece is not None}
    return found


def _prior_workings(classifier: Classifier) -> tuple[Working, ...] | None:
    """Return P(class) as ratios of counts, None if it does not come from counts."""
    pseudo = as_class_prior(classifier.settings.class_prior).pseudo_count(classifier.estimation)
    if pseudo is None:
        return None
    weight = classifier.seen.weight
    count, whole = as_fraction(pseudo), as_fraction(float(weight.sum()))
    return tuple(Ratio(as_fraction(float(w)), whole, count, count * len(weight)) for w in weight)


def _presence_workings(classifier: Classifier, item: Item) -> Derived:
    """Return how often a column has a value, or none, with an imagined row of either kind."""
    missing = classifier.missing_values
    assert missing is not None
    k = missing.columns.index(item.column)
    count, other = (missing.known, missing.missing) if item.value else (missing.missing, missing.known)
    pairs = zip(count[:, k].tolist(), other[:, k].tolist())
    pseudo = as_fraction(PSEUDO_COUNT)
    return Derived(tuple(Ratio(as_fraction(n), as_fraction(n + m), pseudo, 2 * pseudo) for n, m in pairs))


def _remarks(classifier: Classifier, factors: list[Factor]) -> list[str]:
    """Return sentences on what the fractions do and do not include."""
    omitted = {working.omits for factor in factors for working in factor.workings or () if working.omits}
    found = [
        f"Factors of counts leave out {text}, which all classes share; so they may exceed 1 and do not sum to P(row)."
        for text in sorted(omitted)
    ]
    if classifier.settings.estimation.kind == "predictive":
        found.append("Parameters are integrated out: a factor is the mean over all their values, not one estimate.")
    if classifier.calibration is not None:
        found.append(
            f"The factors are those of the event models. Then {classifier.calibration} changes the "
            "posterior, as columns may repeat each other; predict_proba gives the calibrated one."
        )
    if classifier.missing_values is not None:
        found.append("In some columns a missing value, or that there is one, counts as evidence of its own.")
    if classifier.log_shift is not None:
        found.append("Class weights multiply the posterior afterwards.")
    return found
