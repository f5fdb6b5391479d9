"""Derivations: the worked solution for a row as a lecturer would write it; data, and the words for it elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.labels import Floats, Names
from deciban.explain.explanation import ALIKE, Explanation, Item, RowExplanation
from deciban.explain.working import Ratio, Work, fraction, words_worked, worked
from deciban.likelihoods import Words
from deciban.model.classifier import Classifier
from deciban.model.missing import PSEUDO
from deciban.model.model import take
from deciban.priors.priors import Dirichlet

# Factors shown one by one; the others are one product.
FACTORS = 12
# Classes shown one by one.
CLASSES = 4
# What is computed in fractions and what the model says must agree.
AGREE = 1e-9


@dataclass(frozen=True)
class Factor:
    """P(value | class) of a column or word, or P(class): the logarithm for every class, and how it comes about."""

    name: str
    scores: Floats
    works: tuple[Work, ...] | None = None  # per class; None: there is nothing to show but the number

    def fraction(self, c: int) -> Fraction | None:
        """Exactly, where it is a ratio of counts."""
        work = None if self.works is None else self.works[c]
        return work.value if isinstance(work, Ratio) and work.is_handy else None


@dataclass(frozen=True)
class Derivation:
    """Prior, factors, products, their sum, the posterior and the decision."""

    classes: Names
    target: str
    prior: Factor
    factors: tuple[Factor, ...]  # those that are shown
    others: Floats | None  # the logarithm of the product of those that are not, per class
    folded: int  # how many these are
    silent: tuple[Item, ...]
    posterior: Floats  # of the fractions
    predicted: Floats  # what predict_proba gives
    remarks: tuple[str, ...]

    @property
    def shown(self) -> list[int]:
        """Positions of the classes that are shown, in their own order."""
        likeliest = np.argsort(-self.posterior, kind="stable")[:CLASSES]
        return sorted(likeliest.tolist())

    @cached_property
    def log_products(self) -> Floats:
        parts = [self.prior.scores, *(f.scores for f in self.factors)]
        return np.sum(parts if self.others is None else [*parts, self.others], axis=0)

    def product(self, c: int) -> Fraction | None:
        """Exactly, where every factor is a ratio of counts."""
        parts = [f.fraction(c) for f in (self.prior, *self.factors)]
        if self.others is not None or any(p is None for p in parts):
            return None
        return Fraction(np.prod(np.array(parts, dtype=object)))

    @cached_property
    def total(self) -> Fraction | None:
        """The sum of all products, exactly."""
        products = [self.product(c) for c in range(len(self.classes))]
        return None if any(p is None for p in products) else sum((p for p in products if p is not None), Fraction(0))

    @property
    def decision(self) -> Any:
        return self.classes.tolist()[int(self.predicted.argmax())]

    def __str__(self) -> str:
        from deciban.explain.derivation_text import as_text

        return as_text(self)

    def to_markdown(self) -> str:
        """Markdown with formulas in LaTeX."""
        from deciban.explain.derivation_text import as_markdown

        return as_markdown(self)

    def to_html(self) -> str:
        """A page by itself."""
        from deciban.explain.derivation_text import as_html

        return as_html(self)


def derive(classifier: Classifier, explanation: Explanation) -> Derivation:
    """The worked solution for the only row of an explanation."""
    if len(explanation) != 1:
        raise ValueError(f"derive takes one row, not {len(explanation)}; give one, such as rows[:1] or a mapping.")
    row, model = explanation[0], classifier.model
    prior = Factor("", model.log_prior, prior_work(classifier))
    speaking = [item for item in row.items if item.silent in ("", ALIKE)]  # what cancels out is still a factor
    works = all_works(classifier, explanation, row)
    factors = [Factor(name, item.scores, works.get(id(item), (None, None))[1]) for item, name in named(speaking, works)]
    order = np.argsort(-np.abs([row.decibans(f.scores) for f in factors]), kind="stable") if factors else np.arange(0)
    some = sorted(order[:FACTORS].tolist())
    rest = [f.scores for i, f in enumerate(factors) if i not in some]
    return Derivation(
        model.classes,
        row.target or "class",
        checked(prior),
        tuple(checked(factors[i]) for i in some),
        np.sum(rest, axis=0) if rest else None,
        len(rest),
        tuple(item for item in row.silent if item.silent != ALIKE),
        normalised(row.joint, model.log_prior),
        row.posterior,
        tuple(remarks(classifier)),
    )


def named(items: list[Item], works: dict[int, Any]) -> list[tuple[Item, str]]:
    """Items with what is said of them: where bins count, the bin."""
    found = []
    for item in items:
        where = works.get(id(item), ("", None))[0]
        found.append((item, item.text + (f" ({where})" if where else "")))
    return found


def normalised(joint: Floats, log_prior: Floats) -> Floats:
    top = joint.max()
    if not np.isfinite(top):
        return np.exp(log_prior)  # no evidence is left
    raised = np.exp(joint - top)
    return np.asarray(raised / raised.sum())


def checked(factor: Factor) -> Factor:
    """Without its working, should that not give what the model says."""
    if factor.works is None:
        return factor
    for c, score in enumerate(factor.scores.tolist()):
        exact = factor.fraction(c)
        if exact is not None and abs(float(exact) - np.exp(score)) > AGREE * max(float(exact), 1e-300):
            return Factor(factor.name, factor.scores)
    return factor


def prior_work(classifier: Classifier) -> tuple[Work, ...] | None:
    """P(class) as counts, where it comes from counts."""
    given, weight = classifier.settings.class_prior, classifier.seen.weight
    if given is not None and not isinstance(given, Dirichlet | float | int | np.number):
        return None
    pseudo = 0.0 if given is None else classifier.how.pseudo_counts(given)
    if not isinstance(pseudo, float | int | np.number):
        return None
    more, whole = fraction(float(pseudo)), fraction(float(weight.sum()))
    return tuple(Ratio(fraction(float(w)), whole, more, more * len(weight)) for w in weight)


def all_works(
    classifier: Classifier, explanation: Explanation, row: RowExplanation
) -> dict[int, tuple[str, tuple[Work, ...] | None]]:
    """How every item comes about, by the item's identity."""
    x = explanation.rows(0)
    found: dict[int, tuple[str, tuple[Work, ...] | None]] = {}
    by_column: dict[int, list[Item]] = {}
    for item in row.items:
        by_column.setdefault(item.column, []).append(item)
    for item in (item for item in row.items if item.hole):
        found[id(item)] = "", hole_work(classifier, item)
    for (group, block), part in zip(classifier.scored, classifier.model.parts):
        columns = group.positions(classifier.features).tolist()
        likelihood, own = group.likelihood, group.read(take(x, group.columns))
        if isinstance(likelihood, Words):
            items = [item for item in by_column[columns[0]] if item.word is not None]
            document = row.texts.get(columns[0])
            steps = [] if document is None else words_worked(likelihood, block, classifier.how, part.scorer, document)
            found |= {id(item): ("", None if w is None else tuple(w)) for item, w in zip(items, steps)}
            continue
        for j, step in zip(columns, worked(likelihood, block, classifier.how, own, part.scorer)):
            if step is not None:
                found[id(by_column[j][0])] = step[0], tuple(step[1])
    return found


def hole_work(classifier: Classifier, item: Item) -> tuple[Work, ...] | None:
    """How often a column has a value, or none, with an imagined row of either kind."""
    holes = classifier.holes
    if holes is None:
        return None
    k = holes.columns.index(item.column)
    count, other = (holes.known, holes.without) if item.value else (holes.without, holes.known)
    pairs = zip(count[:, k].tolist(), other[:, k].tolist())
    return tuple(Ratio(fraction(n), fraction(n + m), fraction(PSEUDO), fraction(2 * PSEUDO)) for n, m in pairs)


def remarks(classifier: Classifier) -> list[str]:
    """What the fractions do and do not include."""
    said = []
    if classifier.settings.how.kind == "predictive":
        said.append("Parameters are integrated out: a factor is the mean over all their values, not one estimate.")
    if classifier.calibration is not None:
        said.append(
            f"The factors are those of the event models. Calibration ({classifier.calibration}) then changes the "
            "posterior, as columns may repeat each other; predict_proba gives the calibrated one."
        )
    if classifier.holes is not None:
        said.append("In some columns a missing value, or that there is one, counts as evidence of its own.")
    if classifier.shift is not None:
        said.append("Class weights, or another prior where the model is used, multiply the posterior afterwards.")
    return said
