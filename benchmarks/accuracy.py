"""How often the answer is right: deciban without options and four naive Bayes pipelines of scikit-learn on real tables.

``python -m benchmarks.accuracy`` prints accuracy and log-loss under stratified ten-fold cross-validation, with the same
folds for everyone, and whether conditions hold: deciban's mean accuracy is 0.01 above that of the best single pipeline
and its log-loss at most 0.6 times as much, and on no set is deciban more than 0.02 below the best pipeline of that set.
The data are in the folder ``DECIBAN_DATA``, or beside the project; a set that is not there is skipped.

deciban gets the frame as ``pandas.read_csv`` reads it. The pipelines are told more: which columns the index of the data
declares as numbers, categories, or neither (identifiers and free text, which they leave out), which categories there
are in the whole file, and for each set the best of four ways to fill in what is missing.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder

import deciban
from benchmarks.report import table_line

DATA = Path(os.environ.get("DECIBAN_DATA", Path(__file__).parents[2] / "shared" / "data"))
SETS = ("adult", "mushroom", "car", "house_votes_84", "titanic", "german_credit", "hypothyroid", "colic", "heart_c")
OWN = "deciban"
ALLOWED_GAP = 0.02
ASKED_LEAD, ASKED_LOSS = 0.01, 0.6
FOLDS = 10
FILLS = tuple(product(("mean", "median"), ("constant", "most_frequent")))  # for numbers; for categories ("?", the mode)


@dataclass(frozen=True)
class Table:
    """A data set: the frame as read, the class column, and which other columns hold numbers and which categories."""

    name: str
    frame: pd.DataFrame
    target: str
    numeric: list[str]
    nominal: list[str]


class Score(NamedTuple):
    accuracy: float
    log_loss: float


def tables(everything: bool) -> Iterator[Table]:
    """The sets that are there and large enough, read; the others are named on stderr."""
    listed = json.loads((DATA / "index.json").read_text()) if (DATA / "index.json").exists() else []
    index = {entry["name"]: entry for entry in listed if entry["kind"] == "tabular" and entry["split"] != "test"}
    for name in index if everything else SETS:
        if name not in index or not (DATA / index[name]["file"]).exists():
            print(f"{name}: skipped, it is not in {DATA}", file=sys.stderr)
        elif max(index[name]["classes"].values()) < FOLDS:
            print(f"{name}: skipped, no class has a row for each fold", file=sys.stderr)
        else:
            yield read(index[name])


def read(entry: dict[str, Any]) -> Table:
    frame = pd.read_csv(DATA / entry["file"], na_values=["?"])
    target = entry["class_column"]
    kinds = {column["name"]: column["type"] for column in entry["columns"] if column["name"] != target}
    numeric, nominal = ([name for name, kind in kinds.items() if kind == wanted] for wanted in ("numeric", "nominal"))
    return Table(entry["name"], frame, target, numeric, nominal)


class Joined:
    """Classifiers of different columns as one: their log-probabilities added, the prior counted once."""

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
    """The contestants of scikit-learn, unfitted, with one way to fill in missing numbers and categories."""
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


class WithoutOptions:
    """deciban as it comes: one frame, and the name of the column to be predicted."""

    def fit(self, x: pd.DataFrame, y: pd.Series) -> Any:
        return deciban.NaiveBayes().fit(pd.concat([x, y], axis=1), y.name)


def score(contestant: Any, x: pd.DataFrame, y: pd.Series) -> Score:
    """Ten-fold accuracy and log-loss."""
    classes = np.unique(y)
    labels, probabilities = y.to_numpy().copy(), np.zeros((len(y), len(classes)))
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(x, y):
        model = contestant.fit(x.iloc[train], y.iloc[train])
        labels[test] = model.predict(x.iloc[test])
        probabilities[np.ix_(test, np.searchsorted(classes, model.classes_))] = model.predict_proba(x.iloc[test])
    return Score(accuracy_score(y, labels), log_loss(y, probabilities, labels=classes))


def scores(table: Table, with_deciban: bool) -> dict[str, Score]:
    x, y = table.frame.drop(columns=table.target), table.frame[table.target]
    told = x[table.numeric + table.nominal].copy()
    told[table.nominal] = told[table.nominal].astype(object).where(told[table.nominal].isna(), told.astype(str))
    found: dict[str, Score] = {}
    for fill in FILLS if told.isna().any(axis=None) else FILLS[:1]:
        for name, pipeline in pipelines(table, *fill).items():
            found[name] = max(found.get(name, Score(0, 0)), score(pipeline, told, y))
    if with_deciban:
        found[OWN] = score(WithoutOptions(), x, y)
    return found


def report(results: dict[str, dict[str, Score]]) -> str:
    """The table of all sets, the means, and the verdict on deciban where it took part."""
    names = list(next(iter(results.values())))
    mean = {name: Score(*np.mean([found[name] for found in results.values()], axis=0)) for name in names}
    lines = [table_line(["data", *names, "best pipeline"]), table_line(["---"] * (len(names) + 2))]
    for data, found in [*results.items(), (f"mean of {len(results)}", mean)]:
        cells = [f"{found[name].accuracy:.4f} ({found[name].log_loss:.3f})" for name in names]
        lines.append(table_line([data, *cells, best_pipeline(found)]))
    if OWN in names:
        lines += ["", *verdict(results, mean)]
    return "\n".join(["Accuracy (log-loss in brackets), ten folds.", "", *lines])


def best_pipeline(found: dict[str, Score]) -> str:
    return max((name for name in found if name != OWN), key=lambda name: found[name].accuracy)


def verdict(results: dict[str, dict[str, Score]], mean: dict[str, Score]) -> list[str]:
    best = mean[best_pipeline(mean)]
    ahead, share = mean[OWN].accuracy - best.accuracy, mean[OWN].log_loss / best.log_loss
    gaps = {data: found[best_pipeline(found)].accuracy - found[OWN].accuracy for data, found in results.items()}
    worst, worst_of_nine = (max(some, key=gaps.__getitem__) for some in (gaps, [d for d in gaps if d in SETS] or gaps))
    return [
        f"- mean accuracy minus that of the best single pipeline, {best_pipeline(mean)}: {ahead:+.4f}"
        f" (at least {ASKED_LEAD}: {'yes' if ahead >= ASKED_LEAD else 'no'})",
        f"- mean log-loss, as a share of that pipeline's: {share:.3f}"
        f" (at most {ASKED_LOSS}: {'yes' if share <= ASKED_LOSS else 'no'})",
        f"- furthest below the best pipeline of a set, among the nine with words, numbers and holes: "
        f"{gaps[worst_of_nine]:.4f} on {worst_of_nine}"
        f" (at most {ALLOWED_GAP}: {'yes' if gaps[worst_of_nine] <= ALLOWED_GAP else 'no'}); "
        f"of all: {gaps[worst]:.4f} on {worst}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__.partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="every table in the folder's index, not the nine")
    parser.add_argument("--without-deciban", action="store_true", help="the pipelines alone")
    given = parser.parse_args()
    warnings.filterwarnings("ignore", category=UserWarning, module="sklearn")  # rare classes, constant columns
    results = {}
    for table in tables(given.all):
        print(f"{table.name} ...", file=sys.stderr, flush=True)
        results[table.name] = scores(table, not given.without_deciban)
    print(report(results) if results else f"No data in {DATA}; set DECIBAN_DATA to the folder that holds it.")


if __name__ == "__main__":
    main()
