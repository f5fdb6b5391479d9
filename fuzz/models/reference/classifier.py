"""Naive Bayes from scratch: every question is answered from the rows that are there, and nothing is kept."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Protocol

from .arithmetic import NEVER, Row, column, exact, log, of_class, total
from .gaussian import Gaussian, Moments
from .priors import Estimation, Prior
from .words import Words


class EventModel(Protocol):
    """P(cells | class) from rows; facts are what all rows decide together, which leave-one-out leaves as it is."""

    def facts(self, rows: list[Row]) -> Any: ...

    def score(self, facts: Any, rows: list[Row], label: Any, cells: tuple[Any, ...], how: Estimation) -> float: ...

    def class_free(self, facts: Any, rows: list[Row], cells: tuple[Any, ...]) -> float: ...


@dataclass(frozen=True)
class Settings:
    """Opinions: they can change while the rows stay."""

    estimate: str = "map"
    alpha: float = 1.0
    class_prior: Any = None  # None, "uniform", {label: p}, a Prior
    class_weight: Any = None  # None, "balanced", {label: weight}

    @property
    def estimation(self) -> Estimation:
        return Estimation(self.estimate, self.alpha)


@dataclass
class Reference:
    """Rows, the event models of groups of columns, and settings."""

    parts: list[tuple[tuple[int, ...], EventModel]]
    settings: Settings
    rows: list[Row]
    _facts: list[Any] = field(init=False)

    def __post_init__(self) -> None:
        self._facts = [model.facts(picked(self.rows, columns)) for columns, model in self.parts]

    @property
    def classes(self) -> list[Any]:
        return sorted({row.label for row in self.rows})

    def log_prior(self, rows: list[Row]) -> dict[Any, float]:
        """Return log P(class) from rows; ``class_prior`` may say otherwise."""
        given, classes = self.settings.class_prior, self.classes
        if given == "uniform":
            return {c: -math.log(len(classes)) for c in classes}
        if isinstance(given, dict):
            whole = total(exact(given[c]) for c in classes)
            return {c: log(exact(given[c]) / whole) for c in classes}
        pseudo = self.settings.estimation.pseudo_count(given) if isinstance(given, Prior) else lambda c: Fraction(0)
        weight = {c: total(row.weight for row in of_class(rows, c)) + pseudo(c) for c in classes}
        whole = total(weight.values())
        return {c: log(w / whole if whole else Fraction(1, len(classes))) for c, w in weight.items()}

    def evidence(self, cells: tuple[Any, ...], left: int | None = None) -> dict[Any, list[float]]:
        """Return log P(columns of a part | class) of every class and part, without the row that is ``left`` out."""
        how = self.settings.estimation
        groups = []
        for (columns, model), facts in zip(self.parts, self._facts):
            facts, rows = remaining(model, facts, picked(self.rows, columns), left)
            groups.append((model, facts, rows, tuple(cells[j] for j in columns)))
        return {c: [m.score(facts, own, c, x, how) for m, facts, own, x in groups] for c in self.classes}

    def joint(self, cells: tuple[Any, ...], left: int | None = None) -> list[float]:
        """Return log P(row, class), in the order of the classes."""
        prior = self.log_prior(without(self.rows, left))
        return [prior[c] + sum(parts) for c, parts in self.evidence(cells, left).items()]

    def posterior(self, cells: tuple[Any, ...], left: int | None = None) -> list[float]:
        """Return P(class | row); the prior where the row is impossible under every class."""
        joint, rest = self.joint(cells, left), without(self.rows, left)
        if max(joint) == NEVER:
            joint = list(self.log_prior(rest).values())
        weighted = [j + w for j, w in zip(joint, self.log_class_weight(rest))]
        top = max(weighted)
        shares = [math.exp(j - top) for j in weighted]
        return [p / math.fsum(shares) for p in shares]

    def log_class_weight(self, rows: list[Row]) -> list[float]:
        """Return the logarithm of every class's weight; balanced ones cancel the class prior."""
        given = self.settings.class_weight
        if given == "balanced":
            return [-p if p > NEVER else 0.0 for p in self.log_prior(rows).values()]
        return [log(exact((given or {}).get(c, 1))) for c in self.classes]

    def class_free(self, cells: tuple[Any, ...]) -> float:
        """Return the part of log P(row, class) that all classes share and no decision needs."""
        return math.fsum(
            model.class_free(facts, picked(self.rows, columns), tuple(cells[j] for j in columns))
            for (columns, model), facts in zip(self.parts, self._facts)
        )

    def deviations(self) -> dict[Any, Fraction]:
        """Return the deviation of every Gaussian column, in all classes together and in each."""
        found = {}
        for columns, model in self.parts:
            for j in columns if isinstance(model, Gaussian) else ():
                found[j, None] = Moments.of(column(self.rows, j)).deviation
                found |= {(j, c): Moments.of(column(of_class(self.rows, c), j)).deviation for c in self.classes}
        return found

    def left_out(self, i: int) -> list[float]:
        """Return P(class | row i) as if row i had not been counted."""
        return self.posterior(self.rows[i].cells, i)


def without(rows: list[Row], left: int | None) -> list[Row]:
    """Return all rows but one."""
    return [row for k, row in enumerate(rows) if k != left]


def remaining(model: EventModel, facts: Any, rows: list[Row], left: int | None) -> tuple[Any, list[Row]]:
    """Return facts and rows as an event model leaves out one of them; most only drop it."""
    if left is None:
        return facts, rows
    if isinstance(model, Words):
        return model.without(facts, rows, left)
    return facts, without(rows, left)


def picked(rows: list[Row], columns: tuple[int, ...]) -> list[Row]:
    """Return rows with some of their columns."""
    return [replace(row, cells=tuple(row.cells[j] for j in columns)) for row in rows]
