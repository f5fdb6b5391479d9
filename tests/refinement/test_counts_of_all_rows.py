"""refine="rows": pairs and normal distributions counted over all rows add up like every other statistic."""

import copy
import warnings

import numpy as np
import pytest
from refined_tables import xor_table

import deciban as db
from deciban.arrays.labels import Labels
from deciban.arrays.matrix import as_frame
from deciban.model.summarize import count_rows

# Fewer rows are remembered than there are, so that counts of all rows are more than the sample knows.
REMEMBERED = 300
SETTINGS = {"refine": "rows", "remember": REMEMBERED}


@pytest.fixture(scope="module")
def table():
    return xor_table(2000)


@pytest.fixture(scope="module")
def model(table):
    return db.NaiveBayes(**SETTINGS).fit(table, "label")


def joint(nb):
    return nb._fitted().joint


def weights(nb):
    return joint(nb).statistics.weight.sum()


def same_counts(a, b):
    """Whether two models have counted the same things together, sums of products to 1e-10 of the rows."""
    pairs = [[pair.count for pair in joint(nb).pairs] for nb in (a, b)]
    assert all(np.array_equal(x, y) for x, y in zip(*pairs, strict=True))
    x, y = joint(a).products, joint(b).products
    return joint(a).plan == joint(b).plan and all(
        np.allclose(p, q, rtol=0, atol=1e-10 * weights(a))
        for p, q in ((x.total, y.total), (x.pooled, y.pooled), (x.by_class, y.by_class))
    )


def test_all_rows_are_counted_though_few_are_remembered(model):
    assert not model._fitted().sample.is_complete
    assert weights(model) == 2000
    assert ("a", "b") in model.chosen_.pairs
    assert joint(model).pairs[0].count.sum() == 2000


def test_the_order_of_rows_does_not_matter(table, model):
    shuffled = table.take(np.random.default_rng(1).permutation(len(table)))
    again = db.NaiveBayes(**SETTINGS).fit(shuffled, "label")
    assert same_counts(again, model)
    assert np.allclose(again.predict_proba(table), model.predict_proba(table), rtol=0, atol=1e-10)


def test_files_and_threads_give_the_counts_of_the_frame(table, model, tmp_path):
    table.to_pandas().to_csv(tmp_path / "rows.csv", index=False)
    for threads in (1, 2):
        read = db.NaiveBayes(**SETTINGS, threads=threads).fit(tmp_path / "rows.csv", "label")
        assert np.allclose(read.predict_proba(table), model.predict_proba(table), rtol=0, atol=1e-10)


def test_arrays_count_all_rows_too(table):
    x = np.column_stack([table["a"].to_numpy(), table["b"].to_numpy(), table["noise"].to_numpy()]).astype(object)
    nb = db.NaiveBayes(**SETTINGS).fit(x, table["label"].to_numpy())
    assert weights(nb) == 2000
    assert nb.score(x, table["label"].to_numpy()) > 0.9


def test_partial_fit_goes_on_counting_and_forget_takes_rows_out_again(table, model):
    nb = copy.deepcopy(model)
    more = xor_table(500, seed=9)
    nb.partial_fit(more, "label")
    assert weights(nb) == 2500
    assert joint(nb).plan == joint(model).plan
    nb.forget(more, "label")
    assert same_counts(nb, model)


def test_counts_equal_those_of_all_rows_at_once(table, model):
    """Counting by the model's plan in one pass is what fit and partial_fit have added up."""
    nb = copy.deepcopy(model).partial_fit(xor_table(500, seed=9), "label")
    classifier = nb._fitted()
    whole = db.NaiveBayes(refine="sample", remember=10_000).fit(table, "label")
    whole.partial_fit(xor_table(500, seed=9), "label")
    every = whole._counted()
    sample = every.sample
    found = count_rows(every.sample_frame(), sample.names, sample.labels, (), classifier.plan, 1)[1]
    assert all(np.array_equal(a.count, b.count) for a, b in zip(found.pairs, classifier.joint.pairs, strict=True))
    assert np.allclose(found.products.pooled, classifier.joint.products.pooled, rtol=0, atol=1e-7)


def test_models_of_one_plan_merge(table, model):
    other = copy.deepcopy(model).partial_fit(xor_table(500, seed=9), "label")
    both = model + other
    assert weights(both) == 4500
    assert np.allclose(both.predict_proba(table), (other + model).predict_proba(table), rtol=0, atol=1e-10)
    assert weights(both * 0.5) == 2250


def test_models_of_other_plans_say_that_they_count_remembered_rows(table, model):
    other = db.NaiveBayes(**SETTINGS, pairs=0).fit(table.slice(0, 900), "label")
    with pytest.warns(db.ChoiceWarning, match="counted different pairs of columns"):
        both = model + other
    assert both._counted().joint is None
    assert np.isfinite(both.predict_log_proba(table)).all()


def test_a_file_keeps_the_counts_and_goes_on(table, model, tmp_path):
    model.save(tmp_path / "m.deciban")
    loaded = db.load(tmp_path / "m.deciban")
    assert same_counts(loaded, model)
    assert np.array_equal(loaded.predict_proba(table), model.predict_proba(table))
    loaded.partial_fit(xor_table(500, seed=9), "label")
    assert weights(loaded) == 2500


def test_left_out_rows_are_those_of_a_model_that_forgot_them(table, model):
    """The weights stay as they were chosen, and everything that is counted is without the row."""
    left_out = model.leave_one_out(table.slice(0, 5), "label")
    for i in range(5):
        rest = copy.deepcopy(model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            classifier = rest._fitted()
        row = table.slice(i, 1)
        counted = rest._count(row, "label", None, None, classifier, forgetting=True)[1]
        smaller = classifier.subtract(counted.statistics, counted.sample, counted.joint)
        pairs = smaller.refinement.pairs
        whole = classifier.refinement.pairs
        assert sum(p.count.sum() for p in pairs) == sum(p.count.sum() for p in whole) - len(pairs)
        label = rest.classes_.tolist().index(row["label"][0].as_py())
        found = rest._keep(smaller).predict_log_proba(row)[0]
        assert left_out[i, label] == pytest.approx(found[label], abs=0.02)  # shared scales of columns are held


def test_explanations_add_up(table, model):
    found = model.explain(table)
    log_posterior, rows = model.predict_log_proba(table), np.arange(len(table))
    odds = log_posterior[rows, found.contrast.favour] - log_posterior[rows, found.contrast.against]
    assert np.allclose(found.prior + found.evidence.sum(axis=1), odds * 10 / np.log(10), atol=1e-9)


def test_a_stream_is_read_once_and_says_so(table):
    with pytest.warns(db.ChoiceWarning, match="can be read only once"):
        nb = db.NaiveBayes(**SETTINGS).fit(table.to_reader(), "label")
    assert joint(nb) is None
    assert nb.score(table, "label") > 0.9


def test_counting_all_rows_later_needs_the_rows(table):
    nb = db.NaiveBayes(remember=REMEMBERED).fit(table, "label")
    with pytest.raises(ValueError, match="refine='rows' reads all rows again, which this model"):
        nb.reestimate(refine="rows")


def test_the_summary_says_which_rows_are_counted(table, model):
    assert "refine='rows'" in str(db.NaiveBayes(remember=REMEMBERED).fit(table, "label"))
    assert "count the remembered rows" not in str(model)


@pytest.mark.parametrize("weighted", [False, True])
def test_products_counted_by_cells_are_those_of_the_vectors(table, weighted):
    """Rows of categories are counted by their cells; missing values, weights and rows without a label included."""
    rng = np.random.default_rng(2)
    classifier = db.NaiveBayes(refine="rows").fit(table, "label")._fitted()
    counter = classifier.plan.vectors
    cells = table.drop_columns("label").slice(0, 200).to_pandas().to_numpy(dtype=object)
    x = as_frame(np.where(rng.random(cells.shape) < 0.2, None, cells))
    labels = Labels(2, rng.integers(-1, 2, 200).astype(np.int32), rng.random(200) if weighted else None)
    by_cells, by_vectors = counter.summarize(x, labels), counter.of_vectors(counter.design.vectors(x), labels)
    for name, array in by_vectors.arrays().items():
        assert np.allclose(by_cells.arrays()[name], array, rtol=0, atol=1e-9)
