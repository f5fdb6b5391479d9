"""The cases: which data, which contestants, which targets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

import numpy as np

from benchmarks import contestants, data
from benchmarks.memory import memory
from benchmarks.one_row import one_row
from benchmarks.report import Section, Target
from benchmarks.startup import startup
from benchmarks.versus import ALL, LABELS, Problem, versus

GIGABYTE = 1e9
TEXT_BYTES = 2e8


@dataclass(frozen=True)
class Options:
    scale: float
    repeats: int
    peers_only: bool = False

    def rows(self, full: int) -> int:
        return max(1000, int(full * self.scale))


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


def gaussian(options: Options) -> Section:
    x, y = data.gaussian(options.rows(1_000_000), 50, 5)
    entrants = (*contestants.GAUSSIAN, contestants.POLARS_GAUSSIAN)
    problem = Problem("float64", x, y, entrants, ALL, GAUSSIAN_TARGETS)
    return versus("gaussian", f"{len(x):,} × 50 float64 in C order, 5 classes", [problem], options.repeats)


def gaussian_float32(options: Options) -> Section:
    x, y = data.gaussian(options.rows(1_000_000), 50, 5, np.float32)
    problem = Problem("float32", x, y, contestants.GAUSSIAN, ALL, RATIO_TARGETS)
    return versus("gaussian-float32", f"{len(x):,} × 50 float32 in C order, 5 classes", [problem], options.repeats)


def gaussian_f_order(options: Options) -> Section:
    x, y = data.gaussian(options.rows(1_000_000), 50, 5)
    problem = Problem("float64 F", np.asfortranarray(x), y, contestants.GAUSSIAN, ALL)
    return versus("gaussian-f-order", f"{len(x):,} × 50 float64 in F order, 5 classes", [problem], options.repeats)


def gaussian_wide(options: Options) -> Section:
    x, y = data.gaussian(options.rows(200_000), 200, 20)
    problem = Problem("float64", x, y, contestants.GAUSSIAN, LABELS, {"fit": [reads(2)]})
    return versus("gaussian-wide", f"{len(x):,} × 200 float64 in C order, 20 classes", [problem], options.repeats)


def categorical(options: Options) -> Section:
    x, y = data.categorical(options.rows(1_000_000), 20, 10, 5)
    targets = {"fit": [faster(35)], "predict": [faster(10)]}
    problem = Problem("int64", x, y, contestants.CATEGORICAL, LABELS, targets)
    description = f"{len(x):,} × 20 int64 codes of 10 values, 5 classes"
    return versus("categorical", description, [problem], options.repeats)


def bernoulli(options: Options) -> Section:
    x, y = data.binary(options.rows(500_000), 100, 2)
    targets = {"fit": [faster(20)], "predict": [faster(12)]}
    problems = [Problem("float64", x, y, contestants.BERNOULLI, LABELS, targets)]
    for dtype in ("uint8", "bool"):
        small = (x > 0).astype(dtype)
        problems.append(Problem(dtype, small, y, contestants.BERNOULLI, LABELS, SMALLER_TYPE_TARGETS))
    description = f"{len(x):,} × 100 dense, three tenths above zero, 2 classes"
    return versus("bernoulli", description, problems, options.repeats)


def sparse(options: Options) -> Section:
    x, y = data.counts(options.rows(200_000), 50_000, 100, 20)
    multinomial = {"fit": [faster(5)], "predict": [faster(4)]}
    bernoulli = {"fit": [faster(4)], "predict": [faster(3)]}
    problems = [
        Problem("counts", x, y, contestants.MULTINOMIAL, LABELS, multinomial),
        Problem("above zero", x, y, contestants.BERNOULLI, LABELS, bernoulli),
    ]
    shape = f"CSR {x.shape[0]:,} × {x.shape[1]:,}, {x.nnz / x.shape[0]:.0f} entries a row"
    return versus("sparse", f"{shape}, 20 classes", problems, options.repeats)


def threads(options: Options) -> Section:
    x, y = data.gaussian(options.rows(1_000_000), 50, 5)
    problem = Problem("float64", x, y, contestants.THREADS)
    return versus("threads", f"{len(x):,} × 50 float64 in C order, 5 classes", [problem], options.repeats)


def table_case(name: str) -> Callable[[Options], Section]:
    """Fit or predict on a table in memory; loaded late, for these alone need pandas, polars, pyarrow and DuckDB."""

    def case(options: Options) -> Section:
        run = getattr(import_module("benchmarks.tables"), name)
        return run(options.rows(1_000_000), options.repeats, options.peers_only)

    return case


def file_case(kind: str) -> Callable[[Options], Section]:
    def case(options: Options) -> Section:
        big_file = import_module("benchmarks.big_file").big_file
        return big_file(kind, GIGABYTE * options.scale, options.repeats, options.peers_only)

    return case


def text_case(module: str, name: str, size: float = TEXT_BYTES) -> Callable[[Options], Section]:
    def case(options: Options) -> Section:
        run = getattr(import_module(f"benchmarks.{module}"), name)
        return run(size * options.scale, options.repeats, options.peers_only)

    return case


def leave_one_out(options: Options) -> Section:
    run = import_module("benchmarks.left_out").left_out
    return run(options.rows(200_000), options.repeats, options.peers_only)


def explanations(options: Options) -> Section:
    run = import_module("benchmarks.explain").explanations
    return run(options.rows(1_000_000), options.repeats, options.peers_only)


def sampling(options: Options) -> Section:
    run = import_module("benchmarks.sampling").sampling
    return run(options.rows(10_000_000), options.repeats, options.peers_only)


def command(options: Options) -> Section:
    return import_module("benchmarks.command").command(options.repeats, options.peers_only)


CASES: dict[str, Callable[[Options], Section]] = {
    "gaussian": gaussian,
    "gaussian-float32": gaussian_float32,
    "gaussian-f-order": gaussian_f_order,
    "gaussian-wide": gaussian_wide,
    "categorical": categorical,
    "bernoulli": bernoulli,
    "sparse": sparse,
    "one-row": lambda options: one_row(),
    "memory": lambda options: memory(options.rows(1_000_000)),
    "import": lambda options: startup(options.repeats),
    "threads": threads,
    "tables-strings": table_case("strings"),
    "tables-mixed": table_case("mixed"),
    "tables-predict": table_case("predict"),
    "tables-csv": file_case("csv"),
    "tables-parquet": file_case("parquet"),
    "tables-command": command,
    "leave-one-out": leave_one_out,
    "explain": explanations,
    "sampling": sampling,
    "choosing": lambda options: import_module("benchmarks.left_out").choosing(options.repeats, options.peers_only),
    "text-fit": text_case("text", "fit"),
    "text-predict": text_case("text", "predict"),
    "text-bigrams": text_case("text", "bigrams"),
    "text-file": text_case("text_file", "file"),
    "text-memory": text_case("text_file", "memory", GIGABYTE),
}
