"""Laws of every event model: evidence adds up, parts merge, missing values are no evidence, samples can be fitted."""

import numpy as np
import pytest
from event_models import REGISTRY, VARIANTS, default, event_models, fitted, labels, rows_for, sample_rows, settings_for
from scipy import sparse

import deciban as db
from deciban.statistics.combinations import Combinations

Y = labels()
FEATURES = rows_for(db.Gaussian()).shape[1]


def blank(x):
    """Return the missing value of an array's type."""
    return None if x.dtype == object else np.nan


def test_variants_are_settings_of_registered_event_models():
    assert set(VARIANTS) <= set(REGISTRY)
    for name, models in VARIANTS.items():
        assert {type(model) for model in models.values()} == {REGISTRY[name]}, name


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_every_registered_event_model_has_sample_rows(name):
    assert len(rows_for(default(name))) == len(Y)


@pytest.mark.parametrize("estimate", ["map", "mle", "predictive"])
@pytest.mark.parametrize("likelihood", event_models(variants=True))
@pytest.mark.filterwarnings("ignore::deciban.ImpossibleRowWarning")
def test_evidence_and_prior_sum_to_the_joint(likelihood, estimate):
    x, nb = rows_for(likelihood), fitted(likelihood, estimate=estimate)
    x[::7, 0] = blank(x)
    joint = nb.predict_joint_log_proba(x)
    with np.errstate(invalid="ignore"):  # −inf of a true zero
        found = nb.evidence(x).sum(-1) + nb.model_.log_prior
    assert np.array_equal(np.isfinite(found), np.isfinite(joint))
    finite = np.isfinite(joint)
    assert np.allclose(found[finite], joint[finite], rtol=0, atol=1e-10)


def test_evidence_of_a_mix_of_event_models_sums_to_the_joint():
    x = np.empty((len(Y), 2 * FEATURES), dtype=object)
    x[:, :FEATURES], x[:, FEATURES:] = sample_rows("names"), sample_rows("numbers")
    x[::7, 5] = np.nan
    x[::5, 1] = None
    columns = {**dict.fromkeys(range(FEATURES), db.Categorical()), 5: db.Gaussian(variance="shared")}
    nb = db.NaiveBayes(columns).fit(x, Y)
    joint = nb.predict_joint_log_proba(x)
    assert np.allclose(nb.evidence(x).sum(-1) + nb.model_.log_prior, joint, rtol=0, atol=1e-10)
    assert (nb.evidence(x)[::7, :, 5] == 0).all()
    assert (nb.evidence(x)[::5, :, 1] == 0).all()


@pytest.mark.parametrize("likelihood", event_models(variants=True))
def test_merged_parts_equal_the_whole(likelihood):
    x, settings = rows_for(likelihood), settings_for(likelihood)

    def fit(rows):
        return db.NaiveBayes(likelihood, **settings).fit(x[rows], Y[rows])

    whole, first, rest = fit(slice(None)), slice(0, 100), slice(100, None)
    a, b = fit(first), fit(rest)
    for other in (a + b, b + a, fit(rest).merge(a), fit(first).partial_fit(x[rest], Y[rest])):
        assert np.allclose(other.predict_log_proba(x), whole.predict_log_proba(x), rtol=1e-10, atol=1e-10)


# A cap drops words or categories, which forgetting cannot bring back.
@pytest.mark.parametrize(
    "likelihood", [m for m in event_models(variants=True) if m.id not in ("words-limit", "categorical-capped")]
)
def test_forgetting_leaves_the_model_of_the_other_rows(likelihood):
    x, settings = rows_for(likelihood), settings_for(likelihood)
    first = db.NaiveBayes(likelihood, **settings).fit(x[:250], Y[:250])
    left = db.NaiveBayes(likelihood, **settings).fit(x, Y).forget(x[250:], Y[250:])
    assert np.allclose(left.predict_log_proba(x), first.predict_log_proba(x), rtol=1e-9, atol=1e-9)


# Joint takes a missing cell for a value of its own.
INCOMPLETE = [m for m in event_models(variants=True) if m.values[0].keeps is not Combinations]


def with_missing_cells(likelihood):
    """[rows × features] Sample rows with a fifth of the cells missing, and the mask of these."""
    x = rows_for(likelihood)
    mask = np.random.default_rng(3).random(x.shape) < 0.2
    x[mask] = blank(x)
    return x, mask


@pytest.mark.parametrize("likelihood", INCOMPLETE)
def test_missing_cells_are_no_evidence(likelihood):
    x, mask = with_missing_cells(likelihood)
    nb = db.NaiveBayes(likelihood, **settings_for(likelihood)).fit(x, Y)
    assert (np.moveaxis(nb.evidence(x), 1, -1)[mask] == 0).all()
    assert np.isfinite(nb.predict_joint_log_proba(x)).all()
    nothing = nb.predict_proba(np.full((1, FEATURES), blank(x), dtype=x.dtype))
    assert np.allclose(nothing, np.exp(nb.model_.log_prior), rtol=1e-12)


@pytest.mark.parametrize("likelihood", [m for m in INCOMPLETE if m.values[0].reads_columns_separately])
def test_a_column_is_trained_on_the_rows_where_it_is_known(likelihood):
    x, mask = with_missing_cells(likelihood)
    nb = db.NaiveBayes(likelihood, **settings_for(likelihood)).fit(x, Y)
    for j in range(FEATURES):
        known = ~mask[:, j]
        alone = db.NaiveBayes(likelihood, **settings_for(likelihood)).fit(x[known][:, [j]], Y[known])
        here = nb.evidence(x)[known][:, :, j]
        assert np.allclose(alone.evidence(x[known][:, [j]])[:, :, 0], here, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("likelihood", event_models(reads_sparse=True))
def test_missing_cells_of_a_sparse_matrix(likelihood):
    x, _ = with_missing_cells(likelihood)
    dense = db.NaiveBayes(likelihood).fit(x, Y)
    for form in (sparse.csr_array, sparse.csc_array):
        nb = db.NaiveBayes(likelihood).fit(form(x), Y)
        assert np.allclose(nb.predict_log_proba(form(x)), dense.predict_log_proba(x), rtol=1e-12, atol=1e-12)


UNDRAWN = ("words-buckets", "words-complement", "words-complement-priors", "words-characters-in-words")
# Words without names, or scored by the other classes, cannot be drawn; tests/model/test_sampling.py has their errors.
DRAWN = [m for m in event_models(variants=True, draws=True) if m.id not in UNDRAWN]


@pytest.mark.parametrize("likelihood", DRAWN)
def test_drawn_rows_can_be_fitted_again(likelihood):
    nb = fitted(likelihood)
    table = nb.sample(200, random_state=0)
    assert table.num_rows == 200
    assert table.num_columns == FEATURES + 1
    columns = tuple(table.column_names[:-1])
    declared = {columns: likelihood} if likelihood.joins_columns else dict.fromkeys(columns, likelihood)
    again = db.NaiveBayes(declared, **settings_for(likelihood)).fit(table, "label")
    assert again.classes_.tolist() == nb.classes_.tolist()
    assert np.isfinite(again.predict_proba(table)).all()


@pytest.mark.parametrize("likelihood", event_models(draws=False))
def test_event_models_that_cannot_be_drawn_say_so(likelihood):
    with pytest.raises(ValueError, match=likelihood.name):
        fitted(likelihood).sample(1)


@pytest.mark.parametrize("likelihood", event_models(variants=True))
def test_parameters_are_counted(likelihood):
    assert db.count_parameters(fitted(likelihood)).naive > 0


@pytest.mark.parametrize("likelihood", event_models(variants=True))
def test_a_model_file_gives_the_event_model_back(likelihood, tmp_path):
    nb = fitted(likelihood)
    nb.save(tmp_path / "m.deciban")
    loaded = db.load(tmp_path / "m.deciban")
    assert loaded.statistics_ == nb.statistics_
    assert loaded.columns_ == nb.columns_
    x = rows_for(likelihood)
    assert np.array_equal(loaded.predict_log_proba(x), nb.predict_log_proba(x))


@pytest.mark.parametrize("likelihood", event_models(variants=True))
def test_a_rows_result_does_not_depend_on_its_neighbours(likelihood):
    nb, x = fitted(likelihood), rows_for(likelihood)
    together = nb.predict_joint_log_proba(x)
    for i in (0, 1, 2, 3, 151, 299):
        assert (nb.predict_joint_log_proba(x[i : i + 1])[0] == together[i]).all()


@pytest.mark.parametrize("likelihood", event_models())
def test_sample_rows_separate_the_classes(likelihood):
    """Sample rows from which nothing can be learned would make the other laws empty."""
    nb, x = fitted(likelihood), rows_for(likelihood)
    assert nb.score(x, Y) > 0.4
