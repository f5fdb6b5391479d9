"""Declared pairs: two columns that a user wants to be read together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

# Two columns, by name or by index.
ColumnPair: TypeAlias = tuple[Any, Any]


@dataclass(frozen=True)
class Pair:
    """Two columns that are read together, as in ``columns={("age", "hours"): db.Pair()}``.

    Both columns keep their own event models. The pair adds the evidence that both values give together beyond what
    each gives alone, with a weight that is fitted on rows; see docs/refinements.md.

    >>> from deciban import NaiveBayes
    >>> rows = [[a, b] for a in (0, 1) for b in (0, 1)] * 40
    >>> nb = NaiveBayes({(0, 1): Pair()}).fit(rows, [a != b for a, b in rows])
    >>> nb.predict([[0, 1], [1, 1]]).tolist()
    [True, False]
    """


def declared_pairs(columns: Any) -> tuple[ColumnPair, ...]:
    """Return the pairs among declared columns, in the order of their names, or raise for one that makes no sense."""
    if not isinstance(columns, Mapping):
        return ()
    found = [key for key, model in columns.items() if isinstance(model, Pair)]
    for key in found:
        if not is_column_pair(key):
            raise ValueError(f"columns gives {key!r} a Pair(); a pair's key is a tuple of two columns.")
        if key[0] == key[1]:
            raise ValueError(f"columns pairs {key[0]!r} with itself; name two columns.")
    return tuple(sorted(found, key=str))


def is_column_pair(value: Any) -> bool:
    """Return whether a value is a tuple of two names or indices."""
    return (
        isinstance(value, tuple) and len(value) == 2 and all(isinstance(key, str | int | np.integer) for key in value)
    )


def without_pairs(columns: Any) -> Any:
    """Return declared columns without pairs; None if nothing but pairs was declared."""
    if not declared_pairs(columns):
        return columns
    return {key: model for key, model in columns.items() if not isinstance(model, Pair)} or None
