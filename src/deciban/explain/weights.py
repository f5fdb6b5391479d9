"""The log-odds as a linear function: an intercept, and a weight for every value, number or word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deciban.arrays.labels import Floats
from deciban.explain.explanation import MISSING
from deciban.explain.rows import positions
from deciban.explain.working import between
from deciban.likelihoods import Words
from deciban.model.classifier import Classifier
from deciban.model.model import Part
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
    if len(model.classes) < 2:
        raise ValueError("log-odds are between two classes, and the model has one.")
    a, b = two_classes(len(model.classes), *positions(model, of, against))
    intercept = float(model.log_prior[a] - model.log_prior[b])
    values: dict[str, dict[Any, float]] = {}
    slopes: dict[str, float] = {}
    bases: dict[str, float] = {}  # what a number of 0 says
    for (group, _), part in zip(classifier.scored, model.parts):
        own = [names[j] for j in group.positions(classifier.features).tolist()]
        if isinstance(group.likelihood, Words):
            values[own[0]], more = word_weights(group.likelihood, part, a, b)
            intercept += more
            continue
        slope, base = slopes_of(part, a, b, group.likelihood)
        if slope is None:
            values |= dict(zip(own, values_of(part, a, b)))
            continue
        slopes |= dict(zip(own, slope.tolist()))
        bases |= dict(zip(own, base.tolist()))
        intercept += float(base.sum())
    if classifier.holes is not None:
        for j, hole, there in zip(classifier.holes.columns, *(p.T for p in classifier.holes.log_probability)):
            intercept += float(there[a] - there[b])
            missing = float(hole[a] - hole[b] - there[a] + there[b]) - bases.get(names[j], 0.0)
            values.setdefault(names[j], {})[MISSING] = missing
    return Weights(model.classes.tolist()[a], model.classes.tolist()[b], intercept, values, slopes)


def two_classes(number: int, of: int | None, against: int | None) -> tuple[int, int]:
    """The last and the first, unless they are given."""
    a = of if of is not None else number - 1 if against != number - 1 else 0
    return a, against if against is not None else 0 if a != 0 else number - 1


def slopes_of(part: Part, a: int, b: int, likelihood: Any) -> tuple[Floats | None, Floats]:
    """A weight for every column's number, and what it adds to the intercept; None where values have weights."""
    scorer = part.scorer
    if isinstance(scorer, Table | Steps) or is_bits(scorer):
        return None, np.zeros(0)
    if isinstance(scorer, Linear):
        base = np.zeros(scorer.features) if scorer.base is None else scorer.base[a] - scorer.base[b]
        return difference(scorer.weight[a], scorer.weight[b]), base
    if isinstance(scorer, Quadratic) and np.allclose(scorer.variance[a], scorer.variance[b], rtol=1e-12, atol=0):
        inverse = np.where(scorer.variance[a] > 0, 1 / np.where(scorer.variance[a] > 0, scorer.variance[a], 1.0), 0.0)
        slope = (scorer.mean[a] - scorer.mean[b]) * inverse
        return slope, -(scorer.mean[a] ** 2 - scorer.mean[b] ** 2) * inverse / 2
    hint = "; variance='shared' makes them so" if isinstance(scorer, Quadratic) else ""
    raise ValueError(f"the log-odds of {likelihood} are not linear{hint}.")


def values_of(part: Part, a: int, b: int) -> list[dict[Any, float]]:
    """A weight for every value, or bin, of every column."""
    scorer = part.scorer
    if isinstance(scorer, Linear):
        return [bit_weights(scorer, j, a, b) for j in range(scorer.features)]
    tables = [difference(t[a], t[b]) for t in scorer.log_probability]  # type: ignore[attr-defined]
    if isinstance(scorer, Table):
        return [dict(zip(names.tolist(), w.tolist())) for names, w in zip(scorer.categories, tables)]
    steps: Any = scorer
    return [{between(c, i): float(v) for i, v in enumerate(w)} for c, w in zip(steps.cuts, tables)]


def is_bits(scorer: Any) -> bool:
    """Whether its numbers are 0 and 1, or above a threshold and not."""
    return isinstance(scorer, Linear) and scorer.base is not None and (scorer.binary or scorer.threshold is not None)


def bit_weights(scorer: Linear, j: int, a: int, b: int) -> dict[Any, float]:
    base = np.zeros_like(scorer.weight) if scorer.base is None else scorer.base
    with np.errstate(invalid="ignore"):
        one = base[:, j] + scorer.weight[:, j]
    # Where a zero is impossible, the weight of a one is measured from it; what is left is a one's own probability.
    one = np.where(np.isnan(one), 0.0, one)
    names: tuple[Any, Any] = (
        (0, 1) if scorer.threshold is None else (f"≤ {scorer.threshold:g}", f"> {scorer.threshold:g}")
    )
    zero_of, one_of = (float(difference(p[a : a + 1], p[b : b + 1])[0]) for p in (base[:, j], one))
    return {names[0]: zero_of, names[1]: one_of}


def word_weights(likelihood: Words, part: Part, a: int, b: int) -> tuple[dict[Any, float], float]:
    scorer: Any = part.scorer
    if not hasattr(scorer, "weights"):
        raise ValueError("with its parameters integrated out a bag of words is not linear in its counts.")
    if likelihood.transform is not None:
        raise ValueError(f"with transform={likelihood.transform!r} a word's weight depends on the words around it.")
    words = np.arange(len(scorer.vocabulary))
    weight, total = scorer.weights.of(words), scorer.weights.total
    if scorer.zeros is not None:
        weight = np.where(scorer.zeros.of(words) > 0, -np.inf, weight)
    base = 0.0 if total is None else float(total[a] - total[b])
    return dict(zip(scorer.named(words), difference(weight[:, a], weight[:, b]).tolist())), base


def difference(a: Floats, b: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.where(a == b, 0.0, a - b)
