"""Four naive Bayes pipelines of scikit-learn: what its users would write for a table of numbers and categories.

The pipelines get more information than deciban: the columns that the index of the data declares as numbers and
categories (identifiers and free text are left out), the categories of the whole file, and for each set the best of four
ways to fill in missing values.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder

from benchmarks.kept_results import KeptResults
from benchmarks.real_data import Table, declared_columns
from benchmarks.scores import Score, score_predictions

# Strategies for missing numbers, and for missing categories: "?" or the most frequent one.
FILLS = tuple(product(("mean", "median"), ("constant", "most_frequent")))


class Joined:
    """Product of classifiers that read different columns: log-probabilities are added, and the prior counts once."""

    def __init__(self, parts: list[Any]):
        self.parts = parts

    def __repr__(self) -> str:
        return f"Joined({self.parts})"

    def fit(self, x: pd.DataFrame, y: pd.Series) -> Joined:
        self.classes_, counts = np.unique(y, return_counts=True)
        self.log_prior = np.log(counts / len(y))
        self.parts = [part.fit(x, y) for part in self.parts]
        return self

    def predict_proba(self, x: pd.DataFrame) -> np.ndarray:
        joint = self.log_prior + sum(part.predict_log_proba(x) - self.log_prior for part in self.parts)
        raised = np.exp(joint - joint.max(axis=1, keepdims=True))
        return raised / raised.sum(axis=1, keepdims=True)

    def predict(self, x: pd.DataFrame) -> np.ndarray:
        return self.classes_[self.predict_proba(x).argmax(axis=1)]


def pipelines(table: Table, number_fill: str, category_fill: str) -> dict[str, Any]:
    """Return the unfitted pipelines of scikit-learn, with one way to fill in missing numbers and categories."""
    known = [np.unique(table.frame[c].dropna().astype(str)) for c in table.nominal]
    known = [np.append(names, "?") if table.frame[c].hasnans else names for c, names in zip(table.nominal, known)]
    numbers = SimpleImputer(strategy=number_fill, keep_empty_features=True)
    categories = SimpleImputer(strategy=category_fill, fill_value="?")
    bins = partial(KBinsDiscretizer, 5, strategy="quantile", quantile_method="averaged_inverted_cdf")

    def columns(number_steps: list[Any] | None, category_steps: list[Any] | None) -> Any:
        parts = [(number_steps, numbers, table.numeric), (category_steps, categories, table.nominal)]
        parts = [(make_pipeline(fill, *steps), names) for steps, fill, names in parts if steps is not None and names]
        return make_column_transformer(*parts, sparse_threshold=0)

    one_hot = OneHotEncoder(categories=known, sparse_output=False)
    ordinal = OrdinalEncoder(categories=known)
    sizes = [len(names) for names in known]
    parts = [make_pipeline(columns([], None), GaussianNB())] if table.numeric else []
    parts += [make_pipeline(columns(None, [ordinal]), CategoricalNB(min_categories=sizes))] if table.nominal else []
    categorical = CategoricalNB(min_categories=[1] * len(table.numeric) + sizes)
    return {
        "one-hot Gaussian": make_pipeline(columns([], [one_hot]), GaussianNB()),
        "binned Bernoulli": make_pipeline(columns([bins(encode="onehot-dense")], [one_hot]), BernoulliNB()),
        "binned categorical": make_pipeline(columns([bins(encode="ordinal")], [ordinal]), categorical),
        "Gaussian and categorical": Joined(parts),
    }


def score_pipelines(table: Table, kept: KeptResults) -> dict[str, Score]:
    """Return the score of every pipeline, with its best way to fill in missing values."""
    y, found = table.frame[table.target], {}
    for fill in FILLS if declared_columns(table).isna().any(axis=None) else FILLS[:1]:
        for name, pipeline in pipelines(table, *fill).items():
            predictions = kept.predictions(table, ", ".join([name, *fill]), pipeline)
            found[name] = max(found.get(name, Score(0, 0)), score_predictions(predictions, y))
    return found
