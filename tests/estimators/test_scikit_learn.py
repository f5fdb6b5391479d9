"""Estimators in scikit-learn: its checks, grid search, pipelines, cross-validation."""

import re

import numpy as np
import pytest
import sklearn
from mail_table import KIND, TABLE
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import deciban as db

DROP_INS = ["GaussianNB", "BernoulliNB", "MultinomialNB", "ComplementNB", "CategoricalNB"]
ESTIMATORS = [getattr(db, name)() for name in DROP_INS] + [db.NaiveBayes()]


def check_name(value):
    """Return a name without the address of the function, which differs between processes."""
    return re.sub(r" at 0x\w+", "", str(value))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("estimator", "check"),
    [pair for e in [*ESTIMATORS, db.JointBayes()] for pair in estimator_checks_generator(e)],
    ids=check_name,
)
def test_scikit_learn_estimator_check(estimator, check):
    before_1_8 = [int(part) for part in sklearn.__version__.split(".")[:2]] < [1, 8]
    if before_1_8 and isinstance(estimator, db.CategoricalNB) and "positive_only" in str(check):
        pytest.skip("before scikit-learn 1.8 this check subtracts a mean from integers, which NumPy refuses")
    check(estimator)  # a check that does not apply raises unittest.SkipTest


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
@pytest.mark.slow
def test_grid_search_in_two_processes(estimator):
    x, y = load_iris(return_X_y=True)
    name = "var_smoothing" if isinstance(estimator, db.GaussianNB) else "alpha"
    search = GridSearchCV(estimator, {name: [1e-3, 1.0]}, n_jobs=2, cv=3).fit(x, y)
    alone = GridSearchCV(clone(estimator), {name: [1e-3, 1.0]}, cv=3).fit(x, y)
    assert (search.cv_results_["mean_test_score"] == alone.cv_results_["mean_test_score"]).all()
    assert search.best_score_ > (0.3 if isinstance(estimator, db.BernoulliNB) else 0.6)  # all its columns are positive
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_in_a_pipeline_on_iris():
    x, y = load_iris(return_X_y=True)
    assert cross_val_score(make_pipeline(StandardScaler(), db.NaiveBayes(db.Gaussian())), x, y, cv=10).mean() > 0.94


@pytest.mark.slow
def test_real_table_by_column_type(table):
    rows = table("mushroom")
    target = [r.pop("class") for r in rows]
    x = np.array([[None if v == "?" else v for v in r.values()] for r in rows], dtype=object)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    assert cross_val_score(db.NaiveBayes(), x, target, cv=folds).mean() > 0.94


def test_scikit_learn_tools_take_frames():
    from sklearn.model_selection import GridSearchCV, cross_val_score

    frame, y = TABLE.drop_columns(["kind"]).to_pandas(), KIND
    scores = cross_val_score(db.NaiveBayes(), frame, y, cv=3)
    assert scores.min() > 0.9
    search = GridSearchCV(db.NaiveBayes(), {"alpha": [0.1, 1.0]}, cv=3).fit(frame, y)
    assert search.best_score_ == pytest.approx(scores.mean(), abs=0.02)
