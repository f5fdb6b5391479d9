"""What kernels notice on their way through the data, and what is said about it."""

from deciban.native import kernels

MISSING: int = kernels.MISSING
INFINITE: int = kernels.INFINITE
NEGATIVE: int = kernels.NEGATIVE
NOT_BINARY: int = kernels.NOT_BINARY
UNORDERED: int = kernels.UNORDERED


def refuse(findings: int, name: str) -> None:
    """Raise for findings that ``name`` cannot use; what is missing or unordered can be used."""
    if findings & INFINITE:
        raise ValueError(f"Input X contains infinity: {name} needs finite numbers (NaN where a value is missing).")
    if findings & NEGATIVE:
        raise ValueError(f"Negative values in data passed to {name} (input X): values must be at least 0.")
    if findings & NOT_BINARY:
        raise ValueError(f"Values other than 0 and 1 in data passed to {name}; pass threshold= to binarize them.")


def refuse_missing(findings: int, name: str) -> None:
    """Raise for missing cells on behalf of an estimator that, like scikit-learn's, does not take them."""
    if findings & MISSING:
        raise ValueError(f"Input X contains NaN: {name} does not accept missing values; NaiveBayes does.")
