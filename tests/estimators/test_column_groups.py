"""Event models of columns: by list, index, name or joined, or chosen by the type of the data."""

import numpy as np
import pandas as pd

import deciban as db

RNG = np.random.default_rng(11)


def test_columns_by_list_by_index_by_name_and_joined():
    frame = pd.DataFrame(
        {"age": RNG.normal(size=80), "city": RNG.choice(["rome", "oslo"], 80), "up": RNG.random(80) < 0.5}
    )
    frame[["n1", "n2"]] = RNG.poisson(3, (80, 2))
    y = RNG.integers(0, 2, 80)
    by_name = db.NaiveBayes(
        {
            "age": db.Gaussian(variance="shared"),
            "city": db.Categorical(),
            "up": db.Bernoulli(),
            ("n1", "n2"): db.Multinomial(),
        }
    ).fit(frame, y)
    models = [db.Gaussian(variance="shared"), db.Categorical(), db.Bernoulli(), db.Multinomial(), db.Multinomial()]
    by_list = db.NaiveBayes(models).fit(frame, y)
    by_index = db.NaiveBayes(dict(enumerate(models[:3])) | {(3, -1): db.Multinomial()}).fit(frame.to_numpy(), y)
    expected = by_name.predict_log_proba(frame)
    assert np.allclose(by_list.predict_log_proba(frame), expected, rtol=1e-12)
    assert np.allclose(by_index.predict_log_proba(frame.to_numpy()), expected, rtol=1e-12)
    assert by_name.columns_[("n1", "n2")] == db.Multinomial()
    again = db.NaiveBayes(by_name.columns_).fit(frame, y)
    assert np.allclose(again.predict_log_proba(frame), expected, rtol=1e-12)


def test_columns_by_type_of_the_data():
    frame = pd.DataFrame({"x": [1.5, None, 3.0, 9.0], "c": ["a", "b", None, "a"], "b": [True, False, True, True]})
    nb = db.NaiveBayes().fit(frame, [0, 0, 1, 1])
    assert nb.columns_ == {"x": db.Binned(), "c": db.Categorical(), "b": db.Categorical()}
    assert np.isfinite(nb.predict_proba(frame)).all()
    assert db.NaiveBayes().fit(np.array([["p"], ["q"]]), [0, 1]).columns_ == {0: db.Categorical()}
    assert db.NaiveBayes().fit(np.array([[True], [False]]), [0, 1]).columns_ == {0: db.Categorical()}


def test_a_list_of_words_and_numbers_became_words():
    rows = [["red", 4.1], ["blue", 3.9], ["red", np.nan], ["blue", 9.0]]
    nb = db.NaiveBayes().fit(rows, [0, 0, 1, 1])
    assert nb.columns_ == {0: db.Categorical(), 1: db.Binned()}
    assert nb.statistics_.blocks[1].of_feature(0).sum(axis=1).tolist() == [2.0, 1.0]
    assert np.isfinite(nb.predict_proba([["red", 5.0], ["green", np.nan]])).all()


def test_arrays_among_hyperparameters_were_ambiguous():
    x, y = RNG.normal(size=(20, 2)), np.arange(20) % 2
    nb = db.NaiveBayes(db.Gaussian(variance=np.array([1.0, 2.0]))).fit(x, y)
    assert nb.model_.parts[0].scorer.variance[0].tolist() == [1.0, 2.0]
    tables = [db.Categorical(prior=np.array([1.0, 2.0])), db.Categorical(prior=np.array([3.0, 4.0]))]
    mixed = db.NaiveBayes(tables).fit(x > 0, y)
    assert len(mixed.statistics_.blocks) == 2
    same = db.NaiveBayes([db.Categorical(prior=np.array([1.0, 2.0])) for _ in range(2)]).fit(x > 0, y)
    assert len(same.statistics_.blocks) == 1
