"""Families of classes with few documents per class: no families, a background of all classes, families by label.

``python -m benchmarks.families`` prints accuracies on the test documents of 20newsgroups (split by date), of classes
and of families, after training on 5, 10, 20 and 50 documents of each class, the mean of some draws, and on all
documents. Models read plain counts of words, but for the last two. ``--draws 3`` draws less often. The data are in
``DECIBAN_DATA``.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
from sklearn.base import clone

import deciban as db
from benchmarks.real_data import NO_DATA, Split
from benchmarks.report import announce, table_line
from benchmarks.text_protocol import whole_sets
from deciban.errors import PriorWarning
from deciban.priors.families import Families

SET = "20newsgroups"
DOCUMENTS = (5, 10, 20, 50)
SEED = 20260417
# The models: without families, with a chosen pseudo-count, with a background of all classes, with families by label,
# and without any option.
MODELS = {
    "flat": db.NaiveBayes(db.Words()),
    'flat, `alpha="auto"`': db.NaiveBayes(db.Words(), alpha="auto"),
    '`families="all"`': db.NaiveBayes(db.Words(), families="all"),
    '`families="."`': db.NaiveBayes(db.Words(), families="."),
    '`NaiveBayes(families=".")`': db.NaiveBayes(families="."),
    "`NaiveBayes()`": db.NaiveBayes(),
}


def drawn_rows(y: np.ndarray, documents: int, rng: np.random.Generator) -> np.ndarray:
    """Return the indices of some documents of every class."""
    return np.concatenate([rng.choice(np.flatnonzero(y == name), documents, replace=False) for name in np.unique(y)])


def accuracies(split: Split, rows: np.ndarray) -> np.ndarray:
    """[2 × models] accuracy of classes, and of families, where the sum of the classes' probabilities decides."""
    true = np.array([name.partition(".")[0] for name in split.y_test.tolist()])
    texts, labels = [split.x[i] for i in rows], split.y[rows]
    found = []
    for unfitted in MODELS.values():
        model = clone(unfitted).fit(texts, labels)
        posterior = model.predict_proba(split.x_test)
        by_family = Families(".").of(model.classes_)
        predicted = by_family.names[by_family.sums(posterior).argmax(axis=1)]
        classes = model.classes_[posterior.argmax(axis=1)]
        found.append([(classes == split.y_test).mean(), (predicted == true).mean()])
    return np.array(found).T


def print_table(draws: int) -> None:
    """Print the accuracies of classes, and then of families, for every number of documents."""
    split = next(whole_sets([SET]), None)
    if split is None:
        print(NO_DATA)
        return
    rng = np.random.default_rng(SEED)
    results = {}
    for documents in DOCUMENTS:
        announce(f"{documents} documents")
        drawn = [drawn_rows(split.y, documents, rng) for _ in range(draws)]
        results[str(documents)] = np.mean([accuracies(split, rows) for rows in drawn], axis=0)
    announce("all documents")
    results["all"] = accuracies(split, np.arange(len(split.y)))
    for i, judged in enumerate(("the most probable class", "the most probable family")):
        header = ["documents per class", *MODELS]
        print(f"\nAccuracy of {judged}:\n")
        print(table_line(header), table_line(["---"] * len(header)), sep="\n")
        for documents_of, found in results.items():
            print(table_line([documents_of, *(f"{share:.3f}" for share in found[i])]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.families", description=__doc__)
    parser.add_argument("--draws", type=int, default=5, help="draws of documents (default 5)")
    warnings.simplefilter("ignore", PriorWarning)  # three newsgroups are alone in their families
    print_table(parser.parse_args().draws)
