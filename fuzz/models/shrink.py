"""A smaller case that shows the same finding: fewer operations, rows, probes, parts and weights."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from .cases import Case, Operation
from .checks import Finding
from .columns import Part
from .session import Session


def finding_of(case: Case) -> Finding | None:
    """Return what a case finds, if anything."""
    try:
        Session(case, Counter()).run()
    except Finding as finding:
        return finding
    return None


def shrink(case: Case, kind: str, seconds: float = 30.0) -> Case:
    """Return a smaller case with a finding of the same kind, as far as the time allows."""
    until = time.monotonic() + seconds
    shrunk = True
    while shrunk:
        shrunk = False
        for smaller in smaller_cases(case):
            if time.monotonic() > until:
                return case
            found = finding_of(smaller)
            if found is not None and found.kind == kind:
                case, shrunk = smaller, True
                break
    return case


def smaller_cases(case: Case) -> Iterator[Case]:
    """Yield cases with something left out, the largest pieces first."""
    for i in range(len(case.operations) - 1, 0, -1):
        yield replace(case, operations=case.operations[:i] + case.operations[i + 1 :])
    for i in range(len(case.parts)):
        if len(case.parts) > 1:
            yield without_part(case, i)
    count = len(case.rows)
    for size in (count // 2, count // 4, 1):
        for begin in range(0, count if size else 0, max(size, 1)):
            yield without_rows(case, range(begin, min(begin + size, count)))
    for i in range(len(case.probes)):
        if len(case.probes) > 1:
            yield replace(case, probes=case.probes[:i] + case.probes[i + 1 :])
    for i, operation in enumerate(case.operations):
        for row in operation.rows if len(operation.rows) > 1 else ():
            fewer = replace(operation, rows=tuple(k for k in operation.rows if k != row))
            yield replace(case, operations=(*case.operations[:i], fewer, *case.operations[i + 1 :]))
    if any(weight != 1.0 for _, _, weight in case.rows):
        yield replace(case, rows=tuple((cells, label, 1.0) for cells, label, _ in case.rows))
    for name in ("class_prior", "class_weight"):
        if getattr(case.settings, name) is not None:
            yield replace(case, settings=replace(case.settings, **{name: None}))


def without_rows(case: Case, gone: range) -> Case:
    """Return a case without some rows; operations that had no others are left out, the first one keeps a row."""
    kept = [i for i in range(len(case.rows)) if i not in gone]
    place = {old: new for new, old in enumerate(kept)}
    operations: list[Operation] = []
    for operation in case.operations:
        rows = tuple(place[i] for i in operation.rows if i in place)
        if rows or not operations:
            operations.append(replace(operation, rows=rows or tuple(range(len(kept)))))
    return replace(case, rows=tuple(case.rows[i] for i in kept), operations=tuple(operations))


def without_part(case: Case, gone: int) -> Case:
    """Return a case without the columns of a part."""
    kept = [j for i, part in enumerate(case.parts) if i != gone for j in part.columns]
    place = {old: new for new, old in enumerate(kept)}
    parts = [Part(tuple(place[j] for j in part.columns), part.model) for i, part in enumerate(case.parts) if i != gone]
    rows = tuple((tuple(cells[j] for j in kept), label, weight) for cells, label, weight in case.rows)
    probes = tuple(tuple(cells[j] for j in kept) for cells in case.probes)
    return replace(case, parts=tuple(parts), rows=rows, probes=probes)
