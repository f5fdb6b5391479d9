"""Everything that a fit left open and that was then chosen, by column, in a form for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from deciban.likelihoods.base import Likelihood
from deciban.model.calibration import Calibration
from deciban.model.classifier import Classifier
from deciban.model.summary import IGNORED, rows_in_words
from deciban.terminal.width import align_columns


@dataclass(frozen=True, repr=False)
class Chosen:
    """Everything that was chosen in training: on rows by leave-one-out, or from statistics by evidence.

    ``rows`` is the number of rows that choices were made on, 0 if none was; ``reason`` says why constants are used
    instead of choices.
    """

    rows: int
    alpha: Any  # the pseudo-count of the settings, chosen or given
    alpha_chosen: bool
    columns: dict[Any, Likelihood]  # the event model of every column that predictions use
    ignored: dict[Any, str] = field(default_factory=dict)  # columns that predictions do not use, and why
    priors: dict[Any, float] = field(default_factory=dict)  # pseudo-count or strength found by evidence, by column
    missing: tuple[Any, ...] = ()  # columns in which a missing value is evidence
    calibration: Calibration | None = None
    weights: dict[Any, float] = field(default_factory=dict)  # of the evidence of every column; empty: 1
    pairs: dict[tuple[Any, Any], float] = field(default_factory=dict)  # weights of pairs of columns
    shared_normal: float = 0.0  # weight of the normal distribution with one covariance for all classes
    class_normals: float = 0.0  # weight of the normal distributions with a covariance per class
    correction: str = ""  # the learned evidence of words in a few words
    reason: str = ""
    effective_rows: float | None = None  # rows of equal weight that tell as much

    def __str__(self) -> str:
        seen = rows_in_words(self.rows, self.effective_rows)
        where = f"chosen on {seen}" if self.rows else "nothing was chosen on rows"
        lines = [f"{where}: {self.reason}" if self.reason else where]
        lines.append(f"alpha {self.alpha if isinstance(self.alpha, str) else format(self.alpha, '.3g')}"
                     f" ({'chosen' if self.alpha_chosen else 'a constant' if self.reason else 'given'})")  # fmt: skip
        lines.append("no calibration" if self.calibration is None else str(self.calibration))
        lines += self._refinement_lines()
        rows = [(str(name), str(model), self._remark(name)) for name, model in self.columns.items()]
        rows += [(str(name), "ignored", why) for name, why in self.ignored.items()]
        return "\n".join(lines + ["  " + line for line in align_columns(rows)])

    def _refinement_lines(self) -> list[str]:
        """Return the weights of columns that are read together, a line for each."""
        if not self.weights:
            return []
        lines = [f"{self.shared_normal:.2f} × normal distribution of all columns, one covariance for all classes"]
        lines += [f"{self.class_normals:.2f} × normal distribution of all numbers, a covariance per class"]
        weights = (self.shared_normal, self.class_normals)
        found = [line for line, weight in zip(lines, weights) if weight]
        ranked = sorted(self.pairs.items(), key=lambda pair: -pair[1])
        found += [self.correction] if self.correction else []
        return found + [f"{weight:.2f} × pair of {a} and {b}" for (a, b), weight in ranked]

    def _remark(self, name: Any) -> str:
        parts = [f"weight {self.weights[name]:.2f}"] if name in self.weights else []
        parts += [f"prior by evidence {self.priors[name]:.3g}"] if name in self.priors else []
        parts += ["missing values count"] if name in self.missing else []
        return ", ".join(parts)

    __repr__ = __str__


def chosen_of(classifier: Classifier, names: Sequence[Any]) -> Chosen:
    """Return everything that was chosen for a classifier whose columns have these names."""
    choices, estimation = classifier.choices, classifier.estimation
    models: dict[int, Likelihood] = {}
    priors: dict[Any, float] = {}
    for group, block in classifier.scored:
        indices = group.column_indices(classifier.features).tolist()
        models |= dict.fromkeys(indices, group.likelihood)
        found = group.likelihood.evidence_priors(block, estimation)
        priors |= {} if found is None else {names[j]: float(value) for j, value in zip(indices, found)}
    refinement = classifier.refinement
    ignored = () if choices is None else choices.ignored_columns
    missing = () if classifier.missing_values is None else classifier.missing_values.columns
    weights = {} if refinement is None else dict(zip(names, refinement.column_weights.tolist()))
    pairs = () if refinement is None else zip(refinement.pairs, refinement.pair_weights)
    return Chosen(
        rows=0 if choices is None or choices.reason else choices.rows,
        alpha=estimation.alpha,
        alpha_chosen=classifier.settings.estimation.is_open and not (choices is None or choices.reason),
        columns={names[j]: models[j] for j in sorted(models)},
        ignored={names[j]: IGNORED for j in ignored},
        priors=priors,
        missing=tuple(names[j] for j in missing),
        calibration=classifier.calibration,
        weights=weights,
        pairs={(names[pair.first], names[pair.second]): weight for pair, weight in pairs},
        shared_normal=0.0 if refinement is None else refinement.shared_weight,
        class_normals=0.0 if refinement is None else refinement.class_weight,
        correction="" if refinement is None or refinement.correction is None else str(refinement.correction),
        reason="" if choices is None else choices.reason,
        effective_rows=None if choices is None else choices.effective_rows,
    )
