"""Rows without labels beside labelled ones: everything that a model can do still holds with them."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from event_models import COLOURS
from sklearn.base import clone

import deciban as db
from deciban.choosing.constants import with_constants
from deciban.estimators.inputs import read_input
from deciban.unlabelled.em import Stopping, iterate
from deciban.unlabelled.learn import count_expected
from deciban.unlabelled.word_matrix import WordMatrix

WORDS = {"sport": ["ball", "goal", "team", "match"], "space": ["orbit", "moon", "rocket", "launch"]}


def documents(number, seed=0):
    """Return texts of two subjects, four words each, and their labels."""
    rng = np.random.default_rng(seed)
    y = np.array(["space", "sport"])[rng.integers(0, 2, number)]
    common = ["today", "people", "say", "new", "old", "first"]
    texts = [" ".join([*rng.choice(WORDS[label], 3), *rng.choice(common, 2)]) for label in y]
    return texts, y


def table(number, seed=0):
    """Return rows of two classes with a label, in columns of several kinds."""
    rng = np.random.default_rng(seed)
    code = rng.integers(0, 2, number)
    return pd.DataFrame(
        {
            "x": rng.normal(size=number) + 3 * code,
            "n": rng.poisson(2 + 3 * code),
            "colour": np.array(COLOURS, dtype=object)[rng.integers(0, 2, number) + code],
            "label": np.array(["no", "yes"], dtype=object)[code],
        }
    )


COLUMNS = {"x": db.Gaussian(), "n": db.Poisson(), "colour": db.Categorical()}
KNOWN, MORE = table(30), table(200, seed=1).drop(columns="label")


@pytest.fixture
def nb():
    return db.NaiveBayes(COLUMNS, unlabelled_weight=0.5).fit(KNOWN, "label", unlabelled=MORE)


def test_posts_without_labels_help_few_labelled_ones():
    texts, y = documents(400)
    more, _ = documents(600, seed=1)
    few = [int(np.flatnonzero(y == label)[0]) for label in ("space", "sport")]
    alone = db.NaiveBayes().fit([texts[i] for i in few], y[few])
    both = db.NaiveBayes().fit([texts[i] for i in few], y[few], unlabelled=more)
    assert both.score(texts, y) >= 0.99 > alone.score(texts, y)
    assert both.em_.weight == 0.1
    assert both.em_.rows == pytest.approx(600)


def test_labels_that_are_missing_are_the_same_as_rows_beside():
    hidden = pd.concat([KNOWN, MORE.assign(label=None)], ignore_index=True)
    beside = db.NaiveBayes(COLUMNS, unlabelled_weight=0.5).fit(KNOWN, "label", unlabelled=MORE)
    inside = db.NaiveBayes(COLUMNS, unlabelled_weight=0.5, semi_supervised=True).fit(hidden, "label")
    np.testing.assert_allclose(inside.em_.objective, beside.em_.objective, rtol=1e-12)
    np.testing.assert_allclose(inside.predict_proba(MORE), beside.predict_proba(MORE), rtol=1e-9)
    x, y = hidden[["x", "n"]].to_numpy(), hidden["label"].to_numpy()
    arrays = db.NaiveBayes(db.Gaussian(), unlabelled_weight=0.5, semi_supervised=True).fit(x, y)
    assert arrays.em_.rows == pytest.approx(200)
    both = db.NaiveBayes(COLUMNS, unlabelled_weight=0.5, semi_supervised=True).fit(hidden, "label", unlabelled=MORE)
    assert both.em_.rows == pytest.approx(400)


def test_a_file_gives_the_same_model_as_a_frame(tmp_path, nb):
    KNOWN.to_csv(tmp_path / "known.csv", index=False)
    MORE.to_csv(tmp_path / "more.csv", index=False)
    other = db.NaiveBayes(COLUMNS, unlabelled_weight=0.5)
    other.fit(tmp_path / "known.csv", "label", unlabelled=tmp_path / "more.csv")
    np.testing.assert_allclose(other.em_.objective, nb.em_.objective, rtol=1e-12)
    np.testing.assert_allclose(other.predict_proba(MORE), nb.predict_proba(MORE), rtol=1e-9)


def test_the_parameters_are_those_of_labelled_rows_plus_weighted_expected_rows(nb):
    alone = db.NaiveBayes(COLUMNS).fit(KNOWN, "label")
    assert nb.statistics_ == alone.statistics_
    expected = nb._trained.as_left.expected
    for weight in (0.5, 0.0, 2.0):
        nb.reestimate(unlabelled_weight=weight)
        whole = nb.statistics_ + expected.statistics * weight
        seen = nb._trained.as_left.seen
        np.testing.assert_allclose(seen.weight, whole.weight)
        mean = seen.blocks[0].mean
        np.testing.assert_allclose(mean, whole.blocks[0].mean)
        assert nb.em_.weight == weight
    nb.reestimate(unlabelled_weight=0.0)
    np.testing.assert_allclose(nb.predict_proba(MORE), alone.predict_proba(MORE), rtol=1e-12)


def test_rows_without_labels_count_by_their_posterior(nb):
    posterior = nb.em_.posterior
    expected = nb._trained.as_left.expected.statistics
    np.testing.assert_allclose(expected.weight, posterior.sum(axis=0), rtol=1e-12)
    x = MORE["x"].to_numpy()
    np.testing.assert_allclose(expected.blocks[0].mean[:, 0], posterior.T @ x / posterior.sum(axis=0), rtol=1e-12)
    np.testing.assert_allclose(nb.predict_proba(MORE), posterior, atol=0.01)  # EM has converged


def test_leave_one_out_of_labelled_rows_is_exact_with_the_expected_rows_in_place():
    # Priors that do not follow from the rows, which leave-one-out leaves as they are.
    fixed = {
        "x": db.Gaussian(prior=db.NormalInverseGamma(0.0, 1.0, 2.0)),
        "n": db.Poisson(prior=db.Gamma(2.0, 1.0)),
        "colour": db.Categorical(values=COLOURS),
    }
    nb = db.NaiveBayes(fixed, unlabelled_weight=0.5).fit(KNOWN, "label", unlabelled=MORE)
    classifier = nb._trained.as_left
    found = nb.leave_one_out(KNOWN, "label")
    for i in (0, 7, 29):
        rest = db.NaiveBayes(fixed).fit(KNOWN.drop(index=i), "label")._trained.as_left
        refitted = replace(classifier, statistics=rest.statistics)
        (row,) = nb._input(KNOWN.iloc[[i]]).batches(classifier)()
        np.testing.assert_allclose(refitted.model.log_posterior(row)[0], found[i], rtol=1e-9)


@pytest.mark.parametrize("change", ["partial_fit", "forget", "merge", "add"])
def test_a_change_of_labelled_rows_drops_the_others_with_a_warning(nb, change):
    new = table(20, seed=5)
    change_rows = {
        "partial_fit": lambda: nb.partial_fit(new, "label"),
        "forget": lambda: nb.forget(KNOWN[:10], "label"),
        "merge": lambda: nb.merge(db.NaiveBayes(COLUMNS).fit(new, "label")),
        "add": lambda: nb + db.NaiveBayes(COLUMNS).fit(new, "label"),
    }
    rows = {"forget": KNOWN[10:]}.get(change, pd.concat([KNOWN, new]))
    with pytest.warns(db.ChoiceWarning, match="learned from 200 rows without labels is dropped"):
        changed = change_rows[change]()
    fresh = db.NaiveBayes(COLUMNS).fit(rows, "label")
    np.testing.assert_allclose(changed.predict_proba(MORE), fresh.predict_proba(MORE), rtol=1e-9)
    with pytest.raises(AttributeError, match="has learned from no rows without labels"):
        _ = changed.em_


@pytest.mark.parametrize("change", ["partial_fit", "forget", "merge"])
def test_rows_without_labels_that_are_given_again_are_learned_anew(nb, change):
    new = table(20, seed=5)
    {
        "partial_fit": lambda: nb.partial_fit(new, "label", unlabelled=MORE),
        "forget": lambda: nb.forget(KNOWN[:10], "label", unlabelled=MORE),
        "merge": lambda: nb.merge(db.NaiveBayes(COLUMNS).fit(new, "label"), unlabelled=MORE),
    }[change]()
    rows = {"forget": KNOWN[10:]}.get(change, pd.concat([KNOWN, new]))
    fresh = db.NaiveBayes(COLUMNS, unlabelled_weight=0.5).fit(rows, "label", unlabelled=MORE)
    np.testing.assert_allclose(nb.em_.objective, fresh.em_.objective, rtol=1e-9)
    np.testing.assert_allclose(nb.predict_proba(MORE), fresh.predict_proba(MORE), rtol=1e-7)


@pytest.mark.parametrize("columns", [None, db.Words()], ids=str)
def test_texts_forget_to_the_model_that_never_saw_the_others(columns):
    texts, y = documents(60)
    more, _ = documents(80, seed=2)
    nb = db.NaiveBayes(columns, unlabelled_weight=0.1).fit(texts, y, unlabelled=more)
    with pytest.warns(db.ChoiceWarning, match="dropped"):
        nb.forget(texts[40:], y[40:])
    fresh = db.NaiveBayes(columns).fit(texts[:40], y[:40])
    assert repr(nb.columns_) == repr(fresh.columns_)
    np.testing.assert_allclose(nb.predict_proba(more), fresh.predict_proba(more), rtol=1e-9)


@pytest.mark.parametrize("words", [db.Words(), db.Words(max_df=0.6, prior=0.1), db.Words("binary")], ids=str)
def test_texts_as_a_matrix_of_counts_and_as_texts_give_the_same_model(words):
    texts, y = documents(20)
    more, _ = documents(150, seed=3)
    nb = db.NaiveBayes(words).fit(texts, y)
    ready = with_constants(nb._fitted())
    rows = read_input(nb, more, before=ready).batches(ready)
    matrix = WordMatrix.of(ready, rows)
    found = [iterate(matrix.classifier, matrix.batches, 0.3, 1.0, Stopping(8, -1.0))]
    found.append(iterate(ready, rows, 0.3, 1.0, Stopping(8, -1.0)))
    gains = [np.diff(each.expected.objective) for each in found]
    np.testing.assert_allclose(*gains, rtol=1e-9, atol=1e-9)
    counted = [count_expected(ready, rows, each, read) for each, read in zip(found, (matrix.batches, rows))]
    np.testing.assert_allclose(counted[0].posterior, counted[1].posterior, atol=1e-12)
    for name, array in counted[0].statistics.to_arrays().items():
        if array.dtype.kind == "f":
            np.testing.assert_allclose(array, counted[1].statistics.to_arrays()[name], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("words", [db.Words(), db.Words("set")], ids=str)
def test_texts_in_a_table_and_by_themselves_give_the_same_model(words):
    texts, y = documents(20)
    more, _ = documents(150, seed=3)
    alone = db.NaiveBayes(words, unlabelled_weight=0.3).fit(texts, y, unlabelled=more)
    known = pd.DataFrame({"note": texts, "one": 1.0, "label": y})
    columns = {"note": words, "one": db.Gaussian()}  # a column that never varies is no evidence
    both = db.NaiveBayes(columns, unlabelled_weight=0.3)
    both.fit(known, "label", unlabelled=pd.DataFrame({"note": more, "one": 1.0}))
    assert both.em_.temperature == alone.em_.temperature == 1  # five words count as one, and these texts have five
    np.testing.assert_allclose(both.em_.posterior, alone.em_.posterior, atol=1e-4)


def test_the_evidence_of_long_texts_is_divided():
    texts, y = documents(20)
    more, _ = documents(150, seed=3)
    long, longer = ([" ".join([text] * times) for text in more] for times in (4, 100))
    for given, temperature in ((more, 1.0), (long, 4.0), (longer, 10.0)):
        nb = db.NaiveBayes(unlabelled_weight=0.3).fit(texts, y, unlabelled=given)
        assert nb.em_.temperature == pytest.approx(temperature)
        # With few labelled rows, the probabilities of the model have this temperature, too.
        if temperature > 1:
            assert f"evidence ÷ {temperature:g}" in str(nb)


def test_a_saved_model_predicts_the_same_and_knows_its_objective(nb, tmp_path):
    nb.save(tmp_path / "model")
    loaded = db.load(tmp_path / "model")
    assert loaded.predict_proba(MORE).tobytes() == nb.predict_proba(MORE).tobytes()
    assert loaded.em_.objective.tobytes() == nb.em_.objective.tobytes()
    assert (loaded.em_.weight, loaded.em_.rows, loaded.em_.posterior) == (0.5, nb.em_.rows, None)
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "model").read_bytes()
    loaded.reestimate(unlabelled_weight=2.0)
    nb.reestimate(unlabelled_weight=2.0)
    assert loaded.predict_proba(MORE).tobytes() == nb.predict_proba(MORE).tobytes()
    with pytest.warns(db.ChoiceWarning, match="dropped"):
        loaded.forget(KNOWN[:5], "label")


def test_pickles_clones_and_multiples_keep_what_they_should(nb):
    again = pickle.loads(pickle.dumps(nb))
    assert again.predict_proba(MORE).tobytes() == nb.predict_proba(MORE).tobytes()
    assert again.em_.posterior.tobytes() == nb.em_.posterior.tobytes()
    assert clone(nb).get_params()["unlabelled_weight"] == 0.5
    half = nb * 0.5
    assert half.em_.rows == pytest.approx(100)
    # All sums are halved, and the priors weigh more; no probability is far from where it was.
    np.testing.assert_allclose(half.predict_proba(MORE), nb.predict_proba(MORE), atol=0.1)


def test_explanations_and_derivations_add_up(nb):
    rows = MORE[:5]
    explained = nb.explain(rows)
    odds = np.log(nb.predict_proba(rows))
    for i in range(5):
        row = explained[i]
        favour, against = row.favour, row.against
        assert sum(line.decibans for line in row.lines(10)[:-1]) == pytest.approx(
            10 * (odds[i, favour] - odds[i, against]) / np.log(10), abs=1e-6
        )
    assert "= " in str(nb.derive(rows[:1]))
    assert nb.importance() is not None
    assert nb.sample(5, random_state=0).num_rows == 5
    assert nb.evaluate(KNOWN, "label").accuracy > 0.8
    assert nb.diagnose(KNOWN, "label") is not None


def test_summaries_name_the_rows_without_labels(nb):
    assert "+ 200 rows without labels of weight 0.5" in str(nb)
    assert str(nb.em_).startswith("Expectation-maximisation over 200 rows without labels, each of weight 0.5")
    assert nb.em_.to_dict()["iterations"] == nb.em_.iterations == len(nb.em_.objective) - 1
    assert "<svg" in nb.em_._repr_html_()


def test_other_hyperparameters_after_training_read_the_expected_rows_too(nb):
    before = nb.predict_proba(MORE)
    seen = nb._trained.as_left.seen
    nb.reestimate(columns={"colour": db.Categorical(prior=4.0)})
    assert nb._trained.as_left.seen.weight.tolist() == seen.weight.tolist()
    assert nb.em_.rows == pytest.approx(200)
    assert np.abs(nb.predict_proba(MORE) - before).max() > 0.01
    nb.reestimate(columns={"colour": db.Categorical()})
    assert nb.predict_proba(MORE).tobytes() == before.tobytes()


def test_the_default_leaves_rows_out_that_do_not_surely_help():
    with pytest.warns(db.ChoiceWarning, match="left out, because they do not surely help"):
        nb = db.NaiveBayes(COLUMNS).fit(KNOWN, "label", unlabelled=MORE)
    alone = db.NaiveBayes(COLUMNS).fit(KNOWN, "label")
    assert nb.predict_proba(MORE).tobytes() == alone.predict_proba(MORE).tobytes()


def test_enough_labelled_rows_choose_the_weight():
    known = table(300, seed=8)
    known["x"] += np.where(known["label"] == "yes", 3.0, 0.0)
    more = table(3000, seed=9)
    more["x"] += np.where(more.pop("label") == "yes", 3.0, 0.0)
    with pytest.warns(db.ChoiceWarning, match=r"0\.\d+ with weight 0, .* with weight 1"):
        db.NaiveBayes(COLUMNS).fit(known, "label", unlabelled=more)


def test_a_semi_supervised_model_of_labelled_rows_alone_is_the_usual_one():
    usual = db.NaiveBayes(COLUMNS).fit(KNOWN, "label")
    other = db.NaiveBayes(COLUMNS, semi_supervised=True).fit(KNOWN, "label")
    assert other.predict_proba(MORE).tobytes() == usual.predict_proba(MORE).tobytes()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"estimate": "predictive"}, "give estimate='map' or 'mle'"),
        ({"refine": "sample"}, "give refine=None"),
        ({"families": {"f": ["no", "yes"]}, "columns": {"colour": db.Categorical()}}, "give families=None"),
        ({"unlabelled_weight": -1}, "unlabelled_weight is -1; give 'auto', or the weight"),
        ({"unlabelled_weight": "much"}, "unlabelled_weight is 'much'; give 'auto'"),
        ({"unlabelled_weight": np.nan}, "unlabelled_weight is nan"),
        ({"columns": {**COLUMNS, "x": db.Binned(shape="normal")}}, "column 'x' has the event model Binned"),
        ({"columns": {**COLUMNS, "colour": db.Categorical(prior=db.Dirichlet("evidence"))}}, "prior follows from all"),
    ],
    ids=str,
)
def test_settings_that_cannot_learn_from_them_are_one_clear_error(settings, message):
    nb = db.NaiveBayes(**({"columns": COLUMNS} | settings))
    with pytest.raises(ValueError, match=message) as raised:
        nb.fit(KNOWN, "label", unlabelled=MORE)
    assert len(str(raised.value).splitlines()) == 1
    assert not hasattr(nb, "classes_")


def test_rows_that_cannot_be_learned_from_are_one_clear_error():
    nb = db.NaiveBayes(COLUMNS, unlabelled_weight=1.0)
    with pytest.raises(ValueError, match="no rows without a label to learn from; give at least one"):
        nb.fit(KNOWN, "label", unlabelled=MORE[:0])
    with pytest.raises(ValueError, match="has no column 'n'"):
        nb.fit(KNOWN, "label", unlabelled=MORE.drop(columns="n"))
    nobody = KNOWN.assign(label=None)
    with pytest.raises(ValueError, match="has a label"):
        db.NaiveBayes(COLUMNS, semi_supervised=True).fit(nobody, "label")
    soft = np.zeros((30, 2))
    soft[:, 0] = 1.0
    with pytest.raises(ValueError, match="class 'b' has no labelled row, so nothing says which rows"):
        db.NaiveBayes(db.Gaussian()).fit(KNOWN[["x"]].to_numpy(), soft, classes=["a", "b"], unlabelled=[[1.0], [2.0]])
    with pytest.raises(ValueError, match="read several times"):
        nb.fit(KNOWN, "label", unlabelled=iter_batches())
    fitted = db.NaiveBayes(COLUMNS).fit(KNOWN, "label")
    with pytest.raises(ValueError, match="has learned from no rows without labels, so they have no weight"):
        fitted.reestimate(unlabelled_weight=0.5)
    fitted = db.NaiveBayes(COLUMNS, unlabelled_weight=1.0).fit(KNOWN, "label", unlabelled=MORE)
    with pytest.raises(ValueError, match="is chosen when rows without labels are read"):
        fitted.reestimate(unlabelled_weight="auto")


def iter_batches():
    """Return a stream of Arrow batches, which can be read only once."""
    import pyarrow as pa

    whole = pa.Table.from_pandas(MORE, preserve_index=False)
    return pa.RecordBatchReader.from_batches(whole.schema, whole.to_batches())
