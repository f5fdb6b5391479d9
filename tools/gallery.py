"""Draw the pictures of docs/gallery.md, light and dark, and write the page: every picture stands below its code.

Run it with `make gallery`. Each function below is one entry: its docstring is the text, its body the code.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pyarrow as pa
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from PIL import Image
from sklearn.datasets import load_breast_cancer, load_iris

import deciban as db
from deciban.plots.display import Display

mpl.use("Agg")
ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"
DOTS_PER_INCH = 110
# Shares of the three cities among loans that were repaid, and among the others.
FIRST, SECOND = [0.6, 0.2, 0.2], [0.35, 0.5, 0.15]


def loans(n: int = 2000) -> pa.Table:
    """Return made-up loans with five columns and whether they were repaid."""
    rng = np.random.default_rng(0)
    repaid = rng.random(n) < 0.7
    cities = ["Lyon", "Porto", "Graz"]
    return pa.table(
        {
            "age": np.clip(rng.normal(np.where(repaid, 44, 35), 11), 18, 90).astype(int),
            "income": np.round(np.exp(rng.normal(np.where(repaid, 8.0, 7.55), 0.45)), -1),
            "city": np.where(repaid, rng.choice(cities, n, p=FIRST), rng.choice(cities, n, p=SECOND)),
            "guarantor": rng.random(n) < np.where(repaid, 0.35, 0.15),
            "late payments": rng.poisson(np.where(repaid, 0.5, 1.7)),
            "repaid": np.where(repaid, "yes", "no"),
        }
    )


def labelled_lines(name: str) -> tuple[list[str], list[str]]:
    """Return the texts and labels of one of the example files."""
    lines = (ROOT / "examples" / name).read_text(encoding="utf8").splitlines()
    labels, texts = zip(*(line.removeprefix("__label__").split(" ", 1) for line in lines if line))
    return list(texts), list(labels)


TABLE = loans()
TRAIN, TEST = TABLE.slice(0, 1400), TABLE.slice(1400)
NB = db.NaiveBayes().fit(TRAIN, "repaid")
ROW = {"age": 52, "income": 1900.0, "city": "Porto", "guarantor": True, "late payments": 2}
TEXTS, KINDS = labelled_lines("mails.txt")
MAILS = db.NaiveBayes(db.Words(ngrams=(1, 2))).fit(TEXTS, KINDS)
IRIS = load_iris(as_frame=True)
FLOWERS = IRIS.data.rename(columns=lambda name: name.removesuffix(" (cm)")).assign(
    species=IRIS.target_names[IRIS.target]
)
# Two switches of one light: it is on if they differ.
HALL, LANDING = np.random.default_rng(0).choice(["up", "down"], (2, 400))
SWITCHES = pa.table({"hall": HALL, "landing": LANDING, "light": np.where(HALL != LANDING, "on", "off")})
LIGHT = db.NaiveBayes().fit(SWITCHES, "light")
SPECIES = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(FLOWERS, "species")
CANCER = load_breast_cancer(as_frame=True)
TUMOURS = CANCER.data.filter(like="mean ").assign(tumour=CANCER.target_names[CANCER.target])


def waterfall() -> Display:
    """One row: from the prior, by the evidence of every column, to the posterior."""
    row = NB.explain(ROW)[0]
    return row.plot()


def nomogram() -> Display:
    """The evidence of every value of every column. Look up a row's values, add them, and read off the probability."""
    return NB.scales(row=ROW).plot()


def nomogram_of_several_classes() -> Display:
    """With more than two classes, the scales compare two of them."""
    return SPECIES.scales("virginica", "versicolor").plot()


def pair() -> Display:
    """Two columns that only speak together: the evidence of every combination of their values."""
    return LIGHT.plot("pair", "hall", "landing")


def waterfall_with_a_pair() -> Display:
    """One row of a model that reads two columns together: the pair has a line of its own."""
    row = LIGHT.explain({"hall": "up", "landing": "down"})[0]
    return row.plot()


def text() -> Display:
    """A text whose words have the colour of their evidence, and its strongest words as bars."""
    return MAILS.plot("text", [TEXTS[0]])


def regions() -> Display:
    """Decisions over two columns, the others missing; a deeper shade is a higher probability."""
    return SPECIES.regions("petal length", "sepal width", rows=FLOWERS, labels="species").plot()


def variances_of_three_classes() -> Display:
    """Variance 1 and a variance shared by all classes give straight boundaries, a variance per class curved ones."""
    return db.compare_variances(FLOWERS, "species", columns=["petal length", "sepal width"]).plot()


def variances_of_two_classes() -> Display:
    """The three assumptions for two of the species: one boundary in every panel."""
    two = FLOWERS[FLOWERS["species"] != "setosa"]
    return db.compare_variances(two, "species", columns=["petal length", "petal width"]).plot()


def pocket() -> Display:
    """One class inside the other: only a variance per class solves it."""
    X, y = db.oracles.pocket(300, random_state=0)
    return db.compare_variances(X, y).plot()


def densities() -> Display:
    """A column of numbers given the class, with the training rows below; here cut into bins."""
    return NB.densities("income").plot()


def densities_of_a_normal_column() -> Display:
    """A column of numbers under a normal event model: a curve for every class."""
    return SPECIES.densities("petal length", rows=FLOWERS, labels="species").plot()


def densities_of_categories() -> Display:
    """A column of categories: a bar for every value, and the evidence of each."""
    return NB.densities("city").plot()


def reliability() -> Display:
    """Shares of predictions that come true, by their probability, for rows that the model has not seen."""
    return NB.reliability(TEST, "repaid").plot()


def confusion() -> Display:
    """Right and wrong decisions, next to three ways of guessing."""
    return db.NaiveBayes(db.Gaussian()).evaluate(FLOWERS, "species", folds=10).plot()


def learning_curve() -> Display:
    """Errors of naive Bayes and logistic regression by the number of training rows, and their paired difference."""
    return db.learning_curve(db.NaiveBayes(db.Gaussian()), None, TUMOURS, "tumour", random_state=0).plot()


def columns() -> Display:
    """Evidence of every column about the class, and the columns that repeat each other."""
    return db.NaiveBayes().fit(TUMOURS, "tumour").diagnose(TUMOURS, "tumour").plot()


def top_words() -> Display:
    """The words with the most evidence for either class."""
    return MAILS.top_words().plot()


def estimates() -> Display:
    """Prior, likelihood and posterior of one probability, with maximum likelihood, MAP and predictive estimates."""
    return NB.compare_estimates("guarantor", value=True, prior=db.Beta(20, 20)).plot()


def coin() -> Display:
    """Prior, likelihood and posterior of a coin's probability of heads, after 3 heads and 7 tails."""
    return db.compare_estimates(heads=3, tails=7, prior=db.Beta(2, 2)).plot()


def objective() -> Display:
    """The objective of expectation-maximisation, which finds the species of Iris without their names."""
    mixture = db.Mixture(3, db.Gaussian(), random_state=0).fit(IRIS.data)
    return mixture.em_.plot()


def irrelevant_columns() -> Display:
    """Irrelevant columns are harmless with exact parameters; estimated from few rows, they add noise."""
    return db.irrelevant_columns().plot()


def priors() -> Display:
    """Decisions of one model where a class is rarer or more frequent than in training."""
    return NB.vary_prior(TEST, "repaid").plot()


def costs() -> Display:
    """Decisions if one mistake costs more than the other."""
    return NB.vary_costs(TEST, "repaid").plot()


ENTRIES: tuple[Callable[[], Display], ...] = (
    waterfall,
    nomogram,
    nomogram_of_several_classes,
    pair,
    waterfall_with_a_pair,
    text,
    top_words,
    regions,
    variances_of_three_classes,
    variances_of_two_classes,
    pocket,
    densities,
    densities_of_a_normal_column,
    densities_of_categories,
    reliability,
    confusion,
    learning_curve,
    columns,
    estimates,
    coin,
    objective,
    irrelevant_columns,
    priors,
    costs,
)

INTRODUCTION = """# Gallery

Every picture that deciban draws, light and dark. Pictures need matplotlib: `pip install 'deciban[plots]'`. Each call
returns a display with `figure_` and `ax_`, and takes `ax=` and `theme=`. `make gallery` draws this page.
`tools/gallery.py` makes the models: `NB` was trained on made-up loans, `SPECIES` on Iris, `MAILS` on a few mails,
`LIGHT` on two switches of one light; `TUMOURS` is the mean columns of scikit-learn's breast cancer data.

"""


def entry_text(entry: Callable[[], Display]) -> str:
    """Return an entry of the page: heading, sentence, code, and the picture in both themes."""
    source = inspect.getsource(entry)
    body = textwrap.dedent(source.split('"""\n', 1)[1]).replace("return ", "").strip()
    name, title = entry.__name__, entry.__name__.replace("_", " ").capitalize()
    light, dark = (f"pictures/{name}-{theme}.png" for theme in ("light", "dark"))
    return (
        f"## {title}\n\n{entry.__doc__}\n\n```py\n{body}\n```\n\n"
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img alt="{entry.__doc__}" src="{light}"></picture>\n\n'
    )


def save_small(figure: Figure, path: Path) -> None:
    """Save a figure as a PNG file of 256 colours, which is half as large."""
    drawn = BytesIO()
    figure.savefig(drawn, dpi=DOTS_PER_INCH)
    Image.open(drawn).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for entry in ENTRIES:
        display = entry()
        plt.close("all")
        for theme in ("light", "dark"):
            path = FOLDER / f"{entry.__name__}-{theme}.png"
            save_small(display.figure(theme), path)
            print(path.relative_to(ROOT))
    (ROOT / "docs" / "gallery.md").write_text(INTRODUCTION + "".join(map(entry_text, ENTRIES)).rstrip() + "\n")


if __name__ == "__main__":
    main()
