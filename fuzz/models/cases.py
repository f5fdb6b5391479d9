"""Random cases: event models with settings, rows, and what is done with them. A case follows from its seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from .columns import Cells, Part, make_parts
from .reference.classifier import Settings
from .reference.priors import Prior

ALPHAS = (0.1, 0.5, 1.0, 2.0, 3.7)


@dataclass(frozen=True)
class Operation:
    """A step, the numbers of the rows that it is done with, and what else it needs."""

    name: str
    rows: tuple[int, ...] = ()
    form: str = ""
    more: Any = None


@dataclass(frozen=True)
class Case:
    """Everything that is done in one try."""

    seed: int
    family: str
    parts: tuple[Part, ...]
    settings: Settings
    rows: tuple[tuple[Cells, Any, float], ...]
    probes: tuple[Cells, ...]
    operations: tuple[Operation, ...]

    @property
    def labels(self) -> list[Any]:
        """The labels of all rows, sorted."""
        return sorted({label for _, label, _ in self.rows})

    def __str__(self) -> str:
        lines = [f"seed {self.seed}, {self.family}", f"{self.settings}"]
        lines += [f"columns {part.columns}: {part.event_model()!r}" for part in self.parts]
        lines += [f"row {i}: {cells} {label!r} weight {w:g}" for i, (cells, label, w) in enumerate(self.rows)]
        lines += [f"probe: {cells}" for cells in self.probes]
        lines += [f"{op.name} {list(op.rows)} {op.form} {op.more or ''}".rstrip() for op in self.operations]
        return "\n".join(lines)


# Forms in which the rows of a family can be given.
FORMS = {
    "numbers": ("C", "F", "float32", "strided", "csr", "csc", "list"),
    "objects": ("objects", "list"),
    "table": ("arrow", "pandas", "polars", "mappings", "chunked"),
    "texts": ("list", "objects", "arrow"),
}
STEPS = (
    *("fit", "partial_fit", "soft_labels", "merge", "add", "forget", "save"),
    *("reestimate", "tune", "scale", "class_prior"),
)
CHECKS = ("predict", "leave_one_out", "explain", "evidence", "derive", "log_likelihood", "refuse")


def make_case(seed: int) -> Case:
    """Return the case of a seed."""
    rng = Random(seed)
    estimate = rng.choice(["map", "map", "predictive", "mle"])
    labels = rng.choice([(0, 1), (3, 1, 2), ("ham", "spam"), ("a", "b", "c", "d"), (7,)])
    family, parts, makers = make_parts(rng, estimate)
    weigh = rng.choice([lambda: 1.0, lambda: 1.0, lambda: rng.choice([0.25, 0.5, 1.0, 2.0, 3.0])])
    hidden = rng.choice([0.0, 0.0, 0.15])
    rows = []
    for _ in range(rng.randint(2, 24)):
        label = rng.choice(labels)
        rows.append((tuple(hide(rng, m(labels.index(label)), hidden) for m in makers), label, weigh()))
    probes = [tuple(hide(rng, m(rng.randrange(3)), 0.1 if hidden else 0.0) for m in makers) for _ in range(4)]
    case = Case(seed, family, parts, make_settings(rng, estimate, labels), tuple(rows), tuple(probes), ())
    return replace(case, operations=tuple(make_operations(rng, case)))


def hide(rng: Random, cell: Any, share: float) -> Any:
    """Return a cell, or None with a probability."""
    return None if rng.random() < share else cell


def make_operations(rng: Random, case: Case) -> list[Operation]:
    """Return a fit, some steps with random rows, and checks in between."""
    ids = range(len(case.rows))

    def form() -> str:
        return rng.choice(FORMS[case.family])

    def some(most: float = 1.0) -> tuple[int, ...]:
        return tuple(sorted(rng.sample(ids, rng.randint(1, max(1, int(len(ids) * most))))))

    found = [Operation("fit", some(), form())]
    for _ in range(rng.randint(1, 7)):
        name = rng.choice(STEPS if rng.random() < 0.5 else CHECKS)
        found.append(Operation(name, some(0.6), form(), make_details(rng, name, case)))
    return found


def make_details(rng: Random, name: str, case: Case) -> Any:
    """Return what an operation needs besides rows."""
    labels = tuple(case.labels)
    if name == "scale":
        return rng.choice([0.5, 2.0, 3.0])
    if name == "refuse":
        return rng.randrange(100)
    if name == "class_prior":
        return make_class_prior(rng, labels)
    if name != "reestimate":
        return None
    changes = {
        "alpha": rng.choice(ALPHAS),
        "class_prior": make_class_prior(rng, labels),
        "class_weight": make_class_weight(rng, labels),
        "estimate": rng.choice(["map", "predictive", "mle"]),
    }
    changed = rng.choice(sorted(changes))
    return {changed: changes[changed]}


def make_settings(rng: Random, estimate: str, labels: tuple[Any, ...]) -> Settings:
    return Settings(estimate, rng.choice(ALPHAS), make_class_prior(rng, labels), make_class_weight(rng, labels))


def make_class_prior(rng: Random, labels: tuple[Any, ...]) -> Any:
    given = {label: float(rng.randint(1, 5)) for label in labels}
    whole = sum(given.values())
    shares = {label: p / whole for label, p in given.items()}
    return rng.choice([None, None, "uniform", shares, Prior("count", {None: 1.5}), Prior("dirichlet", {None: 2.5})])


def make_class_weight(rng: Random, labels: tuple[Any, ...]) -> Any:
    return rng.choice([None, None, None, "balanced", {label: rng.choice([0.5, 1.0, 4.0]) for label in labels}])
