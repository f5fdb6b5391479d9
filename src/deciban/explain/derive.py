"""The making of a derivation: factors from the event models, and the steps from their product to the decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.names import is_missing
from deciban.arrays.tolerances import EQUAL_SCORES
from deciban.arrays.types import Floats, Longs
from deciban.explain.derivation import Decided, Derivation, Factor, Silence
from deciban.explain.derive_score import derive_score
from deciban.explain.explanation import IGNORED, Explanation
from deciban.explain.score_derivation import ScoreDerivation
from deciban.likelihoods.factors import Factors, ScoredRow, Workings, other_columns
from deciban.likelihoods.workings import Ratio, exact
from deciban.model.classifier import Classifier
from deciban.model.decision import Costs, Decision, cost_matrix
from deciban.model.missing import PSEUDO_COUNT, MissingValues
from deciban.model.model import Model
from deciban.priors.class_prior import as_class_prior
from deciban.scorers.base import NO_VALUE, log_odds
from deciban.scorers.posterior import softmax
from deciban.terminal.values import short_value

# Factors shown one by one; the others are one product.
SHOWN_FACTORS = 12
# Columns without a factor that are named one by one.
SHOWN_SILENT = 6


def derive_row(
    classifier: Classifier, explanation: Explanation, costs: Costs | None = None
) -> Derivation | ScoreDerivation:
    """Return the worked solution for the only row of an explanation: a product, or the sum of a refined model."""
    if len(explanation) != 1:
        raise ValueError(f"derive takes one row, not {len(explanation)}; give one, such as rows[:1] or a mapping.")
    model, predicted = classifier.model, explanation.posterior[0]
    groups = _all_factors(classifier, explanation)
    prior = Factor("", model.log_prior, prior_workings(classifier)).checked()
    if classifier.refinement is not None:
        joint = explanation[0].joint - model.log_prior
        decided = _decide(classifier, joint, predicted, costs)
        return derive_score(classifier, explanation, replace(prior, name="prior"), groups, decided)
    scores = np.concatenate([np.zeros((0, len(model.classes))), *(group.scores for group in groups)])
    evidence, class_free = scores.sum(axis=0), sum(group.class_free for group in groups)
    shown = _strongest(scores, int(explanation.contrast.favour[0]), int(explanation.contrast.against[0]))
    hidden = np.delete(scores, shown, axis=0)
    posterior = softmax((model.log_prior + evidence)[None])[0]
    silent = _silent_columns(classifier, groups)
    return Derivation(
        model.classes,
        explanation.target or "class",
        prior,
        tuple(_in_column_order(groups, shown)),
        hidden.sum(axis=0) if len(hidden) else None,
        len(hidden),
        tuple(_silence(classifier, explanation, j) for j in silent[:SHOWN_SILENT].tolist()),
        max(0, len(silent) - SHOWN_SILENT),
        posterior if posterior.any() else np.exp(model.log_prior),  # an impossible row has its prior
        predicted,
        _decide(classifier, evidence - class_free, predicted, costs),
        class_free,
        tuple(dict.fromkeys(group.omitted for group in groups if group.omitted is not None)),
        tuple(_remarks(classifier, bool(np.abs(predicted - posterior).max() > EQUAL_SCORES))),
    )


def _all_factors(classifier: Classifier, explanation: Explanation) -> list[Factors]:
    """Return the factors of every group of columns, and of missing values where they are evidence.

    Column indices refer to the whole row.
    """
    x, names = explanation.row(0), explanation.columns
    values = x.values(0)
    found = []
    for (group, block), part in zip(classifier.scored, classifier.model.parts):
        columns, event_model = group.column_indices(classifier.features), group.likelihood
        group_names = [""] if event_model.reads_text and len(names) == 1 else [names[j] for j in columns]
        cells = [values[j] for j in columns]
        row = ScoredRow(group.read(x), group_names, cells, block, classifier.estimation, part.scorer)
        factors = event_model.factors(row)
        found.append(replace(factors, columns=columns[factors.columns]))
    missing = classifier.missing_values
    if classifier.refinement is not None:
        return found
    return found if missing is None else [*found, _presence_factors(missing, x, names)]


def _presence_factors(missing: MissingValues, x: Frame, names: Sequence[str]) -> Factors:
    """Return P(missing | class) or P(not missing | class) of every cell, with one imagined row of each kind."""
    is_missing_cell = x.missing_in(missing.columns)[0]

    def count_rows(i: int) -> Workings:
        both = missing.missing[:, i], missing.known[:, i]
        count, other = both if is_missing_cell[i] else both[::-1]
        pseudo = exact(PSEUDO_COUNT)
        return tuple(Ratio(exact(n), exact(n + m), pseudo, 2 * pseudo) for n, m in zip(count.tolist(), other.tolist()))

    def name_column(i: int) -> str:
        return f"{names[missing.columns[i]]} is {'missing' if is_missing_cell[i] else 'there'}"

    return Factors(missing.evidence(x)[0].T, np.array(missing.columns), name_column, count_rows)


def _strongest(scores: Floats, favour: int, against: int) -> Longs:
    """Return the positions of the factors with the most evidence between two classes, in ascending order."""
    order = np.argsort(-np.abs(log_odds(scores[:, favour], scores[:, against])), kind="stable")
    return np.sort(order[:SHOWN_FACTORS])


def _in_column_order(groups: Sequence[Factors], shown: Longs) -> list[Factor]:
    """Return the factors at some positions of all groups together, in the order of their columns."""
    found: list[tuple[int, Factor]] = []
    begin = 0
    for group in groups:
        for i in (shown[(shown >= begin) & (shown < begin + len(group))] - begin).tolist():
            factor = Factor(group.name(i), group.scores[i], group.workings(i), group.notation)
            found.append((int(group.columns[i]), factor.checked()))
        begin += len(group)
    return [factor for _, factor in sorted(found, key=lambda pair: pair[0])]


def _silent_columns(classifier: Classifier, groups: Sequence[Factors]) -> Longs:
    """Return the columns that are not evidence for this row: no group reads them, or they have no factor."""
    read = [group.column_indices(classifier.features) for group, _ in classifier.scored]
    silent = [columns[factors.silent] for columns, factors in zip(read, groups)]
    ignored = other_columns(classifier.features, np.concatenate([np.zeros(0, dtype=np.int64), *read]))
    return np.sort(np.concatenate([ignored, *silent]))


def _silence(classifier: Classifier, explanation: Explanation, j: int) -> Silence:
    """Return a column that is not evidence, with the reason."""
    x = explanation.row(0)
    value, reason = x.values(0)[j], IGNORED
    for (group, _), part in zip(classifier.scored, classifier.model.parts):
        position = np.flatnonzero(group.column_indices(classifier.features) == j)
        if len(position):
            reason = part.scorer.silence(part.rows(x), int(position[0]), value)
    reason = NO_VALUE if is_missing(value) else reason
    return Silence(f"{explanation.columns[j]} = {short_value(value)}", reason)


def prior_workings(classifier: Classifier) -> Workings:
    """Return P(class) as ratios of counts, None if it does not come from counts."""
    pseudo = as_class_prior(classifier.settings.class_prior).pseudo_count(classifier.estimation)
    if pseudo is None:
        return None
    weight = classifier.seen.weight
    count, whole = exact(pseudo), exact(float(weight.sum()))
    return tuple(Ratio(exact(w), whole, count, count * len(weight)) for w in weight.tolist())


def _decide(classifier: Classifier, evidence: Floats, posterior: Floats, costs: Costs | None) -> Decided:
    """Return the decision, and what it would be without calibration, class prior, class weights or costs."""
    model, classes = classifier.model, classifier.model.classes
    decision = Decision(costs)

    def label(posterior: Floats, rule: Decision = decision) -> Any:
        return rule.labels(posterior[None], classes).tolist()[0]

    def label_under(changed: Model) -> Any:
        return label(np.exp(changed.calibrated_log_posterior((changed.log_prior + evidence)[None])[0]))

    others = []
    if model.calibration is not None:
        others.append((str(model.calibration), label_under(replace(model, calibration=None))))
    if classifier.settings.class_prior is not None:
        shares = replace(model, log_prior=classifier.log_shares)
        others.append(("the class prior that was given", label_under(shares)))
    if model.log_shift is not None:
        others.append(("class weights", label_under(replace(model, log_shift=None))))
    if costs is not None:
        others.append(("the costs", label(posterior, Decision())))
    decided = label(posterior)
    expected = None if costs is None else posterior @ cost_matrix(costs, classes)
    return Decided(decided, tuple((step, other) for step, other in others if other != decided), expected)


def _remarks(classifier: Classifier, is_changed: bool) -> list[str]:
    """Return sentences on what the factors do and do not include."""
    found: list[str] = []
    models, estimation = [group.likelihood for group, _ in classifier.scored], classifier.estimation
    plain = dict.fromkeys(str(model) for model in models if not model.integrates_out(estimation))
    if estimation.kind == "predictive" and len(plain) < len(models):
        found.append(
            "Parameters are integrated out: a factor is the mean over all their values, not one estimate, and draws of "
            "words or counts are each given the draws before."
        )
    if estimation.kind == "predictive" and plain:
        found.append(f"Parameters that cannot be integrated out are the most probable ones: {', '.join(plain)}.")
    if classifier.calibration is not None and is_changed:
        found.append(
            f"The factors are those of the event models. Then {classifier.calibration} changes the "
            "posterior, as columns may repeat each other; predict_proba gives the calibrated one."
        )
    if classifier.missing_values is not None:
        found.append("In some columns a missing value, or that there is one, counts as evidence of its own.")
    if classifier.log_shift is not None:
        found.append("Class weights multiply the posterior afterwards.")
    return found
