"""Scores of rows without themselves, against brute force: subtract the row, estimate anew, score it."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from event_models import REGISTRY
from scipy import stats

import deciban as db
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.priors.estimation import Estimation
from deciban.statistics.words import WordCounts

RNG = np.random.default_rng(11)
N, D, K = 60, 3, 3
y = np.r_[RNG.integers(0, K - 1, N - 1), K - 1]  # the last class has one row
NUMBERS = RNG.normal(size=(N, D)) * [1, 10, 0.1] + y[:, None]
INCOMPLETE = np.where(RNG.random((N, D)) < 0.2, np.nan, NUMBERS)
COUNTS = RNG.poisson(1 + y[:, None], size=(N, D)).astype(float)
BITS = (RNG.random((N, D)) < 0.2 + 0.2 * y[:, None]).astype(float)
INCOMPLETE_BITS = np.where(RNG.random((N, D)) < 0.2, np.nan, BITS)
INCOMPLETE_COUNTS = np.where(RNG.random((N, D)) < 0.2, np.nan, COUNTS)
COLOURS = np.array(["red", "green", "blue", "black"], dtype=object)[RNG.integers(0, 4, (N, D))]
COLOURS[0, 0], COLOURS[1, 1] = "only once", None
TEXTS = [" ".join(RNG.choice(["red", "green", "blue", "black", "grey"], RNG.integers(0, 6))) for _ in y]
TEXTS[3] = "hapax red"
WEIGHTS = {"one": np.ones(N), "some": RNG.choice([0.5, 1.0, 2.5], N), "any": RNG.random(N) + 0.1}
ESTIMATES = ["map", "predictive", "mle"]
CASES = {
    "gaussian": (db.Gaussian(prior=db.NormalInverseGamma(0.3, 2.0, 1.5)), INCOMPLETE),
    "gaussian-shared": (db.Gaussian("shared", prior=db.NormalInverseGamma(0.3, 2.0, 1.5)), INCOMPLETE),
    "gaussian-fixed": (db.Gaussian([1.0, 4.0, 0.5], prior=db.NormalInverseGamma(0.3, 2.0, 1.5)), INCOMPLETE),
    "bernoulli": (db.Bernoulli(), INCOMPLETE_BITS),
    "bernoulli-beta": (db.Bernoulli(prior=db.Beta(1.5, 2.5)), BITS),
    "bernoulli-threshold": (db.Bernoulli(threshold=0.4), INCOMPLETE),
    "multinomial": (db.Multinomial(), COUNTS),
    "multinomial-dirichlet": (db.Multinomial(prior=db.Dirichlet([1.5, 2.5, 3.5])), INCOMPLETE_COUNTS),
    "complement": (db.Complement(), COUNTS),
    "complement-norm": (db.Complement(norm=True), COUNTS),
    "poisson": (db.Poisson(prior=db.Gamma(1.5, 0.5)), INCOMPLETE_COUNTS),
}
DOCUMENTS = np.array(TEXTS, dtype=object)[:, None]
CASES |= {
    "position": (db.Words("position"), DOCUMENTS),
    "position-vocabulary": (db.Words("position", vocabulary=["red", "grey", "hapax", "never"]), DOCUMENTS),
    "position-priors": (db.Words("position", prior=db.Dirichlet({"red": 3.0, "never": 2.0, "hapax": 1.5})), DOCUMENTS),
    "position-stop-words": (db.Words("position", stop_words=["red", "grey"]), DOCUMENTS),
}


def members(estimate):
    """[rows] Classes. A class of one row has no estimate by maximum likelihood, so there is none."""
    return (np.arange(N) % K if estimate == "mle" else y).astype(np.int32)


def brute(likelihood, x, weight, estimate, alpha=0.7):
    """[rows × classes] Scores: the row's statistics are subtracted, parameters are estimated anew."""
    x, codes = as_frame(x), members(estimate)
    block = likelihood.summarize(x, Labels(K, codes, weight))
    out = np.zeros((N, K))
    for i in range(N):
        row, its = x.block(i, i + 1), Labels(K, codes[i : i + 1], weight[i : i + 1])
        scorer = likelihood.estimate(block - likelihood.summarize(row, its), Estimation(alpha, estimate))
        scorer.add_scores(row, out[i : i + 1])
    return out


def left_out(likelihood, x, weight, estimate, alpha=0.7):
    x, codes = as_frame(x), members(estimate)
    block = likelihood.summarize(x, Labels(K, codes, weight))
    out = np.zeros((N, K))
    likelihood.left_out(block, Estimation(alpha, estimate, np.arange(K))).add_scores(x, codes, weight, out)
    return out


def same(found, expected):
    infinite = np.isinf(expected)
    assert np.array_equal(infinite, np.isinf(found))
    assert np.allclose(found[~infinite], expected[~infinite], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("weights", list(WEIGHTS))
@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("case", list(CASES))
def test_equals_brute_force(case, estimate, weights):
    likelihood, x = CASES[case]
    same(left_out(likelihood, x, WEIGHTS[weights], estimate), brute(likelihood, x, WEIGHTS[weights], estimate))


@pytest.mark.parametrize("estimate", ["map", "predictive"])
def test_poissons_pooled_rate_is_held(estimate):
    """The default prior, α rows at the pooled rate, equals a Gamma prior with that rate as its mean."""
    weight = WEIGHTS["some"]
    pooled = (weight @ COUNTS) / weight.sum()
    given = db.Poisson(prior=db.Gamma(0.7 * pooled + (estimate == "map"), np.full(D, 0.7)))
    same(left_out(db.Poisson(), COUNTS, weight, estimate), brute(given, COUNTS, weight, estimate))


@pytest.mark.parametrize("weights", list(WEIGHTS))
@pytest.mark.parametrize("estimate", ["map", "predictive"])
def test_categories_and_bins_equal_counts_by_hand(estimate, weights):
    """Categories and cut points are those of all rows; the counts are without the row."""
    weight = WEIGHTS[weights]
    for likelihood, x in ((db.Categorical(), COLOURS), (db.Binned(bins=4), INCOMPLETE)):
        block = likelihood.summarize(x, Labels(K, y.astype(np.int32), weight))
        scorer = likelihood.estimate(block, Estimation(0.7, estimate))
        rows = as_frame(x)
        places = scorer.codes(rows) if likelihood == db.Categorical() else rows.bins(scorer.cuts)
        expected = np.zeros((N, K))
        for i in range(N):
            rest = weight.copy()
            rest[i] = 0.0
            for j in range(D):
                if places[i, j] < 0:
                    continue
                values = scorer.log_probability[j].shape[1]
                for c in range(K):
                    of_class = rest * (y == c) * (places[:, j] >= 0)
                    n = of_class[places[:, j] == places[i, j]].sum()
                    expected[i, c] += np.log((n + 0.7) / (of_class.sum() + 0.7 * values))
        same(left_out(likelihood, x, weight, estimate), expected)


def smooth_shares(counts, rest, alpha):
    """Return the smooth probabilities of bins in a class with counts ``rest``; ``counts`` are those of all rows."""
    edges = stats.norm.ppf(np.r_[0.0, np.cumsum(counts)[:-1], counts.sum()] / counts.sum())
    bins = [stats.truncnorm(low, high) for low, high in pairwise(edges)]
    score, square = (np.array([b.moment(k) for b in bins]) for k in (1, 2))
    mean = rest @ score / (rest.sum() + 20)
    deviation = np.sqrt((rest @ square + 20) / (rest.sum() + 20) - mean**2)
    strength = alpha * (len(counts) + 50)
    return (rest + strength * np.diff(stats.norm(mean, deviation).cdf(edges))) / (rest.sum() + strength)


def test_smooth_bins_equal_normal_scores_by_hand():
    """Cut points and normal scores are those of all rows; counts, mean and variance are without the row."""
    x, weight, likelihood = INCOMPLETE[:, :1], WEIGHTS["some"], db.Binned(bins=4, shape="smooth")
    scorer = likelihood.estimate(likelihood.summarize(x, Labels(K, y.astype(np.int32), weight)), Estimation(0.7))
    places = as_frame(x).bins(scorer.cuts)[:, 0]
    known = places >= 0
    counts = np.bincount(places[known], weight[known], 4)
    expected = np.zeros((N, K))
    for i in np.flatnonzero(known):
        rest = np.where(np.arange(N) == i, 0.0, weight)
        for c in range(K):
            of_class = known & (y == c)
            class_counts = np.bincount(places[of_class], rest[of_class], 4)
            expected[i, c] = np.log(smooth_shares(counts, class_counts, 0.7)[places[i]])
    same(left_out(likelihood, x, weight, "map"), expected)


@pytest.mark.parametrize("weights", list(WEIGHTS))
@pytest.mark.parametrize("shape", ["normal", "log-normal"])
def test_shapes_equal_normal_probabilities_by_hand(shape, weights):
    """The column's mean, deviation and cut points are those of all rows; those of the class are without the row."""
    weight, x = WEIGHTS[weights], np.exp(INCOMPLETE / 5) if shape == "log-normal" else INCOMPLETE
    likelihood = db.Binned(shape=shape)
    scorer = likelihood.estimate(likelihood.summarize(x, Labels(K, y.astype(np.int32), weight)), Estimation(0.7))
    expected = np.zeros((N, K))
    scale = np.log if shape == "log-normal" else np.asarray
    for i, j in zip(*np.nonzero(~np.isnan(x))):
        known = ~np.isnan(x[:, j])
        u, w = scale(x[known, j]), weight[known]
        mean, deviation = np.average(u, weights=w), np.sqrt(np.cov(u, aweights=w, ddof=0))
        edges = np.r_[-np.inf, (scale(scorer.cuts[j]) - mean) / deviation, np.inf]
        u = (scale(x[:, j]) - mean) / deviation
        b = np.searchsorted(scorer.cuts[j], x[i, j], side="right")
        for c in range(K):
            of_class = known & (y == c) & (np.arange(N) != i)
            n, total, squares = (weight[of_class] @ a[of_class] for a in (np.ones(N), u, u * u))
            bell = stats.norm(total / (n + 1), np.sqrt((squares + 1) / (n + 1) - (total / (n + 1)) ** 2))
            share = bell.cdf(edges[b + 1]) - bell.cdf(edges[b])
            expected[i, c] += np.log((n * share + 0.7 / (len(edges) - 1)) / (n + 0.7))
    same(left_out(likelihood, x, weight, "map"), expected)


WORDS = {
    "bag": db.Words(min_count=0),
    "binary": db.Words(model="binary", min_count=0),
    "set": db.Words(model="set", min_count=0),
    "complement": db.Words(complement=True, min_count=0),
    "complement-norm": db.Words(complement=True, norm=True, min_count=0),
    "bigrams": db.Words(ngrams=(1, 2), min_count=0),
}


WORDS |= {f"{model}-tfidf": db.Words(model, transform="tfidf") for model in ("bag", "binary")}
WORDS |= {"lift": db.Words(evidence="lift"), "lift-neutral": db.Words("binary", evidence="lift", neutral=0.4)}
WORDS |= {"lift-tfidf": db.Words(transform="tfidf", evidence="lift", neutral=0.85)}
WORDS |= {"max-df": db.Words(max_df=0.4), "max-df-tfidf": db.Words(transform="tfidf", max_df=0.4)}
FIXED = ["red", "grey", "hapax", "never"]
WORDS |= {f"vocabulary-{model}": db.Words(model, vocabulary=FIXED) for model in ("bag", "binary", "set")}
WORDS |= {"vocabulary-tfidf": db.Words(transform="tfidf", vocabulary=FIXED)}
WORDS |= {"vocabulary-complement": db.Words(complement=True, vocabulary=FIXED)}
WORDS |= {"vocabulary-lift": db.Words(evidence="lift", vocabulary=FIXED)}
BY_WORD = {"red": 3.0, "never": 2.0, "hapax": 1.5}
BY_CLASS = {0: {"red": 4.0, "never": 1.25}, 2: {"hapax": 2.5}}
PRIORS = {
    "word": db.Dirichlet(BY_WORD),
    "default": db.Dirichlet(BY_WORD, default=1.25),
    "class": db.Dirichlet(BY_CLASS),
    "zero": {"red": 0.0, "never": 0.0, "hapax": 0.0},
}
WORDS |= {f"prior-{name}": db.Words(prior=prior) for name, prior in PRIORS.items()}
WORDS |= {f"prior-{name}-complement": db.Words(complement=True, prior=prior) for name, prior in PRIORS.items()}
WORDS |= {f"prior-{name}-tfidf": db.Words(transform="tfidf", prior=prior) for name, prior in PRIORS.items()}
WORDS |= {"prior-norm": db.Words(complement=True, norm=True, prior=PRIORS["class"])}
WORDS |= {"prior-max-words": db.Words("binary", max_words=2, prior=PRIORS["class"])}
WORDS |= {"prior-set": db.Words("set", prior=db.Beta(BY_WORD, 2.0))}
WORDS |= {"prior-set-class": db.Words("set", prior=db.Beta(BY_WORD, BY_CLASS))}
WORDS |= {"prior-set-zero": db.Words("set", prior=PRIORS["zero"])}
LISTED = np.arange(1.5, 13.5).reshape(3, 4)
WORDS |= {"prior-listed": db.Words(vocabulary=FIXED, prior=db.Dirichlet(LISTED))}
WORDS |= {"prior-listed-set": db.Words("set", vocabulary=FIXED, prior=db.Beta(LISTED[0], LISTED[::-1]))}
WORDS |= {"complement-tfidf": db.Words(complement=True, transform="tfidf")}


def words_brute(likelihood, x, codes, weight, estimation):
    """[rows × classes] Scores of documents by counts without them, whose class is scaled back to its mass.

    The selection of words, inverse document frequencies, and the unit of a lift's pseudo-count are those of all rows.
    """
    block = likelihood.summarize(x, Labels(K, codes, weight))
    if likelihood.is_lift:
        unit = likelihood.pseudo_counts(likelihood.counted_words(block)[0], Estimation(1.0)).rest
        estimation = replace(estimation, alpha=estimation.alpha * unit)
    expected = np.zeros((len(codes), K))
    for i in range(len(codes)):
        row = x.block(i, i + 1)
        rest = block - likelihood.summarize(row, Labels(K, codes[i : i + 1], weight[i : i + 1]))
        counts, gain = likelihood.counted_words(block)
        rest = likelihood.with_vocabulary(rest)
        rest = rest.take(np.flatnonzero(counts.vocabulary.find(rest.vocabulary) >= 0))
        kept = counts.vocabulary.find(rest.vocabulary)
        left = rest if gain is None else replace(rest.weighed(gain[kept]), documents=np.zeros(0))
        if not likelihood.complement:
            left = scaled_back(left, counts, codes[i], likelihood.model == "set")
        scorer = likelihood._scorer(left, None if gain is None else gain[kept], estimation)
        if likelihood.is_predictive(estimation):
            scorer = db.scorers.WordPolya(scorer, left, likelihood.pseudo_counts(left, estimation))
        scorer.add_scores(row, expected[i : i + 1])
    return expected


def scaled_back(rest: WordCounts, whole: WordCounts, c: int, by_documents: bool) -> WordCounts:
    """Return the counts with one class scaled back to its mass in ``whole``: its documents, or its words."""
    before, after = ((w.lengths[:, 0] if by_documents else w.by_class())[c] for w in (whole, rest))
    factor = np.ones(K)
    factor[c] = before / after if after > 1e-9 * before else 1.0
    return replace(rest, weight=rest.weight * factor[rest.cls], lengths=rest.lengths * factor[:, None])


@pytest.mark.parametrize("weights", list(WEIGHTS))
@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("case", list(WORDS))
def test_words_equal_brute_force(case, estimate, weights):
    likelihood, weight, codes = WORDS[case], WEIGHTS[weights], members(estimate)
    x = as_frame(np.array(TEXTS, dtype=object)[:, None])
    found = left_out(likelihood, x, weight, estimate)
    same(found, words_brute(likelihood, x, codes, weight, Estimation(0.7, estimate, np.arange(K))))


def test_a_word_of_the_left_out_document_alone_is_no_evidence():
    """It counted as α in every class, which is more in the class with fewer words."""
    texts, y = ["red hapax", "red", "blue green black", "grey blue white"], [0, 0, 1, 1]
    found = db.NaiveBayes(db.Words(), class_prior="uniform").fit(texts, y).leave_one_out(texts, y)[0]
    scores = np.log([(1 * 3 + 1) / (3 + 6), 1 / (6 + 6)])  # of "red" alone, with six words in the vocabulary
    assert np.allclose(found, scores - np.logaddexp(*scores), rtol=1e-12)


def test_a_class_that_loses_a_document_keeps_its_mass():
    """Two classes of the same few documents were told apart by which of them had lost one."""
    texts, y = ["red", "blue", "red", "blue"] * 2, [0, 0, 1, 1] * 2
    found = db.NaiveBayes(db.Words(), class_prior="uniform").fit(texts, y).leave_one_out(texts, y)
    scores = np.log([(1 * 4 / 3 + 1) / (4 + 2), (2 + 1) / (4 + 2)])  # one of three words, scaled to four
    assert np.allclose(found[np.arange(8), y], scores[0] - np.logaddexp(*scores), rtol=1e-12)


@dataclass(frozen=True)
class Laplace(db.Likelihood):
    """An event model from outside the package, with no method but estimate."""

    keeps: ClassVar = db.Moments

    def estimate(self, statistics, estimation):
        n = statistics.weight + 1.0
        return db.scorers.Quadratic(statistics.mean, (statistics.deviation + 1.0) / n)


def test_an_event_model_written_outside_the_package_is_left_out_one_by_one():
    likelihood = Laplace()
    expected = brute(likelihood, NUMBERS, np.ones(N), "map")
    same(left_out(likelihood, NUMBERS, np.ones(N), "map"), expected)
    assert db.NaiveBayes(likelihood).fit(NUMBERS, y).leave_one_out(NUMBERS, y).shape == (N, K)


def test_every_registered_event_model_is_left_out_somewhere():
    by_hand = {db.Categorical, db.Binned}  # above
    covered = {type(model) for model, _ in CASES.values()} | {type(model) for model in WORDS.values()} | by_hand
    elsewhere = {db.Joint}  # tests/estimators/test_joint_bayes.py
    refitted = {model for model in REGISTRY.values() if model.left_out is db.Likelihood.left_out}  # above, once for all
    missing = set(REGISTRY.values()) - covered - elsewhere - refitted
    assert not missing, f"add {missing} to CASES, with a prior that does not depend on the rows"


@pytest.mark.parametrize(
    ("likelihood", "rows", "labels", "expected"),
    [
        # Without row 0, one row of class 0 is left, and it has the other value.
        (db.Bernoulli(), [[1], [0], [1]], [0, 0, 1], [-np.inf, 0.0]),
        # Without row 0, half of the ones of class 0 are left, and no zero.
        (db.Bernoulli(), [[1], [1], [0], [1]], [0, 0, 0, 1], [np.log(1 / 2), 0.0]),
        # Without row 0, class 0 is empty: two values in either column make four combinations.
        (db.Joint(), [["a", "u"], ["b", "u"], ["a", "v"]], [0, 1, 1], [-np.log(4), -np.inf]),
        (db.Categorical(), [["a"], ["b"], ["a"]], [0, 1, 1], [-np.log(2), -np.log(2)]),
    ],
)
def test_a_value_whose_last_row_is_left_out_at_maximum_likelihood(likelihood, rows, labels, expected):
    """Zeros beside fractions were read as certainty, and an empty class as impossible."""
    frame, codes = (
        as_frame(np.array(rows, dtype=object if likelihood.reads_names else float)),
        np.array(labels, "int32"),
    )
    block, weight = likelihood.summarize(frame, Labels(2, codes)), np.ones(len(codes))
    out = np.zeros((len(codes), 2))
    likelihood.left_out(block, Estimation(kind="mle")).add_scores(frame, codes, weight, out)
    same(out[0], np.array(expected))


@pytest.mark.parametrize("norm", [False, True])
def test_complements_of_nothing_else_at_maximum_likelihood(norm):
    """Without the row of the other class, stand-ins for counts of 0 lost digits beside the count that was there."""
    x, codes = as_frame(np.array([[2000.0, 3.0], [4.0, 3.0]])), np.array([0, 1], dtype=np.int32)
    likelihood, out = db.Complement(norm=norm), np.zeros((2, 2))
    block = likelihood.summarize(x, Labels(2, codes))
    likelihood.left_out(block, Estimation(kind="mle")).add_scores(x, codes, np.ones(2), out)
    # Row 0 without itself: both columns have the stand-in among the classes other than 1, so half a share each.
    assert np.isclose(out[0, 1], 2003 / 2 if norm else 2003 * np.log(2), rtol=1e-12)
