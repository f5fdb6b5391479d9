"""Demo for `make demo`: a table from a file, spam and its words, a worked example, and Iris next to guessing."""

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import spam
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_predict

import deciban as db

FEATURES = ["older than 35", "student", "born before July"]
NO = [(0, 0, 0), (0, 0, 1), (0, 0, 0), (1, 1, 1), (1, 0, 0)]
YES = [(0, 1, 0), (1, 0, 1), (1, 0, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (0, 1, 1), (1, 0, 1), (0, 1, 0)]


def show_wine() -> None:
    """Fit a CSV file and print the model, and what it is worth on wines that it was not trained on."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "wine.csv")
        data = load_wine()
        table = np.column_stack([data.data, data.target_names[data.target]])
        header = ",".join([*data.feature_names, "grower"])
        np.savetxt(path, table, fmt="%s", delimiter=",", header=header, comments="")
        print('db.NaiveBayes().fit("wine.csv", "grower")\n')
        print(db.NaiveBayes().fit(path, "grower"))
        print(
            '\ndb.NaiveBayes().evaluate("wine.csv", "grower", folds=10)  # every wine by a model that did not see it\n'
        )
        print(db.NaiveBayes().evaluate(path, "grower", folds=10), "\n")


def show_worked_example() -> None:
    """Print the textbook example "who buys a computer?" with its fractions, and the evidence of every column."""
    row = (0, 1, 1)
    nb = db.NaiveBayes(db.Bernoulli(), estimate="mle").fit(np.array(NO + YES), ["no"] * len(NO) + ["yes"] * len(YES))
    print("Who buys a computer? 14 customers, counted. A new one is", end=" ")
    print(", ".join(f if x else f"not {f}" for f, x in zip(FEATURES, row)) + ".\n")
    counts = nb.statistics_
    ones = counts.blocks[0].total
    rows = counts.weight
    for k, label in enumerate(nb.classes_):
        prior = Fraction(int(rows[k]), int(rows.sum()))
        factors = [Fraction(int(n if x else rows[k] - n), int(rows[k])) for n, x in zip(ones[k], row)]
        product = prior * factors[0] * factors[1] * factors[2]
        shown = " · ".join(str(f) for f in [prior, *factors])
        print(f"  P(buys={label}) · P(row | {label})  =  {shown}  =  {product}  ≈  {float(product):.4f}")
    for label, p in zip(nb.classes_, nb.predict_proba(np.array([row]))[0]):
        print(f"  P(buys={label} | row)  =  {p:.4f}")
    print(f"  Decision: {nb.predict(np.array([row]))[0]}\n")
    print("Evidence for yes over no, in decibans:")
    evidence = (nb.evidence(np.array([row]))[0, 1] - nb.evidence(np.array([row]))[0, 0]) * 10 / np.log(10)
    prior_odds = (nb.model_.log_prior[1] - nb.model_.log_prior[0]) * 10 / np.log(10)
    for name, value in [("prior", prior_odds), *zip(FEATURES, evidence), ("total", prior_odds + evidence.sum())]:
        print(f"  {name:<18}{value:+6.2f}")


def show_iris() -> None:
    """Print cross-validated accuracies on Iris, next to guessing."""
    x, y = load_iris(return_X_y=True)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    chance = db.chance(np.bincount(y))
    print("\nIris, 150 flowers, 10-fold cross-validation:")
    for name, variance in [("a variance per class", "class"), ("one variance for all", "shared"), ("variance 1", 1.0)]:
        right = cross_val_predict(db.NaiveBayes(db.Gaussian(variance=variance)), x, y, cv=folds) == y
        print(f"  naive Bayes, {name:<22}{right.mean():.3f}")
    print(f"  {'always the largest class':<35}{chance.majority:.3f}")
    print(f"  {'a guess in their proportions':<35}{chance.matching:.3f}")
    print(f"  {'a fair die':<35}{chance.coin:.3f}")


if __name__ == "__main__":
    show_wine()
    spam.main()
    print()
    show_worked_example()
    show_iris()
