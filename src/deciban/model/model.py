"""Model: a class prior and scorers, immutable; evidence, joint and posterior probabilities, decisions."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deciban.arrays.findings import INFINITE, refuse
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Codes, Floats, Names, name_array
from deciban.arrays.matrix import Array, Matrix, Sparse, as_matrix, as_sparse, block_rows, rows_of, rowwise
from deciban.arrays.parallel import map_blocks, row_blocks
from deciban.errors import ImpossibleRowWarning
from deciban.model.calibration import Calibration
from deciban.model.missing import Holes
from deciban.priors.priors import checked_distribution, log
from deciban.scorers import Scorer, Steps, Table, contrast, contrast_of, decide, normalize, two_best

Columns = slice | NDArray[np.int64] | None

# Scores of one block: small enough to stay in cache until they are normalised.
SCORE_CELLS = 1 << 17
# Rows to contrast at a time: what is computed of them should stay in cache, and a block is worth a task.
CONTRAST_ROWS = 1 << 15
# Cells of a dense evidence array; more is almost surely a mistake.
EVIDENCE_CELLS = 1 << 28


def same(x: Any) -> Any:
    return x


@dataclass(frozen=True, eq=False)
class Part:
    """A group of columns and the scorer that reads them."""

    columns: Columns
    scorer: Scorer
    prepare: Callable[[Any], Any] = same
    dense: bool = False  # ``prepare`` makes sparse rows dense, so blocks must be small

    def of(self, x: Matrix | Frame) -> Any:
        return self.prepare(take(x, self.columns))


def take(x: Any, columns: Columns) -> Any:
    """Some columns of a block: a view where they form a slice of a dense block, a small copy otherwise."""
    if columns is None:
        return x
    if isinstance(x, Frame):
        return x.take(columns)
    if isinstance(x, Sparse):
        return as_sparse(x.to_scipy()[:, columns])
    return x[:, columns]


@dataclass(frozen=True, eq=False)
class Contrast:
    """Of every row: two classes to compare, and the posterior of all."""

    of: Codes
    against: Codes  # the same as ``of`` where there is no other class
    posterior: Floats  # rows × classes

    def block(self, begin: int, end: int) -> Contrast:
        """Of some of the rows, to be written to."""
        return Contrast(*(getattr(self, f.name)[begin:end] for f in fields(Contrast)))

    @staticmethod
    def together(parts: Sequence[Contrast]) -> Contrast:
        """Of several batches of rows."""
        return Contrast(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Contrast)))


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
    strict: str | None = None  # the estimator on whose behalf NaN and negative codes are refused; None: no evidence
    calibration: Calibration | None = None
    holes: Holes | None = None  # columns where it says something that a value is missing
    shift: Floats | None = None  # added to log P(class | row): classes' weights, and their frequency in use
    width: int | None = None  # columns of a row; None: those of the parts

    @staticmethod
    def known(classes: Sequence[Any], prior: ArrayLike, *scorers: Scorer) -> Model:
        """A model from known parameters, without data: each scorer reads the columns after its predecessor's."""
        names = name_array(classes)
        probability = checked_distribution(np.asarray(prior, dtype=float), names)
        if len(set(names.tolist())) != len(names):
            raise ValueError(f"classes are {names.tolist()}; name each class once.")
        for scorer in scorers:
            if not hasattr(scorer, "add_scores"):
                raise ValueError(f"{scorer!r} is no scorer; make one from known parameters with its .known(...).")
            if scorer.classes != len(names):
                raise ValueError(f"a scorer has {scorer.classes} classes but the model {len(names)}: {names.tolist()}.")
        ends = list(itertools.accumulate(scorer.features for scorer in scorers))
        parts = (Part(slice(end - s.features, end), s) for s, end in zip(scorers, ends))
        return Model(names, log(probability), tuple(parts))

    def __repr__(self) -> str:
        prior = ", ".join(f"{c}: {p:.3g}" for c, p in zip(self.classes[:5].tolist(), np.exp(self.log_prior[:5])))
        more = ", …" if len(self.classes) > 5 else ""
        return f"Model({{{prior}{more}}}, {', '.join(repr(part.scorer) for part in self.parts)})"

    @cached_property
    def features(self) -> int:
        return sum(part.scorer.features for part in self.parts) if self.width is None else self.width

    @cached_property
    def fallback(self) -> Floats:
        """What a row that is impossible under every class gets: the prior, where the model is used."""
        return self.log_prior if self.shift is None else self.log_prior + self.shift

    def _rows(self, x: Any) -> Any:
        """Rows of the right width."""
        if not len(self.classes):
            raise ValueError("the model has no classes: nothing is left of what it learned; fit it again.")
        x = x if isinstance(x, Frame) else as_matrix(x)
        if x.shape[1] != self.features:
            raise ValueError(f"X has {x.shape[1]} features, but the model is expecting {self.features}.")
        return x

    def joint_log_probability(self, x: Matrix | Frame, *, full: bool = False) -> Floats:
        """log P(x, class), rows × classes; ``full`` includes what does not depend on the class."""
        x = self._rows(x)
        joint = self._posterior(x, None)
        if full:
            x = rowwise(x, dense=True)
            for begin, end in row_blocks(x.shape[0], block_rows(x, dense=True)):
                block = rows_of(x, begin, end)
                for part in self.parts:
                    joint[begin:end] += part.scorer.class_free(part.of(block))[:, None]
        return joint

    def log_posterior(self, x: Matrix | Frame) -> Floats:
        """log P(class | x), rows × classes."""
        return self._posterior(self._rows(x), "log")

    def posterior(self, x: Matrix | Frame) -> Floats:
        """P(class | x), rows × classes."""
        return self._posterior(self._rows(x), "linear")

    def decide(self, x: Matrix | Frame) -> Names:
        """The most probable class of every row; the first one on a tie."""
        return self.classes[self.codes(x)]

    def codes(self, x: Matrix | Frame) -> NDArray[np.int32]:
        """The same as positions among the classes."""
        x = self._rows(x)
        codes = np.empty(x.shape[0], dtype=np.int32)

        def one(block: Any, begin: int, end: int) -> tuple[int, int]:
            joint = np.empty((end - begin, len(self.classes)))
            found = self._add(block, joint)
            self._calibrate(joint)
            return decide(joint, self.fallback, codes[begin:end]), found

        self._run(x, one)
        return codes

    def _posterior(self, x: Matrix | Frame, scale: str | None) -> Floats:
        out = np.empty((x.shape[0], len(self.classes)))

        def one(block: Any, begin: int, end: int) -> tuple[int, int]:
            joint = out[begin:end]
            found = self._add(block, joint)
            if scale:
                self._calibrate(joint)
            return (normalize(joint, self.fallback, log=scale == "log") if scale else 0), found

        self._run(x, one)
        return out

    def _run(self, x: Matrix | Frame, one: Callable[[Any, int, int], tuple[int, int]], most: int | None = None) -> None:
        """Score blocks of rows, ``most`` at a time, on all threads, then say what was found in them."""
        dense = any(part.dense or not part.scorer.reads_sparse for part in self.parts)
        x, rows = rowwise(x, dense), x.shape[0]
        size = x.score_rows() if isinstance(x, Frame) else block_rows(x, dense=dense)
        if not isinstance(x, Frame) and not (isinstance(x, Sparse) and x.by_column):
            size = min(size, max(64, SCORE_CELLS // max(1, len(self.classes))))
        size = size if most is None else min(size, most)
        impossible = found = 0
        scored = map_blocks(lambda a, b: one(rows_of(x, a, b), a, b), row_blocks(rows, size), self.threads)
        for lost, seen in scored:
            impossible += lost
            found |= seen
        if self.strict:
            refuse(found, self.strict, complete=True)
        if impossible:
            warnings.warn(
                f"{impossible} of {rows} rows have probability 0 under every class: no evidence, the prior is used. "
                "A pseudo-count (alpha > 0) avoids true zeros.",
                ImpossibleRowWarning,
                stacklevel=5,  # the caller of predict
            )

    def _add(self, block: Any, joint: Floats) -> int:
        """Prior and scores of a block of rows; returns the findings."""
        joint[:] = self.log_prior
        found = 0
        for part in self.parts:
            found |= part.scorer.add_scores(part.of(block), joint)
        if self.holes is not None:
            self.holes.add_scores(block, joint)
        return found

    def _calibrate(self, joint: Floats) -> None:
        if self.calibration is not None:
            self.calibration.apply(joint, self.log_prior)
        if self.shift is not None:
            joint += self.shift

    def settled(self, joint: Floats) -> Floats:
        """log P(class | row) from joint log probabilities, rows × classes, as it is calibrated and used."""
        out = np.array(joint, dtype=float)
        self._calibrate(out)
        normalize(out, self.fallback, log=True)
        return out

    def evidence(self, x: Matrix | Frame) -> Floats:
        """log P(x_j | class) of every feature: rows × classes × features, in the columns' order.

        The sum over features plus the log prior is the joint log probability.
        """
        x = self._rows(x)
        rows, features = x.shape
        finite = any(not isinstance(part.scorer, Steps | Table) for part in self.parts)
        if finite and isinstance(x, np.ndarray) and x.dtype.kind == "f" and np.isinf(x).any():
            refuse(INFINITE, "evidence")
        cells = rows * len(self.classes) * features
        if cells > EVIDENCE_CELLS:
            raise ValueError(f"evidence for {rows} rows would have {cells:,} cells; ask for fewer rows at a time.")
        evidence = np.zeros((rows, len(self.classes), features))
        for part in self.parts:
            columns = slice(None) if part.columns is None else part.columns
            evidence[:, :, columns] = part.scorer.evidence(part.of(x))
        if self.holes is not None:
            evidence[:, :, np.array(self.holes.columns)] += self.holes.evidence(x)
        return evidence

    def contrast(self, x: Matrix | Frame, of: int | None = None, against: int | None = None) -> Contrast:
        """Two classes to compare for every row: by default the one decided on, and the runner-up."""
        x = self._rows(x)
        rows, classes = x.shape[0], len(self.classes)
        found = Contrast(np.empty(rows, dtype=np.int32), np.empty(rows, dtype=np.int32), np.empty((rows, classes)))

        def one(block: Any, begin: int, end: int) -> tuple[int, int]:
            here = found.block(begin, end)
            seen = self._add(block, here.posterior)
            self._calibrate(here.posterior)
            impossible = normalize(here.posterior, self.fallback, log=False)
            two_best(here.posterior, here.of, here.against)
            return impossible, seen

        self._run(x, one)
        if of is not None or against is not None:
            first, second = found.of.copy(), found.against.copy()
            found.of[:] = of if of is not None else np.where(first == against, second, first)
            found.against[:] = against if against is not None else np.where(found.of == first, second, first)
        return found

    def prior_between(self, of: Codes, against: Codes) -> Floats:
        """What the prior says for one class against another, for every row."""
        a, b = self.log_prior[of], self.log_prior[against]
        with np.errstate(invalid="ignore"):
            return np.where(a == b, 0.0, a - b)

    def evidence_between(self, x: Matrix | Frame, of: Codes, against: Codes) -> Floats:
        """What every feature says for one class against another: rows × features.

        The sum over features plus the prior is the difference of the joint log probabilities.
        """
        x = self._rows(x)
        rows, cells = x.shape[0], x.shape[0] * self.features
        if cells > EVIDENCE_CELLS:
            raise ValueError(f"evidence for {rows} rows would have {cells:,} cells; ask for fewer rows at a time.")
        out = np.empty((rows, self.features), order="C" if self._by_rows(x) else "F")

        def one(block: Any, begin: int, end: int) -> tuple[int, int]:
            self._contrast(block, of[begin:end], against[begin:end], out[begin:end])
            return 0, 0

        self._run(x, one, CONTRAST_ROWS)
        return out

    def total_evidence(self, x: Matrix | Frame, of: Codes, against: Codes) -> Floats:
        """The same summed up over rows, by size: what every feature has said altogether, infinities left out."""
        x = self._rows(x)
        by_rows, total, taken = self._by_rows(x), np.zeros(self.features), Lock()

        def one(block: Any, begin: int, end: int) -> tuple[int, int]:
            here = np.empty((end - begin, self.features), order="C" if by_rows else "F")
            self._contrast(block, of[begin:end], against[begin:end], here)
            np.abs(here, out=here)
            if not np.isfinite(said := here.sum(axis=0)).all():
                said = np.where(np.isfinite(here), here, 0.0).sum(axis=0)
            with taken:
                total[:] += said
            return 0, 0

        self._run(x, one, CONTRAST_ROWS)
        return total

    def _by_rows(self, x: Any) -> bool:
        """Whether evidence is best written row after row: as the rows lie, if all scorers can."""
        beside = isinstance(x, np.ndarray) and x.flags.c_contiguous
        return beside and all(getattr(part.scorer, "by_rows", False) for part in self.parts)

    def _contrast(self, block: Any, of: Codes, against: Codes, out: Floats) -> None:
        silent = np.ones(self.features, dtype=bool)
        for part in self.parts:
            columns = slice(None) if part.columns is None else part.columns
            silent[columns] = False
            into = out[:, columns]  # a copy, if these are not side by side
            contrast(part.scorer, part.of(block), of, against, into)
            if not isinstance(columns, slice):
                out[:, columns] = into
        if silent.any():
            out[:, silent] = 0.0
        if self.holes is not None:
            said = self.holes.evidence(block)
            for i, j in enumerate(self.holes.columns):
                out[:, j] += contrast_of(said[:, :, i], of, against)

    def log_odds(self, x: Matrix | Frame, against: int = 0, of: int = 1) -> Floats:
        """log P(of | x) − log P(against | x) by class position, computed before normalisation so nothing saturates."""
        joint = self.joint_log_probability(x)
        return np.asarray(joint[:, of] - joint[:, against])

    def bayes_error(self, x: Array | None = None, *, domain: Sequence[Sequence[Any]] | None = None) -> float:
        """The error of the best possible decision when this model is the truth.

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
