"""Cases on arrays: the data, the contestants and the targets of each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks import contestants, data
from benchmarks.report import Target
from benchmarks.versus import ALL, LABELS, Problem

# From the number of rows at full size to the number of rows to use.
Rows = Callable[[int], int]
# Description of the data, and the problems.
ArrayCase = tuple[str, list[Problem]]


def reads(bound: float) -> Target:
    return Target("≤", bound, "reads")


def faster(bound: float, than: str = "scikit-learn") -> Target:
    return Target("≥", bound, f"× {than}")


GAUSSIAN_TARGETS = {
    "fit": [reads(1.5), faster(18)],
    "predict": [reads(3), faster(18)],
    "predict_proba": [faster(15)],
}
RATIO_TARGETS = {"fit": [faster(18)], "predict": [faster(18)], "predict_proba": [faster(15)]}
SMALLER_TYPE_TARGETS = {"fit": [faster(1, "float64")], "predict": [faster(1, "float64")]}


def gaussian(rows: Rows) -> ArrayCase:
    x, y = data.gaussian(rows(1_000_000), 50, 5)
    entrants = (*contestants.GAUSSIAN, contestants.POLARS_GAUSSIAN)
    problem = Problem("float64", x, y, entrants, ALL, GAUSSIAN_TARGETS)
    return f"{len(x):,} × 50 float64 in C order, 5 classes", [problem]


def gaussian_float32(rows: Rows) -> ArrayCase:
    x, y = data.gaussian(rows(1_000_000), 50, 5, np.float32)
    problem = Problem("float32", x, y, contestants.GAUSSIAN, ALL, RATIO_TARGETS)
    return f"{len(x):,} × 50 float32 in C order, 5 classes", [problem]


def gaussian_f_order(rows: Rows) -> ArrayCase:
    x, y = data.gaussian(rows(1_000_000), 50, 5)
    problem = Problem("float64 F", np.asfortranarray(x), y, contestants.GAUSSIAN, ALL)
    return f"{len(x):,} × 50 float64 in F order, 5 classes", [problem]


def gaussian_wide(rows: Rows) -> ArrayCase:
    x, y = data.gaussian(rows(200_000), 200, 20)
    problem = Problem("float64", x, y, contestants.GAUSSIAN, LABELS, {"fit": [reads(2)]})
    return f"{len(x):,} × 200 float64 in C order, 20 classes", [problem]


def categorical(rows: Rows) -> ArrayCase:
    x, y = data.categorical(rows(1_000_000), 20, 10, 5)
    targets = {"fit": [faster(35)], "predict": [faster(10)]}
    problem = Problem("int64", x, y, contestants.CATEGORICAL, LABELS, targets)
    description = f"{len(x):,} × 20 int64 codes of 10 values, 5 classes"
    return description, [problem]


def bernoulli(rows: Rows) -> ArrayCase:
    x, y = data.binary(rows(500_000), 100, 2)
    targets = {"fit": [faster(20)], "predict": [faster(12)]}
    problems = [Problem("float64", x, y, contestants.BERNOULLI, LABELS, targets)]
    for dtype in ("uint8", "bool"):
        small = (x > 0).astype(dtype)
        problems.append(Problem(dtype, small, y, contestants.BERNOULLI, LABELS, SMALLER_TYPE_TARGETS))
    description = f"{len(x):,} × 100 dense, three tenths above zero, 2 classes"
    return description, problems


def sparse(rows: Rows) -> ArrayCase:
    x, y = data.counts(rows(200_000), 50_000, 100, 20)
    multinomial = {"fit": [faster(5)], "predict": [faster(4)]}
    bernoulli = {"fit": [faster(4)], "predict": [faster(3)]}
    problems = [
        Problem("counts", x, y, contestants.MULTINOMIAL, LABELS, multinomial),
        Problem("above zero", x, y, contestants.BERNOULLI, LABELS, bernoulli),
    ]
    shape = f"CSR {x.shape[0]:,} × {x.shape[1]:,}, {x.nnz / x.shape[0]:.0f} entries a row"
    return f"{shape}, 20 classes", problems


def threads(rows: Rows) -> ArrayCase:
    x, y = data.gaussian(rows(1_000_000), 50, 5)
    problem = Problem("float64", x, y, contestants.THREADS)
    return f"{len(x):,} × 50 float64 in C order, 5 classes", [problem]


ARRAY_CASES: dict[str, Callable[[Rows], ArrayCase]] = {
    "gaussian": gaussian,
    "gaussian-float32": gaussian_float32,
    "gaussian-f-order": gaussian_f_order,
    "gaussian-wide": gaussian_wide,
    "categorical": categorical,
    "bernoulli": bernoulli,
    "sparse": sparse,
    "threads": threads,
}
