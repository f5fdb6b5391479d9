"""Rows to explain: a table, an array, a list of texts, or one row as a mapping."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.matrix import densify, rows_of, rowwise
from deciban.arrays.texts import Lines
from deciban.explain.explanation import Explanation
from deciban.model.classifier import Classifier
from deciban.model.model import Contrast, Model


def explain_table(
    classifier: Classifier, source: Any, of: Any = None, against: Any = None, first: int = 0
) -> Explanation:
    """The rows of a source of tables; the first of them has this number."""
    from deciban.tables.predict import no_rows, predicted
    from deciban.tables.rows import frame_of, schema_of

    schema, pair = schema_of(classifier), positions(classifier.model, of, against)
    parts = list(predicted(classifier, source, lambda model, x: model.contrast(x, *pair)))
    frames: list[Frame] = [frame_of(part.batch, schema, part.first, predicting=True) for part in parts]
    ends = list(accumulate(len(part.result.of) for part in parts))

    def place(i: int) -> tuple[int, int]:
        k = bisect_right(ends, i)
        return k, i - (ends[k - 1] if k else 0)

    def row(i: int) -> Frame:
        k, at = place(i)
        return frames[k].block(at, at + 1)

    def values(i: int) -> list[Any]:
        k, at = place(i)
        return [parts[k].batch.column(name)[at].as_py() for name in schema.names]

    found = [part.result for part in parts] or [classifier.model.contrast(no_rows(schema), *pair)]
    frames = frames or [no_rows(schema)]
    return replace(
        explanation(classifier, tuple(schema.names), Contrast.together(found), frames, row, values), first=first
    )


def explain_rows(
    classifier: Classifier, x: Any, names: Sequence[str], of: Any = None, against: Any = None
) -> Explanation:
    """The rows of a matrix, or texts."""
    model, x = classifier.model, rowwise(x, dense=True)

    def values(i: int) -> list[Any]:
        if isinstance(x, Lines):
            return x.block(i, i + 1).to_list()
        return densify(rows_of(x, i, i + 1))[0].tolist()

    contrast = model.contrast(x, *positions(model, of, against))
    return explanation(classifier, tuple(map(str, names)), contrast, [x], lambda i: rows_of(x, i, i + 1), values)


def explanation(
    classifier: Classifier, names: tuple[str, ...], contrast: Contrast, blocks: Sequence[Any], row: Any, values: Any
) -> Explanation:
    changes = [] if classifier.calibration is None else [str(classifier.calibration)]
    changes += ["class weights"] if classifier.settings.class_weight is not None else []
    changes += ["prior in use"] if classifier.settings.deployed is not None else []
    target = classifier.schema.target if classifier.schema else None
    return Explanation(classifier.model, names, contrast, blocks, row, values, ", ".join(changes), target)


def positions(model: Model, of: Any, against: Any) -> tuple[int | None, int | None]:
    """Two classes by name as positions, None where none is given."""
    names = model.classes.tolist()
    for given in (of, against):
        if given is not None and given not in names:
            raise ValueError(f"{given!r} is not among the classes {names}.")
    if of is not None and of == against:
        raise ValueError(f"of and against are both {of!r}; give two classes.")
    return None if of is None else names.index(of), None if against is None else names.index(against)


def one_row(rows: Any) -> Any:
    """A row as a mapping of single values becomes a table of one row."""
    if isinstance(rows, Mapping) and not any(is_column(value) for value in rows.values()):
        return {str(name): [value] for name, value in rows.items()}
    return rows


def is_column(value: Any) -> bool:
    arrow = any(hasattr(value, name) for name in ("__arrow_c_array__", "__arrow_c_stream__", "to_numpy"))
    return arrow or (isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes))


def nth_row(classifier: Classifier, source: Any, number: int) -> Any:
    """The row of that number, counted from 1, as a table of one row; what comes behind it is not read."""
    import pyarrow as pa

    from deciban.tables.rows import check_columns, schema_of, types_to_read

    schema = schema_of(classifier)
    check_columns(schema, source)
    seen = 0
    for batch in source.batches(schema.names, types_to_read(schema, None, predicting=True)):
        if seen + batch.num_rows >= number:
            return pa.Table.from_batches([batch.slice(number - 1 - seen, 1)])
        seen += batch.num_rows
    raise ValueError(f"{source.name} has {seen:,} rows, and no row {number:,}.")


def row_of_text(classifier: Classifier, text: str) -> dict[str, list[Any]]:
    """A text as a row of a model that reads one; other columns are missing."""
    from deciban.tables.rows import schema_of

    used = schema_of(classifier).used
    texts = [c.name for c in used if c.likelihood is not None and c.likelihood.reads_text]
    if len(texts) != 1:
        named = ", ".join(texts) or "none"
        raise ValueError(f"a text alone explains a model with one column of texts; this one has {named}: give a row.")
    return {c.name: [text if c.name == texts[0] else None] for c in used}
