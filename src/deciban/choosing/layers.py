"""Layers: the terms of a refined model on rows that are left out one by one, and the fits of their weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deciban.arrays.labels import Labels
from deciban.arrays.types import Codes, Floats
from deciban.choosing.refined_rows import Encoding, RefinedRows
from deciban.choosing.screening import FEWEST_PAIRS, WORST_LOSS, Screening, with_best_strength
from deciban.choosing.term_scores import PlainTerms
from deciban.choosing.weights import LARGEST_OFFSET, LARGEST_WEIGHT, WeightProblem, relative_scores
from deciban.model.calibration import Temperature
from deciban.model.classifier import Classifier
from deciban.refinement.counters import VectorCounter
from deciban.refinement.native import kernels
from deciban.refinement.normals import ClassNormals, SharedNormal
from deciban.refinement.pairs import PairTable
from deciban.refinement.refinement import Refinement
from deciban.scorers.posterior import softmax

# With more classes, they get no offsets.
OFFSET_CLASSES = 20
# Scores of terms that weights are fitted on, at most: with more rows and classes there are fewer pairs.
TERM_SCORES = 1 << 22
# The weight that a pair must get.
LEAST_PAIR_WEIGHT = 0.02
# How firmly the weights of columns are held at least.
LEAST_PRECISION = 3.0


class Configuration(NamedTuple):
    """A candidate for a refinement: whether it has pairs, and how firmly it holds weights."""

    has_pairs: bool
    precision: float


# The configuration whose posteriors pairs are screened on.
SCREENING = Configuration(False, 30.0)


class Layers:
    """The terms of rows under a classifier, and the fits of their weights."""

    def __init__(
        self,
        classifier: Classifier,
        rows: RefinedRows,
        encoding: Encoding,
        most_pairs: int,
        before: Layers | None = None,  # of most of the rows, whose fits are near
    ):
        self.before = {} if before is None else before.fitted
        self.classifier, self.rows, self.encoding, self.most_pairs = classifier, rows, encoding, most_pairs
        seen = classifier.seen
        self.plain = PlainTerms(classifier, encoding.missing)
        self.names = classifier.sample.names
        self.classes = len(seen.classes)
        self.joint = None if classifier.joint is None else classifier.joint.on(seen.classes)
        weight = rows.weight
        self.one_row = np.array([weight[rows.codes == c].min(initial=1.0) for c in range(self.classes)])
        self.left_out = self._weight_to_leave_out()
        vectors = VectorCounter(encoding.design)
        self.products = vectors.of_vectors(rows.vectors, Labels(self.classes, rows.codes, weight))
        if self.joint is not None and self.joint.products is not None:
            self.products = self.joint.products
        self.normals = [SharedNormal(self.products)] if encoding.design.size else []
        self.normals += [ClassNormals(self.products)] if vectors.numbers else []  # type: ignore[list-item]
        self.fitted: dict[Configuration, Floats] = {}

    def _weight_to_leave_out(self) -> Floats:
        """[rows] weight of one row in the joint counts, which are those of all rows or of these ones."""
        if self.joint is None:
            return np.minimum(self.rows.weight, self.one_row[self.rows.codes])
        return np.ones(len(self.rows.codes)) if self.rows.labels.weight is None else self.rows.labels.weight

    @cached_property
    def main(self) -> Floats:
        """[terms × rows × classes] left-out evidence of columns, missing values and normal distributions."""
        rows = self.rows
        scores = self.plain.left_out(rows.x, self.names, rows.labels, more=len(self.normals))
        for out, normal in zip(scores[len(self.plain) :], self.normals):
            out[:] = normal.left_out(rows.vectors, rows.codes, self.left_out)
        return scores

    @cached_property
    def center(self) -> Floats:
        """[terms] weights before any row is seen: those of the plain sum with a temperature, and 0 for all others."""
        columns = len(self.plain.columns)
        joint = self.main[:columns].sum(axis=0) + self.classifier.log_prior
        log_prior = self.classifier.log_prior
        self.temperature, _ = Temperature.fit(joint, log_prior, self.rows.codes, self.rows.weight)
        center = np.zeros(len(self.main))
        center[:columns] = 1 / self.temperature.value
        return center

    @cached_property
    def pairs(self) -> list[PairTable]:
        """The pairs of columns that were counted over all rows; else pairs that promise a gain, the greatest first."""
        if self.joint is not None:
            cells = self.encoding.pair_cells
            return [
                with_best_strength(pair, self.rows, cells(self.rows, pair), self.left_out) for pair in self.joint.pairs
            ]
        log_prior, evidence = self.classifier.log_prior, zip(self.plain.columns, self.main)
        by_column = {int(term.columns[0]): scores for term, scores in evidence if term.position is not None}
        screening = Screening(self.rows, self.encoding, log_prior, by_column, self.one_row)
        columns = screening.columns()
        if len(columns) < 2 or not self.most_pairs:
            return []
        return screening.promising(columns, softmax(self.scores(SCREENING) + log_prior), self._affordable_pairs())

    def _affordable_pairs(self) -> int:
        """Return the number of pairs whose terms can be afforded."""
        scores = max(1, len(self.rows.codes) * (self.classes - 1))
        return min(self.most_pairs, max(FEWEST_PAIRS, TERM_SCORES // scores - len(self.main)))

    @cached_property
    def problem(self) -> WeightProblem:
        """The coefficients of all terms but pairs."""
        return self._problem(self._relative(self.main, len(self.main)), self.center)

    @cached_property
    def paired_problem(self) -> WeightProblem:
        """The coefficients of all terms."""
        rows, main = self.rows, len(self.main)
        tables = [pair.left_out(self.encoding.pair_cells(rows, pair), rows.codes, self.left_out) for pair in self.pairs]
        terms = self._relative(np.array(tables), main + len(tables), first=main)
        terms[:, :, :main] = self.problem.terms[:, :, :main]
        return self._problem(terms, np.r_[self.center, np.zeros(len(tables))])

    @property
    def _offset_terms(self) -> int:
        return self.classes if self.classes <= OFFSET_CLASSES else 0

    @cached_property
    def _imagined(self) -> tuple[int, Codes]:
        """A row of typical margin and its runner-up, an array of one class.

        The row is imagined with that label, so that tables without mistakes do not claim certainty.
        """
        joint = np.tensordot(self.center, self.main, 1) + self.classifier.log_prior
        row, runner_up = typical_row(joint, self.rows.weight)
        return row, np.array([runner_up], dtype=np.int32)

    def _relative(self, scores: Floats, size: int, first: int = 0) -> Floats:
        """[rows × other classes × terms] scores of terms relative to a row's own class, then terms of class offsets.

        The terms from ``first`` on are written, of ``size`` without offsets. The last row is the imagined one.
        """
        row, label = self._imagined
        terms = np.empty((len(self.rows.codes) + 1, self.classes - 1, size + self._offset_terms))
        kernels.relative_terms(scores, self.rows.codes, first, terms[:-1])
        kernels.relative_terms(np.ascontiguousarray(scores[:, row : row + 1]), label, first, terms[-1:])
        if self._offset_terms:
            terms[:, :, size:] = offset_terms(np.append(self.rows.codes, label), self.classes)
        return terms

    def _problem(self, terms: Floats, center: Floats) -> WeightProblem:
        """Return the problem of terms, the last of which are class offsets, with the centre of all others."""
        codes, offsets = np.append(self.rows.codes, self._imagined[1]), self._offset_terms
        log_prior = np.broadcast_to(self.classifier.log_prior, (len(codes), self.classes))
        offset = np.ascontiguousarray(relative_scores(log_prior, codes))
        upper = np.r_[np.full(len(center), LARGEST_WEIGHT), np.full(offsets, LARGEST_OFFSET)]
        lower = np.r_[np.zeros(len(center)), np.full(offsets, -LARGEST_OFFSET)]
        start, weight = np.r_[center, np.zeros(offsets)], np.append(self.rows.weight, 1.0)
        return WeightProblem(terms, offset, weight, start, np.ones(len(start)), lower, upper)

    def coefficients(self, configuration: Configuration) -> Floats:
        """Return weights of terms, then class offsets, under a configuration; an earlier fit is the start."""
        if not self.pairs_found(configuration):
            configuration = configuration._replace(has_pairs=False)
        if configuration not in self.fitted:
            main = len(self.main)
            problem = self.paired_problem if configuration.has_pairs else self.problem
            precision = np.ones(len(problem.center))
            precision[:main] = max(configuration.precision, LEAST_PRECISION)
            if configuration.has_pairs:
                precision[main : main + len(self.pairs)] = configuration.precision
            start = self._start(configuration, main)
            self.fitted[configuration] = replace(problem, precision=precision).minimum(start)
        return self.fitted[configuration]

    def pairs_found(self, configuration: Configuration) -> bool:
        """Return whether a configuration has pairs, and there are any that promise a gain."""
        return configuration.has_pairs and bool(self.pairs)

    def _start(self, configuration: Configuration, main: int) -> Floats | None:
        """Return the fit that was made last, with pairs if the configuration has them."""
        if not self.fitted:
            return self.before.get(configuration)
        last, found = list(self.fitted.items())[-1]
        if last.has_pairs == configuration.has_pairs:
            return found
        return np.r_[found[:main], np.zeros(len(self.pairs)), found[main:]] if configuration.has_pairs else None

    def scores(self, configuration: Configuration) -> Floats:
        """[rows × classes] weighted sum of left-out evidence, without pairs."""
        found, main = self.coefficients(configuration), len(self.main)
        return np.tensordot(found[:main], self.main, 1) + self._offsets(found)

    def _offsets(self, coefficients: Floats) -> Floats | float:
        return coefficients[-self.classes :] if self.classes <= OFFSET_CLASSES else 0.0

    def losses(self, held: RefinedRows, configurations: Sequence[Configuration]) -> Floats:
        """[configurations × rows] loss of rows that are not in the statistics."""
        plain = self.plain.plain(held.x)
        joint = np.array([normal.scores(held.vectors) for normal in self.normals]).reshape(-1, *plain.shape[1:])
        main = np.concatenate([plain, joint])
        tables = [pair.look_up(self.encoding.pair_cells(held, pair)) for pair in self.pairs]
        found = []
        for configuration in configurations:
            coefficients = self.coefficients(configuration)
            scores = np.tensordot(coefficients[: len(main)], main, 1) + self.classifier.log_prior
            scores += self._offsets(coefficients)
            if self.pairs_found(configuration):
                for weight, table in zip(coefficients[len(main) :], tables):
                    scores += weight * table
            scores = relative_scores(scores, held.codes)
            most = np.maximum(scores.max(axis=1, initial=0.0), 0.0)
            sums = np.exp(scores - most[:, None]).sum(axis=1) + np.exp(-most)
            found.append(np.minimum(most + np.log(sums), WORST_LOSS))
        return np.array(found)

    def refinement(self, configuration: Configuration) -> Refinement:
        """Return the refinement that follows from a configuration."""
        found, main, columns = self.coefficients(configuration), len(self.main), len(self.plain.columns)
        weights = np.zeros(self.classifier.features)
        for term, w in zip(self.plain.columns, found):
            weights[term.columns] = w
        joint = dict(zip(map(type, self.normals), found[len(self.plain) : main].tolist()))
        missing = zip(self.plain.missing, found[columns : len(self.plain)].tolist())
        pairs = list(zip(self.pairs, found[main:].tolist())) if self.pairs_found(configuration) else []
        declared = self.encoding.declared
        pairs = [(pair, w) for pair, w in pairs if w >= LEAST_PAIR_WEIGHT or pair.columns in declared]
        used = sorted({j for pair, _ in pairs for j in pair.columns})
        shared, by_class = joint.get(SharedNormal, 0.0), joint.get(ClassNormals, 0.0)
        has_joint = bool(shared or by_class)
        return Refinement(
            classes=tuple(self.classifier.seen.classes.tolist()),
            offsets=np.broadcast_to(np.asarray(self._offsets(found), dtype=float), self.classes).copy(),
            column_weights=weights,
            missing_weights=tuple((j, w) for j, w in missing if w > 0),
            design=self.encoding.design if has_joint else None,
            products=self.products if has_joint else None,
            shared_weight=shared,
            class_weight=by_class,
            cells=tuple((j, self.encoding.cells[j]) for j in used),  # type: ignore[misc]
            pairs=tuple(pair for pair, _ in pairs),
            pair_weights=tuple(w for _, w in pairs),
            counts_all_rows=self.joint is not None or self.classifier.sample.is_complete,
        )


def offset_terms(codes: Codes, classes: int) -> Floats:
    """[rows × other classes × classes] terms of class offsets: 1 for the other class, −1 for the own."""
    others = np.array([[c for c in range(classes) if c != own] for own in range(classes)]).reshape(classes, -1)
    table = np.zeros((classes, classes - 1, classes))
    for own in range(classes):
        table[own, :, own] = -1.0
        table[own, np.arange(classes - 1), others[own]] = 1.0
    return table[codes]


def typical_row(joint: Floats, weight: Floats) -> tuple[int, int]:
    """Return the row with the median margin of the best class over the second best, and the latter."""
    ranked = np.sort(joint, axis=1)
    margin = ranked[:, -1] - ranked[:, -2]
    order = np.argsort(margin, kind="stable")
    passed = np.cumsum(weight[order])
    row = int(order[np.searchsorted(passed, passed[-1] / 2)])
    return row, int(np.argsort(-joint[row], kind="stable")[1])
