"""The making of a score derivation: weighted factors, shares of normal distributions, pairs of columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from deciban.explain.derivation import Decided, Factor
from deciban.explain.explanation import Explanation
from deciban.explain.item import Item
from deciban.explain.score_derivation import ScoreDerivation, ScoreLine
from deciban.likelihoods.factors import EVIDENCE, Factors
from deciban.likelihoods.workings import Working
from deciban.model.classifier import Classifier
from deciban.refinement import Refinement
from deciban.refinement.pairs import PairTable

# Lines that are shown one by one; the others are one sum.
SHOWN_LINES = 14
# Cells without evidence that are named.
SHOWN_SILENT = 6
LEARNED = (
    "Lines “learned” are evidence of words that a correction has learned from {rows} on top of the counts; refine=None "
    "derives the plain product of probabilities."
)
REMARK = (
    "Pairs and joint normal distributions are counted over {rows}; refine=None derives the plain product of "
    "probabilities."
)
SHARED = (
    "Lines “in all columns together” are the columns' shares of a normal distribution of all columns, whose covariance "
    "is one for all classes."
)
BY_CLASS = "The line “{line}” is a normal distribution of all numbers, with a covariance per class."
SILENT = "No evidence: {cells}."


@dataclass(frozen=True)
class PairWorking(Working):
    """(n + s·p) / (N + s) ÷ p: how much more often two cells occur together than if the columns were independent."""

    count: float
    whole: float
    strength: float
    independent: float

    @property
    def short_text(self) -> str:
        p = f"{self.independent:.3g}"
        return f"({self.count:.6g} + {self.strength:g}·{p})/({self.whole:.6g} + {self.strength:g}) ÷ {p}"


def derive_score(
    classifier: Classifier, explanation: Explanation, prior: Factor, groups: list[Factors], decided: Decided
) -> ScoreDerivation:
    """Return the worked sum for the only row of an explanation; ``groups`` are the factors of its columns."""
    refinement, row = classifier.refinement, explanation[0]
    assert refinement is not None
    lines = [ScoreLine(prior), ScoreLine(Factor("offset and constants", refinement.constants, notation=EVIDENCE))]
    evidence = [*_weighted(explanation, groups, refinement), *_shares(explanation, refinement)]
    evidence += _learned(explanation)
    evidence += _joint_lines(explanation, refinement, [item for item in row.items if item.is_joint])
    strength = [abs(line.decibans[row.favour] - line.decibans[row.against]) for line in evidence]
    order = np.argsort(-np.array(strength), kind="stable")
    shown, hidden = sorted(order[:SHOWN_LINES].tolist()), order[SHOWN_LINES:].tolist()
    rest = sum((evidence[i].decibans for i in hidden), np.zeros(len(row.classes))) if hidden else None
    return ScoreDerivation(
        row.classes,
        explanation.target or "class",
        (*lines, *(evidence[i] for i in shown)),
        rest,
        len(hidden),
        explanation.posterior[0],
        decided,
        tuple(_remarks(classifier, explanation, refinement)),
    )


def _remarks(classifier: Classifier, explanation: Explanation, refinement: Refinement) -> list[str]:
    """Return sentences that say how to read the lines, which cells are not evidence, and what changes the posterior."""
    found = []
    if any(refinement.has_share(j) for j in range(refinement.features)):
        found.append(SHARED)
    if len(refinement.lines) > len(refinement.pairs):
        found.append(BY_CLASS.format(line=explanation.lines[-1]))
    silent = [f"{item.name} ({item.silent})" for item in explanation[0].silent if not item.is_joint]
    if silent:
        more = f" and {len(silent) - SHOWN_SILENT} more" if len(silent) > SHOWN_SILENT else ""
        found.append(SILENT.format(cells=", ".join(silent[:SHOWN_SILENT]) + more))
    remark = REMARK if refinement.correction is None else LEARNED
    found.append(remark.format(rows="all rows" if refinement.counts_all_rows else "the remembered rows"))
    return found + (["Class weights multiply the posterior afterwards."] if classifier.log_shift is not None else [])


def _learned(explanation: Explanation) -> Iterator[ScoreLine]:
    """Yield the learned evidence of words."""
    for item in explanation[0].items:
        if item.learned is not None and item.word is not None:
            yield ScoreLine(Factor(f"{item.text}, learned", item.learned, notation=EVIDENCE))


def _weighted(explanation: Explanation, groups: list[Factors], refinement: Refinement) -> Iterator[ScoreLine]:
    """Yield the factors of columns with their weights."""
    weights, x = refinement.column_weights.copy(), explanation.row(0)
    for part in explanation.model.parts:
        weights[part.selection] = part.row_weights(x)
    for group in groups:
        for i in range(len(group)):
            weight = float(weights[int(group.columns[i])])
            factor = Factor(group.name(i), group.scores[i], group.workings(i), group.notation).checked()
            if weight:
                yield ScoreLine(factor, weight)


def _shares(explanation: Explanation, refinement: Refinement) -> Iterator[ScoreLine]:
    """Yield shares of columns in the normal distribution with one covariance, and evidence of missing values."""
    x = explanation.row(0)
    for j, scores in enumerate(refinement.evidence(x)[0].T[: refinement.features]):
        if refinement.has_share(j):
            yield ScoreLine(Factor(f"{explanation.columns[j]}, in all columns together", scores, notation=EVIDENCE))
    missing = explanation.model.missing_values
    if missing is not None:
        absent = x.missing_in(missing.columns)[0]
        for k, scores in enumerate(missing.evidence(x)[0].T):
            name = f"{explanation.columns[missing.columns[k]]} is {'missing' if absent[k] else 'there'}"
            yield ScoreLine(Factor(name, scores, notation=EVIDENCE))


def _joint_lines(explanation: Explanation, refinement: Refinement, items: list[Item]) -> Iterator[ScoreLine]:
    """Yield pairs of columns with their counts, and numbers that have a covariance in every class."""
    cells = dict(refinement.cells)
    x = explanation.row(0)
    for k, item in enumerate(items):
        if k >= len(refinement.pairs):
            yield ScoreLine(Factor(item.text, item.scores, notation=EVIDENCE))
            continue
        pair, weight = refinement.pairs[k], refinement.pair_weights[k]
        a, b = (int(cells[j].codes(x, j)[0]) for j in pair.columns)
        workings = None if min(a, b) < 0 else tuple(pair_working(pair, c, a, b) for c in range(len(item.scores)))
        yield ScoreLine(Factor(item.text, item.scores / weight, workings, EVIDENCE), weight)


def pair_working(pair: PairTable, c: int, a: int, b: int) -> PairWorking:
    """Return the counts behind the evidence of a combination of cells for a class."""
    count, whole = float(pair.count[c, a, b]), float(pair.count[c].sum())
    return PairWorking(count, whole, pair.strength, float(pair.independent[c, a, b]))
