"""Gaussian columns of any scale: the posterior does not depend on the unit of a column."""

from decimal import getcontext
from fractions import Fraction

import numpy as np
import pytest

import deciban as db

RNG = np.random.default_rng(11)
y = RNG.integers(0, 2, 60)
X = RNG.normal(size=(60, 2)) * [1.0, 3.0] + y[:, None] * [1.5, -1.0]
NEW = RNG.normal(size=(20, 2)) * [2.0, 4.0]
EXPONENTS = [-1020, -1000, -600, -520, -450, -300, 300, 449, 500, 530, 600, 1000, 1020]
KINDS = {
    "map": lambda: db.NaiveBayes(db.Gaussian()),
    "mle": lambda: db.NaiveBayes(db.Gaussian(), estimate="mle"),
    "shared": lambda: db.NaiveBayes(db.Gaussian(variance="shared")),
    "predictive": lambda: db.NaiveBayes(db.Gaussian(), estimate="predictive"),
    "predictive shared": lambda: db.NaiveBayes(db.Gaussian(variance="shared"), estimate="predictive"),
    "evidence": lambda: db.NaiveBayes(db.Gaussian(prior=db.NormalInverseGamma(strength="evidence"))),
    "drop-in": db.GaussianNB,
}


def scaled(x, e):
    return np.ldexp(x, [e, 0])


@pytest.mark.parametrize("e", EXPONENTS)
@pytest.mark.parametrize("kind", KINDS)
def test_posterior_does_not_depend_on_the_unit_of_a_column(kind, e):
    if kind == "drop-in":
        before, after = KINDS[kind]().fit(X, y), KINDS[kind]().fit(np.ldexp(X, e), y)
        assert np.allclose(after.predict_log_proba(np.ldexp(NEW, e)), before.predict_log_proba(NEW), rtol=0, atol=1e-9)
        return
    # A maximum of the evidence is found only to the root of the rounding error.
    atol = 1e-9
    before, after = KINDS[kind]().fit(X, y), KINDS[kind]().fit(scaled(X, e), y)
    assert np.allclose(after.predict_log_proba(scaled(NEW, e)), before.predict_log_proba(NEW), rtol=0, atol=atol)
    halves = KINDS[kind]().fit(scaled(X[:30], e), y[:30]).partial_fit(scaled(X[30:], e), y[30:])
    assert np.allclose(halves.predict_log_proba(scaled(NEW, e)), before.predict_log_proba(NEW), rtol=0, atol=atol)


@pytest.mark.parametrize("e", EXPONENTS)
@pytest.mark.parametrize("kind", ["map", "shared", "predictive", "predictive shared"])
def test_leave_one_out_and_evidence_do_not_depend_on_the_unit_of_a_column(kind, e):
    missing = X.copy()
    missing[3, 0] = np.nan
    for x in (X, missing):
        before, after = KINDS[kind]().fit(x, y), KINDS[kind]().fit(scaled(x, e), y)
        left_out = after.leave_one_out(scaled(x, e), y)
        assert np.allclose(left_out, before.leave_one_out(x, y), rtol=0, atol=1e-9)
    shift = [e * np.log(2), 0.0]
    assert np.allclose(after.evidence(scaled(NEW, e)) + shift, before.evidence(NEW), rtol=0, atol=1e-9)
    density = before.log_likelihood(NEW, y[:20]) - e * np.log(2)
    assert np.allclose(after.log_likelihood(scaled(NEW, e), y[:20]), density, rtol=1e-12, atol=1e-9)
    assert dict(after.importance()) == pytest.approx(dict(before.importance()), abs=1e-9)


@pytest.mark.parametrize("k", range(-300, 301, 50))
def test_posterior_of_two_classes_equals_exact_arithmetic(k):
    """Means and variances are exact fractions, and logarithms have fifty digits."""
    exact = getcontext().copy()
    exact.prec = 50
    scale = Fraction(10) ** k
    columns = {"a": [1, 2, 4], "b": [3, 7, 8]}
    floats = {c: [float(v * scale) for v in values] for c, values in columns.items()}
    nb = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(
        np.array(floats["a"] + floats["b"])[:, None], ["a"] * 3 + ["b"] * 3
    )
    x = float(5 * scale)
    log_density = []
    for values in ([Fraction(v) for v in column] for column in floats.values()):
        mean = sum(values) / 3
        variance = sum((v - mean) ** 2 for v in values) / 3
        distance = (Fraction(x) - mean) ** 2 / variance
        log_variance = exact.ln(exact.divide(variance.numerator, variance.denominator))
        log_density.append(-(log_variance + exact.divide(distance.numerator, distance.denominator)) / 2)
    expected = 1 / (1 + exact.exp(log_density[1] - log_density[0]))
    assert nb.predict_proba([[x]])[0, 0] == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("e", EXPONENTS)
def test_moments_forget_merge_and_scale_at_any_scale(e):
    whole = db.NaiveBayes(db.Gaussian()).fit(scaled(X, e), y)
    rest = db.NaiveBayes(db.Gaussian()).fit(scaled(X[:40], e), y[:40])
    new = scaled(NEW, e)
    forgotten = db.NaiveBayes(db.Gaussian()).fit(scaled(X, e), y).forget(scaled(X[40:], e), y[40:])
    assert np.allclose(forgotten.predict_log_proba(new), rest.predict_log_proba(new), rtol=0, atol=1e-8)
    merged = rest + db.NaiveBayes(db.Gaussian()).fit(scaled(X[40:], e), y[40:])
    assert np.allclose(merged.predict_log_proba(new), whole.predict_log_proba(new), rtol=0, atol=1e-9)
    half = db.NaiveBayes(db.Gaussian()).fit(X, y) * 0.5
    assert np.allclose((whole * 0.5).predict_log_proba(new), half.predict_log_proba(NEW), rtol=0, atol=1e-9)


@pytest.mark.parametrize("e", [-1000, 600])
def test_model_of_extreme_numbers_survives_its_file_and_draws_rows(tmp_path, e):
    nb = db.NaiveBayes(db.Gaussian()).fit(scaled(X, e), y)
    nb.save(tmp_path / "m.deciban")
    loaded = db.load(tmp_path / "m.deciban")
    assert loaded.statistics_ == nb.statistics_
    assert (loaded.predict_proba(scaled(NEW, e)) == nb.predict_proba(scaled(NEW, e))).all()
    ordinary = db.NaiveBayes(db.Gaussian()).fit(X, y).sample(50, random_state=3)
    drawn = nb.sample(50, random_state=3)
    for name in drawn.column_names[:1]:
        numbers, expected = (np.array(t[name].to_pylist(), dtype=float) for t in (drawn, ordinary))
        assert np.allclose(np.ldexp(numbers, -e), expected, rtol=1e-9)


def test_numbers_that_cancel_below_the_smallest_square_vary():
    x = np.array([[0.0], [1e-200], [-1e-200], [5e-200], [6e-200], [4e-200]])
    nb = db.NaiveBayes(db.Gaussian()).fit(x, [0, 0, 0, 1, 1, 1])
    same = db.NaiveBayes(db.Gaussian()).fit(x * 1e200, [0, 0, 0, 1, 1, 1])
    assert np.allclose(nb.predict_proba(x), same.predict_proba(x * 1e200), atol=1e-9)


def test_a_class_of_huge_numbers_does_not_hide_one_of_small_numbers():
    x = np.r_[RNG.normal(size=20), 1e200 * RNG.normal(size=20)][:, None]
    nb = db.NaiveBayes(db.Gaussian()).fit(x, [0] * 20 + [1] * 20)
    only = nb.statistics_.blocks[0]
    assert only.deviation[0, 0] == pytest.approx(((x[:20] - x[:20].mean()) ** 2).sum(), rel=1e-12)
    nb.forget(x[20:], [1] * 20)
    assert nb.predict_proba([[0.5]]).tolist() == [[1.0]]


@pytest.mark.parametrize("nb", [db.NaiveBayes(db.Gaussian()), db.GaussianNB()], ids=["NaiveBayes", "GaussianNB"])
def test_a_column_whose_spread_is_subnormal_is_refused(nb):
    x = np.ldexp(np.round(X * 64), -1074)
    with pytest.raises(ValueError, match="differ by too little"):
        nb.fit(x, y).predict_proba(x)


@pytest.mark.parametrize("x", [[[1e308], [-1e308], [1.7e308]], [[np.inf], [1.0], [2.0]]])
def test_the_largest_numbers_are_learned_and_infinity_is_refused(x):
    if np.isinf(x).any():
        with pytest.raises(ValueError, match="infinity"):
            db.NaiveBayes(db.Gaussian()).fit(x, [0, 1, 1])
    else:
        assert np.isfinite(db.NaiveBayes(db.Gaussian()).fit(x, [0, 1, 1]).predict_proba([[0.0], [1e307]])).all()


@pytest.mark.parametrize("e", EXPONENTS)
@pytest.mark.parametrize("shape", [None, "smooth", "normal", "log-normal"])
def test_bins_do_not_depend_on_the_unit_of_a_column(shape, e):
    x, new = np.exp(X[:, :1] / 2), np.exp(NEW[:, :1] / 2)
    before, after = (db.NaiveBayes(db.Binned(shape=shape)).fit(rows, y) for rows in (x, np.ldexp(x, e)))
    assert np.allclose(after.predict_proba(np.ldexp(new, e)), before.predict_proba(new), rtol=0, atol=1e-9)
    left_out = after.leave_one_out(np.ldexp(x, e), y)
    assert np.allclose(left_out, before.leave_one_out(x, y), rtol=0, atol=1e-9)


@pytest.mark.parametrize("e", EXPONENTS)
@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("kind", ["map", "predictive"])
def test_evidence_between_classes_does_not_depend_on_the_unit_of_a_column(kind, order, e):
    before, after = (KINDS[kind]().fit(rows, y).model_ for rows in (X, scaled(X, e)))
    favour, against = np.zeros(20, dtype=np.int32), np.ones(20, dtype=np.int32)
    found = after.evidence_between(np.asarray(scaled(NEW, e), order=order), favour, against)
    assert np.allclose(found, before.evidence_between(NEW, favour, against), rtol=0, atol=1e-9)


@pytest.mark.parametrize("e", [-120, 120])
def test_single_precision_numbers_give_the_same_posterior(e):
    x, new = X.astype(np.float32), NEW.astype(np.float32)
    before, after = (db.NaiveBayes(db.Gaussian()).fit(rows, y) for rows in (x, np.ldexp(x, e)))
    assert after.predict_proba(np.ldexp(new, e)) == pytest.approx(before.predict_proba(new), abs=1e-9)


@pytest.mark.parametrize("e", EXPONENTS)
def test_slopes_do_not_depend_on_the_unit_of_a_column(e):
    before, after = (KINDS["shared"]().fit(rows, y).model_.parts[0].scorer for rows in (X, scaled(X, e)))
    found, expected = after.linear_terms(1, 0), before.linear_terms(1, 0)
    assert np.allclose(scaled(found.slopes, e), expected.slopes, rtol=1e-9, atol=0)
    assert np.allclose(found.bases, expected.bases, rtol=1e-9, atol=0)


@pytest.mark.parametrize("weight", [1e-100, 1e-60, 1e60, 1e140])
@pytest.mark.parametrize("e", [-600, -530, 530, 600])
def test_weights_do_not_change_the_maximum_likelihood_at_any_scale(weight, e):
    before = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(X, y).predict_log_proba(NEW)
    nb = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(scaled(X, e), y, sample_weight=np.full(60, weight))
    assert np.allclose(nb.predict_log_proba(scaled(NEW, e)), before, rtol=0, atol=1e-9)


@pytest.mark.parametrize("e", EXPONENTS)
def test_a_prior_next_to_which_the_numbers_are_nothing_or_everything(e):
    prior = db.NormalInverseGamma(mean=0.5, variance=2.0, strength=3.0)
    nb = db.NaiveBayes(db.Gaussian(prior=prior)).fit(scaled(X, e), y)
    assert np.isfinite(nb.predict_log_proba(scaled(NEW, e))).all()
    if abs(e) <= 500:  # the variance is a floating-point number
        mean, variance = [np.ldexp(0.5, e), 0.5], [np.ldexp(2.0, 2 * e), 2.0]
        imagined = db.NormalInverseGamma(mean, variance, strength=3.0)
        same = db.NaiveBayes(db.Gaussian(prior=imagined)).fit(scaled(X, e), y).predict_log_proba(scaled(NEW, e))
        expected = db.NaiveBayes(db.Gaussian(prior=prior)).fit(X, y).predict_log_proba(NEW)
        assert np.allclose(same, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("e", [-1000, -530, 400])
def test_fixed_variances_take_numbers_of_any_scale(e):
    likelihood = db.Gaussian(variance=[4.0, 4.0])
    nb = db.NaiveBayes(likelihood).fit(scaled(X, e), y)
    distance = (scaled(NEW, e)[:, None] - nb.model_.parts[0].scorer.mean) ** 2 / 8
    expected = -distance.sum(axis=2) + np.log(np.bincount(y) / 60)
    odds = np.diff(nb.predict_log_proba(scaled(NEW, e)))
    assert np.allclose(odds, np.diff(expected), rtol=1e-9, atol=1e-9)
    assert not np.isnan(nb.leave_one_out(scaled(X, e), y)).any()


@pytest.mark.parametrize("e", [300, 380, 420, 440, 466, 500])
@pytest.mark.parametrize("estimate", ["mle", "map", "predictive"])
def test_classes_of_different_scales_have_their_own_variances(estimate, e):
    x = X[:, :1].copy()
    x[y == 1] = np.ldexp(x[y == 1], e)
    tiny = db.NaiveBayes(db.Gaussian(), estimate=estimate).fit(np.ldexp(x, -e), y)
    nb = db.NaiveBayes(db.Gaussian(), estimate=estimate).fit(x, y)
    new = np.r_[NEW[:5, :1], np.ldexp(NEW[5:10, :1], e)]
    assert np.allclose(nb.predict_proba(new), tiny.predict_proba(np.ldexp(new, -e)), rtol=0, atol=1e-9)
    if estimate == "mle":
        density = -0.5 * ((new[:5, 0] - x[y == 0].mean()) / x[y == 0].std()) ** 2
        expected = density - np.log(x[y == 0].std()) - 0.5 * np.log(2 * np.pi)
        assert np.allclose(nb.evidence(new[:5])[:, 0, 0], expected, rtol=1e-9)


@pytest.mark.parametrize("e", [-1000, -530, -450, 450, 600])
def test_a_prior_mean_beside_the_columns_own_variance(e):
    """One imagined observation at 0.5 with the pooled variance, added by hand in fractions of the unit."""
    nb = db.NaiveBayes(db.Gaussian(prior=db.NormalInverseGamma(mean=0.5))).fit(np.ldexp(X[:, :1], e), y)
    scorer = nb.model_.parts[0].scorer
    numbers = [Fraction(v) * Fraction(2) ** e for v in X[:, 0].tolist()]
    pooled = sum((v - sum(numbers) / 60) ** 2 for v in numbers) / 60
    own = [v for v, k in zip(numbers, y.tolist()) if k == 0]
    mean = (sum(own) + Fraction(1, 2)) / (len(own) + 1)
    variance = (sum((v - mean) ** 2 for v in own) + (Fraction(1, 2) - mean) ** 2 + pooled) / (len(own) + 1)
    exponent = int(np.broadcast_to(scorer.exponent, 1)[0])
    assert abs(Fraction(scorer.variance[0, 0]) * Fraction(4) ** exponent / variance - 1) < 1e-12
