"""Layers: the terms of a refined model on rows that are left out one by one, and the fits of their weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.types import Codes, Floats, Longs
from deciban.choosing.term_scores import PlainTerms
from deciban.choosing.weights import LARGEST_OFFSET, LARGEST_WEIGHT, WeightProblem, relative_scores
from deciban.model.calibration import Temperature
from deciban.model.classifier import Classifier
from deciban.refinement.cells import ColumnCells, cell_counts
from deciban.refinement.counters import VectorCounter
from deciban.refinement.design import NO_DESIGN, Design
from deciban.refinement.joint_counts import JointPlan
from deciban.refinement.native import kernels
from deciban.refinement.normals import ClassNormals, SharedNormal
from deciban.refinement.pairs import PairTable, count_pair
from deciban.refinement.refinement import Refinement
from deciban.scorers.posterior import softmax

# With more classes, they get no offsets.
OFFSET_CLASSES = 20
# Columns that are tried in pairs, at most, and pairs that are used.
PAIRED_COLUMNS, MOST_PAIRS = 60, 100
# Scores of terms that weights are fitted on, and scores of pairs that are looked at, with which there are fewer pairs.
TERM_SCORES, SCREENED_SCORES, FEWEST_PAIRS = 1 << 22, 30_000_000, 10
# Nats over all rows that a pair must promise, and the weight that it must get.
PROMISED_GAIN, LEAST_PAIR_WEIGHT = 2.0, 0.02
# Imagined rows in which the columns of a pair are independent.
STRENGTHS = np.array([1.0, 3.0, 10.0, 30.0, 100.0, 300.0])
# How firmly the weights of columns are held at least.
LEAST_PRECISION = 3.0
# The greatest loss of a row when configurations are compared, in nats.
WORST_LOSS = 20.0


class Configuration(NamedTuple):
    """A candidate for a refinement: whether it has pairs, and how firmly it holds weights."""

    has_pairs: bool
    precision: float


# The configuration whose posteriors pairs are screened on.
SCREENING = Configuration(False, 30.0)


@dataclass(frozen=True, eq=False)
class RefinedRows:
    """Rows with their classes and weights, as cells and as vectors."""

    x: Frame
    labels: Labels  # classes among ``names`` of the sample, and the weight that is left out
    codes: Codes  # class of every row among the classifier's
    weight: Floats  # weight in the loss
    cells: Codes  # columns × rows
    vectors: Floats  # rows × coordinates

    def pick(self, rows: Longs, weight: Floats) -> RefinedRows:
        """Return some of the rows with other weights."""
        assert self.labels.codes is not None
        left_out = None if self.labels.weight is None else self.labels.weight[rows]
        labels = replace(self.labels, codes=self.labels.codes[rows], weight=left_out)
        cells = np.ascontiguousarray(self.cells[:, rows])
        return RefinedRows(self.x.pick(rows), labels, self.codes[rows], weight, cells, self.vectors[rows])


@dataclass(frozen=True, eq=False)
class Encoding:
    """The cells and vectors that columns become; they do not depend on the classes of the rows."""

    cells: tuple[ColumnCells | None, ...]  # None for texts
    design: Design
    missing: tuple[int, ...]  # columns in which some values are missing
    declared: tuple[tuple[int, int], ...] = ()  # pairs of columns that are used in any case

    @staticmethod
    def of_plan(
        plan: JointPlan, features: int, missing: tuple[int, ...], declared: tuple[tuple[int, int], ...]
    ) -> Encoding:
        """Return the encoding by which columns are counted together over all rows."""
        known = {} if plan.pairs is None else dict(plan.pairs.cells)
        design = NO_DESIGN if plan.vectors is None else plan.vectors.design
        return Encoding(tuple(known.get(j) for j in range(features)), design, missing, declared)

    @cached_property
    def paired(self) -> list[int]:
        """Columns that have several cells."""
        return [j for j, column in enumerate(self.cells) if column is not None and column.count > 1]

    @cached_property
    def counts(self) -> Longs:
        """Number of cells of every paired column."""
        return cell_counts([column for column in self.cells if column is not None and column.count > 1])


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
        """Pairs of columns: those counted over all rows, or those that promise a gain, the greatest first."""
        if self.joint is not None:
            return [self._with_strength(pair) for pair in self.joint.pairs]
        rows, log_prior = self.rows, self.classifier.log_prior
        columns = self._paired_columns()
        if len(columns) < 2 or not self.most_pairs:
            return []
        place = np.array(list(combinations(range(len(columns)), 2)), dtype=np.int32).T
        cells, counts = np.ascontiguousarray(rows.cells[columns]), self.encoding.counts[columns]
        place = place[:, counts[place[0]] * counts[place[1]] > 0]
        posterior = softmax(self.scores(SCREENING) + log_prior)
        gain, strength = np.zeros(place.shape[1]), np.zeros(place.shape[1])
        first, second = np.ascontiguousarray(place[0]), np.ascontiguousarray(place[1])
        kernels.pair_gains(
            cells, counts, first, second, rows.codes, rows.weight, posterior, self.one_row, STRENGTHS, gain, strength
        )
        found = [(columns[a], columns[b]) for a, b in zip(first.tolist(), second.tolist())]
        is_declared = np.array([self._is_declared(a, b) for a, b in found])
        gain[is_declared] = np.inf
        order = np.argsort(-gain, kind="stable")[: max(self._affordable_pairs(), is_declared.sum())]
        return [self._pair(found[k], float(strength[k])) for k in order.tolist() if gain[k] > PROMISED_GAIN]

    def _is_declared(self, a: int, b: int) -> bool:
        paired = self.encoding.paired
        return (paired[a], paired[b]) in self.encoding.declared

    def _with_strength(self, pair: PairTable) -> PairTable:
        """Return a pair with the strength under which rows that are left out are most probable."""
        rows, cells = self.rows, self._pair_codes(self.rows.cells, pair)
        tried = [replace(pair, strength=float(strength)) for strength in STRENGTHS]
        gains = [rows.weight @ each.left_out_own(cells, rows.codes, self.left_out) for each in tried]
        return tried[int(np.argmax(gains))]

    def _affordable_pairs(self) -> int:
        """Return the number of pairs whose terms can be afforded."""
        scores = max(1, len(self.rows.codes) * (self.classes - 1))
        return min(self.most_pairs, max(FEWEST_PAIRS, TERM_SCORES // scores - len(self.main)))

    def _paired_columns(self) -> list[int]:
        """Return positions of the paired columns that are tried: those of the least loss by themselves."""
        every = list(range(len(self.encoding.paired)))
        scores = max(1, len(self.rows.codes) * self.classes)
        most = min(PAIRED_COLUMNS, max(FEWEST_PAIRS, int(np.sqrt(2 * SCREENED_SCORES / scores))))
        if len(every) <= most:
            return every
        declared = {j for pair in self.encoding.declared for j in pair}
        term = {int(t.columns[0]): i for i, t in enumerate(self.plain.columns) if t.position is not None}
        losses = [self._loss_alone(term.get(j)) for j in self.encoding.paired]
        best = sorted(every, key=lambda i: losses[i])[:most]
        return sorted({*best, *(i for i in every if self.encoding.paired[i] in declared)})

    def _loss_alone(self, term: int | None) -> float:
        if term is None:
            return np.inf
        rows = self.rows
        scores = relative_scores(self.main[term] + self.classifier.log_prior, rows.codes)
        return float(np.sum(rows.weight * np.log1p(np.exp(np.minimum(scores, WORST_LOSS)).sum(axis=1))))

    def _pair(self, columns: tuple[int, int], strength: float) -> PairTable:
        rows, (a, b) = self.rows, columns
        count = count_pair(columns, rows.cells, self.encoding.counts.tolist(), rows.codes, rows.weight, self.classes)
        return PairTable(self.encoding.paired[a], self.encoding.paired[b], count, strength)

    def _pair_codes(self, cells: Codes, pair: PairTable) -> Codes:
        place = self.encoding.paired
        return cells[[place.index(pair.first), place.index(pair.second)]]

    @cached_property
    def problem(self) -> WeightProblem:
        """The coefficients of all terms but pairs."""
        return self._problem(self._relative(self.main, len(self.main)), self.center)

    @cached_property
    def paired_problem(self) -> WeightProblem:
        """The coefficients of all terms."""
        rows, main = self.rows, len(self.main)
        tables = [pair.left_out(self._pair_codes(rows.cells, pair), rows.codes, self.left_out) for pair in self.pairs]
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
        tables = [pair.look_up(self._pair_codes(held.cells, pair)) for pair in self.pairs]
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
