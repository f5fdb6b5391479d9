"""Expectation-maximisation: the objective never falls, and parameters are those of references written by hand."""

import numpy as np
import pandas as pd
import pytest
from event_models import event_models, kind_of_rows, labels, make_rows, settings_for
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.mixture import GaussianMixture

import deciban as db
from deciban.arrays.labels import Labels
from deciban.choosing.constants import with_constants
from deciban.estimators.inputs import read_input
from deciban.model.summarize import summarize
from deciban.unlabelled.em import Stopping, iterate

# The objective is a sum over rows, which is rounded.
ROUNDING = 1e-9
CLASSES = 3


def run(nb, rows, weight, iterations=15, temperature=1.0):
    """Return the classifier of a fitted estimator after some iterations over rows without labels."""
    classifier = with_constants(nb._fitted())
    batches = read_input(nb, rows, before=classifier).batches(classifier)
    return iterate(classifier, batches, weight, temperature, Stopping(iterations, -1.0))


def assert_never_falls(objective):
    assert np.isfinite(objective).all()
    assert (np.diff(objective) >= -ROUNDING * np.maximum(np.abs(objective[1:]), 1.0)).all(), objective


@pytest.mark.parametrize("likelihood", event_models(variants=True, is_generative=True))
@settings(max_examples=6, deadline=None)
@given(
    seed=st.integers(0, 2**16),
    weight=st.sampled_from([0.01, 0.3, 1.0, 7.0]),
    estimate=st.sampled_from(["map", "mle"]),
    temperature=st.sampled_from([1.0, 1.0, 4.0]),
)
def test_the_objective_never_falls(likelihood, seed, weight, estimate, temperature):
    kind, y = kind_of_rows(likelihood), np.arange(9) % CLASSES
    nb = db.NaiveBayes(likelihood, estimate=estimate, **settings_for(likelihood))
    nb.fit(make_rows(kind, y, 2, seed=seed), y)
    found = run(nb, make_rows(kind, labels(50), 2, seed=seed + 1), weight, temperature=temperature)
    assert_never_falls(found.expected.objective)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**16), weight=st.sampled_from([0.05, 1.0, 3.0]), missing=st.floats(0, 0.6))
def test_the_objective_of_a_mixed_table_never_falls(seed, weight, missing):
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(6) % CLASSES, rng.integers(0, CLASSES, 60)])
    frame = pd.DataFrame(
        {
            "number": rng.normal(size=66) + y,
            "count": rng.poisson(2 + y).astype(float),
            "word": np.array(["a", "b", "c"], dtype=object)[(rng.integers(0, 2, 66) + y) % 3],
            "flag": rng.random(66) < 0.2 + 0.2 * y,
            "note": np.array(["good day", "cheap pills", "see you"], dtype=object)[(rng.integers(0, 2, 66) + y) % 3],
        }
    )
    columns = {
        "number": db.Gaussian("shared"), "count": db.Poisson(), "word": db.Categorical(), "flag": db.Bernoulli(),
        "note": db.Words(),
    }  # fmt: skip
    for name in ("number", "word"):
        frame.loc[rng.random(66) < missing, name] = None
    frame["label"] = [*y[:6].tolist(), *[None] * 60]
    nb = db.NaiveBayes(columns, semi_supervised=True, unlabelled_weight=weight).fit(frame, "label")
    assert_never_falls(nb.em_.objective)
    assert nb.em_.rows == pytest.approx(60)
    np.testing.assert_allclose(nb.em_.posterior.sum(axis=1), 1.0, rtol=1e-12)


@pytest.mark.parametrize("likelihood", event_models(variants=True, is_generative=True))
def test_hard_labels_as_weights_of_0_and_1_give_the_supervised_statistics(likelihood):
    y = labels(40)
    nb = db.NaiveBayes(likelihood, **settings_for(likelihood)).fit(make_rows(kind_of_rows(likelihood), y, 2), y)
    classifier = nb._fitted()
    (x,) = read_input(nb, make_rows(kind_of_rows(likelihood), y, 2), before=classifier).batches(classifier)()
    names, groups = classifier.seen.classes, classifier.groups
    soft = summarize(x, names, Labels(CLASSES, soft=np.eye(CLASSES)[y]), groups, 1)
    hard = summarize(x, names, Labels(CLASSES, y.astype(np.int32)), groups, 1)
    np.testing.assert_array_equal(soft.weight, hard.weight)
    mine, theirs = soft.to_arrays(), hard.to_arrays()
    assert mine.keys() == theirs.keys()
    for name, array in mine.items():
        if array.dtype.kind == "f":
            np.testing.assert_allclose(array, theirs[name], rtol=1e-12, atol=1e-12, err_msg=name)
        else:
            np.testing.assert_array_equal(array, theirs[name], err_msg=name)


def test_any_number_of_threads_gives_the_same_bits():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(12, 3)), np.arange(12) % 2
    more = rng.normal(size=(30_000, 3)) + rng.integers(0, 2, 30_000)[:, None] * 2
    found = [
        db.NaiveBayes(db.Gaussian(), unlabelled_weight=0.5, threads=n).fit(x, y, unlabelled=more) for n in (1, 2, 5)
    ]
    for other in found[1:]:
        assert other.em_.objective.tobytes() == found[0].em_.objective.tobytes()
        assert other.em_.posterior.tobytes() == found[0].em_.posterior.tobytes()
        assert other.predict_proba(more).tobytes() == found[0].predict_proba(more).tobytes()
    mixtures = [db.Mixture(2, db.Gaussian(), restarts=2, random_state=3, threads=n).fit(more) for n in (1, 2)]
    assert mixtures[0].em_.posterior.tobytes() == mixtures[1].em_.posterior.tobytes()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_gaussian_mixture_is_that_of_scikit_learn_from_the_same_start():
    rng = np.random.default_rng(1)
    code = rng.integers(0, 2, 400)
    x = rng.normal(size=(400, 2)) * np.where(code, 0.5, 2.0)[:, None] + 3 * code[:, None]
    first, y = x[:40], code[:40]
    nb = db.NaiveBayes(db.Gaussian(), estimate="mle").fit(first, y)
    start = nb._fitted().model
    found = run(nb, x, 1e6, iterations=30)  # beside this weight, the labelled rows have no say
    moments = nb.statistics_.blocks[0]
    variance = moments.deviation / moments.weight
    peer = GaussianMixture(
        2, covariance_type="diag", weights_init=np.exp(start.log_prior), means_init=moments.mean,
        precisions_init=1 / variance, reg_covar=0, tol=0, max_iter=31,
    )  # fmt: skip
    peer.fit(x)
    block = found.expected.statistics.blocks[0].plain()
    np.testing.assert_allclose(block.mean, peer.means_, rtol=1e-5)
    np.testing.assert_allclose(block.deviation / block.weight, peer.covariances_, rtol=1e-5)
    np.testing.assert_allclose(np.exp(found.log_prior), peer.weights_, rtol=1e-5)


def test_em_on_counts_is_a_few_lines_of_numpy():
    rng = np.random.default_rng(2)
    shares = rng.dirichlet(np.ones(6), 2)
    y, hidden = np.arange(8) % 2, rng.integers(0, 2, 50)
    x, more = (np.stack([rng.multinomial(20, shares[c]) for c in codes]).astype(float) for codes in (y, hidden))
    weight, alpha, steps = 0.4, 1.5, 12
    labelled = np.stack([x[y == c].sum(axis=0) for c in (0, 1)])
    counts, rows, objective = labelled, np.bincount(y).astype(float), []
    for step in range(steps + 2):
        theta = (counts + alpha) / (counts + alpha).sum(axis=1, keepdims=True)
        prior = rows / rows.sum()
        joint = np.log(prior) + more @ np.log(theta).T
        log_rows = np.logaddexp(*joint.T)
        if step:
            own = np.sum((labelled + alpha) * np.log(theta)) + np.sum(np.bincount(y) * np.log(prior))
            objective.append(weight * log_rows.sum() + own)
        posterior = np.exp(joint - log_rows[:, None])
        counts, rows = labelled + weight * posterior.T @ more, np.bincount(y) + weight * posterior.sum(axis=0)
    nb = db.NaiveBayes(db.Multinomial(prior=alpha)).fit(x, y)
    found = run(nb, more, weight, iterations=steps)
    np.testing.assert_allclose(found.expected.objective, objective, rtol=1e-12)
    np.testing.assert_allclose(found.model.joint_log_probability(more), joint, rtol=1e-9)
