"""
Kernels over borrowed memory. They check every array and raise a ValueError for one that does not fit.
"""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray

MISSING: int = 1

INFINITE: int = 2

NEGATIVE: int = 4

REPEATED: int = 16

OUT_OF_RANGE: int = 32

NOT_BINARY: int = 8

def add_moments(
    x: numpy.typing.NDArray[Any],
    codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    row_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    soft: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)] | None,
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
    mean: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
    deviation: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> int:
    """
    Add a batch to weight, mean and deviation [classes × features]. Return the findings.
    """

def add_sums(
    x: numpy.typing.NDArray[Any],
    codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    row_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    soft: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)] | None,
    threshold: float | None,
    wanted: int,
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> int:
    """
    Add a batch to weight and total [classes × features]. Return the findings.
    """

def add_sums_sparse(
    values: numpy.typing.NDArray[Any],
    indices: numpy.typing.NDArray[Any],
    pointers: numpy.typing.NDArray[Any],
    rows: int,
    by_column: bool,
    codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    row_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    soft: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)] | None,
    threshold: float | None,
    wanted: int,
    total: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> int:
    """Add a sparse batch to total [classes × features]. Return the findings."""

def add_weights(
    codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    row_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    soft: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)] | None,
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """Add the weight of the rows of every class."""

def add_counts(
    x: numpy.typing.NDArray[Any],
    codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    row_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    soft: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)] | None,
    low: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    count: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> int:
    """
    Add a batch of category codes to count [classes × codes]. Return the findings.
    """

def count_codes(
    columns: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]],
    codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    row_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    soft: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)] | None,
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    count: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """
    Add columns of category codes, which count from 0, to count [classes × codes].
    """

def column_ranges(
    x: numpy.typing.NDArray[Any],
    low: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    high: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Write the least and greatest integer of every column; low > high for a column without values.
    """

def count_buckets(
    x: numpy.typing.NDArray[Any],
    valid: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    first: int,
    codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    row_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    soft: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)] | None,
    classes: int,
    drop: int,
    most: int,
) -> tuple[
    int,
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None, None))],
]:
    """
    Count a column in buckets of float prefixes. Return the bits dropped, the sorted keys, and the weights [keys × classes].
    """

def encode(
    items: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    code: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """
    Number the distinct items by first appearance. Return the index of every first appearance.
    """

def encode_strings(
    offsets: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    wide: bool,
    data: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    valid: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    first: int,
    code: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """
    Number the strings of an Arrow column by first appearance, -1 for missing. Return the index of every first appearance.
    """

def encode_views(
    views: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    buffers: Sequence[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)]],
    valid: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    first: int,
    code: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """
    Number the strings of an Arrow column of string views by first appearance, -1 for missing. Return the index of every first appearance.
    """

def bit_codes(
    bits: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    first: int,
    code: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """Write the bits of a bitmap from bit `first` on as codes 0 and 1."""

def mark_missing(
    valid: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    first: int,
    code: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Write -1 for every code whose bit in the bitmap, from bit `first` on, is 0.
    """

def renumber(
    code: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    place: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> None:
    """Replace every code by place[code], in place; -1 stays."""

def merge_sorted(
    a: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    b: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    place_a: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    place_b: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> int:
    """
    Write the positions of two sorted lists of distinct keys in their union. Return the size of the union.
    """

def bin_codes(
    x: numpy.typing.NDArray[Any],
    valid: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    first: int,
    cuts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    code: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Write how many cuts are less than or equal to every number of a column, -1 for missing.
    """

def normal_cdf(
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """Write the standard normal probability below every number."""

LANES: int = 4

PACK: int = 8

def score_linear(
    x: numpy.typing.NDArray[Any],
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    base: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)] | None,
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    threshold: float | None,
    wanted: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> int:
    """
    Add total + x @ weight to out [rows × classes]. Return the findings, of negative cells and cells other than 0 and 1 those that are wanted.
    """

def score_linear_sparse(
    values: numpy.typing.NDArray[Any],
    indices: numpy.typing.NDArray[Any],
    pointers: numpy.typing.NDArray[Any],
    rows: int,
    by_column: bool,
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    base: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)] | None,
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    threshold: float | None,
    wanted: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> int:
    """
    Add total + x @ weight to out [rows × classes] for a sparse x. Return the findings, as score_linear does.
    """

def score_quadratic(
    x: numpy.typing.NDArray[Any],
    mean: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    scale: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    base: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> int:
    """
    Add total - sum of ((x - mean) * scale)^2 to out [rows × classes]. Return the findings.
    """

def score_table(
    x: numpy.typing.NDArray[Any],
    low: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> int:
    """
    Add the table's entry of every code to out [rows × classes]. A code outside its range adds nothing. Return the findings.
    """

def score_codes(
    columns: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """
    Add the table's entry of every code of separate columns to out [rows × classes]. Codes count from 0; codes without an entry add the table's last row.
    """

def score_steps(
    x: Sequence[numpy.typing.NDArray[Any]],
    valid: Sequence[
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)] | None
    ],
    first: Sequence[int],
    cuts: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]],
    table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """
    Add the table's entry of every number's bin to out [rows × classes]. Missing values add the table's last row.
    """

def score_gaussian(
    x: Sequence[numpy.typing.NDArray[Any]],
    valid: Sequence[
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)] | None
    ],
    first: Sequence[int],
    parameters: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> int:
    """
    Add base - ((x - mean) * scale)^2 of separate columns to out [rows × classes]. A column has three rows of parameters: mean, scale, base. Return the findings.
    """

def centre(
    joint: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
    log_prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> int:
    """
    Subtract the greatest value of every row, in place. Rows with probability 0 under every class become the prior. Return the number of such rows.
    """

def divide_by_sum(odds: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")]) -> None:
    """Divide every row by its sum, in place."""

def decide(
    joint: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    log_prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    code: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> int:
    """
    Write the most probable class of every row. Return the number of rows with probability 0 under every class.
    """

def own_gaussian(
    x: numpy.typing.NDArray[Any],
    cls: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    mean: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    deviation: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    varies: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Write the log density of every row under the normal distributions of its class without the row. NaN marks a row that has a missing cell or leaves no variance.
    """

def shared_gaussian(
    x: numpy.typing.NDArray[Any],
    cls: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    mean: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    deviation: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    total: float,
    varies: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """
    Add the log density of every row, without the row, under classes that share one variance per feature to out [rows × classes].
    """

def others_counts(
    x: numpy.typing.NDArray[Any],
    cls: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    count: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """
    Subtract the multinomial log-likelihood of every row under the complement of every class, without the row, from out [rows × classes].
    """

def own_counts(
    x: numpy.typing.NDArray[Any],
    cls: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    count: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    logs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Write the sums of x * log(count - weight * x) and of x of every row, with the counts of its class.
    """

def contrast_linear(
    x: Sequence[numpy.typing.NDArray[Any]],
    valid: Sequence[
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)] | None
    ],
    first: Sequence[int],
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    base: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)] | None,
    threshold: float | None,
    target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    rival: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device="cpu")],
) -> None:
    """
    Write base + x * weight of the target class minus that of the rival class [rows × columns].
    """

def contrast_gaussian(
    x: Sequence[numpy.typing.NDArray[Any]],
    valid: Sequence[
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)] | None
    ],
    first: Sequence[int],
    parameters: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    rival: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device="cpu")],
) -> None:
    """
    Write base - ((x - mean) * scale)^2 of the target class minus that of the rival class [rows × columns].
    """

def contrast_codes(
    x: Sequence[numpy.typing.NDArray[Any]],
    low: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    rival: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device="cpu")],
) -> None:
    """
    Write the entry of every code for the target class minus that for the rival class [rows × columns].
    """

def contrast_steps(
    x: Sequence[numpy.typing.NDArray[Any]],
    valid: Sequence[
        Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)] | None
    ],
    first: Sequence[int],
    cuts: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)]],
    table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    rival: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device="cpu")],
) -> None:
    """
    Write the entry of every number's bin for the target class minus that for the rival class [rows × columns].
    """

def contrast_linear_rows(
    x: numpy.typing.NDArray[Any],
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    base: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)] | None,
    threshold: float | None,
    target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    rival: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device="cpu")],
) -> None:
    """
    Compute contrast_linear for a matrix in row order. The parameters [classes × features] must be finite.
    """

def contrast_gaussian_rows(
    x: numpy.typing.NDArray[Any],
    mean: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    scale: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    base: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    rival: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device="cpu")],
) -> None:
    """
    Compute contrast_gaussian for a matrix in row order. Parameters are [classes × features].
    """

def contrast_code_rows(
    x: numpy.typing.NDArray[Any],
    low: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    rival: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device="cpu")],
) -> None:
    """Compute contrast_codes for a matrix in row order."""

def two_best(
    posterior: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    best: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    second: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """Write the most probable class of every row and the second."""

def contrast_scores(
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    rival: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Write the score of the target class minus that of the rival class for every row; 0 if both are impossible.
    """

def row_ends(
    text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    delimiter: int,
    quote: int,
) -> tuple[int, int]:
    """
    Return the ends of the first and the last whole row of delimited text; 0 if there is no whole row.
    """

def labelled_lines(
    text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    each_label: bool,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
    int,
]:
    """
    Read lines of fastText: a row with the first label or, with each_label, a row per label. Return the starts and bytes of the labels, which rows have one, Arrow's views of the texts, and the number of lines with several labels.
    """

def take_texts(
    text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    names: Sequence[str],
) -> (
    tuple[
        list[
            tuple[
                Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
                Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
            ]
        ],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
    ]
    | None
):
    """
    Take strings out of JSON objects. Return Arrow's views and validity for every name, the bytes of the strings, and the objects without them; None if only a parser can separate them.
    """

class Documents:
    """Texts of some rows, read in place."""

    def __len__(self) -> int: ...
    def slice(self, begin: int, end: int) -> Documents:
        """Return rows begin to end - 1, without copying."""

    def take(
        self, rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> Documents:
        """Return the rows with these numbers."""

    def missing(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """Return 1 for every row without a text, else 0."""

    def sizes(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """Return the characters of every string, or the bytes."""

    def to_list(self) -> list[Any]:
        """Return the texts as strings or bytes, None for a missing one."""

def documents_of_list(texts: list[Any]) -> Documents:
    """
    Return the documents of a list of strings, bytes in UTF-8, and None for a missing text.
    """

def documents_of_strings(
    offsets: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    wide: bool,
    data: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    valid: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    first: int,
    rows: int,
) -> Documents:
    """Return rows of an Arrow column of strings."""

def documents_of_views(
    views: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    buffers: Sequence[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)]],
    valid: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    first: int,
    rows: int,
) -> Documents:
    """Return rows of an Arrow column of string views."""

def joined_documents(parts: Sequence[Documents]) -> Documents:
    """Return the rows of all parts, one part after the other."""

class WordIndex:
    """Positions of the words of a vocabulary."""

def word_index(
    hash: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    joins_words: bool = False,
) -> WordIndex:
    """
    Index a vocabulary. Words that come first in `order` are found fastest. joins_words is that of the tokenizer whose terms will be looked up.
    """

def merge_words(
    hash_a: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    words_a: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    text_a: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    start_a: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    class_a: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    weight_a: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    hash_b: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    words_b: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    text_b: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    start_b: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    class_b: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    weight_b: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    separate: bool,
) -> tuple[
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
]:
    """
    Merge two vocabularies. Return the union, the weights of both over it, added or separate, and the positions of their words in it.
    """

def find_vocabulary(
    index: WordIndex,
    hash: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """Return the position of every word of another vocabulary, -1 if absent."""

def take_words(
    hash: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    members: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
]:
    """Return the starts, bytes and hashes of some words."""

def take_counts(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    cls: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    classes: int,
    members: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
]:
    """
    Return the entries of some words, given by ascending position, and the weight of all others by class.
    """

def hash_words(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
    """Return the hash of every word of a vocabulary."""

class Tokenizer:
    """Options of the tokenizer."""

    @property
    def joins_words(self) -> bool:
        """Whether terms are n-grams of words, known by their text."""

def tokenizer(
    chars: bool,
    lowercase: bool,
    least: int,
    most: int,
    buckets: int,
    joiners: Sequence[int],
    kind: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    lower: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    plain: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None = None,
    sequences: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None = None,
    within_words: bool = False,
    positions: bool = False,
) -> Tokenizer:
    """
    Return options of the tokenizer: n-grams of least to most words or characters, and tables of character classes and lower case by code point. plain has the character without accents by code point, or -1 - k for the sequences[k] characters after sequences[k]. within_words cuts n-grams of characters out of words with a space before and after them. positions writes the position of a word, from 1, and a colon before it.
    """

class WordScores:
    """Parameters of the scores of documents."""

def word_scores(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    cls: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    entry: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    class_base: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    scale: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    word_base: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    gain: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
) -> WordScores:
    """
    Return the parameters of total + scale * sum of gain * (class_base + word_base + entry), where entries are sparse.
    """

def count_words(
    documents: Documents,
    codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    row_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    soft: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)] | None,
    classes: int,
    tokenizer: Tokenizer,
    kind: int,
    normalise: bool,
) -> tuple[
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None, None))],
]:
    """
    Count words by class. Return a vocabulary, weights by word and class, documents per word, and lengths of documents by class.
    """

def find_words(
    documents: Documents, index: WordIndex, tokenizer: Tokenizer, kind: int, normalise: bool
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
]:
    """
    Return the known words of every document and their values, as compressed rows.
    """

def place_terms(
    documents: Documents, index: WordIndex, tokenizer: Tokenizer
) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    Return the position in the vocabulary of every term of every document, in their order, -1 for an unknown term, and the offsets of documents among them.
    """

def score_words(
    documents: Documents,
    index: WordIndex,
    tokenizer: Tokenizer,
    kind: int,
    normalise: bool,
    scores: WordScores,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """Add the scores of documents to out [documents × classes]."""

def add_left_out_lifts(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    line: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    value: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    own: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    cls: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    share: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    pseudo: float,
    neutral: float,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """
    Add the lifts of documents that are left out to out [documents × classes]. Entries have a line of the table of counts, a value, and the total and own count of their word without the document.
    """

def build_alias(
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    table: Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None), order="C", device="cpu")],
) -> None:
    """
    Write the alias table [classes × values × 2] of every row of weights [classes × values].
    """

def draw_alias(
    table: Annotated[NDArray[numpy.uint64], dict(shape=(None, None, None), order="C", device="cpu", writable=False)],
    word: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    out: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Draw a value for every random 64-bit number, from the table of its class.
    """

def compose(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    text: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    word: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    count: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    spaced: bool,
    distinct: bool,
) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.uint8], dict(shape=(None,))]]:
    """Return the starts and bytes of documents made of drawn words."""

def add_number_keys(
    x: numpy.typing.NDArray[Any],
    valid: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)] | None,
    first: int,
    seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    key: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu")],
    size: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Add the keys and sizes of cells that are numbers to those of their rows. A bitmap is of the rows.
    """

def add_sparse_keys(
    values: numpy.typing.NDArray[Any],
    indices: numpy.typing.NDArray[Any],
    pointers: numpy.typing.NDArray[Any],
    rows: int,
    seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    key: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu")],
    size: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Add the keys and sizes of the cells of compressed rows, zeros included, to those of their rows.
    """

def add_text_keys(
    texts: Documents,
    seed: int,
    key: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu")],
    size: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """Add the keys and sizes of a column of texts to those of their rows."""

def text_hash(text: bytes) -> int:
    """Return the 64-bit hash of bytes, which never changes."""

def relative_terms(
    scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C", device="cpu", writable=False)],
    cls: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    first: int,
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C", device="cpu")],
) -> None:
    """
    Write scores [terms × rows × classes] of the classes that a row does not have, less that of its own class, to out [rows × other classes × entries] from the entry first on.
    """

def logistic_losses(
    terms: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C", device="cpu", writable=False)],
    offset: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Write the loss of every row, log(1 + sum of exp(offset + terms · x)) over the classes that it does not have.
    """

def add_logistic_derivatives(
    terms: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C", device="cpu", writable=False)],
    offset: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    gradient: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    curvature: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """
    Write the loss of every row, and add the gradient and the lower triangle of the curvature of the weighted sum of all losses.
    """

def pair_gains(
    cell: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    second: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    cls: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    posterior: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    one_row: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    strengths: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    gain: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
    strength: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Write the gain of log-likelihood that a weight on every pair of columns promises, and its best strength.
    """

def score_pairs(
    cell: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    cells: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    second: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    entries: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """Add the entries of every row's pairs of cells to out [rows × classes]."""

def learn_correction(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    term: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    value: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    cls: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    base: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    eta: float,
    l2: float,
    state: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C", device="cpu")],
    offsets: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """
    Read compressed rows in a given order by FTRL-proximal, and update state [terms × 2 × classes] and offsets [2 × classes] after each. A row is skipped if its class is -1 or impossible, its weight 0, or a score of base [rows × classes] NaN or positive infinity; a class with the score -inf is impossible and learns nothing.
    """

def add_correction(
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    term: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    value: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    delta: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """
    Add the sum of value · delta [terms × classes] of every row's terms to out [rows × classes].
    """
