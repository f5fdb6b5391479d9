"""Rows to explain: those of a table or a frame, one row of a table, or a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from deciban.arrays.frame import Frame
from deciban.errors import setting
from deciban.explain.explanation import Explanation
from deciban.model.classifier import Classifier
from deciban.model.model import Model
from deciban.model.parts import Contrast
from deciban.readers.source import Source
from deciban.terminal.values import label_list


def explain_table(
    classifier: Classifier, source: Source, favour: Any = None, against: Any = None, first: int = 0
) -> Explanation:
    """Explain the rows of a table, of which the first has the number ``first``."""
    from deciban.tables.predict import score_table
    from deciban.tables.rows import TableRows, table_schema

    schema, pair = table_schema(classifier), class_positions(classifier.model, favour, against)
    parts = list(score_table(classifier, source, lambda model, rows: model.contrast(rows, *pair)))
    blocks: list[Frame] = [part.rows for part in parts] or [TableRows.empty(schema)]
    contrasts = [part.result for part in parts] or [classifier.model.contrast(blocks[0], *pair)]
    explanation = new_explanation(classifier, schema.names, Contrast.concatenate(contrasts), blocks)
    return replace(explanation, first=first)


def explain_frame(
    classifier: Classifier, x: Frame, names: Sequence[str], favour: Any = None, against: Any = None
) -> Explanation:
    """Explain the rows of a matrix, or texts."""
    model, x = classifier.model, x.sliceable(dense=True)
    contrast = model.contrast(x, *class_positions(model, favour, against))
    return new_explanation(classifier, names, contrast, [x])


def new_explanation(
    classifier: Classifier, names: Sequence[str], contrast: Contrast, blocks: Sequence[Frame]
) -> Explanation:
    """Return the explanation of rows in blocks, for a contrast of two classes for every row."""
    changes = [] if classifier.calibration is None else [str(classifier.calibration)]
    changes += ["class weights"] if classifier.settings.class_weight is not None else []
    target = classifier.schema.target if classifier.schema else None
    return Explanation(classifier.model, tuple(map(str, names)), contrast, blocks, ", ".join(changes), target)


def class_positions(model: Model, favour: Any, against: Any) -> tuple[int | None, int | None]:
    """Return two classes as positions, None where none is given."""
    names = model.classes.tolist()
    for given in (favour, against):
        if given is not None and given not in names:
            raise ValueError(f"{given!r} is not among the classes {label_list(names)}.")
    if favour is not None and favour == against:
        raise ValueError(f"{setting('favour')} and {setting('against')} are both {favour!r}; give two classes.")
    return None if favour is None else names.index(favour), None if against is None else names.index(against)


def nth_row(classifier: Classifier, source: Source, number: int) -> Any:
    """Return the row of that number, counted from 1, as a table of one row; later rows are not read."""
    import pyarrow as pa

    from deciban.tables.rows import require_columns, table_schema, types_to_read

    schema = table_schema(classifier)
    require_columns(schema, source)
    seen = 0
    for batch in source.batches(schema.names, types_to_read(schema, None, predicting=True)):
        if seen + batch.num_rows >= number:
            return pa.Table.from_batches([batch.slice(number - 1 - seen, 1)])
        seen += batch.num_rows
    raise ValueError(f"{source.name} has {seen:,} rows, and no row {number:,}.")


def text_row(classifier: Classifier, text: str) -> dict[str, list[Any]]:
    """Return a text as a row of a model that reads one; other columns are missing."""
    from deciban.tables.rows import table_schema

    used = table_schema(classifier).used
    texts = [c.name for c in used if c.likelihood is not None and c.likelihood.reads_text]
    if len(texts) != 1:
        named = ", ".join(texts) or "none"
        raise ValueError(f"a text alone explains a model with one column of texts; this one has {named}: give a row.")
    return {c.name: [text if c.name == texts[0] else None] for c in used}
