"""Logistic regression to compare naive Bayes with: a pipeline for rows of any kind."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, OneHotEncoder, StandardScaler

from deciban.arrays.labels import Floats, missing, object_array
from deciban.arrays.texts import as_lines
from deciban.readers.source import open_table
from deciban.tables.rules import Sample, choose, free_text, words_in

# Stands for a missing word.
MISSING_WORD = "(missing)"


def logistic_regression(X: Any) -> tuple[Any, Any]:
    """Logistic regression for rows like these, and the rows in the form it reads.

    Numbers are scaled, with the mean in place of what is missing; words are one-hot, what is missing being one of them;
    texts are the tf-idf of their words.
    """
    regression = LogisticRegression(max_iter=1000)
    lines = as_lines(X) if isinstance(X, list) else None
    if lines is not None:
        documents = [text or "" for text in lines.strings()]
        return make_pipeline(words_of_texts(documents), regression), documents
    if hasattr(X, "tocsr"):
        return make_pipeline(MaxAbsScaler(), regression), X.tocsr()
    columns = [plain(column) for column in columns_of(X)]
    numeric = [j for j, column in enumerate(columns) if column.dtype != object]
    of_table = not isinstance(X, np.ndarray)  # in an array, naive Bayes takes texts for names, too
    texts = [j for j, column in enumerate(columns) if of_table and is_text(column)]
    words = [j for j, column in enumerate(columns) if column.dtype == object and j not in texts]
    read = make_column_transformer(
        (
            make_pipeline(FunctionTransformer(as_floats), SimpleImputer(keep_empty_features=True), StandardScaler()),
            numeric,
        ),
        (OneHotEncoder(handle_unknown="ignore"), words),
        *((words_of_texts(columns[j].tolist()), j) for j in texts),
    )
    x = np.empty((row_count(X), len(columns)), dtype=object)
    for j, column in enumerate(columns):
        x[:, j] = column
    return make_pipeline(read, regression), x


def words_of_texts(texts: list[str]) -> Any:
    words = free_text(words_in(texts)[1])
    # The end of a text is a token, so that there always is one.
    pattern = r"(?u)\b\w\w+\b|\Z"
    tfidf = TfidfVectorizer(
        sublinear_tf=True,
        analyzer=words.analyzer,
        ngram_range=words.ngrams,
        token_pattern=pattern if words.analyzer == "word" else None,
    )
    return make_pipeline(tfidf, FunctionTransformer(lengthened))


def lengthened(x: Any) -> Any:
    """Texts of length √10 instead of 1, for which scikit-learn's usual penalty is too much."""
    return x * np.sqrt(10)


def is_text(column: NDArray[Any]) -> bool:
    """As naive Bayes sees it."""
    if column.dtype != object:
        return False
    values = [value for value in column.tolist() if value != MISSING_WORD]
    sample = Sample("text", len(values), len(set(values)), *words_in(values))
    likelihood = choose(sample).likelihood
    return likelihood is not None and likelihood.reads_text


def as_floats(x: NDArray[Any]) -> Floats:
    return x.astype(float)


def columns_of(X: Any) -> list[NDArray[Any]]:
    if isinstance(X, np.ndarray):
        return list(X.T)
    table = in_memory(X)
    return [
        column.to_numpy() if is_number(column.type) else object_array(column.to_pylist()) for column in table.columns
    ]


def is_number(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or pa.types.is_floating(kind)


def plain(column: NDArray[Any]) -> NDArray[Any]:
    """A column as floats, or if it has anything else than numbers, as words."""
    if column.dtype.kind in "fiu":
        return column.astype(float)
    column = column.astype(object)
    lost = missing(column)
    if all(isinstance(value, Real) and not isinstance(value, bool) for value in column[~lost]):
        return np.where(lost, np.nan, column).astype(float)
    return object_array([MISSING_WORD if gone else str(value) for value, gone in zip(column.tolist(), lost)])


def in_memory(X: Any) -> pa.Table:
    """A table of any kind as an Arrow table."""
    source = open_table(X)
    return pa.Table.from_batches(source.batches(source.schema.names, {}))


def row_count(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)
