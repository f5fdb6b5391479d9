"""Items of an explanation: columns with their values, and words of texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from deciban.arrays.names import is_missing
from deciban.arrays.types import Floats
from deciban.terminal.values import short_value


@dataclass(frozen=True)
class Item:
    """A column and its value, or a word of a text: log P(value | class) of every class."""

    name: str
    value: Any
    scores: Floats = field(repr=False)  # per class, natural logarithms
    silent: str = ""  # why it is not evidence, empty if it is
    column: int = -1  # position among the lines of evidence
    word: str | None = None
    presence: bool = False  # the item says whether there is a value, not which
    is_joint: bool = False  # of columns that are read together; ``value`` holds the values of a pair
    learned: Floats | None = field(default=None, repr=False)  # the part of the scores that a correction has learned

    @property
    def text(self) -> str:
        """The item in words."""
        if self.word is not None:
            word = self.word if self.word.startswith("(") else f"“{self.word}”"
            return (f"{self.name}: " if self.name else "") + word + (f" ×{self.value:g}" if self.value != 1 else "")
        if self.is_joint:
            return f"{self.name} = {', '.join(map(short_value, self.value))}" if self.value else self.name
        if self.presence:
            return f"{self.name} is {'there' if self.value else 'missing'}"
        return f"{self.name} = {short_value(self.value)}"


def value_text(value: Any) -> str | None:
    """Return a value as text, None if it is missing."""
    return None if is_missing(value) else str(value)
