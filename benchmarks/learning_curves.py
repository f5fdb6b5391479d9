"""Generative against discriminative: naive Bayes and logistic regression on more and more rows of real tables.

``python -m benchmarks.learning_curves`` prints one table. Ng and Jordan (2001) found that naive Bayes, which needs
fewer rows to come near the best it can do, is ahead at first, and logistic regression, whose best is better, in the
end. The last column says whether that is so here: naive Bayes surely ahead at some size, and logistic regression at the
largest. Sure is what exceeds three standard errors over the repeats.

Naive Bayes is deciban without options, logistic regression the pipeline of ``db.learning_curve``: numbers scaled, words
one-hot, what is missing filled in, scikit-learn's usual penalty. With ``--textbook`` both are more like what Ng and
Jordan had: a Gaussian for every column of numbers and a table for every column of words, pseudo-count 1; and next to no
penalty. The data are in the folder ``DECIBAN_DATA``, or beside the project.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import deciban
from benchmarks.accuracy import DATA, Table, tables
from benchmarks.report import table_line

# Tables of many kinds: words alone, numbers alone, both, with holes, two and more classes.
SETS = (
    "adult", "breast_w", "car", "german_credit", "heart_c", "house_votes_84", "ionosphere", "kr_vs_kp", "mushroom",
    "sick", "spambase", "tic_tac_toe", "titanic", "vehicle", "wdbc",
)  # fmt: skip
# Of larger tables a sample is used.
MOST_ROWS = 3000
SIZES = 6
LEAST = 10
# Standard errors beyond which a difference counts; every curve has several sizes, and so several chances.
SURE = 3
HEAD = (
    "data", "rows", "training rows", "naive Bayes, fewest", "logistic, fewest", "naive Bayes, most", "logistic, most",
    "naive Bayes surely ahead at", "logistic surely ahead at", "crossing", "as found",
)  # fmt: skip


def curve_of(table: Table, repeats: int, textbook: bool) -> deciban.LearningCurve:
    frame = table.frame[table.frame[table.target].notna()]
    frame = frame.sample(min(MOST_ROWS, len(frame)), random_state=0)
    counts = frame[table.target].value_counts()
    frame = frame[frame[table.target].isin(counts.index[counts >= 2])]
    classes, most = frame[table.target].nunique(), int(0.7 * len(frame))
    sizes = np.unique(np.geomspace(max(LEAST, 2 * classes), most, SIZES).astype(int))
    frame = frame[[*table.numeric, *table.nominal, table.target]]
    pair = in_textbooks(table) if textbook else (deciban.NaiveBayes(), None)
    return deciban.learning_curve(*pair, frame, table.target, sizes=sizes, repeats=repeats, random_state=0)


def in_textbooks(table: Table) -> tuple[deciban.NaiveBayes, Any]:
    numbers = dict.fromkeys(table.numeric, deciban.Gaussian())
    nb = deciban.NaiveBayes({**numbers, **dict.fromkeys(table.nominal, deciban.Categorical())})
    read = make_column_transformer(
        (make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler()), table.numeric),
        (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")), table.nominal),
    )
    return nb, make_pipeline(read, LogisticRegression(C=1e6, max_iter=300))


def ahead(curve: deciban.LearningCurve, sign: int) -> list[int]:
    """The sizes at which one of them errs less by more than chance would explain: −1 naive Bayes, 1 logistic."""
    difference, deviation = curve.difference
    return curve.sizes[sign * difference > SURE * deviation].tolist()


def verdict(curve: deciban.LearningCurve) -> str:
    few, many = ahead(curve, -1), ahead(curve, 1)
    at_last = curve.sizes[-1] in many
    if few and at_last:
        return "yes"
    if few:
        return "half: only naive Bayes is ever ahead" if not many else "no"
    return "half: only logistic is ever ahead" if at_last else "no"


def line(name: str, rows: int, curve: deciban.LearningCurve) -> str:
    ends = np.stack([curve.mean, curve.standard_error])[:, :, [0, -1]]
    cells = [f"{mean:.3f} ± {error:.3f}" for mean, error in ends.transpose(2, 1, 0).reshape(4, 2)]
    crossing = "never" if curve.crossing is None else str(curve.crossing)
    both = [", ".join(map(str, ahead(curve, sign))) or "–" for sign in (-1, 1)]
    sizes = ", ".join(map(str, curve.sizes.tolist()))
    return table_line([name, str(rows), sizes, *cells, *both, crossing, verdict(curve)])


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.learning_curves", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--textbook", action="store_true", help="event models of textbooks, no penalty")
    parser.add_argument("--all", action="store_true", help="every table in the folder's index")
    given = parser.parse_args()
    lines, found = [], []
    for table in tables(everything=True):
        if not given.all and table.name not in SETS:
            continue
        print(f"{table.name} ...", file=sys.stderr, flush=True)
        curve = curve_of(table, given.repeats, given.textbook)
        lines.append(line(table.name, len(table.frame), curve))
        found.append(verdict(curve))
    if not lines:
        print(f"No data in {DATA}; set DECIBAN_DATA to the folder that holds it.")
        return
    print("\n".join([table_line(HEAD), table_line(["---"] * len(HEAD)), *lines]))
    half = sum(what.startswith("half") for what in found)
    print(f"\nAs Ng and Jordan found on {found.count('yes')} of {len(found)} sets, half of it on {half}.")


if __name__ == "__main__":
    main()
