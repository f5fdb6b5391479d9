"""Refinements: left-out terms equal brute force, explanations add up, files and merges keep the model."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from refined_tables import xor_table
from scipy.stats import multivariate_t

import deciban as db
from deciban.arrays.labels import Labels
from deciban.refinement.normals import ClassNormals, SharedNormal
from deciban.refinement.pairs import PairTable, count_pair
from deciban.statistics.products import Products

RNG = np.random.default_rng(5)
ROWS, CLASSES, SIZE, NUMBERS = 60, 3, 5, 3
CODES = (np.arange(ROWS) % CLASSES).astype(np.int32)
VECTORS = RNG.normal(size=(ROWS, SIZE)) + CODES[:, None]
ONES = np.ones(ROWS)


def normalised(scores):
    """Scores up to a constant per row."""
    return scores - scores.mean(axis=-1, keepdims=True)


def without(i):
    rest = np.delete(np.arange(ROWS), i)
    return Products.of_vectors(VECTORS[rest], NUMBERS, Labels(CLASSES, CODES[rest]))


def test_left_out_scores_of_one_covariance_equal_brute_force():
    whole = SharedNormal(Products.of_vectors(VECTORS, NUMBERS, Labels(CLASSES, CODES)))
    left_out = normalised(whole.left_out(VECTORS, CODES, ONES))
    for i in range(ROWS):
        assert np.allclose(left_out[i], normalised(SharedNormal(without(i)).scores(VECTORS[i : i + 1]))[0], atol=1e-9)


def test_left_out_scores_of_own_covariances_equal_brute_force_with_the_same_target():
    """The covariance of all classes, which those of the classes are drawn towards, is held as trained."""
    whole = ClassNormals(Products.of_vectors(VECTORS, NUMBERS, Labels(CLASSES, CODES)))
    left_out = whole.left_out(VECTORS, CODES, ONES)
    target = whole.scatters - (
        whole.products.by_class - np.einsum("c,ci,cj->cij", whole.weight, whole.centers, whole.centers)
    )
    for i in range(ROWS):
        rest, c = ClassNormals(without(i)), CODES[i]
        own = rest.products.by_class - np.einsum("c,ci,cj->cij", rest.weight, rest.centers, rest.centers)
        scatter, weight = (own + target)[c], rest.weight[c]
        degrees = rest.rows[c] + 1 - NUMBERS
        shape = scatter * (weight + 1) / (weight * degrees)
        expected = multivariate_t(rest.centers[c], shape, degrees).logpdf(VECTORS[i, :NUMBERS])
        assert left_out[i, c] - NUMBERS / 2 * np.log(np.pi) == pytest.approx(expected, abs=1e-9)


def test_left_out_evidence_of_a_pair_equals_brute_force():
    codes = RNG.integers(-1, 4, (2, ROWS)).astype(np.int32)
    codes[0, 0], codes[1, 1] = 4, 4  # rows that are alone in their cell

    def table(rows):
        return PairTable(0, 1, count_pair((0, 1), codes[:, rows], [5, 5], CODES[rows], ONES[rows], CLASSES), 3.0)

    every = np.arange(ROWS)
    left_out = table(every).left_out(codes, CODES, ONES)
    for i in range(ROWS):
        rest = table(np.delete(every, i)).look_up(codes[:, i : i + 1])[0]
        assert np.allclose(left_out[i], rest, atol=1e-9)


@pytest.fixture(scope="module")
def xor():
    return xor_table()


@pytest.fixture(scope="module")
def refined(xor):
    return db.NaiveBayes(refine="auto").fit(xor, "label")


def test_a_pair_is_found_where_no_column_is_evidence_alone(xor, refined):
    assert ("a", "b") in refined.chosen_.pairs
    assert refined.score(xor, "label") > 0.9
    assert db.NaiveBayes(refine="auto", pairs=0).fit(xor, "label").chosen_.pairs == {}


def test_explanations_add_up_to_the_log_odds(xor, refined):
    found = refined.explain(xor)
    log_posterior, rows = refined.predict_log_proba(xor), np.arange(len(xor))
    odds = log_posterior[rows, found.contrast.favour] - log_posterior[rows, found.contrast.against]
    assert np.allclose(found.prior + found.evidence.sum(axis=1), odds * 10 / np.log(10), atol=1e-9)
    assert "a × b" in found.lines
    assert found[0].prior + found[0].evidence.sum() == pytest.approx(found[0].odds, abs=1e-9)


def test_a_derivation_adds_up_to_the_score(xor, refined):
    derivation = refined.derive(xor.slice(0, 1))
    assert np.allclose(derivation.posterior, refined.predict_proba(xor.slice(0, 1))[0], atol=1e-9)
    assert "a × b" in str(derivation)


def test_a_file_keeps_the_refinement(xor, refined, tmp_path):
    refined.save(tmp_path / "m.deciban")
    loaded = db.load(tmp_path / "m.deciban")
    assert np.array_equal(loaded.predict_proba(xor), refined.predict_proba(xor))


def test_merged_halves_are_the_whole(xor, refined):
    halves = [db.NaiveBayes(refine="auto").fit(part, "label") for part in (xor.slice(300), xor.slice(0, 300))]
    assert np.array_equal((halves[0] + halves[1]).predict_proba(xor), refined.predict_proba(xor))


def test_settings_that_make_no_sense_are_refused(xor):
    with pytest.raises(ValueError, match="refine is 'always'; it can be"):
        db.NaiveBayes(refine="always").fit(xor, "label")
    with pytest.raises(ValueError, match="pairs is -1; give the largest number"):
        db.NaiveBayes(refine="auto", pairs=-1).fit(xor, "label")


def test_objects_and_dates_are_read_like_typed_columns():
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, 400)
    number = rng.normal(size=400)
    word = np.where((labels == 1) ^ (number > 0), "up", "down").astype(object)
    word[::9] = None
    objects = np.array([[n, w] for n, w in zip(number, word)], dtype=object)
    table = pa.table({"number": number, "word": pa.array(word.tolist())})
    model, other = db.NaiveBayes().fit(objects, labels), db.NaiveBayes().fit(table, labels)
    assert model._fitted().refinement is not None
    assert np.allclose(model.predict_proba(objects), other.predict_proba(table), atol=1e-9)
    days = np.datetime64("2020-01-01") + (100 * number).astype(int)
    assert db.NaiveBayes().fit(days[:, None], number > 0).score(days[:, None], number > 0) > 0.9


def test_the_likelihood_of_rows_is_that_of_the_plain_counts(xor, refined):
    plain = refined._copy(refined._fitted().with_settings(replace(refined._fitted().settings, refine=None)))
    assert np.allclose(refined.log_likelihood(xor), plain.log_likelihood(xor), atol=1e-9)
    assert np.allclose(refined.log_likelihood(xor, "label"), plain.log_likelihood(xor, "label"), atol=1e-9)
