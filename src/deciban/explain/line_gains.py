"""Gains of lines: evidence that each line of a refined model adds for the right class of labelled rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.parallel import row_blocks
from deciban.arrays.types import Codes, Floats
from deciban.explain.findings import TOGETHER, Finding
from deciban.explain.row_explanation import DECIBANS
from deciban.model.classifier import Classifier

# Rows that gains are measured on, and cells of evidence [rows × classes × lines] at a time.
MEASURED_ROWS, MEASURED_CELLS = 20_000, 1 << 21
# A line that adds less than this to the log posterior of the right class, in decibans, is no finding.
LEAST_GAIN = 0.02
# Names of columns in a sentence.
NAMED_COLUMNS = 4


class LineGains:
    """Sums over rows of the gain of every line of evidence: what it adds to the log posterior of the right class.

    ``whole`` sums the gain of the whole refinement over the plain counts. A plain model has no gains.
    """

    def __init__(self, classifier: Classifier) -> None:
        self.model, self.refinement = classifier.model, classifier.refinement
        plain = replace(classifier.settings, refine=None)
        self._plain = self.model if self.refinement is None else classifier.with_settings(plain).model
        self.rows, self.whole = 0, 0.0
        self.total = np.zeros(self.model.lines)

    def add(self, x: Frame, codes: Codes) -> None:
        """Add rows with the position of their class, −1 for none; only the first rows of all are measured."""
        if self.refinement is None:
            return
        step = max(1, MEASURED_CELLS // (len(self.model.classes) * self.model.lines))
        for begin, end in row_blocks(x.shape[0], step):
            if self.rows < MEASURED_ROWS:
                self._add_block(x.block(begin, end), codes[begin:end])

    def _add_block(self, x: Frame, codes: Codes) -> None:
        known = np.flatnonzero(codes >= 0)
        evidence, own = self.model.evidence(x)[known], codes[known]
        rows = np.arange(len(known))
        joint = self.model.constants + evidence.sum(axis=2)
        before = self.model.calibrated_log_posterior(joint)[rows, own]
        self.whole += _finite_sum(before - self._plain.log_posterior(x)[known[rows], own])
        for i, line in enumerate(np.moveaxis(evidence, 2, 0)):
            self.total[i] += _finite_sum(before - self.model.calibrated_log_posterior(joint - line)[rows, own])
        self.rows += len(known)

    @property
    def decibans(self) -> Floats:
        """[lines] mean gains, in decibans."""
        return self.total / max(self.rows, 1) * DECIBANS

    def useful(self, names: list[str]) -> set[str]:
        """Return the columns whose evidence, alone or in a pair, helps predictions."""
        if self.refinement is None:
            return set()
        gains = self.decibans
        found = {name for name, gain in zip(names, gains) if gain >= LEAST_GAIN}
        for columns, gain in self._pairs(names):
            found |= set(columns) if gain >= LEAST_GAIN else set()
        return found

    def _pairs(self, names: list[str]) -> list[tuple[tuple[str, ...], float]]:
        """Return the names of the columns of every pair, and its gain."""
        pairs = () if self.refinement is None else self.refinement.pairs
        return [
            (tuple(names[j] for j in p.columns), gain) for p, gain in zip(pairs, self.decibans[len(names) :].tolist())
        ]

    def findings(self, names: list[str]) -> list[Finding]:
        """Return how much columns that are read together add, the most first; nothing for a plain model."""
        found = [
            Finding(
                TOGETHER,
                columns,
                gain,
                f"{columns[0]} and {columns[1]} say more together than one by one: without their combinations, the "
                f"probability of the right class would be {gain:.2g} dB lower on average.",
            )
            for columns, gain in self._pairs(names)
        ]
        found += self._normal_finding(names)
        return sorted((f for f in found if f.decibans >= LEAST_GAIN), key=lambda f: -f.decibans)

    def _normal_finding(self, names: list[str]) -> list[Finding]:
        """Return how much a refinement with joint normal distributions adds to the plain counts."""
        refinement = self.refinement
        if refinement is None or refinement.design is None or not refinement.has_normals:
            return []
        columns = tuple(names[j] for j in sorted(set(refinement.design.columns.tolist())))
        gain = self.whole / max(self.rows, 1) * DECIBANS
        more = f" and {len(columns) - NAMED_COLUMNS} more" if len(columns) > NAMED_COLUMNS else ""
        sentence = (
            f"{', '.join(columns[:NAMED_COLUMNS])}{more} are read together, in a joint normal distribution: with that "
            f"and its weights the model gives the right class {gain:.2g} dB more on average than the counts alone do."
        )
        return [Finding(TOGETHER, columns, gain, sentence)]


def _finite_sum(gains: Floats) -> float:
    """Return the sum of the finite gains; an impossible row, whose gain is infinite or NaN, adds nothing."""
    return float(gains[np.isfinite(gains)].sum())
