"""Families of classes: their names, and deleted interpolation against a reference in exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deciban.likelihoods.smoothed_counts import FamilyCounted
from deciban.priors.families import Families, FamilyCodes

ALPHA = Fraction(1, 2)
FAMILIES = {"a": "left", "b": "left", "c": "right", "d": "right", "e": "alone"}
tables = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=5, max_size=5)


def share_without_one(n, whole):
    return Fraction(n - 1, 1) / (whole - 1) if whole > 1 else Fraction(0)


def reference(counts, families, alpha=ALPHA):
    """[classes × values] Probabilities by deleted interpolation, and the weights, written down plainly."""
    values, total = len(counts[0]), [sum(column) for column in zip(*counts)]
    pooled = [n + alpha for n in total]
    found, weights = [], []
    for c, own in enumerate(counts):
        kin = [d for d in range(len(counts)) if families[d] == families[c]]
        is_level = 1 < len(kin) < len(counts)
        of_family = [sum(counts[d][v] for d in kin) for v in range(values)]
        votes = [Fraction(0)] * 3
        for v, n in enumerate(own):
            if not n:
                continue
            rates = [share_without_one(n, sum(own)), share_without_one(of_family[v], sum(of_family))]
            rates = [rates[0], rates[1] if is_level else Fraction(-1), share_without_one(pooled[v], sum(pooled))]
            winners = [i for i, rate in enumerate(rates) if rate == max(rates)]
            for i in winners:
                votes[i] += Fraction(n, len(winners))
        votes[2] += 1
        weights.append([vote / sum(votes) for vote in votes])
        shares = [own, of_family, pooled]
        found.append([
            sum((w * Fraction(s[v]) / sum(s) for w, s in zip(weights[-1], shares) if w), Fraction(0))
            for v in range(values)
        ])  # fmt: skip
    return found, weights


def counted(counts, families, alpha=ALPHA):
    labels = np.array([str(c) for c in range(len(counts))])
    codes = Families(dict(zip(labels.tolist(), families))).of(labels)
    table = np.array(counts, dtype=float)
    return FamilyCounted(table, np.full(table.shape[1], float(alpha)), codes)


@given(tables, st.lists(st.integers(0, 2), min_size=5, max_size=5))
def test_shares_and_weights_are_those_of_deleted_interpolation(counts, families):
    found = counted(counts, families)
    shares, weights = reference(counts, families)
    np.testing.assert_allclose(found.weights, np.array(weights, dtype=float), atol=1e-12)
    np.testing.assert_allclose(found.shares, np.array(shares, dtype=float), atol=1e-12)
    np.testing.assert_allclose(found.shares.sum(axis=1), 1.0)


@given(tables, st.lists(st.integers(0, 2), min_size=5, max_size=5))
def test_workings_are_the_shares_as_exact_fractions(counts, families):
    found, (shares, _) = counted(counts, families), reference(counts, families)
    for v in range(3):
        assert [working.fraction for working in found.workings((v,))] == [line[v] for line in shares]
        assert [working.fraction for working in found.workings((v,), 2)] == [line[v] ** 2 for line in shares]


@given(tables)
def test_one_family_of_all_classes_is_a_background_of_all_classes(counts):
    found = counted(counts, [0] * 5)
    assert not found.weights[:, 1].any()
    total = np.sum(counts, axis=0) + float(ALPHA)
    own = np.array(counts, dtype=float)
    whole = np.maximum(own.sum(axis=1, keepdims=True), 1.0)
    expected = found.weights[:, :1] * own / whole + found.weights[:, 2:] * total / total.sum()
    np.testing.assert_allclose(found.shares, expected)


def test_a_class_of_values_that_no_other_has_keeps_its_own_shares():
    found = counted([[300, 700, 0, 0], [0, 0, 400, 600]], [0, 0])
    np.testing.assert_allclose(found.weights[:, 0], 1000 / 1001)
    np.testing.assert_allclose(found.shares[0, :2], [0.3, 0.7], atol=2e-3)


def test_counts_that_no_level_foresees_vote_for_all_classes():
    assert counted([[1, 0], [0, 1]], [0, 0], alpha=0).weights.tolist() == [[0, 0, 1], [0, 0, 1]]


def test_a_separator_ends_the_family_and_a_label_without_one_is_its_own_family():
    codes = Families(".").of(np.array(["comp.graphics.x", "comp.sys", "misc"]))
    assert codes.members() == {"comp": ["comp.graphics.x", "comp.sys"], "misc": ["misc"]}
    assert codes.has_level.tolist() == [True, True, False]


def test_all_is_one_family():
    codes = Families("all").of(np.array(["a", "b"]))
    assert codes.members() == {"all": ["a", "b"]}
    assert not codes.has_level.any()


def test_sums_are_the_probabilities_of_families():
    codes = FamilyCodes(np.array([1, 2, 3]), np.array(["x", "y"]), np.array([1, 0, 1]))
    assert codes.sums(np.array([[0.5, 0.2, 0.3]])).tolist() == [[0.2, 0.8]]


@pytest.mark.parametrize(
    ("given_families", "classes", "words"),
    [
        ("", ["a"], "give {class: family}, a separator such as '.'"),
        ({}, ["a"], "give {class: family}, a separator such as '.'"),
        (3, ["a"], "families is 3; give {class: family}"),
        ({"a": [1]}, ["a"], r"\[1\] cannot be the family of 'a'"),
        ({"a": None}, ["a"], "None cannot be the family of 'a'"),
        ({"a": 1}, ["a", "b"], "families has no family for the class 'b'"),
        (".", [1, 2], "splits labels that are texts, and 1 is not a text"),
    ],
)
def test_bad_families_are_one_clear_error(given_families, classes, words):
    with pytest.raises(ValueError, match=words):
        Families(given_families).of(np.array(classes))
