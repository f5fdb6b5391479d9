"""Classifiers of scikit-learn that are not naive Bayes: logistic regression, gradient boosting and a random forest.

They have default settings. Exceptions are the number of iterations of logistic regression, so that it converges, and
the number of trees of the forest. All of them read the columns that the index of the data declares as numbers and
categories.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from benchmarks.kept_results import KeptResults
from benchmarks.real_data import Table
from benchmarks.scores import Predictions

ITERATIONS, TREES, SEED = 10_000, 300, 0
MISSING_CATEGORY = "?"


def columns_pipeline(table: Table, number_steps: list[Any], category_steps: list[Any]) -> Any:
    """Return a transformer of the categories, then the numbers, of a table. No steps mean no change."""
    numeric = [name for name in table.numeric if table.frame[name].notna().any()]  # boosting raises on an empty column
    parts = [(category_steps, table.nominal), (number_steps, numeric)]
    parts = [(make_pipeline(*steps) if steps else "passthrough", names) for steps, names in parts if names]
    return make_column_transformer(*parts, sparse_threshold=0)


def logistic_regression(table: Table) -> Any:
    """Return logistic regression of standardised numbers and one-hot categories.

    Missing numbers are the mean, with an indicator; missing categories are a category of their own.
    """
    numbers = [StandardScaler(), SimpleImputer(add_indicator=True, keep_empty_features=True)]
    categories = [fill_categories(), OneHotEncoder(handle_unknown="ignore", sparse_output=False)]
    return make_pipeline(columns_pipeline(table, numbers, categories), LogisticRegression(max_iter=ITERATIONS))


def gradient_boosting(table: Table) -> Any:
    """Return gradient boosting with its own treatment of categories and missing values."""
    return make_pipeline(boosting_columns(table), boosting_trees(table))


def boosting_columns(table: Table) -> Any:
    """Return the transformer for gradient boosting: categories as codes in the first columns, missing values as NaN."""
    ordinal = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan, encoded_missing_value=np.nan)
    return columns_pipeline(table, [], [ordinal])


def boosting_trees(table: Table, **settings: Any) -> HistGradientBoostingClassifier:
    """Return gradient boosting for the columns that ``boosting_columns`` makes."""
    categories = list(range(len(table.nominal)))
    return HistGradientBoostingClassifier(categorical_features=categories, random_state=SEED, **settings)


def random_forest(table: Table) -> Any:
    """Return a random forest that reads categories as codes. Missing numbers are the mean."""
    ordinal = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    columns = columns_pipeline(table, [SimpleImputer(keep_empty_features=True)], [fill_categories(), ordinal])
    return make_pipeline(columns, RandomForestClassifier(n_estimators=TREES, random_state=SEED, n_jobs=1))


def fill_categories() -> SimpleImputer:
    """Return the step that makes missing categories a category of their own."""
    return SimpleImputer(strategy="constant", fill_value=MISSING_CATEGORY)


PEERS: dict[str, Callable[[Table], Any]] = {
    "logistic regression": logistic_regression,
    "gradient boosting": gradient_boosting,
    "random forest": random_forest,
}


def predict_peers(table: Table, kept: KeptResults) -> dict[str, Predictions]:
    """Return the predictions of every peer."""
    return {name: kept.predictions(table, name, make(table)) for name, make in PEERS.items()}
