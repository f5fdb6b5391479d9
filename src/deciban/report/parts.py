"""Parts of a report: sections of sentences, tables, lists and pictures; data only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from deciban.plots.display import Display
from deciban.terminal.tables import PrintedTable, tables_text

# Rows of a table, and characters of the text below a picture, at most.
MOST_TABLE_ROWS, MOST_TEXT = 80, 12_000


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture with its numbers as text. If a page is too large, pictures of the highest rank are left out first."""

    kind: ClassVar = "picture"
    display: Display = field(repr=False)
    text: str = field(repr=False)
    rank: float
    title: str = ""  # the display's own, unless it is given
    captioned: bool = True  # False: another picture has the same caption already

    @property
    def heading(self) -> str:
        """The title of the picture."""
        return self.title or self.display.title

    @property
    def caption(self) -> str:
        """The display's caption, unless another picture has it already."""
        return self.display.caption if self.captioned else ""


@dataclass(frozen=True)
class ReportTable:
    """A table, cut after MOST_TABLE_ROWS rows."""

    kind: ClassVar = "table"
    table: PrintedTable

    @property
    def text(self) -> str:
        """The table as plain text."""
        return tables_text([self.table])


@dataclass(frozen=True)
class Points:
    """A list of sentences, each with the kind of problem that it is about."""

    kind: ClassVar = "points"
    points: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The list as lines."""
        return "\n".join(f"{name}: {sentence}" for name, sentence in self.points)


@dataclass(frozen=True)
class Markup:
    """Escaped HTML, and its content as text."""

    kind: ClassVar = "markup"
    html: str = field(repr=False)
    text: str
    rank: float = 0  # above 0, it is left out like a picture of this rank
    heading: str = ""


SectionPart: TypeAlias = Picture | ReportTable | Points | Markup


@dataclass(frozen=True)
class Section:
    """A section: its anchor, title, sentences and parts."""

    name: str
    title: str
    sentences: tuple[str, ...] = ()
    parts: tuple[SectionPart, ...] = ()

    def __str__(self) -> str:
        return "\n\n".join([f"{self.title}\n{'=' * len(self.title)}", *self.sentences, *(p.text for p in self.parts)])


def short_table(table: PrintedTable, most: int = MOST_TABLE_ROWS) -> ReportTable:
    """Return a table of at most ``most`` rows, and a line below it that counts the rows left out."""
    rest = len(table.rows) - most
    if rest <= 0:
        return ReportTable(table)
    below = "\n".join(filter(None, [f"… and {rest:,} more rows", table.below]))
    return ReportTable(PrintedTable(table.title, table.names, table.rows[:most], below))


def short_text(text: str) -> str:
    """Return a text with at most MOST_TEXT characters."""
    return text if len(text) <= MOST_TEXT else text[: MOST_TEXT - 1] + "…"
