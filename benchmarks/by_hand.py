"""Naive Bayes without a library: counts and moments by class in polars or DuckDB, and scores in SQL."""

from __future__ import annotations

import math
from typing import Any

import duckdb
import polars as pl

from benchmarks.frames import BOOLS, FLOATS, GRADES, LABEL, STRINGS

TEXT = "text"
DISCRETE = [*STRINGS, *BOOLS]
# deciban's default, so that both give the same labels.
PSEUDO_COUNT = 1.0


def polars_counts(frame: pl.DataFrame, columns: list[str]) -> list[pl.DataFrame]:
    return [frame.group_by(LABEL, column).len() for column in columns]


def polars_words(documents: pl.DataFrame) -> pl.DataFrame:
    """Return counts by class of the words that CountVectorizer finds.

    The in-memory engine, or lower case after the words are found, is slower.
    """
    words = pl.col(TEXT).str.to_lowercase().str.extract_all(r"(?u)\b\w\w+\b")
    pairs = documents.lazy().select(LABEL, words).explode(TEXT)
    return pairs.group_by(LABEL, TEXT).len().collect(engine="streaming")


def polars_statistics(frame: pl.DataFrame) -> list[pl.DataFrame]:
    """Return moments and counts by class. As lazy queries, all at once, they take longer on two cores."""
    return [polars_moments(frame), *polars_counts(frame, DISCRETE)]


def polars_moments(frame: pl.DataFrame) -> pl.DataFrame:
    """Return count, sum and sum of squares by class: less exact than variances, and quicker."""
    x = pl.col(FLOATS)
    cells = (x.count().name.suffix("_count"), x.sum().name.suffix("_sum"), (x * x).sum().name.suffix("_squares"))
    return frame.group_by(LABEL).agg(pl.len(), *cells)


def duckdb_statistics(connection: duckdb.DuckDBPyConnection) -> list[Any]:
    """Return moments and counts by class in two queries. One query per column would read the labels ten times."""
    moments = ", ".join(f"count({x}), sum({x}), sum({x} * {x})" for x in FLOATS)
    sets = ", ".join(f"({LABEL}, {column})" for column in DISCRETE)
    queries = (
        f"SELECT {LABEL}, count(*), {moments} FROM rows GROUP BY {LABEL}",
        f"SELECT {LABEL}, {', '.join(DISCRETE)}, count(*) FROM rows GROUP BY GROUPING SETS ({sets})",
    )
    return [connection.execute(query).fetchall() for query in queries]


def connect(rows: Any) -> duckdb.DuckDBPyConnection:
    """Return a connection in which the table is called "rows"."""
    connection = duckdb.connect()
    connection.register("rows", rows)
    return connection


class DuckDBPrediction:
    """Prediction in SQL: joins with log-probabilities of the discrete columns, and Gaussian terms as parabolas.

    The tables of log-probabilities have a column per class. A row per class and ``arg_max`` would be shorter, and take
    three times as long.
    """

    def __init__(self, training: pl.DataFrame, rows: Any) -> None:
        # Joins change the order of the rows; the key restores it.
        self.connection = connect(rows.append_column("id", [list(range(rows.num_rows))]))
        for column in DISCRETE:
            self.connection.register("parameters", log_probabilities(training, column).to_arrow())
            self.connection.execute(f"CREATE TABLE p_{column} AS FROM parameters")
        self.query = prediction(polars_moments(training))

    def __call__(self) -> Any:
        return self.connection.execute(self.query).fetchnumpy()[LABEL]


def log_probabilities(training: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the smoothed log-probability of every value, with a column per class."""
    counts = training.drop_nulls(column).pivot(LABEL, index=column, values=LABEL, aggregate_function="len")
    smoothed = pl.col(GRADES).fill_null(0) + PSEUDO_COUNT
    return counts.select(column, (smoothed / smoothed.sum()).log())


def prediction(moments: pl.DataFrame) -> str:
    """Return the query for the most probable class of every row."""
    by_class = {row[LABEL]: row for row in moments.to_dicts()}
    total = sum(row["len"] for row in by_class.values())
    scores = ", ".join(f"{score(grade, by_class[grade], total)} AS {grade}" for grade in GRADES)
    joins = " ".join(f"LEFT JOIN p_{column} USING ({column})" for column in DISCRETE)
    cases = " ".join(f"WHEN {grade} THEN '{grade}'" for grade in GRADES)
    best = f"CASE greatest({', '.join(GRADES)}) {cases} END AS {LABEL}"
    return f"SELECT {best} FROM (SELECT id, {scores} FROM rows {joins}) ORDER BY id"


def score(grade: str, sums: dict[str, Any], total: int) -> str:
    """Return the joint log-probability of a class as an SQL expression."""
    gaussian = [f"coalesce({parabola(x, sums)}, 0)" for x in FLOATS]
    discrete = [f"coalesce(p_{column}.{grade}, 0)" for column in DISCRETE]
    return " + ".join([literal(math.log(sums["len"] / total)), *gaussian, *discrete])


def parabola(x: str, sums: dict[str, Any]) -> str:
    """Return the normal log-density of x as an SQL expression, multiplied out."""
    mean = sums[f"{x}_sum"] / sums[f"{x}_count"]
    variance = sums[f"{x}_squares"] / sums[f"{x}_count"] - mean**2
    square, slope = -0.5 / variance, mean / variance
    base = -0.5 * (math.log(2 * math.pi * variance) + mean**2 / variance)
    return f"({literal(square)} * {x} + {literal(slope)}) * {x} + {literal(base)}"


def literal(value: float) -> str:
    """Return a number with an exponent: DuckDB would read one without as a decimal."""
    return f"{value:.17e}"
