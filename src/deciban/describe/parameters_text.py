"""Parameters and top words as text, Markdown and HTML."""

from __future__ import annotations

from deciban.describe.parameters import ColumnParameters, Parameter, Parameters
from deciban.describe.top_words import TopWord, TopWords
from deciban.markup.html import fragment, printed_table_html
from deciban.markup.markdown import markdown_text
from deciban.terminal.tables import PrintedTable, tables_text
from deciban.terminal.values import short_count

# Classes and columns that are printed.
SHOWN_CLASSES, SHOWN_COLUMNS = 8, 30
# Characters of a heading.
HEADING_WIDTH = 24


def parameter_tables(found: Parameters) -> list[PrintedTable]:
    """Return the printed tables: the parameters, and the top words of texts."""
    small = [column for column in found.columns if not (column.are_terms and column.omitted)]
    lines = [found.prior, *(line for column in small[:SHOWN_COLUMNS] for line in column.lines)]
    classes = range(min(len(found.classes), SHOWN_CLASSES))
    names = ["", *(cut_short(f"{found.target} = {found.classes[c]}") for c in classes)]
    rows = [[_line_text(found, line), *(line.cells[c] for c in classes)] for line in lines]
    tables = [PrintedTable("estimated parameters", names, rows, "\n".join(_remarks(found, small)))]
    return tables if found.top_words is None else [*tables, top_words_table(found.top_words)]


def cut_short(text: str) -> str:
    """Return a heading of at most HEADING_WIDTH characters."""
    return text if len(text) <= HEADING_WIDTH else f"{text[: HEADING_WIDTH - 1]}…"


def _line_text(found: Parameters, line: Parameter) -> str:
    if line is found.prior:
        return f"P({found.target})" if line.notation == "P" else f"no prior of {found.target}"
    return line.text(found.target)


def _remarks(found: Parameters, small: list[ColumnParameters]) -> list[str]:
    remarks = []
    if len(found.classes) > SHOWN_CLASSES:
        remarks.append(f"{len(found.classes) - SHOWN_CLASSES} more classes are not shown.")
    for column in small[:SHOWN_COLUMNS]:
        if column.omitted:
            remarks.append(f"{column.name}: {column.omitted:,} rarer values are not shown.")
        if not column.lines:
            remarks.append(f"{column.name}: {column.event_model} does not list its parameters; define parameters().")
    if len(small) > SHOWN_COLUMNS:
        remarks.append(f"{len(small) - SHOWN_COLUMNS:,} more columns are not shown; name some: parameters(columns=…).")
    large = [column for column in found.columns if column.are_terms and column.omitted]
    remarks += [f"{column.name or 'the text'}: {column.omitted:,} more words are not shown." for column in large]
    return [*remarks, *found.remarks]


def parameters_text(found: Parameters) -> str:
    """Return the tables as text."""
    return tables_text(parameter_tables(found))


def parameters_markdown(found: Parameters) -> str:
    """Return the tables in Markdown; markup in names is escaped."""
    return "\n\n".join(markdown_table(table) for table in parameter_tables(found)) + "\n"


def parameters_html(found: Parameters) -> str:
    """Return the tables as an HTML fragment."""
    return fragment(*map(printed_table_html, parameter_tables(found)))


def markdown_table(table: PrintedTable) -> str:
    """Return a printed table in Markdown."""
    lines = [table.names, ["---"] * len(table.names), *table.rows]
    escaped = [[cell if cell == "---" else markdown_text(cell) for cell in line] for line in lines]
    parts = [f"**{markdown_text(table.title)}**", "\n".join(f"| {' | '.join(line)} |" for line in escaped)]
    return "\n\n".join([*parts, *(markdown_text(line) for line in table.below.splitlines())])


def top_words_table(found: TopWords) -> PrintedTable:
    """Return a line per class with its words, their decibans and counts."""
    rows = [[str(label), ", ".join(map(_word_text, words))] for label, words in zip(found.classes, found.favour)]
    below = (
        f"In brackets: decibans of one occurrence against the other classes, and {found.unit} in the class : in all "
        "other classes."
    )
    below += f" {found.remark}" if found.remark else ""
    return PrintedTable("words with the most evidence for a class", [found.target, "words"], rows, below)


def _word_text(word: TopWord) -> str:
    decibans = f"{word.decibans:+.1f}".replace("+inf", "∞")
    return f"{word.text} ({decibans}, {short_count(word.count)} : {short_count(word.other_count)})"


def top_words_text(found: TopWords) -> str:
    """Return the words of every class as text."""
    return tables_text([top_words_table(found)])


def top_words_html(found: TopWords) -> str:
    """Return the words of every class as an HTML fragment, with bars."""
    from deciban.describe.top_words_html import word_bars_html

    return fragment(word_bars_html(found))
