"""Every event model of the registry, with rows that it reads; a new event model is covered as soon as it is registered.

Rows follow from what an event model declares: texts, names, or the richest numbers that it accepts.
"""

import inspect
from functools import cache

import numpy as np
import pytest

import deciban as db
from deciban.likelihoods import LIKELIHOODS
from deciban.likelihoods.base import Likelihood

# Joint is the event model of JointBayes; a table does not name it by a word, so the registry leaves it out.
REGISTRY = {**LIKELIHOODS, "joint": db.Joint}

# Further settings that change the code path. The default settings of every event model are always covered.
VARIANTS = {
    "gaussian": {"shared": db.Gaussian("shared"), "fixed": db.Gaussian(2.5)},
    "binned": {
        "five": db.Binned(5),
        "mdl": db.Binned("mdl"),
        "normal": db.Binned(shape="normal"),
        "log-normal": db.Binned(shape="log-normal"),
    },
    "bernoulli": {"threshold": db.Bernoulli(threshold=0.5), "threshold-0": db.Bernoulli(threshold=0.0)},
    "categorical": {"share": db.Categorical(unseen="share"), "capped": db.Categorical(max_categories=3)},
    "complement": {"norm": db.Complement(norm=True)},
    "joint": {"smoothed": db.Joint(prior=0.5)},
    "words": {
        "set": db.Words("set"),
        "binary": db.Words("binary"),
        "tfidf": db.Words(transform="tfidf"),
        "binary-tfidf": db.Words("binary", transform="tfidf"),
        "complement": db.Words(complement=True),
        "lift": db.Words(evidence="lift"),
        "lift-tfidf": db.Words(transform="tfidf", idf=False, evidence="lift", neutral=0.4),
        "auto": db.Words(transform="tfidf", evidence="auto"),
        "position": db.Words("position"),
        "position-vocabulary": db.Words("position", vocabulary=["red", "blue", "never"]),
        "position-priors": db.Words("position", prior=db.Dirichlet({0: {"red": 4.0, "never": 2.0}, 2: {"blue": 1.0}})),
        "position-selection": db.Words("position", min_count=2, stop_words=["red"]),
        "bigrams": db.Words(ngrams=(1, 2)),
        "characters": db.Words(analyzer="char", ngrams=(1, 2)),
        "buckets": db.Words(buckets=64),
        "limit": db.Words(limit=5),
        "max-df": db.Words(max_df=0.9),
        "characters-in-words": db.Words(analyzer="char_wb", ngrams=(2, 3)),
        "vocabulary": db.Words(vocabulary=["red", "blue", "never"]),
        "accents": db.Words(strip_accents=True),
        "priors": db.Words(prior=db.Dirichlet({"red": 3.0, "never": 2.5}, default=1.5)),
        "priors-by-class": db.Words(prior=db.Dirichlet({0: {"red": 4.0, "never": 2.0}, 2: {"blue": 1.0}})),
        "set-priors": db.Words("set", prior=db.Beta({"red": 3.0, "never": 2.0}, {1: {"blue": 4.0}})),
        "complement-priors": db.Words(complement=True, prior={"red": 0.5, "never": 2.0}),
        "tfidf-priors": db.Words(transform="tfidf", prior={"red": 0.0, "never": 2.0}),
        "listed-priors": db.Words(vocabulary=["red", "blue", "never"], prior=[2.0, 0.5, 1.0]),
    },
}

ROWS, FEATURES, CLASSES = 300, 4, 3
COLOURS = ["red", "green", "blue", "black"]
# From the numbers that say most to those that every event model of numbers reads.
NUMBERS = ("numbers", "counts", "bits")


def labels(rows=ROWS):
    """[rows] Class codes, each class about as often as the others."""
    return np.random.default_rng(7).integers(0, CLASSES, rows)


def make_rows(kind, y, features=FEATURES, seed=7):
    """[rows × features] Cells of one kind that depend on the classes."""
    rng, shape = np.random.default_rng(seed), (len(y), features)
    if kind == "numbers":
        return rng.normal(size=shape) * np.resize([1, 10, 0.1, 5], features) + y[:, None]
    if kind == "counts":
        return rng.poisson(2 + y[:, None], shape).astype(float)
    if kind == "bits":
        return (rng.random(shape) < 0.2 + 0.2 * y[:, None]).astype(float)
    if kind == "names":
        return np.array(COLOURS, dtype=object)[(rng.integers(0, 3, shape) + (y[:, None] > 0)) % 4]
    words = rng.choice(COLOURS, (*shape, 2 + CLASSES))
    return np.array([[" ".join(cell[: 3 + c]) for cell in row] for row, c in zip(words, y)], dtype=object)


@cache
def sample_rows(kind):
    """[ROWS × FEATURES] Cells of one kind, for the classes of ``labels()``."""
    return make_rows(kind, labels())


def reads(likelihood, kind):
    """Return whether an event model accepts rows of a kind of numbers."""
    try:
        db.NaiveBayes(likelihood, class_prior="uniform").fit(sample_rows(kind), labels())
    except ValueError:
        return False
    return True


def kind_of_rows(likelihood):
    """Return the kind of rows that suits an event model best."""
    if likelihood.reads_text:
        return "texts"
    if likelihood.reads_names:
        return "names"
    for kind in NUMBERS:
        if reads(likelihood, kind):
            return kind
    raise LookupError(
        f"the registry has {likelihood!r}, which reads none of the sample rows ({', '.join(NUMBERS)}); add rows that "
        "it reads to make_rows in tests/event_models.py."
    )


def rows_for(likelihood):
    """[ROWS × FEATURES] A copy of sample rows that an event model reads, for the classes of ``labels()``."""
    return sample_rows(kind_of_rows(likelihood)).copy()


def settings_for(likelihood):
    """Return settings of NaiveBayes without which an event model warns that the class prior decides alone."""
    return {"class_prior": "uniform"} if likelihood.needs_uniform_prior else {}


def fitted(likelihood, **settings):
    """Return NaiveBayes fitted on the sample rows of an event model."""
    return db.NaiveBayes(likelihood, **settings_for(likelihood), **settings).fit(rows_for(likelihood), labels())


def draws(likelihood):
    """Return whether an event model can be sampled: one that cannot says so by the return type of ``draw``."""
    draw = type(likelihood).draw
    return draw is not Likelihood.draw and inspect.signature(draw).return_annotation != "NoReturn"


def capability(likelihood, name):
    return draws(likelihood) if name == "draws" else getattr(likelihood, name)


def default(name):
    """Return the event model of a registered name with its default settings."""
    try:
        return REGISTRY[name]()
    except TypeError as error:
        raise LookupError(
            f"the registry has {name!r}, which needs settings ({error}); give every setting a default."
        ) from None


def event_models(variants=False, **capabilities):
    """Return pytest parameters: event models with the given values of ``draws`` and of their class attributes."""
    found = {name: default(name) for name in REGISTRY}
    if variants:
        found |= {f"{name}-{more}": model for name, models in VARIANTS.items() for more, model in models.items()}
    wanted = {
        name: model
        for name, model in sorted(found.items())
        if all(capability(model, key) == value for key, value in capabilities.items())
    }
    return [pytest.param(model, id=name) for name, model in wanted.items()]


def event_models_reading(kind, **capabilities):
    """Return pytest parameters: of every event model that is not for texts, the first settings that read such rows."""
    found = []
    for name in sorted(REGISTRY):
        settings = [default(name), *VARIANTS.get(name, {}).values()]
        model = next((m for m in settings if not m.reads_text and reads(m, kind)), None)
        if model is not None and all(capability(model, key) == value for key, value in capabilities.items()):
            found.append(pytest.param(model, id=name))
    return found
