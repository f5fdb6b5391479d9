"""Learning curves of naive Bayes and logistic regression on real tables.

``python -m benchmarks.learning_curves`` prints one table. Ng and Jordan (2001) found that naive Bayes errs less with
few rows, because it needs fewer rows to get near its best, and that logistic regression errs less with many, because
its best is better. The last column says whether that is so here: naive Bayes surely ahead at some size, and logistic
regression surely ahead at the largest. "Surely" is by more than three standard errors over the repeats.

Naive Bayes is deciban without options. Logistic regression is the pipeline of ``db.learning_curve``: numbers scaled,
words one-hot, missing values filled in, scikit-learn's default penalty. With ``--textbook`` both are closer to those of
Ng and Jordan: a Gaussian for every column of numbers and a table for every column of words, pseudo-count 1, and almost
no penalty. The data are in the folder ``DECIBAN_DATA``.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import deciban
from benchmarks.real_data import NO_DATA, Table, tables
from benchmarks.report import announce, table_line

# Tables of many kinds: words alone, numbers alone, both, with missing values, two and more classes.
SETS = (
    "adult", "breast_w", "car", "german_credit", "heart_c", "house_votes_84", "ionosphere", "kr_vs_kp", "mushroom",
    "sick", "spambase", "tic_tac_toe", "titanic", "vehicle", "wdbc",
)  # fmt: skip
# A larger table is sampled.
MOST_ROWS = 3000
SIZES = 6
LEAST = 10
# Standard errors beyond which a difference counts: three and not two, as every curve has several sizes to differ at.
SURE = 3
# Sizes that count as about ten rows, and as few.
TEN_ROWS, FEW_ROWS = 12, 60
HEAD = (
    "data", "rows", "training rows", "naive Bayes, fewest", "logistic, fewest", "naive Bayes, most", "logistic, most",
    "naive Bayes surely ahead at", "logistic surely ahead at", "crossing", "as found",
)  # fmt: skip


def measure_curve(table: Table, repeats: int, textbook: bool) -> deciban.LearningCurve:
    """Return the learning curve of a table, or of a sample of its rows."""
    frame = table.frame[table.frame[table.target].notna()]
    frame = frame.sample(min(MOST_ROWS, len(frame)), random_state=0)
    counts = frame[table.target].value_counts()
    frame = frame[frame[table.target].isin(counts.index[counts >= 2])]
    classes, most = frame[table.target].nunique(), int(0.7 * len(frame))
    sizes = np.unique(np.geomspace(max(LEAST, 2 * classes), most, SIZES).astype(int))
    frame = frame[[*table.numeric, *table.nominal, table.target]]
    pair = textbook_pair(table) if textbook else (deciban.NaiveBayes(), None)
    return deciban.learning_curve(*pair, frame, table.target, sizes=sizes, repeats=repeats, random_state=0)


def textbook_pair(table: Table) -> tuple[deciban.NaiveBayes, Any]:
    """Return naive Bayes and logistic regression as textbooks have them."""
    numbers = dict.fromkeys(table.numeric, deciban.Gaussian())
    nb = deciban.NaiveBayes({**numbers, **dict.fromkeys(table.nominal, deciban.Categorical())})
    read = make_column_transformer(
        (make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler()), table.numeric),
        (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")), table.nominal),
    )
    return nb, make_pipeline(read, LogisticRegression(C=1e6, max_iter=300))


def ahead(curve: deciban.LearningCurve, sign: int) -> list[int]:
    """Return the sizes at which naive Bayes (sign −1) or logistic regression (sign 1) surely errs less."""
    difference, deviation = curve.difference
    return curve.sizes[sign * difference > SURE * deviation].tolist()


def verdict(curve: deciban.LearningCurve) -> str:
    """Return whether the curve is as Ng and Jordan found."""
    few, many = ahead(curve, -1), ahead(curve, 1)
    ahead_at_last = curve.sizes[-1] in many
    if few and ahead_at_last:
        return "yes"
    if few:
        return "half: only naive Bayes is ever ahead" if not many else "no"
    return "half: only logistic is ever ahead" if ahead_at_last else "no"


def mean_crossing(curve: deciban.LearningCurve) -> str:
    """Return the size from which on the mean error of logistic regression is the lower one, be it by little."""
    behind = np.flatnonzero(curve.difference[0] <= 0)
    first = 0 if not len(behind) else int(behind[-1]) + 1
    return "never" if first == len(curve.sizes) else str(curve.sizes[first])


def line(name: str, rows: int, curve: deciban.LearningCurve) -> str:
    """Return the row of a data set."""
    ends = np.stack([curve.mean, curve.standard_error])[:, :, [0, -1]]
    cells = [f"{mean:.3f} ± {error:.3f}" for mean, error in ends.transpose(2, 1, 0).reshape(4, 2)]
    both = [", ".join(map(str, ahead(curve, sign))) or "–" for sign in (-1, 1)]
    sizes = ", ".join(map(str, curve.sizes.tolist()))
    return table_line([name, str(rows), sizes, *cells, *both, mean_crossing(curve), verdict(curve)])


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.learning_curves", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--textbook", action="store_true", help="event models of textbooks, no penalty")
    parser.add_argument("--all", action="store_true", help="every table in the folder's index")
    given = parser.parse_args()
    lines, found, errors = [], [], []
    for table in tables():
        if not given.all and table.name not in SETS:
            continue
        announce(table.name)
        curve = measure_curve(table, given.repeats, given.textbook)
        lines.append(line(table.name, len(table.frame), curve))
        found.append(verdict(curve))
        errors += [(size, *means) for size, means in zip(curve.sizes.tolist(), curve.mean.T.tolist())]
    if not lines:
        print(NO_DATA)
        return
    print("\n".join([table_line(HEAD), table_line(["---"] * len(HEAD)), *lines]))
    half = sum(result.startswith("half") for result in found)
    print(f"\nAs Ng and Jordan found on {found.count('yes')} of {len(found)} sets, half of it on {half}.\n")
    print("\n".join(few_rows(np.array(errors))))


def few_rows(errors: np.ndarray) -> list[str]:
    """Return the mean errors with few rows, from the size and both mean errors of every point of all curves."""
    first, few = errors[errors[:, 0] <= TEN_ROWS], errors[errors[:, 0] <= FEW_ROWS]
    return [
        f"- mean error of naive Bayes with about ten rows {first[:, 1].mean():.4f}, of logistic regression "
        f"{first[:, 2].mean():.4f}",
        f"- over all sizes up to {FEW_ROWS} rows {few[:, 1].mean():.4f}, of logistic regression {few[:, 2].mean():.4f}",
    ]


if __name__ == "__main__":
    main()
