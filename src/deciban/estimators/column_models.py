"""Event models for the columns of an array: declared, or chosen by type and first values as for a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import encode
from deciban.arrays.names import missing_mask
from deciban.choosing.terms import choose_group_terms, rows_for_terms
from deciban.likelihoods import Binned, Categorical, Likelihood
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.settings import Settings
from deciban.refinement.declared_pair import Pair, without_pairs
from deciban.statistics import RowSample
from deciban.tables.declared import assign_models, group_columns
from deciban.tables.rules import FIRST_ROWS, SEEN_TEXTS, ColumnSample, choose_model, free_text, words_in

# What ``columns=`` takes; a key is a name or index of a column, or a tuple of them.
Columns: TypeAlias = Likelihood | Sequence[Likelihood] | Mapping[Any, Likelihood | Pair | None] | None


def sample_groups(columns: Any, sample: RowSample, x: Frame, settings: Settings) -> tuple[Group, ...]:
    """Return groups of columns as the rows x of a sample decide them, with the terms of texts."""
    return choose_group_terms(frame_groups(columns, x), x, sample.names, sample.labels, rows_for_terms(settings))


def again_groups(columns: Any, classifier: Classifier, with_terms: bool = True) -> tuple[Group, ...]:
    """Return groups of columns as the sample of a classifier decides them again.

    Texts keep their terms without ``with_terms``, and if the sample is incomplete: they could not be counted again.
    """
    x = classifier.sample_frame()
    if with_terms and classifier.sample.is_complete:
        return sample_groups(columns, classifier.sample, x, classifier.settings)
    return tuple(
        replace(group, likelihood=group.likelihood.with_terms_of(before.likelihood))
        for group, before in zip(frame_groups(columns, x), classifier.groups)
    )


def frame_groups(columns: Any, x: Frame) -> tuple[Group, ...]:
    """Return groups of columns that share an event model. No column of an array can be left out."""
    groups = _frame_groups(columns, x)
    part = next((g.likelihood.date_part for g in groups if g.likelihood.date_part is not None), None)
    if part is not None:
        raise ValueError(f"part={part!r} is read from a column of a table, and X is an array; give a table.")
    return groups


def _frame_groups(columns: Any, x: Frame) -> tuple[Group, ...]:
    if isinstance(columns, Likelihood) and not columns.one_column:  # one for all columns, which may be very many
        return (Group(None, columns),)
    matrix = x.matrix()
    if (
        without_pairs(columns) is None and matrix is not None and matrix.dtype.kind in "fiu"
    ):  # numbers, of which there may be very many
        return (Group(None, Binned()),)

    def choose_column(j: int) -> Likelihood:
        return _choose(x, j)

    joined, single = assign_models(columns, x.shape[1], None, choose_column)
    return group_columns(joined, single, x.shape[1])


def _choose(x: Frame, j: int) -> Likelihood:
    """Return the event model of a column: of texts, of a sparse matrix, or of an array by type and first values."""
    if x.text_size:
        texts = [value for value in x.block(0, SEEN_TEXTS).texts(0).to_list() if value is not None]
        strings = [text.decode("utf8", "replace") if isinstance(text, bytes) else text for text in texts]
        return free_text(words_in(strings)[1])
    matrix = x.matrix()
    if matrix is None:
        return Binned()
    sample = array_sample(matrix[:FIRST_ROWS, j])
    return choose_model(sample).likelihood or (Categorical() if sample.kind == "text" else Binned())


def array_sample(column: np.ndarray) -> ColumnSample:
    """Return the first rows of an array's column in short."""
    kind = _kind(column)
    if kind == "number":
        return ColumnSample(kind, len(column), 2)  # the number of distinct numbers does not matter
    names, codes = encode(column)
    return ColumnSample(kind, int((codes >= 0).sum()), len(names))


def _kind(column: np.ndarray) -> str:
    kind = column.dtype.kind
    if kind == "O":
        types = {type(value) for value in column[~missing_mask(column)]}
        if types and types <= {bool, np.bool_}:
            return "boolean"
        if types and all(issubclass(t, Integral) for t in types):
            return "integer"
        return "number" if all(issubclass(t, Real | Decimal) for t in types) else "text"
    return {"b": "boolean", "i": "integer", "u": "integer", "f": "number"}.get(kind, "text")
