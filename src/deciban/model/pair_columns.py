"""The columns of declared pairs."""

from __future__ import annotations

from deciban.errors import setting
from deciban.model.classifier import Classifier


def pair_columns(classifier: Classifier) -> tuple[tuple[int, int], ...]:
    """Return the column indices of the pairs that the settings declare, or raise if a column is not used."""
    names = classifier.column_names() if classifier.table_schema else []
    place = {name: j for j, name in enumerate(names)}
    found = []
    for pair in classifier.settings.declared_pairs:
        try:
            a, b = (place[key] if isinstance(key, str) else range(classifier.features)[key] for key in pair)
        except (KeyError, IndexError):
            raise ValueError(
                f"{setting('columns')} declares the pair {pair!r}, but the model does not use both columns."
            ) from None
        found.append((min(a, b), max(a, b)))
    return tuple(dict.fromkeys(found))
