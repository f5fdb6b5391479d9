"""Parameters integrated out: every event model knows whether it does so, and a model says it."""

import numpy as np
import pandas as pd
import pytest

import deciban as db
from deciban.priors.estimation import Estimation

MAP, PREDICTIVE, MLE = (Estimation(kind=kind) for kind in ("map", "predictive", "mle"))
CONJUGATE = [
    db.Gaussian(),
    db.Gaussian(variance="shared"),
    db.Poisson(),
    db.Multinomial(),
    db.Bernoulli(),
    db.Categorical(),
    db.Joint(),
    db.Binned(),
    db.Words(),
    db.Words("set"),
]
OTHERS = [db.Complement(), db.Binned(shape="normal"), db.Words(complement=True), db.Words(transform="tfidf")]


@pytest.mark.parametrize("likelihood", CONJUGATE, ids=str)
def test_conjugate_event_models_integrate_out_when_asked(likelihood):
    assert likelihood.integrates_out(PREDICTIVE)
    assert not likelihood.integrates_out(MAP)
    assert not likelihood.integrates_out(MLE)


@pytest.mark.parametrize("likelihood", OTHERS, ids=str)
def test_other_event_models_never_do(likelihood):
    assert not likelihood.integrates_out(PREDICTIVE)


def test_evidence_integrates_out_unless_priors_do_not_count():
    likelihood = db.Categorical(prior=db.Dirichlet("evidence"))
    assert likelihood.integrates_out(MAP)
    assert not likelihood.integrates_out(MLE)


def test_a_model_names_the_event_models_that_do_not():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.poisson(3, (40, 3)), columns=["n", "m", "k"]).assign(y=["a", "b"] * 20)
    columns = {"n": db.Poisson(), ("m", "k"): db.Complement()}
    nb = db.NaiveBayes(columns, estimate="predictive", class_prior="uniform").fit(frame, "y")
    assert "most probable parameters, which are not integrated out: Complement()" in repr(nb)
    assert "integrated out" not in repr(nb.reestimate(estimate="map"))
