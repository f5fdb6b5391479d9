"""Negative counts are refused in prediction as in training, wherever the rows lie in memory."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import deciban as db

RNG = np.random.default_rng(8)
y = RNG.integers(0, 2, 30)
COUNTS = RNG.poisson(3, (30, 5)).astype(float)
NEGATIVE = COUNTS[:7].copy()
NEGATIVE[5, 3] = -1.0
FORMS = {
    "rows": np.asarray,
    "columns": np.asfortranarray,
    "integers": lambda x: x.astype(np.int8),
    "single": lambda x: x.astype(np.float32),
    "csr": sparse.csr_matrix,
    "csc": sparse.csc_matrix,
    "missing": lambda x: np.where(np.arange(5) == 0, np.nan, x),
}
KINDS = [db.Poisson, db.Multinomial, db.Complement]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("estimate", ["map", "mle", "predictive"])
@pytest.mark.parametrize("kind", KINDS)
def test_prediction_refuses_negative_counts(kind, estimate, form):
    nb = db.NaiveBayes(kind(), class_prior="uniform", estimate=estimate).fit(COUNTS, y)
    for predict in (nb.predict, nb.predict_proba, nb.predict_log_proba, nb.explain):
        with pytest.raises(ValueError, match="Negative values in data"):
            predict(FORMS[form](NEGATIVE))
    assert np.isfinite(nb.predict_proba(FORMS[form](COUNTS))).all()


@pytest.mark.parametrize("kind", KINDS)
def test_tables_and_evidence_refuse_negative_counts(kind):
    names = list("abcde")
    frame = pd.DataFrame(COUNTS, columns=names).assign(y=y)
    nb = db.NaiveBayes({tuple(names): kind()}, class_prior="uniform").fit(frame, "y")
    with pytest.raises(ValueError, match="Negative values in data"):
        nb.predict(pd.DataFrame(NEGATIVE, columns=names))
    with pytest.raises(ValueError, match="Negative values in data"):
        nb.evidence(pd.DataFrame(NEGATIVE, columns=names))


def test_linear_scorers_of_other_models_take_negative_numbers():
    scorer = db.scorers.Linear(np.array([[1.0], [-1.0]]))
    model = db.Model.known(["a", "b"], [0.5, 0.5], scorer)
    assert model.decide(np.array([[-1.0], [1.0]])).tolist() == ["b", "a"]
