"""The log-odds as a linear function: an intercept, and a weight for every value, number or word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.classifier import Classifier
from deciban.explain.rows import positions
from deciban.explain.working import between
from deciban.labels import Floats
from deciban.likelihoods import Words
from deciban.model import Part
from deciban.scorers import Linear, Quadratic, Steps, Table


@dataclass(frozen=True)
class Weights:
    """log P(of | x) / P(against | x) = intercept + Σ weights: of the value a column has, or times its number."""

    of: Any
    against: Any
    intercept: float
    values: dict[str, dict[Any, float]]  # by column and value, bin or word
    slopes: dict[str, float]  # by column: times its number

    def __str__(self) -> str:
        lines = [f"log-odds of {self.of} against {self.against}", f"intercept {self.intercept:+.4f}"]
        lines += [f"{name} × {weight:+.4f}" for name, weight in self.slopes.items()]
        lines += [f"{name} = {v}: {w:+.4f}" for name, some in self.values.items() for v, w in some.items()]
        return "\n".join(lines)


def linear_weights(classifier: Classifier, names: list[str], of: Any = None, against: Any = None) -> Weights:
    """Of two classes: the last and the first, if no others are named."""
    model = classifier.model
    given = positions(model, of, against)
    a = len(model.classes) - 1 if given[0] is None else given[0]
    b = 0 if given[1] is None else given[1]
    if a == b:
        raise ValueError("log-odds are between two classes; the model has one, or of and against are the same.")
    intercept = float(model.log_prior[a] - model.log_prior[b])
    values: dict[str, dict[Any, float]] = {}
    slopes: dict[str, float] = {}
    for (group, _), part in zip(classifier.scored, model.parts):
        own = [names[j] for j in group.positions(classifier.features).tolist()]
        if isinstance(group.likelihood, Words):
            values[own[0]], more = word_weights(part, a, b)
            intercept += more
            continue
        slope, base = slopes_of(part, a, b, group.likelihood)
        if slope is None:
            values |= dict(zip(own, values_of(part, a, b)))
            continue
        slopes |= dict(zip(own, slope.tolist()))
        intercept += base
    return Weights(model.classes.tolist()[a], model.classes.tolist()[b], intercept, values, slopes)


def slopes_of(part: Part, a: int, b: int, likelihood: Any) -> tuple[Floats | None, float]:
    """A weight for every column's number, and what they add to the intercept; None where values have weights."""
    scorer = part.scorer
    if isinstance(scorer, Table | Steps):
        return None, 0.0
    if isinstance(scorer, Linear):
        base = 0.0 if scorer.base is None else float((scorer.base[a] - scorer.base[b]).sum())
        return scorer.weight[a] - scorer.weight[b], base
    if isinstance(scorer, Quadratic) and np.allclose(scorer.variance[a], scorer.variance[b], rtol=1e-12, atol=0):
        inverse = np.where(scorer.variance[a] > 0, 1 / np.where(scorer.variance[a] > 0, scorer.variance[a], 1.0), 0.0)
        slope = (scorer.mean[a] - scorer.mean[b]) * inverse
        return slope, float(-((scorer.mean[a] ** 2 - scorer.mean[b] ** 2) * inverse).sum() / 2)
    hint = "; variance='shared' makes them so" if isinstance(scorer, Quadratic) else ""
    raise ValueError(f"the log-odds of {likelihood} are not linear{hint}.")


def values_of(part: Part, a: int, b: int) -> list[dict[Any, float]]:
    """A weight for every value, or bin, of every column."""
    scorer = part.scorer
    tables = [difference(t[a], t[b]) for t in scorer.log_probability]  # type: ignore[attr-defined]
    if isinstance(scorer, Table):
        return [dict(zip(names.tolist(), w.tolist())) for names, w in zip(scorer.categories, tables)]
    steps: Any = scorer
    return [{between(c, i): float(v) for i, v in enumerate(w)} for c, w in zip(steps.cuts, tables)]


def word_weights(part: Part, a: int, b: int) -> tuple[dict[Any, float], float]:
    scorer: Any = part.scorer
    if not hasattr(scorer, "weights"):
        raise ValueError("with its parameters integrated out a bag of words is not linear in its counts.")
    weight = scorer.weights.of(np.arange(len(scorer.vocabulary)))
    total = scorer.weights.total
    base = 0.0 if total is None else float(total[a] - total[b])
    return dict(
        zip(scorer.named(np.arange(len(scorer.vocabulary))), difference(weight[:, a], weight[:, b]).tolist())
    ), base


def difference(a: Floats, b: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.where(a == b, 0.0, a - b)
