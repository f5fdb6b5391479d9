"""Settings: opinions that may change after training without reading the data again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from deciban.arrays.parallel import thread_count
from deciban.errors import setting
from deciban.model.calibration import CALIBRATIONS
from deciban.priors.class_prior import ClassPriorLike
from deciban.priors.counts import is_count
from deciban.priors.estimation import AUTO, Estimate, Estimation
from deciban.priors.families import Families, FamiliesLike
from deciban.refinement.declared_pair import ColumnPair, declared_pairs, is_column_pair, without_pairs
from deciban.statistics.row_sample import REMEMBERED_ROWS, UNBOUNDED

# What the parameters of the same names take; None leaves the choice to deciban.
Alpha: TypeAlias = float | Literal["auto"] | None
Calibrate: TypeAlias = Literal["auto", "temperature", "isotonic", False] | None
ClassWeight: TypeAlias = Literal["balanced"] | Mapping[Any, float] | None
Refine: TypeAlias = Literal["auto", "sample", "rows"] | None

# What ``refine`` can be in settings: all of a refinement is fitted on the row sample, or its counts are of all rows.
SAMPLE: Literal["sample"] = "sample"
ROWS: Literal["rows"] = "rows"


@dataclass(frozen=True)
class Settings:
    """The estimate, the prior and weights of the classes, calibration, the rows to remember, and threads."""

    estimation: Estimation = field(default_factory=Estimation)
    class_prior: ClassPriorLike = None
    threads: int | None = None
    strict: str | None = None  # refuse NaN on behalf of this estimator
    calibrate: Literal["auto", "temperature", "isotonic"] | None = None
    class_weight: ClassWeight = None  # how much a class matters: None, "balanced" or {label: weight}
    remember: int = 0  # rows that a sample for choices may keep
    refine: Literal["sample", "rows"] | None = (
        None  # weights, joint normal distributions and pairs on top of the counts
    )
    pairs: int | None = None  # pairs of columns, at most; None: as many as pay
    declared_pairs: tuple[ColumnPair, ...] = ()  # pairs of columns that are used in any case

    def __post_init__(self) -> None:
        thread_count(self.threads)  # a bad number is an error before any row is read
        if self.calibrate is not None and not (isinstance(self.calibrate, str) and self.calibrate in CALIBRATIONS):
            raise ValueError(f"calibrate is {self.calibrate!r}; it can be None, {', '.join(map(repr, CALIBRATIONS))}.")
        whole = isinstance(self.remember, int | np.integer) and not isinstance(self.remember, bool)
        if not whole or not 0 <= self.remember <= UNBOUNDED:
            raise ValueError(f"remember is {self.remember!r}; give a whole number of rows, 0 to remember none.")
        if self.estimation.families is not None and self.estimation.kind != "map":
            raise ValueError(
                f"{setting('families')} shares a prior between classes for estimate='map', and estimate is "
                f"{self.estimation.kind!r}; give one or the other."
            )
        if not (self.refine is None or (isinstance(self.refine, str) and self.refine in (SAMPLE, ROWS))):
            raise ValueError(f"{setting('refine')} is {self.refine!r}; it can be 'auto', 'sample', 'rows' or None.")
        if not (self.pairs is None or is_count(self.pairs)):
            raise ValueError(
                f"{setting('pairs')} is {self.pairs!r}; give the largest number of pairs of columns, 0 for none, or "
                "None for as many as pay."
            )

        if not all(map(is_column_pair, self.declared_pairs)):
            raise ValueError(f"{setting('columns')} declares {self.declared_pairs!r}, which are not pairs of columns.")
        if self.declared_pairs and (self.refine is None or self.pairs == 0):
            given = setting("pairs", 0) if self.refine else "refine=None"
            raise ValueError(
                f"{setting('columns')} declares the pair {self.declared_pairs[0]!r}, but {given} leaves pairs out; "
                "give one or the other."
            )

    @staticmethod
    def of(
        columns: Any,
        alpha: Alpha = None,
        calibrate: Calibrate = None,
        *,
        estimate: Estimate = "map",
        class_prior: ClassPriorLike = None,
        class_weight: ClassWeight = None,
        remember: int = REMEMBERED_ROWS,
        refine: Refine = "auto",
        pairs: int | None = None,
        families: FamiliesLike = None,
        threads: int | None = None,
    ) -> Settings:
        """Return settings with defaults filled in, the same for Python and the command line.

        ``alpha`` and ``calibrate`` None are "auto" where the columns are left to deciban, and 1 and no calibration
        where event models are given. ``refine`` "auto" is "sample" where the columns are left to deciban, and None
        where event models are given or true zeros are wanted. A declared pair wants "sample", too.
        """
        declared = declared_pairs(columns)
        automatic = without_pairs(columns) is None
        if _is_auto(refine):
            refine = SAMPLE if declared or (automatic and estimate != "mle") else None
            pairs = len(declared) if declared and pairs is None and not automatic else pairs
        pseudo_count = alpha if alpha is not None else AUTO if automatic else 1.0
        calibration: Calibrate = calibrate if calibrate is not None else "auto" if automatic else False
        return Settings(
            Estimation(pseudo_count, estimate, families=None if families is None else Families(families)),
            class_prior,
            threads,
            calibrate=None if calibration is False else calibration,
            class_weight=class_weight,
            remember=remember,
            refine=refine,  # type: ignore[arg-type]
            pairs=pairs,
            declared_pairs=declared,
        )

    @property
    def is_open(self) -> bool:
        """Whether a pseudo-count, a calibration or a refinement must be chosen on rows."""
        return self.estimation.is_open or self.calibrate is not None or self.refine is not None


def _is_auto(refine: Any) -> bool:
    return isinstance(refine, str) and refine == AUTO
