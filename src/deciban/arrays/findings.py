"""Findings: flags of what the kernels noticed in the data, and the errors they lead to."""

from deciban.arrays.native import kernels

MISSING: int = kernels.MISSING
INFINITE: int = kernels.INFINITE
NEGATIVE: int = kernels.NEGATIVE
NOT_BINARY: int = kernels.NOT_BINARY
REPEATED: int = kernels.REPEATED
OUT_OF_RANGE: int = kernels.OUT_OF_RANGE


def raise_for_findings(findings: int, reader: str, complete: bool = False) -> None:
    """Raise a ValueError for findings that ``reader`` cannot use; ``complete`` refuses missing values too."""
    if findings & INFINITE:
        raise ValueError(
            f"Input X contains infinity or a value too large: {reader} needs finite numbers (NaN where one is missing)."
        )
    if findings & NEGATIVE:
        raise ValueError(f"Negative values in data passed to {reader} (input X): values must be at least 0.")
    if findings & NOT_BINARY:
        raise ValueError(f"Values other than 0 and 1 in data passed to {reader}; pass threshold= to binarize them.")
    if complete and findings & MISSING:
        raise ValueError(f"Input X contains NaN: {reader} does not accept missing values; NaiveBayes does.")


def refuse_negative_threshold(threshold: float | None) -> None:
    """Raise for a threshold below 0: a sparse matrix does not store its zeros, so they cannot count as ones."""
    if threshold is not None and threshold < 0:
        raise ValueError(f"threshold is {threshold} but a sparse matrix needs 0 or more: its zeros are not stored.")
