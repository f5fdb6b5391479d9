"""Accuracy of deciban without options and of four naive Bayes pipelines of scikit-learn on real tables.

``python -m benchmarks.accuracy`` prints accuracy and log-loss under stratified ten-fold cross-validation, with the same
folds for all, and whether three conditions hold: deciban's mean accuracy is 0.01 above the best single pipeline's, its
log-loss is at most 0.6 times as large, and on no set is deciban more than 0.02 below the best pipeline of that set. A
set that is not in the folder ``DECIBAN_DATA`` is skipped.

deciban gets the frame as ``pandas.read_csv`` reads it. The pipelines get more information: the columns that the index
of the data declares as numbers and categories (identifiers and free text are left out), the categories of the whole
file, and for each set the best of four ways to fill in missing values.
"""

from __future__ import annotations

import argparse
import warnings
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

from benchmarks.race import OWN
from benchmarks.real_data import NO_DATA, Table, tables
from benchmarks.report import announce, yes_no
from benchmarks.scores import FrameClassifier, Score, figures_table, mean_figures, score

SETS = ("adult", "mushroom", "car", "house_votes_84", "titanic", "german_credit", "hypothyroid", "colic", "heart_c")
ALLOWED_GAP = 0.02
ASKED_LEAD, ASKED_LOSS = 0.01, 0.6
# Strategies for missing numbers, and for missing categories: "?" or the most frequent one.
FILLS = tuple(product(("mean", "median"), ("constant", "most_frequent")))


class Joined:
    """Product of classifiers that read different columns: log-probabilities are added, and the prior counts once."""

    def __init__(self, parts: list[Any]):
        self.parts = parts

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


def scores(table: Table, with_deciban: bool) -> dict[str, Score]:
    """Return the score of every pipeline, with its best way to fill in missing values, and of deciban."""
    x, y = table.frame.drop(columns=table.target), table.frame[table.target]
    declared = x[table.numeric + table.nominal].copy()
    names = declared[table.nominal]
    declared[table.nominal] = names.astype(object).where(names.isna(), declared.astype(str))
    found: dict[str, Score] = {}
    for fill in FILLS if declared.isna().any(axis=None) else FILLS[:1]:
        for name, pipeline in pipelines(table, *fill).items():
            found[name] = max(found.get(name, Score(0, 0)), score(pipeline, declared, y))
    if with_deciban:
        found[OWN] = score(FrameClassifier({}), x, y)
    return found


def report(results: dict[str, dict[str, Score]]) -> str:
    """Return the table of all sets with the means, and the verdict on deciban if it took part."""
    best = {"best pipeline": lambda data, found: best_pipeline(found)}
    lines = figures_table("Accuracy (log-loss in brackets), ten folds.", results, after=best)
    mean = mean_figures(results)
    return "\n".join([*lines, "", *verdict(results, mean)] if OWN in mean else lines)


def best_pipeline(found: dict[str, Score]) -> str:
    return max((name for name in found if name != OWN), key=lambda name: found[name].accuracy)


def verdict(results: dict[str, dict[str, Score]], mean: dict[str, Score]) -> list[str]:
    """Return the three conditions, and whether they hold."""
    best = mean[best_pipeline(mean)]
    ahead, share = mean[OWN].accuracy - best.accuracy, mean[OWN].log_loss / best.log_loss
    gaps = {data: found[best_pipeline(found)].accuracy - found[OWN].accuracy for data, found in results.items()}
    worst = max(gaps, key=gaps.__getitem__)
    worst_of_nine = max([data for data in gaps if data in SETS] or gaps, key=gaps.__getitem__)
    return [
        f"- mean accuracy minus that of the best single pipeline, {best_pipeline(mean)}: {ahead:+.4f}"
        f" (at least {ASKED_LEAD}: {yes_no(ahead >= ASKED_LEAD)})",
        f"- mean log-loss, as a share of that pipeline's: {share:.3f}"
        f" (at most {ASKED_LOSS}: {yes_no(share <= ASKED_LOSS)})",
        f"- furthest below the best pipeline of a set, among the nine with words, numbers and missing values: "
        f"{gaps[worst_of_nine]:.4f} on {worst_of_nine}"
        f" (at most {ALLOWED_GAP}: {yes_no(gaps[worst_of_nine] <= ALLOWED_GAP)}); "
        f"of all: {gaps[worst]:.4f} on {worst}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__.partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="every table in the folder's index, not the nine")
    parser.add_argument("--without-deciban", action="store_true", help="the pipelines alone")
    given = parser.parse_args()
    warnings.filterwarnings("ignore", category=UserWarning, module="sklearn")  # rare classes, constant columns
    results = {}
    for table in tables(None if given.all else SETS):
        announce(table.name)
        results[table.name] = scores(table, not given.without_deciban)
    print(report(results) if results else NO_DATA)


if __name__ == "__main__":
    main()
