"""The cases by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from benchmarks.array_cases import ARRAY_CASES
from benchmarks.memory import memory
from benchmarks.one_row import one_row
from benchmarks.options import Options
from benchmarks.report import Section
from benchmarks.startup import startup
from benchmarks.versus import versus

GIGABYTE = 1e9
TEXT_BYTES = 2e8


Case = Callable[[Options], Section]


def array_case(name: str) -> Case:
    """Return a case on arrays."""

    def run(options: Options) -> Section:
        description, problems = ARRAY_CASES[name](options.rows)
        return versus(name, description, problems, options.repeats)

    return run


def case(module: str, name: str, rows: int | None = None, size: float | None = None) -> Case:
    """Return a case on a number of rows or bytes, or on data of its own.

    Its module is imported when it runs, because it needs packages that other cases do not.
    """

    def run(options: Options) -> Section:
        function = getattr(import_module(f"benchmarks.{module}"), name)
        amount = [] if rows is None else [options.rows(rows)]
        amount += [] if size is None else [size * options.scale]
        return function(*amount, options.repeats, options.peers_only)

    return run


CASES: dict[str, Case] = {
    "gaussian": array_case("gaussian"),
    "gaussian-float32": array_case("gaussian-float32"),
    "gaussian-f-order": array_case("gaussian-f-order"),
    "gaussian-wide": array_case("gaussian-wide"),
    "categorical": array_case("categorical"),
    "bernoulli": array_case("bernoulli"),
    "sparse": array_case("sparse"),
    "one-row": lambda options: one_row(),
    "memory": lambda options: memory(options.rows(1_000_000)),
    "import": lambda options: startup(options.repeats),
    "threads": array_case("threads"),
    "tables-strings": case("tables", "strings", rows=1_000_000),
    "tables-mixed": case("tables", "mixed", rows=1_000_000),
    "tables-predict": case("tables", "predict", rows=1_000_000),
    "refined-predict": case("refined_predict", "refined_predict", rows=100_000),
    "tables-csv": case("big_file", "csv_file", size=GIGABYTE),
    "tables-parquet": case("big_file", "parquet_file", size=GIGABYTE),
    "tables-command": case("command", "command"),
    "leave-one-out": case("leave_one_out", "leave_one_out", rows=200_000),
    "explain": case("explain", "explanations", rows=1_000_000),
    "sampling": case("sampling", "sampling", rows=10_000_000),
    "choosing": case("leave_one_out", "choosing"),
    "choosing-budget": case("choosing_budget", "choosing_budget"),
    "text-fit": case("text", "fit", size=TEXT_BYTES),
    "text-predict": case("text", "predict", size=TEXT_BYTES),
    "text-bigrams": case("text", "bigrams", size=TEXT_BYTES),
    "text-file": case("text_file", "file", size=TEXT_BYTES),
    "text-memory": case("text_file", "memory", size=GIGABYTE),
    "text-default": case("text_default", "text_default", size=TEXT_BYTES),
}
