"""Derivations: the worked solution for a row as a lecturer would write it; data, without words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.types import Floats, Names
from deciban.likelihoods.factors import PROBABILITY, SharedPart, Workings

# Classes shown one by one.
SHOWN_CLASSES = 4
# Difference allowed between the logarithm of a fraction and the model's own, relative to it if it is large.
AGREEMENT = 1e-9


@dataclass(frozen=True)
class Factor:
    """P(value | class) of a column or word, or P(class): the logarithm for every class, and its workings.

    ``notation`` says what it is: "P" a probability, "p" a density, "score" or "evidence" neither.
    """

    name: str
    scores: Floats
    workings: Workings = None  # per class; None: only the number can be shown
    notation: str = PROBABILITY

    def fraction(self, c: int) -> Fraction | None:
        """Return the factor exactly, None if it is not a ratio of counts."""
        return None if self.workings is None else self.workings[c].fraction

    def checked(self) -> Factor:
        """Return the factor, without its workings if they do not give the model's number."""
        for c, score in enumerate(self.scores.tolist()):
            exact = self.fraction(c)
            if exact is not None and not _is_close(exact, score):
                return Factor(self.name, self.scores, None, self.notation)
        return self


def _is_close(exact: Fraction, log: float) -> bool:
    """Return whether a fraction, of any size, has a logarithm."""
    if not exact or log == -np.inf:
        return not exact and log == -np.inf
    return abs(math.log(exact.numerator) - math.log(exact.denominator) - log) <= AGREEMENT * max(1.0, abs(log))


@dataclass(frozen=True)
class Silence:
    """A column with its value that is not evidence, and the reason."""

    cell: str
    reason: str


@dataclass(frozen=True)
class Decided:
    """The decision, and the decisions that the row would get without single steps after the factors."""

    label: Any
    without: tuple[tuple[str, Any], ...] = ()  # pairs of a step such as "calibration" and the label without it
    expected_costs: Floats | None = None  # [classes] expected cost of each decision, if costs were given


@dataclass(frozen=True, repr=False)
class Derivation:
    """Prior, factors, products, their sum, the posterior and the decision.

    The law: ``log_products`` equal the joint log probabilities of the model plus ``class_free``, the logarithm of the
    parts that all classes share and that factors contain, such as 1/x!. What factors leave out is in ``omitted``.
    """

    classes: Names
    target: str
    prior: Factor
    factors: tuple[Factor, ...]  # those that are shown
    hidden_log_product: Floats | None  # the logarithm of the product of those that are not, per class
    hidden_factors: int  # the number of factors that are not shown
    silent: tuple[Silence, ...]  # the first columns that are not evidence
    more_silent: int  # the number of further columns that are not evidence
    posterior: Floats  # that follows from the factors
    predicted: Floats  # what predict_proba gives
    decided: Decided
    class_free: float = 0.0
    omitted: tuple[SharedPart, ...] = ()
    remarks: tuple[str, ...] = ()

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
        """Label of the class that is decided for."""
        return self.decided.label

    def __repr__(self) -> str:
        number = len(self.factors) + self.hidden_factors
        return f"Derivation({self.target} = {self.decision}, {number:,} factors; print it to read it)"

    def __str__(self) -> str:
        from deciban.explain.show.derivation_text import as_text

        return as_text(self)

    def to_latex(self) -> str:
        """Return all formulas as one ``align*`` block of LaTeX (amsmath)."""
        from deciban.explain.show.derivation_tex import as_latex

        return as_latex(self)

    def to_markdown(self) -> str:
        """Return Markdown with all formulas in one aligned block of LaTeX, as notebooks render it."""
        from deciban.explain.show.derivation_tex import as_markdown

        return as_markdown(self)

    def to_html(self) -> str:
        """Return a complete HTML page with formulas in MathML."""
        from deciban.explain.show.derivation_html import derivation_parts
        from deciban.markup.html import page

        return page(f"{self.target} = {self.decision}", *derivation_parts(self))

    def _repr_html_(self) -> str:
        from deciban.explain.show.derivation_html import derivation_parts
        from deciban.markup.html import fragment

        return fragment(*derivation_parts(self))
