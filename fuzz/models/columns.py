"""Columns of random cases: event models with random settings, and cells that they read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from random import Random
from typing import Any

import numpy as np

import deciban as db

from .reference.binned import Binned
from .reference.classifier import EventModel
from .reference.counts import Bernoulli, Categorical, Complement, Joint, Multinomial, Poisson
from .reference.gaussian import Gaussian
from .reference.priors import Prior
from .reference.words import Words

NAMES = ("red", "green", "blue", "black", "Grün")
UNSEEN = "purple"
Cells = tuple[Any, ...]
VOCABULARY = ("red", "green", "blue", "black", "a", "Grün", "naïve", "x1", "don't", "日本語", "green blue")


@dataclass(frozen=True)
class Part:
    """Columns and their event model, as the reference has it."""

    columns: tuple[int, ...]
    model: EventModel

    @property
    def name(self) -> str:
        return type(self.model).__name__.lower()

    def event_model(self) -> db.Likelihood:
        """Return deciban's event model of the same name with the same settings."""
        given = {f.name: getattr(self.model, f.name) for f in fields(self.model)}
        given["prior"] = given["prior"] and as_prior(given["prior"])
        if given.get("values") == ():
            given["values"] = None
        return getattr(db, type(self.model).__name__)(**given)


def as_prior(prior: Prior) -> Any:
    """Return deciban's object for a prior."""
    numbers = prior.numbers
    if prior.kind in ("beta", "gamma"):
        return (db.Beta if prior.kind == "beta" else db.Gamma)(*numbers.values())
    if prior.kind == "normal":
        return db.NormalInverseGamma(**numbers)
    if None in numbers and len(numbers) > 1:
        named = {word: number for word, number in numbers.items() if word is not None}
        return db.Dirichlet(named, default=numbers[None])
    given: Any = numbers.get(None, numbers)
    if isinstance(given, dict) and list(given) == list(range(len(given))):
        given = list(given.values())
    return db.Dirichlet(given) if prior.kind == "dirichlet" else given


# Cells. A maker returns the cell of a row of a class.
Maker = Callable[[int], Any]


def bits(rng: Random, share: float) -> Maker:
    return lambda c: float(rng.random() < share + 0.2 * c)


def whole_counts(rng: Random, most: int) -> Maker:
    return lambda c: float(min(rng.randrange(most + c), rng.randrange(most + c)))


def names(rng: Random, values: tuple[Any, ...], unseen: Any) -> Maker:
    return lambda c: unseen if rng.random() < 0.04 else values[min(rng.randrange(len(values)), rng.randrange(5))]


def numbers(rng: Random, single: bool, few: bool) -> Maker:
    scale = 2.0 ** rng.randint(-20, 20) if not few else 1.0
    offset = scale * rng.choice([0.0, 0.0, 1.0, -100.0, 1e4]) if not few else 0.0
    steps = 3 if few else rng.choice([1, 8, 2**40])  # whole numbers, or multiples that have exact middles

    def make(c: int) -> float:
        value = offset + scale * round(rng.gauss(c, 1.0) * steps) / (1 if few else steps)
        return float(np.float32(value)) if single else value

    return make


def texts(rng: Random) -> Maker:
    longest = rng.choice([1, 4, 9])
    mark = rng.choice([" ", ", ", "  "])

    def make(c: int) -> str:
        words = [rng.choice(VOCABULARY[min(c, 3) :]) for _ in range(rng.randint(0, longest))]
        return mark.join(w.upper() if rng.random() < 0.1 else w for w in words)

    return make


# Event models. A function returns the reference's model of so many columns, and the makers of their cells.
def make_bernoulli(rng: Random, estimate: str, width: int, single: bool) -> tuple[EventModel, list[Maker]]:
    prior = rng.choice([None, Prior("count", {None: 0.3}), Prior("beta", {"a": 2.0, "b": 1.5})])
    if rng.random() < 0.3:
        makers = [numbers(rng, single, False) for _ in range(width)]
        return Bernoulli(prior, threshold=abs(float(np.float32(makers[0](0))))), makers
    return Bernoulli(prior), [bits(rng, rng.choice([0.0, 0.2, 0.5])) for _ in range(width)]


def make_categorical(rng: Random, estimate: str, width: int, single: bool) -> tuple[EventModel, list[Maker]]:
    values: tuple[Any, ...] = NAMES if rng.random() < 0.6 else (0, 1, 2, 5)
    unseen = UNSEEN if values is NAMES else 9
    declared = rng.choice([(), (), values])
    prior = rng.choice([None, Prior("count", {None: 0.7}), Prior("dirichlet", {None: 1.5})])
    if declared and rng.random() < 0.5:
        declared = (*declared, unseen)
        numbers_of = {v: rng.choice([1.5, 2.0, 3.0]) for v in declared}
        prior = Prior(rng.choice(["count", "dirichlet"]), numbers_of)
    mode = "ignore" if prior is not None and None not in prior.numbers else rng.choice(["ignore", "ignore", "share"])
    return Categorical(prior, declared, mode), [names(rng, values, unseen) for _ in range(width)]


def make_joint(rng: Random, estimate: str, width: int, single: bool) -> tuple[EventModel, list[Maker]]:
    values: tuple[Any, ...] = NAMES[:3] if rng.random() < 0.6 else (0, 1, 2)
    unseen = UNSEEN if values[0] == "red" else 9
    prior = rng.choice([None, Prior("count", {None: 0.5}), Prior("dirichlet", {None: 1.5})])
    return Joint(prior), [names(rng, values, unseen) for _ in range(width)]


def per_column(rng: Random, width: int) -> Prior | None:
    each = {j: rng.choice([1.5, 2.0, 4.0]) for j in range(width)}
    return rng.choice([None, Prior("count", {None: 0.4}), Prior("dirichlet", {None: 2.5}), Prior("dirichlet", each)])


def make_multinomial(rng: Random, estimate: str, width: int, single: bool) -> tuple[EventModel, list[Maker]]:
    return Multinomial(per_column(rng, width)), [whole_counts(rng, rng.choice([1, 3, 9])) for _ in range(width)]


def make_complement(rng: Random, estimate: str, width: int, single: bool) -> tuple[EventModel, list[Maker]]:
    prior = rng.choice([None, Prior("count", {None: 0.4})])
    return Complement(prior, rng.random() < 0.3), [whole_counts(rng, rng.choice([1, 3, 9])) for _ in range(width)]


def make_poisson(rng: Random, estimate: str, width: int, single: bool) -> tuple[EventModel, list[Maker]]:
    prior = rng.choice([None, Prior("count", {None: 2.0}), Prior("gamma", {"shape": 2.5, "rate": 0.75})])
    return Poisson(prior), [whole_counts(rng, rng.choice([1, 3, 9, 40])) for _ in range(width)]


def make_gaussian(rng: Random, estimate: str, width: int, single: bool) -> tuple[EventModel, list[Maker]]:
    some = {"mean": 0.5, "variance": 2.0, "strength": 1.5}
    prior = rng.choice([None, None, Prior("normal", {"mean": None, "variance": None, "strength": 0.5})])
    few = rng.random() < 0.3
    if few and rng.random() < 0.5:
        prior = Prior("normal", some)
    variance: Any = rng.choice(["class", "class", "shared", 2.5 if few else "class"])
    return Gaussian(variance, prior), [numbers(rng, single, few) for _ in range(width)]


def make_binned(rng: Random, estimate: str, width: int, single: bool) -> tuple[EventModel, list[Maker]]:
    prior = rng.choice([None, Prior("count", {None: 0.4}), Prior("dirichlet", {None: 1.5})])
    shape = "smooth" if estimate != "mle" and rng.random() < 0.3 else None
    if shape is not None and prior is not None:
        prior = Prior("count", {None: 0.4})
    few = rng.random() < 0.3
    return Binned(rng.choice([None, 2, 5]), prior, shape), [numbers(rng, single, few) for _ in range(width)]


def word_prior(rng: Random, ngrams: tuple[int, int], model: str) -> Prior:
    """Return a prior that names words, or pairs of them, seen or not."""
    names = {1: ("red", "blue", "x1", "never"), 2: ("red green", "green blue", "never red")}
    terms = rng.sample(names[rng.randint(*ngrams)], 3)
    each: dict[Any, float | None] = {term: rng.choice([1.0, 1.5, 4.0]) for term in terms}
    if model == "set" or rng.random() < 0.4:
        return Prior("count", {term: rng.choice([0.0, number]) for term, number in each.items()})
    return Prior("dirichlet", each | rng.choice([{}, {None: 1.25}]))


def make_positions(rng: Random) -> Words:
    """Return a table of words for every position."""
    prior = rng.choice([None, Prior("count", {None: 0.3}), word_prior(rng, (1, 1), "position")])
    stop_words = rng.choice([(), (), ("red", "blue")])
    least, strips = rng.choice([0, 0, 2]), rng.random() < 0.2
    return Words("position", min_count=least, stop_words=stop_words, prior=prior, strip_accents=strips)


def make_words(rng: Random, estimate: str, width: int, single: bool) -> tuple[EventModel, list[Maker]]:
    if rng.random() < 0.15:
        return make_positions(rng), [texts(rng)]
    prior = rng.choice([None, Prior("count", {None: 0.3}), Prior("dirichlet", {None: 1.25})])
    model = rng.choice(["bag", "binary", "set"])
    complement = model != "set" and rng.random() < 0.3
    if (complement or model == "set") and prior is not None:
        prior = Prior("count", {None: 0.3})
    lift = model != "set" and not complement and rng.random() < 0.3
    ngrams, analyzer = rng.choice([(1, 1), (1, 1), (1, 2), (2, 2)]), rng.choice(["word"] * 3 + ["char", "char_wb"])
    if not lift and analyzer == "word" and rng.random() < 0.4:
        prior = word_prior(rng, ngrams, model)
    found = Words(
        model,
        complement,
        norm=complement and rng.random() < 0.4,
        ngrams=ngrams,
        analyzer=analyzer,
        lowercase=rng.random() < 0.8,
        min_count=rng.choice([0, 0, 2]),
        stop_words=rng.choice([(), (), ("red", "blue")]),
        transform="tfidf" if model != "set" and rng.random() < 0.3 else None,
        idf=rng.random() < 0.7,
        evidence="lift" if lift else "share",
        neutral=rng.choice([0.0, 0.4]) if lift else 0.0,
        prior=prior,
        max_df=rng.choice([None, None, 0.6, 3]),
        strip_accents=rng.random() < 0.2,
    )
    return found, [texts(rng)]


MAKERS = {
    "bernoulli": (make_bernoulli, "numbers"),
    "binned": (make_binned, "numbers"),
    "categorical": (make_categorical, "names"),
    "complement": (make_complement, "numbers"),
    "gaussian": (make_gaussian, "numbers"),
    "joint": (make_joint, "names"),
    "multinomial": (make_multinomial, "numbers"),
    "poisson": (make_poisson, "numbers"),
    "words": (make_words, "texts"),
}


def make_parts(rng: Random, estimate: str) -> tuple[str, tuple[Part, ...], list[Maker]]:
    """Return the family of the rows, the groups of columns, and a maker of cells for every column."""
    kinds = rng.choices(sorted(MAKERS), k=rng.choice([1, 1, 1, 2, 3]))
    readers = {MAKERS[kind][1] for kind in kinds}
    if readers == {"numbers"}:
        family = rng.choice(["numbers", "numbers", "objects", "table"])
    elif kinds == ["words"]:
        family = rng.choice(["texts", "table"])
    else:
        family = rng.choice(["objects", "table"])
    single = family == "numbers" and rng.random() < 0.5
    parts: list[Part] = []
    makers: list[Maker] = []
    for kind in kinds:
        width = 1 if kind == "words" else rng.randint(2 if kind == "joint" else 1, 3)
        model, made = MAKERS[kind][0](rng, estimate, width, single)
        if any(part.model == model for part in parts):
            continue
        if family == "table" and isinstance(model, Categorical) and not all(isinstance(v, str) for v in model.values):
            model = Categorical(unseen=model.unseen)  # a column without any value yet is read as text
        parts.append(Part(tuple(range(len(makers), len(makers) + width)), model))
        makers += made
    return family, tuple(parts), makers
