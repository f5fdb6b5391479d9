"""Models of every kind as files to change, and the use of what loads."""

import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from click.testing import CliRunner
from event_models import REGISTRY, VARIANTS, default, kind_of_rows, make_rows, settings_for
from scipy import sparse

import deciban as db
from deciban.cli.main import deciban_command

PAST = sorted((Path(__file__).parents[1] / "files_of_past_versions").glob("*.deciban"))

ROWS = 24
RNG = np.random.default_rng(3)
Y = np.arange(ROWS) % 3
TABLE = pd.DataFrame(
    {
        "number": np.where(np.arange(ROWS) % 5 == 4, np.nan, RNG.normal(size=ROWS) + Y),
        "count": RNG.poisson(3, ROWS) + Y,
        "word": np.array(["a", "b", "🙂", None], dtype=object)[RNG.integers(0, 4, ROWS)],
        "flag": RNG.random(ROWS) < 0.5,
        "note": np.array(["good day sir", "cheap pills now", "see you at lunch"], dtype=object)[
            RNG.integers(0, 3, ROWS)
        ],
        "y": np.array(["no", "yes"])[RNG.integers(0, 2, ROWS)],
    }
)

# A label that two columns tell together, so that a model is refined.
A, B = RNG.integers(0, 2, (2, 200))
XOR = pd.DataFrame(
    {"a": np.array(["p", "q"])[A], "b": B, "c": RNG.normal(size=200) + A, "y": A ^ B ^ (RNG.random(200) < 0.05)}
)


def array_models():
    """Yield models of arrays under every event model of the registry, with all their settings."""
    for name in sorted(REGISTRY):
        for more, model in {"": default(name), **VARIANTS.get(name, {})}.items():
            rows = make_rows(kind_of_rows(model), Y, features=2)
            settings = settings_for(model) | ({} if more else {"alpha": "auto"})  # a choice needs a sample of the rows
            yield f"{name} {more}", db.NaiveBayes(model, **settings).fit(rows, Y)


def table_models():
    """Yield models of tables, texts and sparse rows, with choices, calibrations, priors and weights."""
    yield "auto", db.NaiveBayes().fit(TABLE, "y")
    yield "isotonic", db.NaiveBayes(calibrate="isotonic", class_weight="balanced").fit(TABLE, "y")
    columns = {
        "number": db.Gaussian(variance="shared", prior=db.NormalInverseGamma(strength=2.0)),
        "count": db.Poisson(prior=db.Gamma(2.0, 1.0)),
        "word": db.Categorical(prior=db.Dirichlet("evidence")),
        "flag": db.Bernoulli(prior=db.Beta(2, 3)),
        "note": db.Words(stop_words=["you"]),
    }
    prior = {"no": 0.3, "yes": 0.7}
    yield "declared", db.NaiveBayes(columns, class_prior=prior, calibrate="temperature").fit(TABLE, "y")
    joined = {("count", "flag"): db.Multinomial(prior=[0.5, 2.0]), "word": db.Categorical(values=["a", "b", "c"])}
    yield "joined", db.NaiveBayes(joined, class_weight={"no": 2.0}, estimate="predictive").fit(TABLE, "y")
    texts = TABLE["note"].tolist()
    yield "texts", db.NaiveBayes(db.Words(transform="tfidf"), alpha="auto").fit(texts, TABLE["y"])
    counts = sparse.csr_array(make_rows("counts", Y))
    refined = db.NaiveBayes(refine="rows", remember=120).fit(XOR, "y")
    assert refined.chosen_.pairs
    yield "refined", refined
    yield "declared pair", db.NaiveBayes({("a", "b"): db.Pair(), "c": db.Gaussian()}).fit(XOR, "y")
    few = {name: columns[name] for name in ("number", "count", "flag")} | {"word": db.Categorical()}
    half = TABLE.assign(y=[*TABLE["y"][:12], *[None] * 12])
    yield "rows without labels", db.NaiveBayes(few, semi_supervised=True, unlabelled_weight=0.5).fit(half, "y")
    texts_of_two = ["good day sir", "cheap pills now"] * 9
    some_texts = db.NaiveBayes(unlabelled_weight=0.1)
    yield "texts without labels", some_texts.fit(texts_of_two[:6], [0, 1] * 3, unlabelled=texts_of_two)
    yield "mixture", db.Mixture(2, db.Gaussian(), restarts=2, random_state=0).fit(TABLE[["number", "count"]])
    yield "sparse", db.NaiveBayes(db.Multinomial(), class_prior=db.Dirichlet([2, 3, 4])).fit(counts, Y)


@cache
def saved_models(folder):
    """Return the bytes of every model's file, with its rows, and of files of past versions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {}
        for name, nb in [*array_models(), *table_models()]:
            nb.save(folder / "model.deciban", rows=True)
            found[name] = (folder / "model.deciban").read_bytes()
    return found | {path.stem: path.read_bytes() for path in PAST if "two-pass" not in path.stem}


# Values of every kind of column, the first of them seen in training.
VALUES = {"boolean": [True, False], "integer": [1, 0], "number": [1.0, 0.0], "text": ["a", "good"], "date": ["a", "b"]}


def rows_for(nb):
    """Return two rows of the kinds of values that a loaded model reads."""
    classifier = nb._fitted()
    schema = classifier.table_schema
    if schema is not None:
        return pd.DataFrame({column.name: VALUES[column.kind] for column in schema.used})
    names = any(group.likelihood.reads_names for group in classifier.groups)
    cells = np.array([["red"], ["unknown"]], dtype=object) if names else np.array([[0.0], [1.0]])
    return cells.repeat(classifier.features, axis=1)


def use(path):
    """Load a model and call what a user would call; its probabilities must be a distribution."""
    warnings.simplefilter("ignore", db.ChoiceWarning)  # a changed file may have too few rows to choose on
    nb = db.load(path)
    rows = rows_for(nb)
    for model in (nb, nb + nb, nb * 0.5):
        check_distribution(model.predict_proba(rows))
        assert set(model.predict(rows)) <= set(model.classes_.tolist())
    for shown in (nb, nb.chosen_, nb.columns_, nb.importance(), nb.explain(rows[:1]), nb.derive(rows[:1])):
        assert str(shown)
    for kind in ("table", "json"):
        shown = CliRunner().invoke(deciban_command, ["show", str(path), "--format", kind], catch_exceptions=False)
        assert shown.exit_code == 0
        assert shown.output
    with suppress(ValueError):  # not every event model can be drawn from
        assert nb.sample(3, random_state=0).num_rows == 3
    nb.save(path, rows=True)
    again = db.load(path)
    assert np.array_equal(again.predict_proba(rows), nb.predict_proba(rows))
    check_distribution(again.reestimate(alpha=0.5, class_prior="uniform").predict_proba(rows))


def check_distribution(probabilities):
    assert np.isfinite(probabilities).all(), probabilities
    assert (probabilities >= 0).all(), probabilities
    assert np.allclose(probabilities.sum(axis=1), 1.0), probabilities
