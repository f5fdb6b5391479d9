"""Rows without labels: what they gain and what they cost, by the number of labelled rows.

``python -m benchmarks.unlabelled`` prints tables. Labelled rows are drawn from the training set, whose other rows
then have no label, and models are tested on other rows, if possible on the publishers' test set; a figure is the mean
of some draws. Texts are drawn equally often from every class, people of the census at random. ``--pictures`` draws
the accuracies on 20newsgroups into ``docs/pictures``. The data are in ``DECIBAN_DATA``.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

import deciban as db
from benchmarks.real_data import DATA, NO_DATA, read_documents
from benchmarks.report import announce, table_line

POSTS = 10_000
TEXT_SIZES, OTHER_SIZES, TABLE_SIZES = (20, 40, 100, 300, 600), (20, 100), (50, 500)
# Sets of two classes, the documents of each that are trained on, and those that are tested on, at most.
OTHER_TEXTS, OTHERS, OTHERS_TESTED = ("sms_spam", "sarcasm_headlines", "imdb"), 4000, 2000
# The weight of a row without a label by contestant; None for none of these rows.
WEIGHTS: dict[str, Any] = {"labelled rows alone": None, "weight 0.1": 0.1, "auto": "auto"}
TABLE_WEIGHTS: dict[str, Any] = {**WEIGHTS, "weight 1": 1.0}
PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
STRENGTHS = (1.0, 0.1)
RESTARTS = 10


class Scores(NamedTuple):
    """Accuracy and log-loss by contestant, number of labelled rows, and draw."""

    accuracy: dict[str, NDArray[np.float64]]
    log_loss: dict[str, NDArray[np.float64]]


def balanced(y: NDArray[Any], rows: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the indices of random rows, the same number of every class."""
    classes = np.unique(y)
    return np.concatenate([rng.choice(np.flatnonzero(y == c), rows // len(classes), replace=False) for c in classes])


def compare(
    sizes: Iterable[int], draws: int, weights: dict[str, Any], learn: Callable[[int, int, Any], db.Evaluation]
) -> Scores:
    """Return the scores of ``learn(labelled rows, draw, weight)``."""
    sizes = list(sizes)
    scores = Scores(*({name: np.zeros((len(sizes), draws)) for name in weights} for _ in range(2)))
    for i, size in enumerate(sizes):
        for draw in range(draws):
            for name, weight in weights.items():
                announce(f"{size} labelled rows, draw {draw + 1}, {name}")
                found = learn(size, draw, weight)
                scores.accuracy[name][i, draw], scores.log_loss[name][i, draw] = found.accuracy, found.log_loss
    return scores


def newsgroups(draws: int) -> Scores:
    """Return the scores on posts of 20 newsgroups, split by date."""
    train, test = (
        list(zip(*read_documents([DATA / "20newsgroups" / f"{part}.jsonl.gz"]))) for part in ("train", "test")
    )
    y = np.array(train[1])

    def learn(size: int, draw: int, weight: Any) -> db.Evaluation:
        rng = np.random.default_rng(draw)
        labelled = balanced(y, size, rng)
        others = rng.permutation(np.setdiff1d(np.arange(len(y)), labelled))[:POSTS]
        more = None if weight is None else [train[0][i] for i in others]
        nb = db.NaiveBayes(unlabelled_weight=weight or "auto")
        nb.fit([train[0][i] for i in labelled], y[labelled], unlabelled=more)
        return nb.evaluate(list(test[0]), list(test[1]))

    return compare(TEXT_SIZES, draws, WEIGHTS, learn)


def other_texts(name: str, draws: int) -> Scores:
    """Return the scores on texts of another set, of which some are tested on."""
    documents = list(read_documents(sorted((DATA / name).glob("*.jsonl.gz"))))
    order = np.random.default_rng(0).permutation(len(documents))[: OTHERS + OTHERS_TESTED]
    x, y = [documents[i][0] for i in order], np.array([documents[i][1] for i in order])
    test = x[OTHERS:], y[OTHERS:].tolist()

    def learn(size: int, draw: int, weight: Any) -> db.Evaluation:
        labelled = balanced(y[:OTHERS], size, np.random.default_rng(draw))
        others = np.setdiff1d(np.arange(len(y[:OTHERS])), labelled)
        nb = db.NaiveBayes(unlabelled_weight=weight or "auto")
        more = None if weight is None else [x[i] for i in others]
        return nb.fit([x[i] for i in labelled], y[labelled], unlabelled=more).evaluate(*test)

    return compare(OTHER_SIZES, draws, WEIGHTS, learn)


def adult(draws: int) -> Scores:
    """Return the scores on people of a census, whose income is above a threshold or not."""
    train, test = (pd.read_csv(DATA / "adult" / f"{part}.csv.gz", na_values=["?"]) for part in ("train", "test"))
    target = "class"
    y = train[target].to_numpy()

    def learn(size: int, draw: int, weight: Any) -> db.Evaluation:
        rng = np.random.default_rng(draw)
        labelled = rng.permutation(len(y))[:size]
        hidden = train.copy()
        hidden.loc[np.setdiff1d(np.arange(len(y)), labelled), target] = None
        if weight is None:
            nb = db.NaiveBayes().fit(train.iloc[np.sort(labelled)], target)
        else:
            nb = db.NaiveBayes(semi_supervised=True, unlabelled_weight=weight).fit(hidden, target)
        return nb.evaluate(test, target)

    return compare(TABLE_SIZES, draws, TABLE_WEIGHTS, learn)


def scores_table(title: str, sizes: Iterable[int], scores: Scores) -> list[str]:
    """Return the lines of a table: accuracy and log-loss of every contestant, the means of all draws."""
    names = list(scores.accuracy)
    lines = [table_line([title, *names]), "|" + " --- |" * (len(names) + 1)]
    for i, size in enumerate(sizes):
        for kind, found in (("accuracy", scores.accuracy), ("log-loss", scores.log_loss)):
            lines.append(table_line([f"{size} labelled, {kind}", *(f"{found[name][i].mean():.3f}" for name in names)]))
    return lines


def iris_table() -> list[str]:
    """Return the lines of a table on clusters of Iris by the strength of the prior."""
    x, y = load_iris(return_X_y=True)
    lines = [table_line(["rows that the prior is worth", "adjusted Rand index"]), "| --- | --- |"]
    for strength in STRENGTHS:
        mixture = db.Mixture(
            3, db.Gaussian(prior=db.NormalInverseGamma(strength=strength)), restarts=RESTARTS, random_state=0
        )
        lines.append(table_line([f"{strength:g}", f"{adjusted_rand_score(y, mixture.fit(x).labels_):.3f}"]))
    full = GaussianMixture(3, n_init=RESTARTS, random_state=0).fit(x)
    lines.append(table_line(["full covariances, scikit-learn", f"{adjusted_rand_score(y, full.predict(x)):.3f}"]))
    return lines


def draw(scores: Scores) -> None:
    """Draw the accuracies on 20newsgroups by the number of labelled posts, light and dark."""
    from deciban.plots.theme import MARKERS, drawing

    mpl.use("Agg")
    for theme in ("light", "dark"):
        with drawing(theme) as chosen:
            figure = Figure(figsize=(7.6, 4.2), layout="constrained", facecolor=chosen.paper)
            ax = figure.subplots()
            for k, (name, style) in enumerate(zip(("labelled rows alone", "auto"), ((0, (5, 2)), "-"))):
                found = scores.accuracy[name]
                colour = chosen.of_class(k)
                ax.fill_between(TEXT_SIZES, found.min(axis=1), found.max(axis=1), color=colour, alpha=0.18, linewidth=0)
                label = {"auto": f"and {POSTS:,} posts without labels"}.get(name, "labelled posts alone")
                ax.plot(TEXT_SIZES, found.mean(axis=1), color=colour, ls=style, marker=MARKERS[k], lw=2, label=label)
            ax.set_xscale("log")
            ax.set_xticks(TEXT_SIZES, [f"{size:,}" for size in TEXT_SIZES])
            ax.minorticks_off()
            ax.set_ylim(0, 1)
            ax.yaxis.set_major_formatter(PercentFormatter(1))
            ax.grid(axis="y")
            ax.set_xlabel("labelled posts of 20 newsgroups")
            ax.set_ylabel("accuracy on later posts")
            ax.legend(loc="lower right")
            figure.suptitle(
                "Posts without labels are worth many labels", x=0.01, ha="left", fontsize=12, fontweight="bold"
            )
            figure.savefig(PICTURES / f"unlabelled-{theme}.png", dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unlabelled", description="Learn from unlabelled rows.")
    parser.add_argument("--draws", type=int, default=5, help="draws of labelled rows (default 5)")
    parser.add_argument("--only", choices=("newsgroups", "texts", "adult", "iris"), help="one of the tables")
    parser.add_argument("--pictures", action="store_true", help="draw accuracies on 20newsgroups into docs/pictures")
    given = parser.parse_args()
    if not (DATA / "20newsgroups").exists() or not (DATA / "adult").exists():
        parser.exit(message=NO_DATA + "\n")
    warnings.simplefilter("ignore")
    if given.only in (None, "newsgroups"):
        scores = newsgroups(given.draws)
        print("\n".join(scores_table("20newsgroups", TEXT_SIZES, scores)), end="\n\n", flush=True)
        if given.pictures:
            draw(scores)
    for name in OTHER_TEXTS if given.only in (None, "texts") else ():
        print("\n".join(scores_table(name, OTHER_SIZES, other_texts(name, given.draws))), end="\n\n", flush=True)
    if given.only in (None, "adult"):
        print("\n".join(scores_table("adult", TABLE_SIZES, adult(given.draws))), end="\n\n", flush=True)
    if given.only in (None, "iris"):
        print("\n".join(iris_table()))


if __name__ == "__main__":
    main()
