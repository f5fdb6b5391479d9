"""Lenient parsing of JSON Lines: values that do not fit their column become missing, or their lines are left out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

import pyarrow as pa

from deciban.readers.faults import Faults, Parsed

# Parses objects, one per line, by a schema, or raises ArrowInvalid if one does not fit.
ParseObjects = Callable[[pa.Buffer], pa.Table]


@dataclass
class LenientLines:
    """Parser that halves a block until each part fits; ``skip`` leaves out a line with a value that does not fit."""

    parse: ParseObjects
    skip: bool
    tables: list[pa.Table] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)

    def parsed(self, text: bytes) -> Parsed:
        """Parse a block, and return the objects that fit and the faults."""
        self._read([line for line in text.splitlines() if line.strip()], 0)
        return Parsed([batch for table in self.tables for batch in table.to_batches()], self.faults)

    def _read(self, lines: list[bytes], row: int) -> None:
        """Parse lines, of which the first is row ``row``, in halves if they do not fit as a whole."""
        if not lines:
            return
        try:
            self.tables.append(self.parse(pa.py_buffer(b"\n".join(lines))))
        except pa.ArrowInvalid:
            if len(lines) == 1:
                self._repair(lines[0], row)
                return
            half = len(lines) // 2
            self._read(lines[:half], row)
            self._read(lines[half:], row + half)

    def _repair(self, line: bytes, row: int) -> None:
        """Parse a line without the values that do not fit, or leave it out."""
        try:
            members = json.loads(line)
        except (ValueError, RecursionError):
            members = None
        if not isinstance(members, dict):
            self.faults += Faults(0, 1, row, f"{line[:80].decode('utf-8', 'replace')!r}, which is not an object,")
            return
        misfits = [name for name, value in members.items() if not self._fits({name: value})]
        first = (
            f"{json.dumps(members[misfits[0]], ensure_ascii=False)[:80]} in {misfits[0]!r}" if misfits else repr(line)
        )
        rest = {name: value for name, value in members.items() if name not in misfits}
        if self.skip or not misfits or not self._fits(rest):
            self.faults += Faults(0, 1, row, first)
            return
        self.faults += Faults(len(misfits), 0, row, first)
        self.tables.append(self.parse(pa.py_buffer(json.dumps(rest).encode())))

    def _fits(self, members: dict[str, object]) -> bool:
        try:
            self.parse(pa.py_buffer(json.dumps(members).encode()))
        except pa.ArrowInvalid:
            return False
        return True


def columns_of_fitting(text: bytes, parse: ParseObjects) -> dict[str, pa.ChunkedArray]:
    """Return a part of every column in the lines that parse, in the type that holds the most values.

    Lines that do not parse are found by halving. Raise ArrowInvalid if no line parses.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    columns: dict[str, pa.ChunkedArray] = {}
    failure: pa.ArrowInvalid | None = None
    waiting = [lines]
    while waiting:
        part = waiting.pop()
        try:
            table = parse(pa.py_buffer(b"\n".join(part)))
        except pa.ArrowInvalid as error:
            failure = failure or error
            half = len(part) // 2
            waiting += [part[half:], part[:half]] if half else []
            continue
        for name in table.schema.names:
            columns[name] = _joined(columns.get(name), table[name])
    if failure and not columns:
        raise failure
    return columns


def _joined(known: pa.ChunkedArray | None, found: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the known part of a column in a type for the values found too, or as it is if no type holds both."""
    if known is None or pa.types.is_null(known.type):
        return found
    if pa.types.is_timestamp(known.type) and pa.types.is_string(found.type):
        return found  # some texts look like dates, others do not
    try:
        both = pa.unify_schemas([pa.schema([("", c.type)]) for c in (known, found)], promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return known
    return known.cast(both.types[0])
