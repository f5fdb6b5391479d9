"""What kernels notice on their way through the data, and what is said about it."""

from deciban.arrays.native import kernels

MISSING: int = kernels.MISSING
INFINITE: int = kernels.INFINITE
NEGATIVE: int = kernels.NEGATIVE
NOT_BINARY: int = kernels.NOT_BINARY
REPEATED: int = kernels.REPEATED


def refuse(findings: int, name: str, complete: bool = False) -> None:
    """Raise for findings that ``name`` cannot use; what is missing can be used, unless it must be ``complete``."""
    if findings & INFINITE:
        raise ValueError(
            f"Input X contains infinity or a value too large: {name} needs finite numbers (NaN where one is missing)."
        )
    if findings & NEGATIVE:
        raise ValueError(f"Negative values in data passed to {name} (input X): values must be at least 0.")
    if findings & NOT_BINARY:
        raise ValueError(f"Values other than 0 and 1 in data passed to {name}; pass threshold= to binarize them.")
    if complete and findings & MISSING:
        raise ValueError(f"Input X contains NaN: {name} does not accept missing values; NaiveBayes does.")


def refuse_negative_threshold(threshold: float | None) -> None:
    """A sparse matrix does not store its zeros, so they cannot count as ones."""
    if threshold is not None and threshold < 0:
        raise ValueError(f"threshold is {threshold} but a sparse matrix needs 0 or more: its zeros are not stored.")
