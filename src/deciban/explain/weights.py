"""The log-odds as a linear function: an intercept, and a weight for every value, number or word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deciban.explain.rows import class_positions
from deciban.model.classifier import Classifier
from deciban.scorers.base import NO_VALUE, LinearTerms, NotLinearError
from deciban.terminal.printable import printable_line


@dataclass(frozen=True)
class Weights:
    """log P(favour | x) / P(against | x) = intercept + Σ weights: of a column's value, or times its number."""

    favour: Any
    against: Any
    intercept: float
    values: dict[str, dict[Any, float]]  # by column and value, bin or word
    slopes: dict[str, float]  # by column: times its number

    def __str__(self) -> str:
        lines = [f"log-odds of {self.favour} against {self.against}", f"intercept {self.intercept:+.4f}"]
        lines += [f"{name} × {weight:+.4f}" for name, weight in self.slopes.items()]
        lines += [f"{name} = {v}: {w:+.4f}" for name, weights in self.values.items() for v, w in weights.items()]
        return "\n".join(map(printable_line, lines))

    def _repr_html_(self) -> str:
        from deciban.explain.show.bars_html import weights_html

        return weights_html(self)


def linear_weights(classifier: Classifier, names: list[str], favour: Any = None, against: Any = None) -> Weights:
    """Return the log-odds of two classes as a linear function: of the last and the first, if no others are named."""
    model = classifier.model
    if len(model.classes) < 2:
        raise ValueError("log-odds are between two classes, and the model has one.")
    if classifier.refinement is not None:
        raise ValueError(
            "the evidence of this model has weights, and columns that are read together, so its log-odds are not "
            "linear in single values; scales() shows them, and refine=None gives the plain sum, which is linear."
        )
    a, b = two_classes(len(model.classes), *class_positions(model, favour, against))
    intercept = float(model.log_prior[a] - model.log_prior[b])
    values: dict[str, dict[Any, float]] = {}
    slopes: dict[str, float] = {}
    bases: dict[str, float] = {}  # the log-odds of the number 0
    for (group, _), part in zip(classifier.scored, model.parts):
        columns = [names[j] for j in group.column_indices(classifier.features).tolist()]
        terms = _linear_terms(part.scorer, a, b, group.likelihood)
        intercept += terms.intercept
        if terms.values is not None:
            values |= dict(zip(columns, terms.values))
        if terms.slopes is not None and terms.bases is not None:
            slopes |= dict(zip(columns, terms.slopes.tolist()))
            bases |= dict(zip(columns, terms.bases.tolist()))
            intercept += float(terms.bases.sum())
    missing = classifier.missing_values
    if missing is not None:
        for j, absent, known in zip(missing.columns, *(p.T for p in missing.log_probability)):
            intercept += float(known[a] - known[b])
            weight = float(absent[a] - absent[b] - known[a] + known[b]) - bases.get(names[j], 0.0)
            values.setdefault(names[j], {})[NO_VALUE] = weight
    return Weights(model.classes.tolist()[a], model.classes.tolist()[b], intercept, values, slopes)


def _linear_terms(scorer: Any, favour: int, against: int, likelihood: Any) -> LinearTerms:
    try:
        return scorer.linear_terms(favour, against)
    except NotLinearError as error:
        raise ValueError(f"the log-odds of {likelihood} {error}.") from None


def two_classes(number: int, favour: int | None, against: int | None) -> tuple[int, int]:
    """Return the last and the first class, unless others are given."""
    a = favour if favour is not None else number - 1 if against != number - 1 else 0
    return a, against if against is not None else 0 if a != 0 else number - 1
