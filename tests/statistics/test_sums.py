"""Sums: exact subtraction and equality."""

import numpy as np

from deciban.statistics import Sums


def test_one_row_among_billions_was_forgotten_as_dust():
    a = Sums(np.array([[1.0]]), np.array([[1.0]]))
    assert (a + a * 2e9) - a * 2e9 == a


def test_statistics_of_different_widths_were_equal():
    assert Sums(np.ones((1, 1)), np.ones((1, 3))) != Sums(np.ones((1, 1)), np.ones((1, 1)))
