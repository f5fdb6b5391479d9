"""Schema: the columns a model reads from tables, by name, and why each has its event model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from deciban.likelihoods.base import Likelihood

# What the column of texts, and that of labels, are called where they have no name.
TEXT, LABEL = "text", "label"
LABEL_KINDS = {"b": "boolean", "i": "integer", "u": "integer", "f": "number", "U": "text"}  # by the kind of their type


@dataclass(frozen=True)
class Column:
    """A column of a table: what its values are, which event model reads them (None: left out), and why."""

    name: str
    kind: str  # boolean, integer, number, text or date: enough to read another file's column the same way
    likelihood: Likelihood | None
    why: str


@dataclass(frozen=True)
class Schema:
    """The columns of a table in its own order, and the column with the labels, if it is one of them."""

    columns: tuple[Column, ...]
    target: str | None = None
    target_kind: str = "text"
    weight: str | None = None  # the column with the weights of the rows, if they had any

    @cached_property
    def used(self) -> tuple[Column, ...]:
        """The columns with an event model: the features, in this order."""
        return tuple(c for c in self.columns if c.likelihood is not None)

    @property
    def names(self) -> list[str]:
        return [c.name for c in self.used]
