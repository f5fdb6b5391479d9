"""Model: a class prior and scorers, immutable; evidence, joint and posterior probabilities, decisions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from deciban.arrays.findings import INFINITE, raise_for_findings
from deciban.arrays.frame import Frame
from deciban.arrays.matrix import as_frame
from deciban.arrays.names import name_array
from deciban.arrays.parallel import map_blocks, row_blocks
from deciban.arrays.types import Array, Codes, Floats, Names
from deciban.errors import ImpossibleRowWarning, setting, warn_user
from deciban.model.calibration import Calibration
from deciban.model.line_evidence import evidence_order, line_evidence, refuse_large_evidence, write_evidence_between
from deciban.model.line_names import line_names
from deciban.model.missing import MissingValues
from deciban.model.parts import Contrast, Part
from deciban.priors.class_prior import checked_distribution
from deciban.priors.counts import log
from deciban.refinement import Refinement
from deciban.scorers.base import Scorer
from deciban.scorers.contrasts import write_two_best
from deciban.scorers.posterior import decide, normalize

# Rows to contrast at a time: their evidence should stay in the cache, and a block should be worth a task.
CONTRAST_ROWS = 1 << 15

# Scores a block of rows from ``begin`` to ``end``; returns the number of impossible rows and the findings.
ScoreBlock = Callable[[Frame, int, int], tuple[int, int]]


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """P(class) and P(columns | class), from statistics or from known parameters.

    >>> from deciban.likelihoods import Gaussian
    >>> narrow_or_wide = Model.known(["narrow", "wide"], [0.5, 0.5], Gaussian.known([[0], [0]], [[1], [100]]))
    >>> str(narrow_or_wide.decide(np.array([[45.0]]))[0])
    'wide'
    """

    classes: Names
    log_prior: Floats
    parts: tuple[Part, ...]
    threads: int | None = None
    strict: str | None = None  # the estimator on whose behalf NaN and negative codes are refused; None: not evidence
    calibration: Calibration | None = None
    missing_values: MissingValues | None = None  # columns in which a missing value is evidence
    log_shift: Floats | None = None  # added to log P(class | row): class weights
    width: int | None = None  # columns of a row; None: those of the parts
    log_shares: Floats | None = None  # log P(class) under which the calibration was fitted; None: log_prior
    refinement: Refinement | None = None  # offsets, and evidence of several columns together

    @classmethod
    def known(cls, classes: Sequence[Any], prior: ArrayLike, *scorers: Scorer) -> Self:
        """Return a model of known parameters, without data: each scorer reads the columns after its predecessor's."""
        names = name_array(classes)
        probability = checked_distribution(np.asarray(prior, dtype=float), names)
        if len(set(names.tolist())) != len(names):
            raise ValueError(f"classes are {names.tolist()}; name each class once.")
        for scorer in scorers:
            if not isinstance(scorer, Scorer):
                raise ValueError(f"{scorer!r} is not a scorer; make one from known parameters with its .known(...).")
            if scorer.classes != len(names):
                raise ValueError(f"a scorer has {scorer.classes} classes but the model {len(names)}: {names.tolist()}.")
        ends = list(itertools.accumulate(scorer.features for scorer in scorers))
        parts = (Part(slice(end - s.features, end), s) for s, end in zip(scorers, ends))
        return cls(names, log(probability), tuple(parts))

    def __repr__(self) -> str:
        prior = ", ".join(f"{c}: {p:.3g}" for c, p in zip(self.classes[:5].tolist(), np.exp(self.log_prior[:5])))
        more = ", …" if len(self.classes) > 5 else ""
        return f"Model({{{prior}{more}}}, {', '.join(repr(part.scorer) for part in self.parts)})"

    @cached_property
    def features(self) -> int:
        """Number of columns."""
        return sum(part.scorer.features for part in self.parts) if self.width is None else self.width

    @cached_property
    def joint_lines(self) -> tuple[tuple[int, ...], ...]:
        """Columns of the lines of evidence that follow those of single columns: columns that are read together."""
        return () if self.refinement is None else self.refinement.lines

    @property
    def lines(self) -> int:
        """Number of lines of evidence: one for every column, then those of columns that are read together."""
        return self.features + len(self.joint_lines)

    def line_names(self, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the names of all lines of evidence, given those of the columns."""
        return line_names(columns, self.joint_lines)

    @cached_property
    def plain(self) -> Self:
        """The plain product of probabilities, without weights and without columns that are read together."""
        parts = tuple(replace(part, weights=None) for part in self.parts)
        missing = None if self.missing_values is None else replace(self.missing_values, weights=None)
        return replace(self, parts=parts, missing_values=missing, refinement=None)

    @cached_property
    def constants(self) -> Floats:
        """[classes] part of the score that no row changes: log P(class), and offsets of a refined model."""
        return self.log_prior if self.refinement is None else self.log_prior + self.refinement.constants

    @cached_property
    def log_fallback(self) -> Floats:
        """log P(class) of a row that is impossible under every class: the prior, where the model is used."""
        return self.log_prior if self.log_shift is None else self.log_prior + self.log_shift

    def _checked(self, x: Any) -> Frame:
        """Return rows as a frame, or raise if they do not have the right number of columns."""
        if not len(self.classes):
            raise ValueError("the model has no classes: nothing is left of what it learned; fit it again.")
        x = as_frame(x)
        if x.shape[1] != self.features:
            raise ValueError(f"X has {x.shape[1]} features, but the model is expecting {self.features}.")
        return x

    def joint_log_probability(self, x: Any, *, full: bool = False) -> Floats:
        """[rows × classes] log P(x, class); ``full`` includes the part that is the same for every class.

        The sum of a refined model is a score and not a probability, so ``full`` leaves refinements out.
        """
        if full and self.refinement is not None:
            return self.plain.joint_log_probability(x, full=True)
        x = self._checked(x)
        joint = self._posterior(x, None)
        if full:
            x = x.sliceable(dense=True)
            for begin, end in row_blocks(x.shape[0], x.score_rows(len(self.classes), dense=True)):
                block = x.block(begin, end)
                for part in self.parts:
                    joint[begin:end] += part.class_free(block)[:, None]
        return joint

    def log_posterior(self, x: Any) -> Floats:
        """[rows × classes] log P(class | x)."""
        return self._posterior(self._checked(x), "log")

    def posterior(self, x: Any) -> Floats:
        """[rows × classes] P(class | x)."""
        return self._posterior(self._checked(x), "linear")

    def decide(self, x: Any) -> Names:
        """Return the most probable class of every row; on a tie, up to rounding, the first of the classes."""
        return self.classes[self.codes(x)]

    def codes(self, x: Any) -> Codes:
        """Return the position of the most probable class of every row among the classes."""
        x = self._checked(x)
        codes = np.empty(x.shape[0], dtype=np.int32)

        def decide_block(block: Frame, begin: int, end: int) -> tuple[int, int]:
            joint = np.empty((end - begin, len(self.classes)))
            found = self._score(block, joint)
            self._calibrate(joint)
            return decide(joint, self.log_fallback, codes[begin:end]), found

        self._run(x, decide_block)
        return codes

    def _posterior(self, x: Frame, scale: str | None) -> Floats:
        out = np.empty((x.shape[0], len(self.classes)))

        def score_block(block: Frame, begin: int, end: int) -> tuple[int, int]:
            joint = out[begin:end]
            found = self._score(block, joint)
            if scale is None:
                return 0, found
            self._calibrate(joint)
            return normalize(joint, self.log_fallback, log=scale == "log"), found

        self._run(x, score_block)
        return out

    def _run(self, x: Frame, score_block: ScoreBlock, most: int | None = None) -> None:
        """Score blocks of rows, ``most`` at a time, on all threads, then report what was found in them."""
        dense = any(part.dense or not part.scorer.reads_sparse for part in self.parts)
        x, rows = x.sliceable(dense), x.shape[0]
        size = x.score_rows(len(self.classes), dense)
        size = size if most is None else min(size, most)
        impossible = found = 0
        scored = map_blocks(lambda a, b: score_block(x.block(a, b), a, b), row_blocks(rows, size), self.threads)
        for lost, findings in scored:
            impossible += lost
            found |= findings
        if self.strict:
            raise_for_findings(found, self.strict, complete=True)
        if impossible:
            warn_user(
                f"{impossible} of {rows} rows have probability 0 under every class: no evidence, the prior is used. "
                f"A pseudo-count ({setting('alpha', 1)}) avoids true zeros.",
                ImpossibleRowWarning,
            )

    def _score(self, block: Frame, joint: Floats) -> int:
        """Write prior and scores of a block of rows; return the findings."""
        joint[:] = self.constants
        if self.refinement is not None and self.refinement.reads_columns_together and block.matrix() is None:
            block = block.cached()  # its columns are read again, in pairs and by normal distributions
        found = 0
        for part in self.parts:
            found |= part.weighted.add_scores(part.rows(block), joint)
        if self.missing_values is not None:
            self.missing_values.add_scores(block, joint)
        if self.refinement is not None:
            self.refinement.add_scores(block, joint)
        return found

    def _calibrate(self, joint: Floats) -> None:
        """Calibrate joint log probabilities, then apply class weights, in place."""
        if self.calibration is not None:
            self.calibration.apply(joint, self.log_prior, self.log_shares)
        if self.log_shift is not None:
            joint += self.log_shift

    def calibrated_log_posterior(self, joint: Floats) -> Floats:
        """[rows × classes] log P(class | row) from joint log probabilities, as predictions have it."""
        out = np.array(joint, dtype=float)
        self._calibrate(out)
        normalize(out, self.log_fallback, log=True)
        return out

    def evidence(self, x: Any) -> Floats:
        """[rows × classes × lines] log P(x_j | class) in the order of the columns, then the evidence of pairs.

        The sum over lines plus the ``constants``, which are the log prior of a plain model, is the joint log
        probability. A refined model has weights on the evidence, and its sum is a score.
        """
        x = self._checked(x)
        if x.has_infinity() and not all(part.scorer.reads_infinity for part in self.parts):
            raise_for_findings(INFINITE, "evidence")
        return line_evidence(self, x)

    def contrast(self, x: Any, favour: int | None = None, against: int | None = None) -> Contrast:
        """Return two classes to compare for every row: by default the one decided on, and the runner-up."""
        x = self._checked(x)
        rows, classes = x.shape[0], len(self.classes)
        found = Contrast(np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.int32), np.empty((rows, classes)))

        def contrast_block(block: Frame, begin: int, end: int) -> tuple[int, int]:
            part = found.block(begin, end)
            findings = self._score(block, part.posterior)
            self._calibrate(part.posterior)
            impossible = normalize(part.posterior, self.log_fallback, log=False)
            write_two_best(part.posterior, part.favour, part.against)
            return impossible, findings

        self._run(x, contrast_block)
        if favour is not None or against is not None:
            first, second = found.favour.copy(), found.against.copy()
            found.favour[:] = favour if favour is not None else np.where(first == against, second, first)
            found.against[:] = against if against is not None else np.where(found.favour == first, second, first)
        return found

    def prior_between(self, favour: Codes, against: Codes) -> Floats:
        """[rows] log-odds for one class against another before any evidence: of the prior, and of class offsets."""
        a, b = self.constants[favour], self.constants[against]
        with np.errstate(invalid="ignore"):
            return np.where(a == b, 0.0, a - b)

    def evidence_between(self, x: Any, favour: Codes, against: Codes) -> Floats:
        """[rows × lines] evidence for one class against another.

        The sum over lines plus the prior is the difference of the joint log probabilities.
        """
        x = self._checked(x)
        rows = x.shape[0]
        refuse_large_evidence(rows, rows * self.lines)
        out = np.empty((rows, self.lines), order=evidence_order(self, x))

        def contrast_block(block: Frame, begin: int, end: int) -> tuple[int, int]:
            write_evidence_between(self, block, favour[begin:end], against[begin:end], out[begin:end])
            return 0, 0

        self._run(x, contrast_block, CONTRAST_ROWS)
        return out

    def total_evidence(self, x: Any, favour: Codes, against: Codes) -> Floats:
        """[lines] sum over rows of the absolute evidence for one class against another, infinities left out."""
        x = self._checked(x)
        order = evidence_order(self, x)
        by_block: dict[int, Floats] = {}

        def add_block(block: Frame, begin: int, end: int) -> tuple[int, int]:
            evidence = np.empty((end - begin, self.lines), order=order)
            write_evidence_between(self, block, favour[begin:end], against[begin:end], evidence)
            np.abs(evidence, out=evidence)
            if not np.isfinite(sums := evidence.sum(axis=0)).all():
                sums = np.where(np.isfinite(evidence), evidence, 0.0).sum(axis=0)
            by_block[begin] = sums
            return 0, 0

        self._run(x, add_block, CONTRAST_ROWS)
        # Added in the order of the rows, so that the threads do not show in the last bits.
        return np.asarray(sum((by_block[begin] for begin in sorted(by_block)), np.zeros(self.lines)))

    def log_odds(self, x: Any, against: int = 0, favour: int = 1) -> Floats:
        """[rows] log P(x, favour) − log P(x, against) by class position, before calibration and class weights."""
        joint = self.joint_log_probability(x)
        return np.asarray(joint[:, favour] - joint[:, against])

    def bayes_error(self, x: Array | None = None, *, domain: Sequence[Sequence[Any]] | None = None) -> float:
        """Return the error of the best possible decision when this model is the truth.

        Exact with a ``domain`` (the values of each column; every combination is visited): 1 − Σ_x max_c P(x, c).
        Otherwise the mean of 1 − max_c P(c | x) over rows ``x`` drawn from the model.
        """
        if (x is None) == (domain is None):
            raise ValueError("bayes_error takes either rows drawn from the model or the domain of every column.")
        if domain is None:
            return float(1.0 - self.posterior(np.asarray(x)).max(axis=1).mean())
        points = list(itertools.product(*domain))
        kinds = {type(value) for point in points for value in point}
        grid = np.array(points, dtype=None if kinds <= {int, float, bool} else object).reshape(len(points), -1)
        best = self.joint_log_probability(grid, full=True).max(axis=1)
        return float(1.0 - np.exp(best).sum())
