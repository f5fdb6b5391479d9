"""Binned: cuts, their number, supervised cuts, shapes."""

import numpy as np
import pytest
from copied_evidence import N, loss, table

import deciban as db
from deciban.likelihoods.binned.mdl import mdl_bins

RNG = np.random.default_rng(23)


def test_binned_finds_two_sides_that_a_gaussian_cannot():
    x = RNG.normal(size=4000)
    y = (np.abs(x) > 0.7).astype(int)
    nb = db.NaiveBayes({"x": db.Binned()}).fit({"x": x}, y)
    assert nb.score({"x": x}, y) > 0.95
    assert nb.reestimate(alpha=0.5).score({"x": x}, y) > 0.95
    cuts = nb.model_.parts[0].scorer.cuts[0]
    assert (np.diff(cuts) > 0).all()
    few = db.NaiveBayes({"x": db.Binned(bins=3)}).fit({"x": [1.0, 2.0, 3.0, 3.0]}, ["a", "b", "b", "b"])
    assert few.model_.parts[0].scorer.cuts[0].tolist() == [1.5, 2.5]
    # (n + 1) / (N + 3) by hand.
    assert np.allclose(np.exp(few.evidence({"x": 2.2}))[0, :, 0], [1 / 4, 2 / 6])


def test_the_number_of_bins():
    wavy = RNG.random((N, 1)) * 20
    side = (np.floor(wavy[:, 0]) % 2).astype(int)  # needs many bins
    chosen = db.NaiveBayes(db.Binned(bins="auto")).fit(wavy, side)
    assert len(chosen.model_.parts[0].scorer.cuts[0]) == 40 - 1
    assert chosen.columns_ == {0: db.Binned(bins="auto")}
    framed = db.NaiveBayes({"x0": db.Binned(bins="auto")}).fit(table(wavy, side), "label")
    assert "Binned(bins=40) (chosen on 1,200 rows)" in repr(framed)
    left = db.NaiveBayes(db.Binned(bins=3)).fit(wavy, side)
    assert loss(chosen, wavy, side) < 0.7 * loss(left, wavy, side)


def test_supervised_cuts_are_made_where_classes_differ_and_only_there():
    x = RNG.random((N, 2)) * 10
    side = (x[:, 0] > 4).astype(int) + (x[:, 0] > 7)
    nb = db.NaiveBayes(db.Binned(bins="mdl")).fit(x, side)
    first, second = nb.model_.parts[0].scorer.cuts
    assert np.allclose(first, [4, 7], atol=0.05)
    assert len(second) == 0  # says nothing, so it is not cut
    halves = [db.NaiveBayes(db.Binned(bins="mdl")).fit(x[s], side[s]) for s in (slice(0, 500), slice(500, N))]
    merged = (halves[0] + halves[1]).model_.parts[0].scorer.cuts
    assert np.array_equal(merged[0], first)
    assert np.array_equal(nb.predict(x), side)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: db.Binned(bins=0), "bins is"),
        (lambda: db.Binned(bins=-3), "bins is"),
        (lambda: db.Binned(bins=2.5), "bins is"),
        (lambda: db.Binned(bins=True), "bins is"),
        (lambda: db.Binned(bins="many"), "bins is"),
        (lambda: db.Binned(shape="bell"), "shape is 'bell'"),
        (lambda: db.Binned(prior=[1, 2], shape="normal"), "one pseudo"),
    ],
)
def test_bad_binned_parameters_get_one_clear_error(make, match):
    with pytest.raises(ValueError, match=match):
        make()


def test_buckets_without_any_count_are_not_cut_by_description_length():
    """A changed model file had such buckets, and the gain was 0/0."""
    assert mdl_bins(np.zeros((2, 4))).tolist() == [0]
