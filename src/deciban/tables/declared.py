"""Declared columns: one event model for all, a list, or a mapping by index or name; the rest as chosen."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from deciban.arrays.frame import Columns
from deciban.errors import setting
from deciban.likelihoods import Likelihood
from deciban.model.group import Group
from deciban.refinement.declared_pair import declared_pairs, without_pairs

SingleColumns = dict[int, Likelihood | None]
JoinedColumns = list[tuple[list[int], Likelihood]]
ChooseColumn = Callable[[int], Likelihood | None]


def assign_models(
    columns: Any, features: int, names: Sequence[str] | None, choose: ChooseColumn
) -> tuple[JoinedColumns, SingleColumns]:
    """Return blocks of joined columns, and the event model of every other column (None: left out).

    ``columns`` is what a user gave; ``choose`` gives the event model of a column that it does not mention.
    """
    for pair in declared_pairs(columns):
        for key in pair:
            column_position(key, features, names)  # raises if there is no such column
    columns = without_pairs(columns)
    if isinstance(columns, Likelihood):
        return [], dict.fromkeys(range(features), columns)
    if columns is None:
        return [], {j: choose(j) for j in range(features)}
    if isinstance(columns, Mapping):
        return _from_mapping(columns, features, names, choose)
    if isinstance(columns, Sequence) and not isinstance(columns, str):
        if len(columns) != features:
            raise ValueError(f"columns lists {len(columns)} event models for {features} columns; give one for each.")
        return [], dict(enumerate(map(checked_model, columns)))
    raise ValueError(f"columns is {columns!r}; give an event model such as Gaussian(), a list or a mapping of them.")


def checked_model(likelihood: Any) -> Likelihood:
    """Return an event model, or raise if it is not one."""
    if isinstance(likelihood, Likelihood):
        return likelihood
    if isinstance(likelihood, type) and issubclass(likelihood, Likelihood):
        raise ValueError(f"columns has the class {likelihood.__name__}; give an instance: {likelihood.__name__}().")
    raise ValueError(f"columns has {likelihood!r}, which is not an event model; give one such as Gaussian().")


def _from_mapping(
    columns: Mapping[Any, Any], features: int, names: Sequence[str] | None, choose: ChooseColumn
) -> tuple[JoinedColumns, SingleColumns]:
    joined: JoinedColumns = []
    single: SingleColumns = {}
    taken: set[int] = set()
    for key, likelihood in columns.items():
        # A tuple joins its columns into one block.
        if key == ():
            raise ValueError("columns has an empty tuple for a key; name the columns it joins.")
        joins = isinstance(key, tuple)
        members = [column_position(k, features, names) for k in (key if joins else [key])]
        if taken & set(members) or len(set(members)) < len(members):
            raise ValueError(f"{setting('columns')} gives column {key!r} two event models; give each column one.")
        taken |= set(members)
        if joins and checked_model(likelihood).one_column:
            raise ValueError(
                f"{setting('columns')} joins {key!r} under {likelihood}, which reads one column; give each its own."
            )
        if joins:
            joined.append((members, checked_model(likelihood)))
        else:
            single[members[0]] = None if likelihood is None else checked_model(likelihood)
    single |= {j: choose(j) for j in range(features) if j not in taken}
    return joined, dict(sorted(single.items()))


def column_position(key: Any, features: int, names: Sequence[str] | None) -> int:
    """Return the index of a column given by index or name."""
    if isinstance(key, str):
        if names is None:
            raise ValueError(f"columns names {key!r} but X has no column names; give indices, or a table with names.")
        if key not in names:
            raise ValueError(
                f"{setting('columns')} names {key!r}, which is not among {list(names)}{nearest_hint(key, names)}."
            )
        return list(names).index(key)
    if isinstance(key, bool) or not isinstance(key, int | np.integer) or not -features <= key < features:
        raise ValueError(f"columns has the key {key!r}; give an index below {features} or a column's name.")
    return int(key) % features


def nearest_hint(name: str, names: Iterable[str]) -> str:
    """Return a hint at the name that was meant, empty if none is near."""
    lower = {n.lower(): n for n in names}
    close = difflib.get_close_matches(name.lower(), lower, n=1)
    return f" (did you mean {lower[close[0]]!r}?)" if close else ""


def group_columns(joined: JoinedColumns, single: SingleColumns, features: int) -> tuple[Group, ...]:
    """Return groups of columns; columns with the same event model share one block of statistics."""
    blocks = list(joined)
    for j, likelihood in single.items():
        if likelihood is None:
            raise ValueError(f"columns leaves column {j} of an array out (None); take it out of the array instead.")
        same = next((members for members, other in blocks[len(joined) :] if other.same_as(likelihood)), None)
        if same is None or likelihood.one_column:
            blocks.append(([j], likelihood))
        else:
            same.append(j)
    blocks.sort(key=lambda block: min(block[0]))  # the same groups in whatever order they were declared
    return tuple(Group(column_selection(members, features), likelihood) for members, likelihood in blocks)


def column_selection(members: list[int], features: int) -> Columns:
    """Return all columns as None, neighbours as a slice, which is a view and not a copy, or else an array."""
    if members == list(range(features)):
        return None
    if members == list(range(members[0], members[-1] + 1)):
        return slice(members[0], members[-1] + 1)
    return np.array(members)
