"""Histograms of numbers: buckets that do not depend on the order of the rows."""

import numpy as np

from deciban.statistics import Histogram
from deciban.statistics import histogram as histogram_module

RNG = np.random.default_rng(3)


def test_a_histogram_does_not_depend_on_the_order_of_the_numbers():
    numbers = np.concatenate(
        [RNG.normal(size=20_000), 1e9 + RNG.normal(size=500), [0.0, -0.0, np.inf, -np.inf, 5e-324]]
    )
    numbers = RNG.permutation(np.r_[numbers, np.nan])
    codes = RNG.integers(0, 2, len(numbers)).astype(np.int32)
    from deciban.arrays.labels import Labels

    def of(rows):
        return Histogram.of(numbers[rows, None], Labels(2, codes[rows]))

    whole = of(np.arange(len(numbers)))
    assert len(whole.counts.categories[0]) <= histogram_module.MOST_BUCKETS
    assert whole.counts.weight.sum() == len(numbers) - 1
    order = RNG.permutation(len(numbers))
    parts = [of(part) for part in np.array_split(order, 7)]
    joined = sum(parts[1:], parts[0])
    assert joined == whole
    assert joined.drop.tolist() == whole.drop.tolist()
    lower, upper = whole.lower_edges(0), whole.upper_edges(0)
    assert (lower <= upper).all()
    assert (upper[:-1] < lower[1:]).all()
    for value in (0.0, np.inf, -np.inf, 5e-324, 1e9):
        assert ((lower <= value) & (value <= upper)).sum() <= 1
    few = Histogram.of(np.array([[0.1], [0.2], [-0.0], [0.0]]), Labels(1, np.zeros(4, np.int32)))
    assert few.lower_edges(0).tolist() == few.upper_edges(0).tolist() == [0.0, 0.1, 0.2]
    assert few.of_feature(0).tolist() == [[2.0, 1.0, 1.0]]


def test_forgetting_keeps_the_coarser_buckets():
    from deciban.arrays.labels import Labels

    a, b = RNG.normal(size=3000), RNG.normal(size=9000)
    one = [Histogram.of(x[:, None], Labels(1, np.zeros(len(x), np.int32))) for x in (a, b)]
    rest = one[0] + one[1] - one[1]
    assert rest == one[0].coarser(rest.drop)
    assert rest.drop[0] > one[0].drop[0]
