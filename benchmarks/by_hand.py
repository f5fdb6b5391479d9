"""What one would write without a library: counts and moments by class in polars or DuckDB, and scores in SQL."""

from __future__ import annotations

import math
from typing import Any

import duckdb
import polars as pl

from benchmarks.frames import BOOLS, FLOATS, GRADES, LABEL, STRINGS

TEXT = "text"
DISCRETE = [*STRINGS, *BOOLS]
# What deciban adds to a count unless told otherwise, so that both give the same labels.
PSEUDO_COUNT = 1.0


def polars_counts(frame: pl.DataFrame, columns: list[str]) -> list[pl.DataFrame]:
    return [frame.group_by(LABEL, column).len() for column in columns]


def polars_words(documents: pl.DataFrame) -> pl.DataFrame:
    """The words of CountVectorizer; slower are the other engine, and lower case after the words are found."""
    words = pl.col(TEXT).str.to_lowercase().str.extract_all(r"(?u)\b\w\w+\b")
    pairs = documents.lazy().select(LABEL, words).explode(TEXT)
    return pairs.group_by(LABEL, TEXT).len().collect(engine="streaming")


def polars_statistics(frame: pl.DataFrame) -> list[pl.DataFrame]:
    """One after the other: on two cores quicker than all at once as lazy queries, in either engine."""
    return [polars_moments(frame), *polars_counts(frame, DISCRETE)]


def polars_moments(frame: pl.DataFrame) -> pl.DataFrame:
    """Sums of squares rather than variances: less exact, and quicker."""
    x = pl.col(FLOATS)
    cells = (x.count().name.suffix("_count"), x.sum().name.suffix("_sum"), (x * x).sum().name.suffix("_squares"))
    return frame.group_by(LABEL).agg(pl.len(), *cells)


def duckdb_statistics(connection: duckdb.DuckDBPyConnection) -> list[Any]:
    """Two passes; one query per column would read the labels ten times and takes longer."""
    moments = ", ".join(f"count({x}), sum({x}), sum({x} * {x})" for x in FLOATS)
    sets = ", ".join(f"({LABEL}, {column})" for column in DISCRETE)
    queries = (
        f"SELECT {LABEL}, count(*), {moments} FROM rows GROUP BY {LABEL}",
        f"SELECT {LABEL}, {', '.join(DISCRETE)}, count(*) FROM rows GROUP BY GROUPING SETS ({sets})",
    )
    return [connection.execute(query).fetchall() for query in queries]


def connected(rows: Any) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.register("rows", rows)
    return connection


class DuckDBPrediction:
    """A table of log-probabilities per discrete column, one column per class; Gaussian terms as written-out parabolas.

    One row per class and ``arg_max`` over them would be shorter, and takes three times as long.
    """

    def __init__(self, training: pl.DataFrame, rows: Any) -> None:
        # Joins shuffle the rows, and labels are wanted in their order: a key is part of the table.
        self.connection = connected(rows.append_column("id", [list(range(rows.num_rows))]))
        for column in DISCRETE:
            self.connection.register("parameters", log_probabilities(training, column).to_arrow())
            self.connection.execute(f"CREATE TABLE p_{column} AS FROM parameters")
        self.query = prediction(polars_moments(training))

    def __call__(self) -> Any:
        return self.connection.execute(self.query).fetchnumpy()[LABEL]


def log_probabilities(training: pl.DataFrame, column: str) -> pl.DataFrame:
    counts = training.drop_nulls(column).pivot(LABEL, index=column, values=LABEL, aggregate_function="len")
    smoothed = pl.col(GRADES).fill_null(0) + PSEUDO_COUNT
    return counts.select(column, (smoothed / smoothed.sum()).log())


def prediction(moments: pl.DataFrame) -> str:
    of_class = {row[LABEL]: row for row in moments.to_dicts()}
    total = sum(row["len"] for row in of_class.values())
    scores = ", ".join(f"{score(grade, of_class[grade], total)} AS {grade}" for grade in GRADES)
    joins = " ".join(f"LEFT JOIN p_{column} USING ({column})" for column in DISCRETE)
    cases = " ".join(f"WHEN {grade} THEN '{grade}'" for grade in GRADES)
    best = f"CASE greatest({', '.join(GRADES)}) {cases} END AS {LABEL}"
    return f"SELECT {best} FROM (SELECT id, {scores} FROM rows {joins}) ORDER BY id"


def score(grade: str, sums: dict[str, Any], total: int) -> str:
    gaussian = [f"coalesce({parabola(x, sums)}, 0)" for x in FLOATS]
    discrete = [f"coalesce(p_{column}.{grade}, 0)" for column in DISCRETE]
    return " + ".join([literal(math.log(sums["len"] / total)), *gaussian, *discrete])


def parabola(x: str, sums: dict[str, Any]) -> str:
    """The normal log-density of x, multiplied out."""
    mean = sums[f"{x}_sum"] / sums[f"{x}_count"]
    variance = sums[f"{x}_squares"] / sums[f"{x}_count"] - mean**2
    square, slope = -0.5 / variance, mean / variance
    base = -0.5 * (math.log(2 * math.pi * variance) + mean**2 / variance)
    return f"({literal(square)} * {x} + {literal(slope)}) * {x} + {literal(base)}"


def literal(value: float) -> str:
    """With an exponent, or DuckDB would take it for a decimal."""
    return f"{value:.17e}"
