"""The section on single columns: densities, or the words of texts, of the most important ones."""

from __future__ import annotations

from deciban.describe.columns import find_column, remembered_cells
from deciban.describe.densities import Densities, find_densities
from deciban.describe.groups import fitted_groups
from deciban.describe.top_words import TopWords, top_words
from deciban.plots import DensitiesDisplay, TopWordsDisplay
from deciban.report.collect import Collected
from deciban.report.disclosure import FEWEST_ROWS, common_words, without_rare_top_words, without_rare_values
from deciban.report.parts import Picture, Section, SectionPart, short_text

# Words per class, and words that are looked at where rare ones may not be shown.
WORDS, TRIED_WORDS = 10, 60


def important_section(found: Collected) -> Section:
    """Return densities and top words of the most important columns."""
    words = shown_words(found)
    parts: list[SectionPart] = [] if words is None else [Picture(TopWordsDisplay(words), short_text(str(words)), 30)]
    names = [name for name, decibans in found.importance.items() if decibans > 0 and name in found.names]
    for i, name in enumerate(names[: found.limits.columns]):
        densities = shown_densities(found, name)
        if densities is not None:
            parts.append(Picture(DensitiesDisplay(densities), short_text(str(densities)), 40 + i))
    title = "The most important columns" if len(found.names) > 1 else "Inside the columns"
    sentences = ["The distribution of a column in every class is what the model has counted of it."]
    if found.classifier.refinement is not None:
        sentences.append("Predictions give its evidence a weight, and add evidence of columns that are read together.")
    if len(names) > found.limits.columns:
        sentences.append(f"{found.limits.columns} of {len(names):,} columns with evidence are shown.")
    if not found.limits.data:
        sentences.append(f"Values and words that fewer than {FEWEST_ROWS} training rows have are not shown.")
    if not parts:
        sentences = ["No column has a distribution of its own that can be shown."]
    return Section("important", title, tuple(sentences), tuple(parts))


def shown_densities(found: Collected, name: str) -> Densities | None:
    """Return the densities of a column, None if it has none, as a text or columns that are read together."""
    classifier = found.classifier
    column = find_column(classifier, found.names, found.names.index(name))
    if column.is_ignored or column.likelihood.reads_text or column.likelihood.joins_columns:
        return None
    is_shown = found.limits.data and not column.likelihood.reads_names
    cells = remembered_cells(classifier, (column.position,)) if is_shown else None
    densities = find_densities(classifier, column, cells)
    return densities if found.limits.data else without_rare_values(densities, column)


def shown_words(found: Collected) -> TopWords | None:
    """Return the top words of the model, None if it has no words."""
    classifier, names = found.classifier, list(found.names)
    if not found.limits.columns or not any(group.terms() for group in fitted_groups(classifier, names)):
        return None
    if found.limits.data:
        return top_words(classifier, names, n=WORDS)
    shown = common_words(classifier) | set(names)
    words = without_rare_top_words(top_words(classifier, names, n=TRIED_WORDS), shown, WORDS)
    return words if any(words.favour) else None
