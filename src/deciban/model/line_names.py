"""Names of the lines of evidence: columns, then columns that are read together."""

from __future__ import annotations

from collections.abc import Sequence


def line_names(columns: Sequence[str], together: Sequence[Sequence[int]]) -> tuple[str, ...]:
    """Return the names of the columns, then a name that no other line has for columns that are read together.

    >>> line_names(["age", "hours", "age × hours"], [(0, 1)])
    ('age', 'hours', 'age × hours', 'age × hours (together)')
    """
    names = list(columns)
    for line in together:
        name = joint_name([columns[j] for j in line])
        while name in names:
            name += " (together)"
        names.append(name)
    return tuple(names)


def joint_name(names: Sequence[str]) -> str:
    """Return a name for columns that are read together: "age × hours", or how many there are if they are many.

    A joint normal distribution of one number is named after that.
    """
    if len(names) == 1:
        return f"{names[0]} (normal)"
    return " × ".join(names) if len(names) <= 2 else f"{names[0]} × {names[1]} × {len(names) - 2} more"
