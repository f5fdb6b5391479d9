"""A case carried out: every step is done with deciban and with the rows of the reference, and both are compared."""

from __future__ import annotations

import math
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import deciban as db

from .cases import Case, Operation, as_prior
from .forms import columns, rows_as
from .reference.arithmetic import NEVER, Row
from .reference.classifier import Reference
from .reference.priors import Prior

TOLERANCE = 1e-9


class Finding(AssertionError):
    """A difference between deciban and the reference; ``kind`` says where, so that a smaller case shows the same."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


def require(true: bool, kind: str, message: str) -> None:
    if not true:
        raise Finding(kind, message)


def same_logs(found: Any, expected: Any, kind: str) -> None:
    """Require logarithms to be equal to 1e-9 of their size, and infinite in the same places."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    require(found.shape == expected.shape, kind, f"shape {found.shape}, not {expected.shape}")
    finite = np.isfinite(expected)
    same = np.array_equal(finite, np.isfinite(found)) and not np.isnan(found).any()
    same = same and np.array_equal(found[~finite], expected[~finite])
    size = np.maximum(1.0, np.abs(expected[finite]))
    same = same and bool((np.abs(found[finite] - expected[finite]) <= TOLERANCE * size).all())
    require(same, kind, f"found {found.tolist()}, expected {expected.tolist()}")


class Session:
    """The model and the rows that it should have counted, each with the factor by which it was scaled."""

    def __init__(self, case: Case, counts: Counter[tuple[str, str]]) -> None:
        self.case = case
        self.counts = counts
        self.settings = case.settings
        self.held: list[tuple[int, Fraction]] = []
        self.nb: db.NaiveBayes = self.new()

    def new(self) -> db.NaiveBayes:
        return db.NaiveBayes(columns(self.case), **self.given(self.settings.__dict__))

    @staticmethod
    def given(settings: dict[str, Any]) -> dict[str, Any]:
        """Return settings with deciban's priors."""
        return {name: as_prior(v) if isinstance(v, Prior) else v for name, v in settings.items()}

    def reference(self) -> Reference:
        return self.reference_of(self.held)

    def reference_of(self, held: list[tuple[int, Fraction]]) -> Reference:
        rows = [
            Row(self.case.rows[i][0], self.case.rows[i][1], Fraction(self.case.rows[i][2]) * factor)
            for i, factor in held
        ]
        return Reference([(part.columns, part.model) for part in self.case.parts], self.settings, rows)

    def run(self) -> None:
        """Do every operation; raise ``Finding`` at the first difference."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)
            for operation in self.case.operations:
                if operation.name != "fit" and not self.held:
                    continue
                self.do(operation)

    def do(self, operation: Operation) -> None:
        try:
            done = getattr(self, operation.name)(operation)
            if done is not False and self.held:
                self.predict(operation)
        except Finding as finding:
            raise Finding(f"{operation.name} {finding.kind}", str(finding)) from None
        except ValueError as error:
            if not str(error).startswith("class_weight names"):
                raise Finding(f"{operation.name} ValueError", str(error)) from error
            return
        except Exception as error:
            raise Finding(f"{operation.name} {type(error).__name__}", str(error)) from error
        if done is not False:
            self.counts.update((part.name, operation.name) for part in self.case.parts)

    # Steps.
    def batch(self, ids: list[tuple[int, Fraction]], form: str) -> dict[str, Any]:
        rows = self.case.rows
        weights = [rows[i][2] * float(factor) for i, factor in ids]
        plain = all(w == 1.0 for w in weights)
        return {
            "X": rows_as(self.case, [rows[i][0] for i, _ in ids], form),
            "y": [rows[i][1] for i, _ in ids],
            "sample_weight": None if plain else weights,
        }

    def fit(self, operation: Operation) -> None:
        ids = [(i, Fraction(1)) for i in operation.rows]
        self.nb = self.new().fit(**self.batch(ids, operation.form))
        self.held = ids

    def partial_fit(self, operation: Operation) -> None:
        ids = [(i, Fraction(1)) for i in operation.rows]
        self.nb.partial_fit(**self.batch(ids, operation.form))
        self.held = self.held + ids

    def other(self, operation: Operation) -> tuple[db.NaiveBayes, list[tuple[int, Fraction]]]:
        ids = [(i, Fraction(1)) for i in operation.rows]
        return self.new().fit(**self.batch(ids, operation.form)), ids

    def merge(self, operation: Operation) -> None:
        model, ids = self.other(operation)
        self.nb.merge(model)
        self.held = self.held + ids

    def add(self, operation: Operation) -> None:
        model, ids = self.other(operation)
        self.nb = self.nb + model
        self.held = self.held + ids

    def forget(self, operation: Operation) -> bool | None:
        gone = [entry for entry in dict.fromkeys(self.held) if entry[0] in operation.rows]
        rest = list(self.held)
        for entry in gone:
            rest.remove(entry)
        if not gone or not rest or self.cancels(rest):
            return False
        self.nb.forget(**self.batch(gone, operation.form))
        self.held = rest
        return None

    def cancels(self, rest: list[tuple[int, Fraction]]) -> bool:
        """Return whether forgetting leaves so little of a column's deviation that it would be lost in rounding."""
        before, after = (self.reference_of(held).deviations() for held in (self.held, rest))
        return any(after[key] < before[key] / 1000 for key in after)

    def save(self, operation: Operation) -> None:
        before = self.nb.predict_joint_log_proba(self.probes(operation.form))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.deciban")
            self.nb.save(path)
            self.nb = db.load(path)
        after = self.nb.predict_joint_log_proba(self.probes(operation.form))
        require(np.array_equal(before, after), "bits", f"loaded {after.tolist()}, saved {before.tolist()}")

    def reestimate(self, operation: Operation) -> bool | None:
        settings = replace(self.settings, **(operation.more or {}))
        self.nb.reestimate(**self.given(operation.more or {}))
        self.settings = settings
        return None

    def class_prior(self, operation: Operation) -> None:
        self.settings = replace(self.settings, class_prior=operation.more)
        self.nb = self.nb.with_class_prior(self.given({"p": operation.more})["p"])

    def tune(self, operation: Operation) -> None:
        self.nb.tune()

    def scale(self, operation: Operation) -> None:
        self.nb = self.nb * (operation.more or 2.0)
        self.held = [(i, factor * Fraction(operation.more or 2.0)) for i, factor in self.held]

    # Checks.
    def probes(self, form: str) -> Any:
        return rows_as(self.case, list(self.case.probes), form)

    def predict(self, operation: Operation) -> None:
        reference = self.reference()
        X = self.probes(operation.form)
        require(self.nb.classes_.tolist() == reference.classes, "classes", f"{self.nb.classes_} {reference.classes}")
        same_logs(
            self.nb.predict_joint_log_proba(X), [reference.joint(cells) for cells in self.case.probes], "joint"
        )
        expected = np.array([reference.posterior(cells) for cells in self.case.probes])
        found = self.nb.predict_proba(X)
        require(np.allclose(found, expected, rtol=1e-7, atol=1e-9), "posterior", f"{found} expected {expected}")
        require(np.allclose(found.sum(axis=1), 1.0, rtol=0, atol=1e-12), "distribution", f"{found}")
        require(np.allclose(np.exp(self.nb.predict_log_proba(X)), found, atol=1e-12), "log posterior", f"{found}")
        ordered = np.sort(expected, axis=1)
        clear = np.ones(len(found), bool) if expected.shape[1] == 1 else ordered[:, -1] - ordered[:, -2] > 1e-7
        decided = np.array(reference.classes, dtype=object)[expected.argmax(axis=1)]
        require(list(self.nb.predict(X)[clear]) == list(decided[clear]), "decision", f"{self.nb.predict(X)} {expected}")

    def leave_one_out(self, operation: Operation) -> None:
        reference = self.reference()
        found = np.exp(self.nb.leave_one_out(**self.batch(self.held, operation.form)))
        expected = np.array([reference.left_out(i) for i in range(len(self.held))])
        require(np.allclose(found, expected, rtol=1e-7, atol=1e-9), "left out", f"{found.tolist()} expected {expected.tolist()}")

    def evidence(self, operation: Operation) -> None:
        reference = self.reference()
        X = self.probes(operation.form)
        found = self.nb.evidence(X)
        for part_number, part in enumerate(self.case.parts):
            expected = [[e[part_number] for e in reference.evidence(c).values()] for c in self.case.probes]
            same_logs(found[:, :, list(part.columns)].sum(axis=2), expected, f"evidence of {part.name}")

    def explain(self, operation: Operation) -> bool | None:
        if len(self.nb.classes_) < 2:
            return False
        reference = self.reference()
        explained = self.nb.explain(self.probes(operation.form))
        posterior = self.nb.predict_proba(self.probes(operation.form))
        require(np.allclose(explained.posterior, posterior, rtol=0, atol=1e-12), "posterior", f"{explained.posterior} {posterior}")
        for i in range(len(self.case.probes)):
            row = explained[i]
            if max(reference.joint(self.case.probes[i])) == NEVER:
                continue
            lines = row.prior + math.fsum(row.evidence) + row.adjustment
            two = sorted(posterior[i])[-2:]
            odds = 10 * math.log10(two[1] / two[0]) if two[0] > 0 else math.inf
            close = lines == odds or abs(lines - odds) <= 1e-7 * max(1.0, abs(odds)) or not np.isfinite(odds)
            require(close, "lines", f"{row.prior} + {row.evidence} + {row.adjustment} is not {odds}")
            require(row.odds == lines or math.isclose(row.odds, lines, abs_tol=1e-9), "odds", f"{row.odds} {lines}")
        return None

    def derive(self, operation: Operation) -> None:
        self.nb.derive(rows_as(self.case, [self.case.probes[0]], operation.form))

    def log_likelihood(self, operation: Operation) -> bool | None:
        return False

    def refuse(self, operation: Operation) -> None:
        pass


CheckFunction = Callable[[Session, Operation], Any]
IMPOSSIBLE = NEVER
