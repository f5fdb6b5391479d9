"""Every event model: densities against SciPy, evidence that adds up, missing cells, true zeros, known parameters."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from scipy import sparse, stats
from scipy.special import gammaln

import deciban as db
from deciban.likelihoods import LIKELIHOODS

RNG = np.random.default_rng(7)
N, D, K = 300, 4, 3
y = RNG.integers(0, K, N)
NUMBERS = RNG.normal(size=(N, D)) * [1, 10, 0.1, 5] + y[:, None]
COUNTS = RNG.poisson(2 + y[:, None], size=(N, D)).astype(float)
BITS = (RNG.random((N, D)) < 0.2 + 0.2 * y[:, None]).astype(float)
WORDS = np.array(["red", "green", "blue", "black"], dtype=object)[RNG.integers(0, 4, (N, D))]
TEXTS = np.array(
    [[" ".join(RNG.choice(["red", "green", "blue", "black"], 3 + k)) for _ in range(D)] for k in y], dtype=object
)
DATA = {
    "gaussian": NUMBERS,
    "binned": NUMBERS,
    "bernoulli": BITS,
    "categorical": WORDS,
    "multinomial": COUNTS,
    "complement": COUNTS,
    "poisson": COUNTS,
    "words": TEXTS,
}
EVERY = sorted(LIKELIHOODS)


def test_every_registered_event_model_is_tested():
    assert sorted(DATA) == EVERY


@pytest.mark.parametrize("estimate", ["map", "mle", "predictive"])
@pytest.mark.parametrize("name", EVERY)
def test_evidence_and_prior_sum_to_the_joint(name, estimate):
    x = np.array(DATA[name])
    nb = db.NaiveBayes(LIKELIHOODS[name](), estimate=estimate).fit(x, y)
    x[::7, 0] = None if x.dtype == object else np.nan
    joint = nb.predict_joint_log_proba(x)
    assert np.allclose(nb.evidence(x).sum(-1) + nb.model_.log_prior, joint, rtol=0, atol=1e-10)


def test_evidence_of_a_mix_of_event_models_sums_to_the_joint():
    x = np.empty((N, 2 * D), dtype=object)
    x[:, :D], x[:, D:] = WORDS, NUMBERS
    x[::7, 5] = np.nan
    x[::5, 1] = None
    nb = db.NaiveBayes({**dict.fromkeys(range(D), db.Categorical()), 5: db.Gaussian(variance="shared")}).fit(x, y)
    joint = nb.predict_joint_log_proba(x)
    assert np.allclose(nb.evidence(x).sum(-1) + nb.model_.log_prior, joint, rtol=0, atol=1e-10)
    assert (nb.evidence(x)[::7, :, 5] == 0).all()
    assert (nb.evidence(x)[::5, :, 1] == 0).all()


@pytest.mark.parametrize("name", EVERY)
def test_the_whole_equals_merged_parts_and_what_is_left_after_forgetting(name):
    make = lambda: db.NaiveBayes(LIKELIHOODS[name]())  # noqa: E731
    x = DATA[name]
    whole = make().fit(x, y)
    a, b = make().fit(x[:100], y[:100]), make().fit(x[100:], y[100:])
    for other in (a + b, b + a, make().fit(x[100:], y[100:]).merge(a), a.partial_fit(x[100:], y[100:])):
        assert np.allclose(other.predict_log_proba(x), whole.predict_log_proba(x), rtol=1e-10, atol=1e-10)
    first = make().fit(x[:250], y[:250])
    left = make().fit(x, y).forget(x[250:], y[250:])
    assert np.allclose(left.predict_log_proba(x), first.predict_log_proba(x), rtol=1e-9, atol=1e-9)


def test_gaussian_equals_scipy_and_the_closed_forms():
    nb = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(NUMBERS, y)
    for k in range(K):
        mean, deviation = NUMBERS[y == k].mean(axis=0), NUMBERS[y == k].std(axis=0)
        scorer = nb.model_.parts[0].scorer
        assert np.allclose(scorer.mean[k], mean, rtol=1e-12, atol=0)
        assert np.allclose(scorer.variance[k], deviation**2, rtol=1e-12, atol=0)
        expected = stats.norm.logpdf(NUMBERS, mean, deviation)
        assert np.allclose(nb.evidence(NUMBERS)[:, k], expected, rtol=0, atol=1e-10)


def test_gaussian_variance_shared_fixed_and_its_linear_boundary():
    shared = db.NaiveBayes(db.Gaussian(variance="shared"), estimate="mle").fit(NUMBERS, y)
    within = sum(((NUMBERS[y == k] - NUMBERS[y == k].mean(axis=0)) ** 2).sum(axis=0) for k in range(K)) / N
    assert np.allclose(shared.model_.parts[0].scorer.variance, within, rtol=1e-12, atol=0)
    fixed = db.NaiveBayes(db.Gaussian(variance=1.0), estimate="mle").fit(NUMBERS, y)
    assert (fixed.model_.parts[0].scorer.variance == 1.0).all()
    per_column = db.NaiveBayes(db.Gaussian(variance=[1.0, 2.0, 3.0, 4.0])).fit(NUMBERS, y)
    assert per_column.model_.parts[0].scorer.variance[0].tolist() == [1.0, 2.0, 3.0, 4.0]
    line = NUMBERS[:1] + np.linspace(0, 1, 5)[:, None] * (NUMBERS[1:2] - NUMBERS[:1])
    for nb in (shared, fixed):
        odds = nb.model_.log_odds(line)
        assert np.allclose(np.diff(odds, 2), 0, atol=1e-9)
    curved = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(NUMBERS, y).model_.log_odds(line)
    assert np.abs(np.diff(curved, 2)).max() > 1e-3


def test_gaussian_prior_is_pseudo_data():
    m, v, s = 3.0, 2.0, 4.0
    nb = db.NaiveBayes(db.Gaussian(prior=db.NormalInverseGamma(m, v, s))).fit(NUMBERS, y)
    imagined = np.array([m - v**0.5, m + v**0.5] * int(s / 2))  # s rows with mean m and variance v
    for k in range(K):
        column = np.r_[NUMBERS[y == k][:, 0], imagined]
        assert nb.model_.parts[0].scorer.mean[k, 0] == pytest.approx(column.mean(), rel=1e-12)
        assert nb.model_.parts[0].scorer.variance[k, 0] == pytest.approx(column.var(), rel=1e-12)
    plain = db.NaiveBayes(db.Gaussian(prior=db.NormalInverseGamma(strength=0.0))).fit(NUMBERS, y)
    mle = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(NUMBERS, y)
    assert np.allclose(plain.predict_log_proba(NUMBERS), mle.predict_log_proba(NUMBERS), rtol=1e-12)


def test_gaussian_default_does_not_depend_on_another_columns_scale():
    alone = db.NaiveBayes(db.Gaussian()).fit(NUMBERS[:, :1], y)
    beside = db.NaiveBayes(db.Gaussian()).fit(np.c_[NUMBERS[:, :1], 1e9 * NUMBERS[:, 1:2]], y)
    assert (alone.model_.parts[0].scorer.variance[:, 0] == beside.model_.parts[0].scorer.variance[:, 0]).all()


def test_constant_columns_and_single_row_classes_are_fine():
    x = np.c_[np.full(7, 0.1), [1.0, 2, 3, 4, 5, 6, 50]]
    labels = ["a", "a", "a", "b", "b", "b", "alone"]
    nb = db.NaiveBayes(db.Gaussian()).fit(x, labels)
    p = nb.predict_proba(np.array([[0.1, 50.0], [7.0, 2.0], [0.1, 5.0]]))
    assert np.isfinite(p).all()
    assert nb.predict(np.array([[0.1, 50.0], [7.0, 2.0]])).tolist() == ["alone", "a"]
    assert (nb.evidence(x)[:, :, 0] == 0).all()
    with pytest.warns(db.DegenerateVarianceWarning, match="zero variance"):
        mle = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(x, labels)
    assert np.isfinite(mle.predict_proba(x)).all()
    assert mle.predict(x).tolist()[-1] == "alone"


def test_bernoulli_counts_absent_features():
    nb = db.NaiveBayes(db.Bernoulli(), alpha=0.5).fit(BITS, y)
    for k in range(K):
        theta = (BITS[y == k].sum(axis=0) + 0.5) / ((y == k).sum() + 1)
        assert np.allclose(nb.evidence(BITS)[:, k], stats.bernoulli.logpmf(BITS, theta), rtol=0, atol=1e-12)


def test_bernoulli_over_the_vocabulary_from_sparse_rows():
    dense = db.NaiveBayes(db.Bernoulli()).fit(BITS, y)
    for form in (sparse.csr_array, sparse.csc_array, sparse.csr_matrix, sparse.coo_array):
        nb = db.NaiveBayes(db.Bernoulli()).fit(form(BITS), y)
        assert nb.statistics_ == dense.statistics_
        assert np.allclose(nb.predict_log_proba(form(BITS)), dense.predict_log_proba(BITS), rtol=1e-12, atol=1e-12)


def test_categorical_equals_counting():
    nb = db.NaiveBayes(db.Categorical(), alpha=0.7).fit(WORDS, y)
    evidence = nb.evidence(WORDS)
    for k in range(K):
        for j in range(D):
            column = WORDS[y == k][:, j]
            for word in np.unique(WORDS[:, j]):
                expected = np.log(((column == word).sum() + 0.7) / (len(column) + 0.7 * 4))
                assert np.allclose(evidence[WORDS[:, j] == word, k, j], expected, rtol=1e-12)


def test_categorical_declared_values_get_their_smoothed_share():
    seen = db.NaiveBayes(db.Categorical()).fit([["a"], ["b"], ["b"]], [0, 1, 1])
    declared = db.NaiveBayes(db.Categorical(values=["a", "b", "c"])).fit([["a"], ["b"], ["b"]], [0, 1, 1])
    assert (seen.evidence([["c"]]) == 0).all()
    assert np.allclose(np.exp(declared.evidence([["c"]])[0, :, 0]), [1 / 4, 1 / 5], rtol=1e-12)


def test_multinomial_full_density_equals_scipy_and_the_decision_does_not_need_it():
    nb = db.NaiveBayes(db.Multinomial()).fit(COUNTS, y)
    n = COUNTS.sum(axis=1)
    length = stats.poisson.logpmf(n, n.mean())
    full = nb.model_.joint_log_probability(COUNTS, full=True)
    for k in range(K):
        theta = np.exp(nb.model_.parts[0].scorer.weight[k])
        expected = stats.multinomial.logpmf(COUNTS, n.astype(int), theta) + length + nb.model_.log_prior[k]
        assert np.allclose(full[:, k], expected, rtol=0, atol=1e-10)
    joint = nb.predict_joint_log_proba(COUNTS)
    extra = full - joint
    assert np.allclose(extra, extra[:, :1], atol=1e-10)
    assert np.allclose(nb.log_likelihood(COUNTS, y), full[np.arange(N), y], atol=0)


def test_poisson_full_density_equals_scipy_also_above_170():
    x = np.r_[COUNTS, [[200.0, 1e5, 0, 3]]]
    labels = np.r_[y, 0]
    nb = db.NaiveBayes(db.Poisson(), estimate="mle").fit(x, labels)
    full = nb.model_.joint_log_probability(x, full=True)
    for k in range(K):
        rate = x[labels == k].mean(axis=0)
        expected = stats.poisson.logpmf(x, rate).sum(axis=1) + nb.model_.log_prior[k]
        assert np.allclose(full[:, k], expected, rtol=1e-12)


def test_poisson_prior_is_imagined_rows_at_the_pooled_rate():
    nb = db.NaiveBayes(db.Poisson(), alpha=2.0).fit(COUNTS, y)
    pooled = COUNTS.mean(axis=0)
    for k in range(K):
        rate = (COUNTS[y == k].sum(axis=0) + 2 * pooled) / ((y == k).sum() + 2)
        assert np.allclose(-nb.model_.parts[0].scorer.base[k], rate, rtol=1e-12)


def test_complement_uses_the_prior_it_is_given():
    tilted = [
        db.NaiveBayes(db.Complement(), class_prior=dict(enumerate(p))).fit(COUNTS, y)
        for p in ([0.98, 0.01, 0.01], [0.01, 0.01, 0.98])
    ]
    assert not np.allclose(tilted[0].predict_proba(COUNTS), tilted[1].predict_proba(COUNTS))
    others = COUNTS.sum(axis=0) - np.array([COUNTS[y == k].sum(axis=0) for k in range(K)]) + 1
    expected = -np.log(others / others.sum(axis=1, keepdims=True))
    assert np.allclose(tilted[0].model_.parts[0].scorer.weight, expected, rtol=1e-12)


@pytest.mark.parametrize("name", EVERY)
def test_missing_cells_are_no_evidence_in_training_and_prediction(name):
    if name == "categorical":
        x, hole = WORDS.copy(), None
    else:
        x, hole = DATA[name].copy(), np.nan
    holes = RNG.random(x.shape) < 0.2
    x[holes] = hole
    nb = db.NaiveBayes(LIKELIHOODS[name]()).fit(x, y)
    assert (np.moveaxis(nb.evidence(x), 1, -1)[holes] == 0).all()
    assert np.isfinite(nb.predict_joint_log_proba(x)).all()
    if name not in ("multinomial", "complement"):  # there columns share a total
        for j in range(D):
            known = ~holes[:, j]
            alone = db.NaiveBayes(LIKELIHOODS[name]()).fit(x[known][:, [j]], y[known])
            here = nb.evidence(x)[known][:, :, j]
            assert np.allclose(alone.evidence(x[known][:, [j]])[:, :, 0], here, rtol=1e-12, atol=1e-12)
    everything = nb.predict_proba(np.full((1, D), hole, dtype=x.dtype))
    assert np.allclose(everything, np.exp(nb.model_.log_prior), rtol=1e-12)


def test_missing_cells_of_a_sparse_matrix():
    x = BITS.copy()
    x[RNG.random(x.shape) < 0.2] = np.nan
    dense = db.NaiveBayes(db.Bernoulli()).fit(x, y)
    for form in (sparse.csr_array, sparse.csc_array):
        nb = db.NaiveBayes(db.Bernoulli()).fit(form(x), y)
        assert np.allclose(nb.predict_log_proba(form(x)), dense.predict_log_proba(x), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["bernoulli", "categorical", "multinomial", "poisson"])
def test_a_true_zero_is_probability_zero_and_never_nan(name):
    x = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [1, 1]])
    labels = ["left", "left", "right", "right", "both", "both"]
    nb = db.NaiveBayes(LIKELIHOODS[name](), estimate="mle").fit(x, labels)
    p = nb.predict_proba(np.array([[1, 0], [0, 1]]))
    assert np.isfinite(p).all()
    left, right = (nb.classes_.tolist().index(c) for c in ("left", "right"))
    assert p[0, right] == 0.0
    assert p[1, left] == 0.0
    assert np.allclose(p.sum(axis=1), 1)
    joint = nb.predict_joint_log_proba(np.array([[1, 0], [0, 1]]))
    assert not np.isnan(joint).any()
    assert np.allclose(nb.evidence(np.array([[1, 0]])).sum(-1) + nb.model_.log_prior, joint[:1])


def test_impossible_under_every_class_is_the_prior_with_a_warning():
    x = np.array([["a", "x"], ["b", "y"], ["b", "y"]], dtype=object)
    nb = db.NaiveBayes(db.Categorical(), estimate="mle").fit(x, ["p", "q", "q"])
    with pytest.warns(db.ImpossibleRowWarning, match="1 of 2 rows"):
        proba = nb.predict_proba(np.array([["a", "y"], ["a", "x"]], dtype=object))
    assert np.allclose(proba[0], [1 / 3, 2 / 3], rtol=1e-12)
    with pytest.warns(db.ImpossibleRowWarning):
        assert nb.predict(np.array([["a", "y"]], dtype=object)).tolist() == ["q"]
    with pytest.warns(db.ImpossibleRowWarning):
        assert np.allclose(nb.predict_log_proba(np.array([["a", "y"]], dtype=object)), np.log([[1 / 3, 2 / 3]]))


def test_fifty_thousand_features_and_a_million_words_do_not_underflow():
    rng = np.random.default_rng(0)
    bits = rng.random((4, 50_000)) < 0.5
    nb = db.NaiveBayes(db.Bernoulli()).fit(bits, [0, 1, 0, 1])
    joint = nb.predict_joint_log_proba(bits)
    assert joint.max() < -10_000
    assert np.allclose(np.exp(nb.predict_log_proba(bits)).sum(axis=1), 1)
    words = db.NaiveBayes(db.Multinomial()).fit(np.array([[9.0, 1.0], [1.0, 9.0]]), ["a", "b"])
    mail = np.array([[500_001.0, 499_999.0], [1_000_000.0, 0.0]])
    odds = words.model_.log_odds(mail)
    assert np.allclose(odds, (mail[:, 1] - mail[:, 0]) * np.log(10 / 2), rtol=1e-12)
    assert words.predict(mail).tolist() == ["a", "a"]
    assert words.predict_proba(mail)[1].tolist() == [1.0, 0.0]


def test_maximum_likelihood_maximises_the_likelihood():
    for name in ("gaussian", "bernoulli", "poisson", "categorical"):
        x = DATA[name]
        best = db.NaiveBayes(LIKELIHOODS[name](), estimate="mle").fit(x, y).log_likelihood(x, y).sum()
        for alpha in (0.01, 0.3, 2.0):
            prior = (
                db.Gaussian(prior=db.NormalInverseGamma(strength=alpha))
                if name == "gaussian"
                else LIKELIHOODS[name](prior=alpha)
            )
            assert db.NaiveBayes(prior).fit(x, y).log_likelihood(x, y).sum() < best


# Models from known parameters.


def test_model_from_known_parameters_is_the_bayes_optimal_predictor():
    model = db.Model.known(
        ["no", "yes"],
        [5 / 14, 9 / 14],
        db.Bernoulli.known([[2 / 5, 1 / 5, 2 / 5], [4 / 9, 6 / 9, 5 / 9]]),
    )
    row = np.array([[0, 1, 1]])
    assert model.posterior(row)[0, 1] == pytest.approx((25 / 189) / (25 / 189 + 3 / 175), rel=1e-12)
    assert model.decide(row).tolist() == ["yes"]


def test_bayes_error_exactly_on_a_finite_domain():
    theta, prior = np.array([[0.2, 0.5], [0.7, 0.1]]), np.array([0.4, 0.6])
    model = db.Model.known([0, 1], prior, db.Bernoulli.known(theta))
    best = 0.0
    for a in (0, 1):
        for b in (0, 1):
            best += max(prior[k] * abs(1 - a - theta[k, 0]) * abs(1 - b - theta[k, 1]) for k in (0, 1))
    assert model.bayes_error(domain=[(0, 1), (0, 1)]) == pytest.approx(1 - best, rel=1e-12)
    named = db.Model.known(["x", "y"], prior, db.Categorical.known([[[0.5, 0.5], [0.9, 0.1]]], [["u", "v"]]))
    exact = 1 - (max(0.4 * 0.5, 0.6 * 0.9) + max(0.4 * 0.5, 0.6 * 0.1))
    assert named.bayes_error(domain=[("u", "v")]) == pytest.approx(exact, rel=1e-12)


def test_bayes_error_by_sampling_where_the_domain_is_not_finite():
    model = db.Model.known([0, 1], [0.5, 0.5], db.Gaussian.known([[-1.0], [1.0]], [[1.0], [1.0]]))
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200_000)
    x = rng.normal(2.0 * truth - 1)[:, None]
    exact = stats.norm.cdf(-1)
    assert model.bayes_error(x) == pytest.approx(exact, abs=4 * 0.2 / np.sqrt(len(x)))
    assert (model.decide(x) != truth).mean() == pytest.approx(exact, abs=4 * np.sqrt(exact / len(x)))
    with pytest.raises(ValueError, match="either rows"):
        model.bayes_error()


def test_known_parameters_of_several_event_models_side_by_side():
    model = db.Model.known(
        ["a", "b"],
        [0.5, 0.5],
        db.Gaussian.known([[0.0], [1.0]], [[1.0], [4.0]]),
        db.Poisson.known([[2.0, 3.0], [5.0, 1.0]]),
        db.Multinomial.known([[0.5, 0.5], [0.9, 0.1]], length=3.0),
    )
    x = np.array([[0.3, 2.0, 1.0, 2.0, 1.0]])
    for k, (m, s, rate, theta) in enumerate([(0, 1, (2, 3), (0.5, 0.5)), (1, 2, (5, 1), (0.9, 0.1))]):
        expected = (
            np.log(0.5)
            + stats.norm.logpdf(0.3, m, s)
            + stats.poisson.logpmf([2, 1], rate).sum()
            + stats.multinomial.logpmf([2, 1], 3, theta)
            + stats.poisson.logpmf(3, 3.0)
        )
        assert model.joint_log_probability(x, full=True)[0, k] == pytest.approx(expected, rel=1e-12)


# Event models written outside the package.


@dataclass(frozen=True)
class Geometric(db.Likelihood):
    """x failures before the first success, with success probability p given the class."""

    keeps: ClassVar = db.Sums

    def estimate(self, statistics, how):
        pseudo = how.pseudo_counts(None)
        p = (statistics.weight + pseudo) / (statistics.weight + statistics.total + 2 * pseudo)
        return db.scorers.Linear(np.log1p(-p), np.log(p))


@dataclass(frozen=True)
class LogNormal(db.Gaussian):
    """A Gaussian of log x: `prepare` is all there is to it."""

    def prepare(self, x):
        return np.log(x)


def test_an_event_model_written_by_the_user_works_everywhere():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 500)
    x = rng.geometric(np.where(truth == 1, 0.6, 0.2)[:, None], size=(500, 2)) - 1.0
    nb = db.NaiveBayes(Geometric(), estimate="mle").fit(x, truth)
    for k in (0, 1):
        p = 1 / (1 + x[truth == k].mean(axis=0))
        assert np.allclose(nb.evidence(x)[:, k], stats.geom.logpmf(x + 1, p), rtol=0, atol=1e-10)
    parts = db.NaiveBayes(Geometric(), estimate="mle").fit(x[:50], truth[:50]).partial_fit(x[50:], truth[50:])
    assert parts.statistics_ == nb.statistics_
    assert nb.forget(x[:50], truth[:50]).statistics_ == db.NaiveBayes(Geometric()).fit(x[50:], truth[50:]).statistics_
    mixed = db.NaiveBayes([Geometric(), db.Poisson()]).fit(x, truth)
    assert np.allclose(mixed.evidence(x).sum(-1) + mixed.model_.log_prior, mixed.predict_joint_log_proba(x))


def test_an_event_model_may_prepare_its_column():
    x = np.exp(NUMBERS / 10)
    prepared = db.NaiveBayes(LogNormal()).fit(x, y)
    by_hand = db.NaiveBayes(db.Gaussian()).fit(np.log(x), y)
    assert (prepared.predict_log_proba(x) == by_hand.predict_log_proba(np.log(x))).all()


def test_log_factorials_agree_with_scipy():
    from deciban.likelihoods.poisson import minus_log_factorials

    assert np.allclose(minus_log_factorials(COUNTS), -gammaln(COUNTS + 1).sum(axis=1))
