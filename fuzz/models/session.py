"""A case carried out: every step is done with deciban and with the rows of the reference, and both are compared."""

from __future__ import annotations

import tempfile
import warnings
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import deciban as db

from . import checks
from .cases import Case, Operation
from .checks import Finding, require
from .columns import as_prior
from .forms import columns, rows_as
from .reference.arithmetic import Row
from .reference.classifier import Reference
from .reference.priors import Prior

# A row of the case by its number, the class that it was counted in, and its weight.
Held = list[tuple[int, Any, Fraction]]
# Forgetting must leave this share of the deviation of a Gaussian column; less is lost in rounding.
LEAST_LEFT = Fraction(1, 1000)


class Session:
    """A model, and the rows that it should have counted. Methods without arguments of their own are the operations."""

    def __init__(self, case: Case, counts: Counter[tuple[str, str]]) -> None:
        self.case = case
        self.counts = counts
        self.settings = case.settings
        self.held: Held = []
        self.nb: db.NaiveBayes = self.new()

    def new(self) -> db.NaiveBayes:
        return db.NaiveBayes(columns(self.case), **self.given(self.settings.__dict__))

    @staticmethod
    def given(settings: dict[str, Any]) -> dict[str, Any]:
        """Return settings with deciban's priors."""
        return {name: as_prior(v) if isinstance(v, Prior) else v for name, v in settings.items()}

    def reference(self, held: Held | None = None) -> Reference:
        """Return the reference of the rows that are held, or of others."""
        rows = [Row(self.case.rows[i][0], label, weight) for i, label, weight in (self.held if held is None else held)]
        return Reference([(part.columns, part.model) for part in self.case.parts], self.settings, rows)

    def run(self) -> None:
        """Do every operation; raise ``Finding`` at the first difference."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)
            for operation in self.case.operations:
                if operation.name == "fit" or self.held:
                    self.do(operation)

    def do(self, operation: Operation) -> None:
        """Do one operation and compare predictions; a method that returns False found nothing to do."""
        try:
            done = getattr(self, operation.name)(operation)
            if done is not False:
                self.predict(operation)
                self.counts.update((part.name, operation.name) for part in self.case.parts)
        except Finding as finding:
            raise Finding(f"{operation.name} {finding.kind}", str(finding)) from None
        except Exception as error:
            if not self.is_refusal(error):
                raise Finding(f"{operation.name} {type(error).__name__}", str(error)) from error

    def is_refusal(self, error: Exception) -> bool:
        """Return whether an error is that of class weights for a class that is not there, which deciban refuses."""
        return isinstance(error, ValueError) and str(error).startswith("class_weight names")

    def rows(self, operation: Operation) -> Held:
        """Return the rows of an operation with their own labels and weights."""
        return [(i, self.case.rows[i][1], Fraction(self.case.rows[i][2])) for i in operation.rows]

    def batch(self, held: Held, form: str) -> dict[str, Any]:
        """Return rows, labels and weights as fit takes them."""
        weights = [float(weight) for _, _, weight in held]
        return {
            "X": rows_as(self.case, [self.case.rows[i][0] for i, _, _ in held], form),
            "y": [label for _, label, _ in held],
            "sample_weight": None if all(w == 1.0 for w in weights) else weights,
        }

    def fit(self, operation: Operation) -> None:
        self.nb = self.new().fit(**self.batch(self.rows(operation), operation.form))
        self.held = self.rows(operation)

    def partial_fit(self, operation: Operation) -> None:
        self.nb.partial_fit(**self.batch(self.rows(operation), operation.form))
        self.held = self.held + self.rows(operation)

    def soft_labels(self, operation: Operation) -> bool | None:
        """Count three quarters of every row for its own class, and the rest for the next one."""
        batch, labels = self.batch(self.rows(operation), operation.form), self.case.labels
        if len(labels) < 2:
            return False  # a matrix of one column is read as labels
        shares = np.zeros((len(operation.rows), len(labels)))
        for k, (i, label, weight) in enumerate(self.rows(operation)):
            following = labels[(labels.index(label) + 1) % len(labels)]
            for name, share in ((label, Fraction(3, 4)), (following, Fraction(1, 4))):
                shares[k, labels.index(name)] += float(share)
                self.held = [*self.held, (i, name, weight * share)]
        self.nb.partial_fit(batch["X"], shares, classes=labels, sample_weight=batch["sample_weight"])
        return None

    def merge(self, operation: Operation) -> None:
        self.nb.merge(self.new().fit(**self.batch(self.rows(operation), operation.form)))
        self.held = self.held + self.rows(operation)

    def add(self, operation: Operation) -> None:
        self.nb = self.nb + self.new().fit(**self.batch(self.rows(operation), operation.form))
        self.held = self.held + self.rows(operation)

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

    def cancels(self, rest: Held) -> bool:
        """Return whether forgetting leaves so little of a column's deviation that it would be lost in rounding."""
        before, after = self.reference().deviations(), self.reference(rest).deviations()
        return any(after[key] < before[key] * LEAST_LEFT for key in after)

    def save(self, operation: Operation) -> None:
        X = rows_as(self.case, list(self.case.probes), operation.form)
        before = self.nb.predict_joint_log_proba(X)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.deciban")
            self.nb.save(path)
            self.nb = db.load(path)
        after = self.nb.predict_joint_log_proba(X)
        require(np.array_equal(before, after), "bits", f"loaded {after.tolist()}, saved {before.tolist()}")

    def reestimate(self, operation: Operation) -> None:
        self.nb.reestimate(**self.given(operation.more))
        self.settings = replace(self.settings, **operation.more)

    def class_prior(self, operation: Operation) -> None:
        self.nb = self.nb.with_class_prior(self.given({"prior": operation.more})["prior"])
        self.settings = replace(self.settings, class_prior=operation.more)

    def tune(self, operation: Operation) -> None:
        self.nb.tune()

    def scale(self, operation: Operation) -> None:
        self.nb = self.nb * operation.more
        self.held = [(i, label, weight * Fraction(operation.more)) for i, label, weight in self.held]

    def predict(self, operation: Operation) -> None:
        checks.check_probabilities(self.nb, self.reference(), self.case, operation.form)

    def leave_one_out(self, operation: Operation) -> bool | None:
        return checks.check_left_out(self.nb, self.reference(), self.batch(self.held, operation.form))

    def evidence(self, operation: Operation) -> None:
        checks.check_evidence(self.nb, self.reference(), self.case, operation.form)

    def explain(self, operation: Operation) -> bool | None:
        return checks.check_explanations(self.nb, self.reference(), self.case, operation.form)

    def derive(self, operation: Operation) -> None:
        checks.check_derivation(self.nb, self.reference(), self.case, operation.form)

    def log_likelihood(self, operation: Operation) -> bool | None:
        return checks.check_likelihood(self.nb, self.reference(), self.batch(self.held, operation.form))

    def refuse(self, operation: Operation) -> None:
        checks.check_refusal(self.nb, self.case, operation, self.batch(self.held, operation.form))
