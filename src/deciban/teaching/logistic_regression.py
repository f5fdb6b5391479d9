"""Logistic regression to compare naive Bayes with: a scikit-learn pipeline for arrays, tables and texts."""

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

from deciban.arrays.names import missing_mask, object_array
from deciban.arrays.types import Floats
from deciban.readers.source import open_table
from deciban.readers.texts import as_texts
from deciban.tables.rules import ColumnSample, choose_model, free_text, words_in

# The category of missing values in a column of words.
MISSING_WORD = "(missing)"


def logistic_regression(X: Any) -> tuple[Any, Any]:
    """Return an unfitted logistic regression for the columns of X, and X in the form that it reads.

    Numbers are scaled, and a missing number becomes the mean. Words are one-hot encoded, and a missing word is one more
    category. Texts become the tf-idf of their words.
    """
    regression = LogisticRegression(max_iter=1000)
    lines = as_texts(X) if isinstance(X, list) else None
    if lines is not None:
        documents = [text or "" for text in lines.strings()]
        return make_pipeline(tfidf_vectorizer(documents), regression), documents
    if hasattr(X, "tocsr"):
        return make_pipeline(MaxAbsScaler(), regression), X.tocsr()
    columns = [floats_or_words(column) for column in read_columns(X)]
    numeric = [j for j, column in enumerate(columns) if column.dtype != object]
    has_texts = not isinstance(X, np.ndarray)  # NaiveBayes reads the strings of an array as categories
    texts = [j for j, column in enumerate(columns) if has_texts and is_text(column)]
    words = [j for j, column in enumerate(columns) if column.dtype == object and j not in texts]
    read = make_column_transformer(
        (
            make_pipeline(FunctionTransformer(as_floats), SimpleImputer(keep_empty_features=True), StandardScaler()),
            numeric,
        ),
        (OneHotEncoder(handle_unknown="ignore"), words),
        *((tfidf_vectorizer(columns[j].tolist()), j) for j in texts),
    )
    x = np.empty((row_count(X), len(columns)), dtype=object)
    for j, column in enumerate(columns):
        x[:, j] = column
    return make_pipeline(read, regression), x


def tfidf_vectorizer(texts: list[str]) -> Any:
    """Return an unfitted transformer of texts to tf-idf weights of words, or of characters and pairs."""
    words = free_text(words_in(texts)[1])
    # The end of a text counts as a token: scikit-learn raises an error for a vocabulary without tokens.
    pattern = r"(?u)\b\w\w+\b|\Z"
    tfidf = TfidfVectorizer(
        sublinear_tf=True,
        analyzer=words.analyzer,
        ngram_range=words.ngrams,
        token_pattern=pattern if words.analyzer == "word" else None,
    )
    return make_pipeline(tfidf, FunctionTransformer(scale_length))


def scale_length(x: Any) -> Any:
    """Return tf-idf rows of length √10 instead of 1, for which scikit-learn's default penalty is too strong."""
    return x * np.sqrt(10)


def is_text(column: NDArray[Any]) -> bool:
    """Return whether NaiveBayes would read the words of this column, rather than take its values as categories."""
    if column.dtype != object:
        return False
    values = [value for value in column.tolist() if value != MISSING_WORD]
    sample = ColumnSample("text", len(values), len(set(values)), *words_in(values))
    likelihood = choose_model(sample).likelihood
    return likelihood is not None and likelihood.reads_text


def as_floats(x: NDArray[Any]) -> Floats:
    return x.astype(float)


def read_columns(X: Any) -> list[NDArray[Any]]:
    """Return the columns of an array or a table, numbers as they are and anything else as objects."""
    if isinstance(X, np.ndarray):
        return list(X.T)
    table = read_into_memory(X)
    return [
        column.to_numpy() if is_number(column.type) else object_array(column.to_pylist()) for column in table.columns
    ]


def is_number(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or pa.types.is_floating(kind)


def floats_or_words(column: NDArray[Any]) -> NDArray[Any]:
    """Return a column as floats, or as strings if it has a value that is not a number."""
    if column.dtype.kind in "fiu":
        return column.astype(float)
    column = column.astype(object)
    absent = missing_mask(column)
    if all(isinstance(value, Real) and not isinstance(value, bool) for value in column[~absent]):
        return np.where(absent, np.nan, column).astype(float)
    return object_array([MISSING_WORD if skip else str(value) for value, skip in zip(column.tolist(), absent)])


def read_into_memory(X: Any) -> pa.Table:
    """Return a table of any kind, or a file, as an Arrow table."""
    source = open_table(X)
    return pa.Table.from_batches(source.batches(source.schema.names, {}))


def row_count(X: Any) -> int:
    """Return the number of rows of an array, a table or a list."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)
