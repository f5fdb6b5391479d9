"""Which columns have which event model: one for all, a list, a mapping by index or name, or by the type of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from deciban.classifier import Group
from deciban.labels import missing
from deciban.likelihoods import Bernoulli, Categorical, Gaussian, Likelihood
from deciban.matrix import Matrix, Sparse
from deciban.model import Columns


def groups_of(columns: Any, x: Matrix, names: Sequence[str] | None) -> tuple[Group, ...]:
    """Groups of columns that share an event model; columns nobody spoke for follow their type."""
    features = x.shape[1]
    if isinstance(columns, Likelihood):
        return (Group(None, columns),)
    if columns is None:
        return _grouped([], dict.fromkeys(range(features)), x)
    if isinstance(columns, Mapping):
        joint, single = _from_mapping(columns, features, names)
        return _grouped(joint, single, x)
    if isinstance(columns, Sequence) and not isinstance(columns, str):
        if len(columns) != features:
            raise ValueError(f"columns lists {len(columns)} event models for {features} columns; give one for each.")
        return _grouped([], dict(enumerate(map(checked, columns))), x)
    raise ValueError(f"columns is {columns!r}; give an event model such as Gaussian(), a list or a mapping of them.")


def checked(likelihood: Any) -> Likelihood:
    if isinstance(likelihood, Likelihood):
        return likelihood
    if isinstance(likelihood, type) and issubclass(likelihood, Likelihood):
        raise ValueError(f"columns has the class {likelihood.__name__}; give an instance: {likelihood.__name__}().")
    raise ValueError(f"columns has {likelihood!r}, which is no event model; give one such as Gaussian().")


def _from_mapping(
    columns: Mapping[Any, Any], features: int, names: Sequence[str] | None
) -> tuple[list[tuple[list[int], Likelihood]], dict[int, Likelihood | None]]:
    joint: list[tuple[list[int], Likelihood]] = []
    single: dict[int, Likelihood | None] = dict.fromkeys(range(features))
    for key, likelihood in columns.items():
        # A tuple joins its columns into one block.
        if key == ():
            raise ValueError("columns has an empty tuple for a key; name the columns it joins.")
        members = [position(k, features, names) for k in key] if isinstance(key, tuple) else None
        for j in members if members is not None else [position(key, features, names)]:
            if j not in single or single[j] is not None:
                raise ValueError(f"columns gives column {key!r} two event models; give each column one.")
            if members is None:
                single[j] = checked(likelihood)
            else:
                del single[j]
        if members is not None:
            joint.append((members, checked(likelihood)))
    return joint, single


def position(key: Any, features: int, names: Sequence[str] | None) -> int:
    """The index of a column given by index or name."""
    if isinstance(key, str):
        if names is None:
            raise ValueError(f"columns names {key!r} but X has no column names; give indices, or a table with names.")
        if key not in names:
            raise ValueError(f"columns names {key!r}, which is not among {list(names)}.")
        return list(names).index(key)
    if not isinstance(key, int | np.integer) or not -features <= key < features:
        raise ValueError(f"columns has the key {key!r}; give an index below {features} or a column's name.")
    return int(key) % features


def _grouped(
    joint: list[tuple[list[int], Likelihood]], single: Mapping[int, Likelihood | None], x: Matrix
) -> tuple[Group, ...]:
    blocks = list(joint)
    for j, likelihood in single.items():
        model = by_type(x, j) if likelihood is None else likelihood
        same = next((members for members, other in blocks[len(joint) :] if other.same_as(model)), None)
        if same is None:
            blocks.append(([j], model))
        else:
            same.append(j)
    return tuple(Group(selector(members, x.shape[1]), likelihood) for members, likelihood in blocks)


def selector(members: list[int], features: int) -> Columns:
    """All columns, a slice (a view, no copy) or a list of them."""
    if members == list(range(features)):
        return None
    if members == list(range(members[0], members[-1] + 1)):
        return slice(members[0], members[-1] + 1)
    return np.array(members)


def by_type(x: Matrix, j: int) -> Likelihood:
    """bool: Bernoulli; numbers: Gaussian; strings and anything else: Categorical."""
    if isinstance(x, Sparse):
        return Gaussian()
    kind = x.dtype.kind
    if kind == "O":
        kinds = {type(value) for value in x[:, j][~missing(x[:, j])]}
        if kinds and kinds <= {bool, np.bool_}:
            kind = "b"
        elif all(issubclass(k, Real | Decimal) for k in kinds):
            kind = "f"
    if kind == "b":
        return Bernoulli()
    return Gaussian() if kind in "fiu" else Categorical()
