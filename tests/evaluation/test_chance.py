"""Chance: the accuracy of guessing from the classes' shares."""

import pytest

import deciban as db


@pytest.mark.parametrize("given", [[0.3, 0.7], [3, 7], [30, 70], {"ham": 0.3, "spam": 0.7}, (1.5, 3.5)])
def test_shares_and_counts_give_the_same_chances(given):
    found = db.chance(given)
    assert (found.coin, found.majority) == (0.5, 0.7)
    assert found.matching == pytest.approx(0.58)
    assert "probability matching  0.5800" in repr(found)


@pytest.mark.parametrize(
    "given", [[], [0.3, 0.6], [0, 0], [-1, 2], "ham", ["ham", "spam"], [[0.3, 0.7]], [float("nan"), 1.0], 0.3]
)
def test_what_is_no_share_is_one_error(given):
    with pytest.raises(ValueError, match="give"):
        db.chance(given)


def test_numbers_of_rows_that_overflow_are_refused():
    with pytest.raises(ValueError, match="shares add up to inf"):
        db.chance([1e308, 1e308])
