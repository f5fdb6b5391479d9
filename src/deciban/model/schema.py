"""Schema: the columns a model reads from tables, by name, and why each has its event model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from deciban.arrays.kept_table import Reading
from deciban.likelihoods.base import Likelihood

# The names of the column of texts and of the column of labels, where they have none.
TEXT, LABEL = "text", "label"
# The kind of labels, by the kind of their NumPy type.
LABEL_KINDS = {"b": "boolean", "i": "integer", "u": "integer", "f": "number", "U": "text"}

# The kind of labels of which some are numbers and some texts.
MIXED = "mixed"

# The kinds of values that event models are chosen for.
KINDS = ("boolean", "integer", "number", "text")
# The kind of dates and times, which no event model is chosen for.
DATE = "date"
# The reason of a column whose event model the user gave.
DECLARED = "declared"


@dataclass(frozen=True)
class Column:
    """A column of a table: the kind of its values, the event model that reads them (None: left out), and why."""

    name: str
    kind: str  # boolean, integer, number, text or date: enough to read another file's column the same way
    likelihood: Likelihood | None
    why: str

    def __post_init__(self) -> None:
        texts = isinstance(self.name, str) and isinstance(self.kind, str) and isinstance(self.why, str)
        if not texts or (self.likelihood is not None and self.kind not in (*KINDS, DATE)):
            raise ValueError(
                f"column {self.name!r} has the kind {self.kind!r}; it can be {', '.join(KINDS)} or {DATE}."
            )
        self.name.encode()  # raises for a name that no table can have

    @property
    def is_declared(self) -> bool:
        """Whether the user gave the event model, or left the column out."""
        return self.why == DECLARED

    @property
    def date_part(self) -> str | None:
        """The part of its dates or times that the event model reads, None if it reads values as they are."""
        return None if self.likelihood is None else self.likelihood.date_part

    @property
    def reading(self) -> Reading:
        """The column with its kind, read as names or as numbers."""
        return Reading(self.name, self.kind, self.likelihood is not None and self.likelihood.reads_names)


@dataclass(frozen=True)
class Schema:
    """The columns of a table in its own order, and the column with the labels, if it is one of them."""

    columns: tuple[Column, ...]
    target: str | None = None
    target_kind: str = "text"
    weight: str | None = None  # the column with the weights of the rows, if they had any

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        given = [name for name in (self.target, self.weight) if name is not None]
        if len(set(names)) != len(names) or not all(isinstance(name, str) for name in given):
            raise ValueError("the columns of a table do not have names of their own.")
        if self.target_kind not in (*KINDS, DATE, MIXED):
            raise ValueError(f"labels are of the kind {self.target_kind!r}; it can be {', '.join(KINDS)} or {DATE}.")

    @cached_property
    def used(self) -> tuple[Column, ...]:
        """The columns with an event model: the features, in this order."""
        return tuple(c for c in self.columns if c.likelihood is not None)

    @property
    def names(self) -> list[str]:
        """The names of the features."""
        return [c.name for c in self.used]

    @cached_property
    def remembered(self) -> tuple[Column, ...]:
        """The columns of a row sample: the features, and columns that may become features when more rows are seen."""
        return tuple(c for c in self.columns if c.likelihood is not None or (not c.is_declared and c.kind in KINDS))

    @cached_property
    def date_parts(self) -> dict[str, str]:
        """{feature: part} of the features from which a part of a date or time is read."""
        return {c.name: c.date_part for c in self.used if c.date_part is not None}

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """The features, and whether each is read as names or as numbers."""
        return tuple(c.reading for c in self.used)

    @property
    def identity(self) -> list[tuple[str, str, bool]]:
        """Name, kind and reading of every feature; columns that are read as numbers are of one kind."""
        return [(r.name, r.kind if r.as_names else "number", r.as_names) for r in self.readings]

    def under(self, event_models: Mapping[int, Likelihood]) -> Schema:
        """Return the schema with other event models of some features, by position."""
        found = dict(zip(self.names, (event_models.get(j) for j in range(len(self.used)))))
        columns = tuple(replace(c, likelihood=found.get(c.name) or c.likelihood) for c in self.columns)
        return replace(self, columns=columns)


def schema_identity(schema: Schema | None) -> list[tuple[str, str, bool]]:
    """Return the identity of a schema; it is empty for the columns of an array, which have no schema."""
    return [] if schema is None else schema.identity


def difference_in_words(a: Schema | None, b: Schema | None) -> str:
    """Return a clause on the first column that two schemas read differently; it is empty if they agree."""
    if a is None or b is None:
        return ""
    theirs = {column.name: column for column in b.used}
    for column in a.used:
        other = theirs.get(column.name)
        if other is not None and (other.kind, str(other.likelihood)) != (column.kind, str(column.likelihood)):
            mine = f"{column.likelihood} of {column.kind}"
            return f" ({column.name!r} is {mine} in one and {other.likelihood} of {other.kind} in the other)"
    return ""
