"""What must hold of a model and the reference of its rows. Every check raises ``Finding`` at the first difference."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import deciban as db

from .cases import Case, Operation
from .forms import rows_as
from .reference.arithmetic import NEVER, Row, missing
from .reference.classifier import Reference, picked
from .reference.counts import Multinomial

TOLERANCE = 1e-9


class Finding(AssertionError):
    """A difference between deciban and the reference; ``kind`` says where, so that a smaller case shows the same."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


def require(true: bool, kind: str, message: str) -> None:
    """Raise a finding unless something is true."""
    if not true:
        raise Finding(kind, message)


def same_logs(found: Any, expected: Any, kind: str) -> None:
    """Require logarithms to be equal to 1e-9 of their size, and infinite in the same places."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    require(found.shape == expected.shape, kind, f"shape {found.shape}, not {expected.shape}")
    finite = np.isfinite(expected)
    same = np.array_equal(found[~finite], expected[~finite])
    size = np.maximum(1.0, np.abs(expected[finite]))
    same = same and bool((np.abs(found[finite] - expected[finite]) <= TOLERANCE * size).all())
    require(same, kind, f"found {found.tolist()}, expected {expected.tolist()}")


def same_shares(found: Any, expected: Any, kind: str) -> None:
    """Require probabilities to be equal to 1e-9, or to 1e-7 of their size."""
    same = np.allclose(found, expected, rtol=1e-7, atol=TOLERANCE)
    require(same, kind, f"found {np.asarray(found).tolist()}, expected {np.asarray(expected).tolist()}")


def check_probabilities(nb: db.NaiveBayes, reference: Reference, case: Case, form: str) -> None:
    """Compare classes, joint log probabilities, posteriors and decisions of the probes."""
    X = rows_as(case, list(case.probes), form)
    require(nb.classes_.tolist() == reference.classes, "classes", f"{nb.classes_} are not {reference.classes}")
    same_logs(nb.predict_joint_log_proba(X), [reference.joint(cells) for cells in case.probes], "joint")
    expected = np.array([reference.posterior(cells) for cells in case.probes])
    found = nb.predict_proba(X)
    same_shares(found, expected, "posterior")
    require(np.allclose(found.sum(axis=1), 1.0, rtol=0, atol=1e-12), "distribution", f"{found.tolist()}")
    same_shares(np.exp(nb.predict_log_proba(X)), found, "log posterior")
    ordered = np.sort(np.c_[np.zeros(len(expected)), expected], axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > 1e-7  # a tie may be broken by rounding
    decided = np.array(reference.classes, dtype=object)[expected.argmax(axis=1)]
    require(nb.predict(X)[clear].tolist() == decided[clear].tolist(), "decision", f"{nb.predict(X)} of {found}")


def check_evidence(nb: db.NaiveBayes, reference: Reference, case: Case, form: str) -> None:
    """Compare the evidence of every group of columns."""
    found = nb.evidence(rows_as(case, list(case.probes), form))
    for number, part in enumerate(case.parts):
        expected = [[e[number] for e in reference.evidence(cells).values()] for cells in case.probes]
        same_logs(found[:, :, list(part.columns)].sum(axis=2), expected, f"evidence of {part.name}")


def check_left_out(nb: db.NaiveBayes, reference: Reference, batch: dict[str, Any]) -> None:
    """Compare the posterior of every counted row with that of a model without the row."""
    expected = [reference.left_out(i) for i in range(len(reference.rows))]
    same_shares(np.exp(nb.leave_one_out(**batch)), expected, "left out")


def check_likelihood(nb: db.NaiveBayes, reference: Reference, batch: dict[str, Any]) -> bool | None:
    """Compare full densities of rows with their labels."""
    if any(isinstance(m, Multinomial) and has_missing(picked(reference.rows, c)) for c, m in reference.parts):
        return False  # which length a row with a missing count has is not settled
    expected = [reference.joint(row.cells)[reference.classes.index(row.label)] for row in reference.rows]
    free = [reference.class_free(row.cells) for row in reference.rows]
    same_logs(nb.log_likelihood(batch["X"], batch["y"]), np.add(expected, free), "log likelihood")
    return None


def has_missing(rows: list[Row]) -> bool:
    """Return whether a cell is missing."""
    return any(missing(x) for row in rows for x in row.cells)


def check_explanations(nb: db.NaiveBayes, reference: Reference, case: Case, form: str) -> bool | None:
    """Require the lines of every explanation to add up to the log-odds, and the posterior to be the model's."""
    if len(reference.classes) < 2:
        return False
    X = rows_as(case, list(case.probes), form)
    explained, posterior = nb.explain(X), nb.predict_proba(X)
    same = np.allclose(explained.posterior, posterior, rtol=0, atol=1e-12)
    require(same, "posterior", f"{explained.posterior} is not {posterior}")
    for row, cells, shares in zip(explained, case.probes, posterior):
        str(row)
        if max(reference.joint(cells)) == NEVER:
            continue  # the prior decides on a row that no class can have
        second, first = sorted(shares)[-2:]
        odds = 10 * math.log10(first / second) if second > 0 else math.inf
        lines = row.prior + sum(row.evidence.tolist()) + row.adjustment
        close = not math.isfinite(odds) or abs(lines - odds) <= 1e-7 * max(1.0, abs(odds))
        require(close, "lines", f"{row.prior} + {row.evidence} + {row.adjustment} is not {odds}")
        require(row.odds == lines or abs(row.odds - lines) <= 1e-9 * abs(lines) + 1e-9, "odds", f"{row.odds}, {lines}")
    return None


def check_derivation(nb: db.NaiveBayes, reference: Reference, case: Case, form: str) -> None:
    """Require prior and factors of a derivation to multiply to P(row, class), and probabilities to be at most 1.

    A part that all classes share, such as 1/x!, is in the factors and not in the joint probability of the reference.
    """
    cells = case.probes[0]
    derived = nb.derive(rows_as(case, [cells], form))
    require(len(str(derived)) > 0 and len(derived.to_markdown()) > 0, "text", "a derivation is empty")
    same_logs(derived.log_products - derived.class_free, reference.joint(cells), "product")
    is_discrete = all(part.name != "gaussian" for part in case.parts)
    for factor in derived.factors:
        highest = float(factor.scores.max())
        require(factor.notation != "P" or highest <= TOLERANCE, "factor", f"a probability of {math.exp(highest)}")
        require(factor.notation != "p" or not is_discrete, "factor", f"{factor.name} is not a density")


def check_refusal(nb: db.NaiveBayes, case: Case, operation: Operation, batch: dict[str, Any]) -> None:
    """Require bad input to raise one clear error, and the model to stay as it was."""
    X = rows_as(case, list(case.probes), operation.form)
    before, settings = nb.predict_joint_log_proba(X), nb.get_params(deep=False)
    name, call = list(bad_calls(nb, batch).items())[operation.more % len(bad_calls(nb, batch))]
    try:
        call()
    except (ValueError, TypeError) as error:
        text = str(error)
        require(0 < len(text) < 900 and text.count(". ") < 3, f"words of {name}", repr(text))
    else:
        raise Finding(f"accepted {name}", "no error")
    require(np.array_equal(nb.predict_joint_log_proba(X), before), f"model after {name}", "the model has changed")
    require(nb.get_params(deep=False) == settings, f"settings after {name}", f"{nb.get_params(deep=False)}")


def bad_calls(nb: db.NaiveBayes, batch: dict[str, Any]) -> dict[str, Any]:
    """Return calls that must be refused, by what is wrong with them."""
    X, y = batch["X"], batch["y"]
    heavy = [1e6] * len(y)
    return {
        "too few labels": lambda: nb.partial_fit(X, y[:-1]),
        "no labels": lambda: nb.partial_fit(X, None),
        "a negative weight": lambda: nb.partial_fit(X, y, sample_weight=[-1.0] * len(y)),
        "an unknown weight": lambda: nb.partial_fit(X, y, sample_weight=[math.nan] * len(y)),
        "an infinite weight": lambda: nb.partial_fit(X, y, sample_weight=[math.inf] * len(y)),
        "too many weights": lambda: nb.partial_fit(X, y, sample_weight=[1.0] * (len(y) + 1)),
        "a class never seen": lambda: nb.forget(X, ["never"] * len(y)),
        "rows never added": lambda: nb.forget(X, y, sample_weight=heavy),
        "a negative alpha": lambda: nb.reestimate(alpha=-1.0),
        "an unknown alpha": lambda: nb.reestimate(alpha=math.nan),
        "an unknown estimate": lambda: nb.reestimate(estimate="median"),
        "an unknown setting": lambda: nb.reestimate(beta=1.0),
        "a class prior of 2": lambda: nb.reestimate(class_prior=dict.fromkeys(nb.classes_.tolist(), 2.0)),
        "a class weight of 0": lambda: nb.reestimate(class_weight={nb.classes_.tolist()[0]: 0.0}),
        "an infinite factor": lambda: nb * math.inf,
        "a negative factor": lambda: nb * -1.0,
        "another kind of model": lambda: nb.merge(17),
        "no columns": lambda: nb.predict(np.zeros((2, 0))),
        "rows of one dimension": lambda: nb.predict(3.0),
    }
