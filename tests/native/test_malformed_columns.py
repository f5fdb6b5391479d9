"""Columns, bitmaps and strings that do not fit together are refused before a kernel reads outside them."""

import numpy as np
import pytest

from deciban.arrays.native import kernels

MOST = 4096
X, WHO, ONE = np.zeros((4, 1)), np.zeros(4, np.int32), np.array([0, 1])


def bytes_of(values, kind):
    return np.array(values, dtype=kind).view(np.uint8)


def strings(offsets, kind="i4", data=(65,), valid=None, first=0):
    return kernels.encode_strings(bytes_of(offsets, kind), kind == "i8", bytes_of(data, "u1"), valid, first, WHO.copy())


@pytest.mark.parametrize(
    "call",
    [
        lambda: kernels.count_buckets(np.zeros((4, 2)), None, 0, WHO, None, None, 1, 0, MOST),
        lambda: kernels.count_buckets(X, None, 0, WHO[:3], None, None, 1, 0, MOST),
        lambda: kernels.count_buckets(X, None, 0, WHO + 1, None, None, 1, 0, MOST),
        lambda: kernels.count_buckets(X, None, 0, WHO, None, None, 1, 53, MOST),
        lambda: kernels.count_buckets(X, None, 0, WHO, None, None, 1, -1, MOST),
        lambda: kernels.count_buckets(X, None, 0, WHO, None, None, 1, 0, 10),
        lambda: kernels.count_buckets(X, np.zeros(1, np.uint8), 5, WHO, None, None, 1, 0, MOST),
        lambda: kernels.count_buckets(X, np.zeros(1, np.uint8), -1, WHO, None, None, 1, 0, MOST),
        lambda: kernels.count_buckets(X, np.zeros(1, np.uint8), 2**62, WHO, None, None, 1, 0, MOST),
        lambda: kernels.bin_codes(X, None, 0, np.zeros(1), WHO[:3].copy()),
        lambda: kernels.bin_codes(np.zeros((4, 2)), None, 0, np.zeros(1), WHO.copy()),
        lambda: kernels.bin_codes(X, np.zeros(0, np.uint8), 0, np.zeros(1), WHO.copy()),
        lambda: kernels.score_steps([X], [None], [0], [np.zeros(1)], np.zeros((2, 4)), np.zeros((4, 2))),
        lambda: kernels.score_steps([X], [None], [0], [], np.zeros((3, 4)), np.zeros((4, 2))),
        lambda: kernels.score_steps([X], [], [0], [np.zeros(1)], np.zeros((3, 4)), np.zeros((4, 2))),
        lambda: kernels.score_gaussian([X], [None], [0], np.zeros((2, 4)), np.zeros((4, 2))),
        lambda: kernels.score_gaussian([X], [None], [0], np.zeros((3, 4)), np.zeros((5, 2))),
        lambda: kernels.score_gaussian([X], [np.zeros(1, np.uint8)], [5], np.zeros((3, 4)), np.zeros((4, 2))),
        lambda: kernels.bit_codes(np.zeros(1, np.uint8), 5, WHO.copy()),
        lambda: kernels.bit_codes(np.zeros(1, np.uint8), -1, WHO.copy()),
        lambda: kernels.mark_missing(np.zeros(1, np.uint8), 5, WHO.copy()),
        lambda: kernels.mark_missing(np.zeros(1, np.uint8), 2**62, WHO.copy()),
        lambda: kernels.count_codes([WHO[:3]], WHO, None, None, ONE, np.zeros((1, 1))),
        lambda: kernels.count_codes([WHO], WHO, None, None, np.array([0, 2]), np.zeros((1, 1))),
        lambda: kernels.count_codes([WHO], WHO + 1, None, None, ONE, np.zeros((1, 1))),
        lambda: kernels.count_codes([WHO, WHO], WHO, None, None, np.array([0, 2, 1]), np.zeros((1, 1))),
        lambda: kernels.score_codes([WHO], ONE, np.zeros((1, 4)), np.zeros((4, 2))),
        lambda: kernels.score_codes([WHO], ONE, np.zeros((2, 4)), np.zeros((5, 2))),
        lambda: kernels.score_codes([WHO], ONE, np.zeros((2, 2)), np.zeros((4, 2))),
        lambda: kernels.merge_sorted(np.zeros(2, np.uint64), np.zeros(1, np.uint64), *np.zeros((2, 1), np.int64)),
        lambda: strings([0, 1]),
        lambda: strings([0, 1, 9, 9, 9]),
        lambda: strings([0, 1, 0, 1, 1]),
        lambda: strings([-5, 1, 1, 1, 1]),
        lambda: strings([0] * 13, "i8", (), np.zeros(1, np.uint8), first=8),
        lambda: strings([0] * 5, "i8", (), first=-1),
        lambda: strings([0] * 5, "i8", (), first=2**62),
        lambda: kernels.encode_views(np.zeros(63, np.uint8), [], None, 0, WHO.copy()),
        lambda: kernels.encode_views(bytes_of([20, 0, 0, 0] * 4, "i4"), [], None, 0, WHO.copy()),
        lambda: kernels.encode_views(bytes_of([20, 0, 0, 1] * 4, "i4"), [np.zeros(20, np.uint8)], None, 0, WHO.copy()),
        lambda: kernels.encode_views(bytes_of([-1, 0, 0, 0] * 4, "i4"), [], None, 0, WHO.copy()),
    ],
)  # fmt: skip
def test_columns_that_do_not_fit_are_refused(call):
    with pytest.raises(ValueError, match=r"malformed|need|must|expected|outside|drops|column|entries|has"):
        call()
