"""Choosing: which pseudo-count, how many bins, which temperature; by the exact leave-one-out log-loss of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deciban.arrays.frame import Frame, Remembered
from deciban.arrays.labels import Floats, Labels, Names, find
from deciban.arrays.matrix import Sparse, as_sparse
from deciban.arrays.texts import Lines
from deciban.choosing.leave_one_out import LeaveOneOut
from deciban.likelihoods.base import Likelihood
from deciban.model.calibration import WORST_LOSS, Calibration, Isotonic, Temperature, log_losses
from deciban.model.classifier import Chosen, Classifier, Group, Settings
from deciban.model.missing import columns_with_holes
from deciban.statistics import Block

# Rows that choices are made on, at most, and bytes of text: a uniform sample of those trained on.
SAMPLE_ROWS: int = 5000
SAMPLE_BYTES: int = 1 << 22
# Pseudo-counts tried first, and how far around the best of them afterwards.
LESS, MORE = (0.3, 0.1, 0.03, 0.01, 0.003), (3.0, 10.0)
FINER = (-0.5, -0.25, 0.25, 0.5)  # powers of three
# Standard errors that a gain must exceed: many things are tried, and some look better by chance.
CAUTION = 2.0
# The same for single columns, which are many.
COLUMN_CAUTION = 2.5
# Fewer rows say nothing.
ENOUGH_ROWS = 10
# Fewer rows say nothing about event models.
VARIANT_ROWS = 500
# Passes over the columns, to see which count and how.
SWEEPS = 2
# Rows × classes × columns, beyond which columns are not looked at one by one.
COLUMN_CELLS = 1 << 24
# Shares of an isotonic calibration that are tried.
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
# Fewer rows say nothing about the shape of a calibration.
ISOTONIC_ROWS = 100


@dataclass(frozen=True)
class Sample:
    """Rows that were trained on, with their classes: all of them or a uniform sample."""

    x: Any  # a matrix or a frame
    names: Names
    labels: Labels

    @property
    def rows(self) -> int:
        return int(self.x.shape[0])


def sampled(x: Any, names: Names, labels: Labels, rows: int = SAMPLE_ROWS) -> Sample:
    """At most so many of the rows, each as likely as the next."""
    if isinstance(x, Lines):
        rows = min(rows, max(1, int(SAMPLE_BYTES / x.mean_size())))
    if x.shape[0] <= rows:
        return Sample(x, names, labels)
    some = np.sort(np.random.default_rng(0).choice(x.shape[0], rows, replace=False))
    if isinstance(x, Sparse):
        x = as_sparse(x.to_scipy().tocsr()[some])
    else:
        x = x[some] if isinstance(x, np.ndarray) else x.picked(some)
    codes, weight, soft = (None if a is None else a[some] for a in (labels.codes, labels.weight, labels.soft))
    return Sample(x, names, Labels(labels.classes, codes, weight, soft))


def is_open(groups: tuple[Group, ...], settings: Settings) -> bool:
    """Whether something is left to be chosen on rows."""
    variants = any(group.likelihood.variants(settings.how.open) for group in groups)
    return settings.how.open or variants or settings.calibrate is not None


def choose(classifier: Classifier, sample: Sample) -> Classifier:
    """The same classifier with everything chosen that its settings leave open."""
    if not is_open(classifier.groups, classifier.settings):
        return replace(classifier, chosen=None)
    search = Search(classifier, sample)
    return replace(classifier, chosen=search.best())


def mixed(losses: Floats, bent: Floats, share: float) -> Floats:
    """The losses of rows when a share of their probabilities is another."""
    with np.errstate(divide="ignore"):
        return np.minimum(-np.log((1 - share) * np.exp(-losses) + share * bent), WORST_LOSS)


def again(classifier: Classifier, settings: Settings) -> Classifier:
    """The same statistics under other settings; what these leave open must have been chosen before."""
    before, chosen = classifier.settings, classifier.chosen or Chosen(0)
    if settings.how.open and chosen.alpha is None:
        raise ValueError("alpha='auto' is chosen on rows, which are gone; fit again with it, or give a number.")
    if settings.calibrate != before.calibrate and settings.calibrate is not None:
        raise ValueError(f"calibrate={settings.calibrate!r} needs rows, which are gone; fit again with it.")
    if settings.calibrate is None and chosen.calibration is not None:
        chosen = replace(chosen, calibration=None)
    return replace(classifier, settings=settings, chosen=None if classifier.chosen is None else chosen)


@dataclass(frozen=True)
class Tried:
    """A choice, the loss of every row with it, and the joint log probabilities behind these."""

    chosen: Chosen
    losses: Floats
    joint: Floats


class Search:
    """One thing after the other: the pseudo-count, what event models leave open, holes, every column, and again the
    pseudo-count."""

    def __init__(self, classifier: Classifier, sample: Sample):
        is_table = isinstance(sample.x, Frame) and not isinstance(sample.x, Lines)
        self.classifier = classifier
        self.sample = replace(sample, x=Remembered.all_of(sample.x)) if is_table else sample
        place = find(sample.names, classifier.statistics.classes)
        codes = sample.labels.codes
        if codes is None:
            raise ValueError("soft labels have nothing to choose by; give alpha a number and calibrate=False.")
        self.codes = place[codes]
        weight = np.ones(len(codes)) if sample.labels.weight is None else sample.labels.weight
        # A row of weight two is two rows: one of them is left out, and its loss counts twice.
        self.copies = replace(sample.labels, weight=None if sample.labels.weight is None else np.minimum(weight, 1.0))
        # A class whose only row is left out cannot be predicted, whatever is chosen.
        alone = classifier.statistics.weight[self.codes] <= np.minimum(weight, 1.0) * (1 + 1e-9)
        self.rows = np.flatnonzero((codes >= 0) & ~alone & (weight > 0))
        self.weight = weight[self.rows]
        self.share = self.weight / max(self.weight.sum(), 1e-300)

    def best(self) -> Chosen:
        how = self.classifier.settings.how
        first = Chosen(len(self.codes), 1.0 if how.open else None, tuple(g.likelihood for g in self.classifier.groups))
        if self.weight.sum() < ENOUGH_ROWS:
            return first
        self.reference = here = self.tried(first)
        if how.open:
            here = self.downhill(here, [replace(first, alpha=a) for a in LESS])
            here = self.downhill(here, [replace(first, alpha=a) for a in MORE]) if here.chosen == first else here
        for i, group in enumerate(self.classifier.groups if self.weight.sum() >= VARIANT_ROWS else ()):
            here = self.better(here, self._variants(here.chosen, i, group.likelihood))
        if how.open:
            here = self.column_by_column(self.with_holes(here))
            alpha = here.chosen.alpha or 1.0
            here = self.better(here, (replace(here.chosen, alpha=alpha * 3.0**step) for step in FINER))
        return self.calibrated(here)

    def _variants(self, chosen: Chosen, i: int, likelihood: Likelihood) -> Iterator[Chosen]:
        now = chosen.likelihoods or ()
        for other in likelihood.variants(self.classifier.settings.how.open):
            yield replace(chosen, likelihoods=(*now[:i], other, *now[i + 1 :]))

    def with_holes(self, here: Tried) -> Tried:
        """With the holes of those columns where that makes the loss less, one after the other."""
        columns = tuple(columns_with_holes(self.classifier.seen, self.classifier.places))
        if not columns:
            return here
        rows = self.sample.x, self.sample.names, self.copies
        said = LeaveOneOut(self.classifier).holes(*rows, columns)[self.rows]
        for j, column in enumerate(columns):
            chosen = replace(here.chosen, holes=(*here.chosen.holes, column))
            there = self.judged(chosen, here.joint + said[:, :, j])
            if self.cautious(there.losses - here.losses) < 0:
                here = there
        return here

    def column_by_column(self, here: Tried) -> Tried:
        """With some columns ignored, or under event models of their own, where that makes the loss less."""
        columns = self._columns_alone(here.chosen)
        if len(columns) < 2 or self.weight.size * self.classifier.features * len(here.joint[0]) > COLUMN_CELLS:
            return here
        # All at once first: many columns can show together what none can alone.
        shapes = zip_longest(*([(column, other) for other in others] for _, column, _, others in columns))
        together = (tuple(filter(None, shape)) for shape in shapes)
        here = self.better(here, (replace(here.chosen, apart=apart) for apart in together))
        prior = self.alone(here.chosen)
        for _ in range(SWEEPS):
            before = here
            for column in columns:
                here = self._with_column(here, *column, prior)
            if here is before:
                break
        return here

    def _columns_alone(self, chosen: Chosen) -> list[tuple[int, int, Likelihood, Sequence[Likelihood]]]:
        """Group, column, its event model and what else is tried."""
        trial = replace(self.classifier, chosen=chosen)
        return [
            (i, column, likelihood, likelihood.apart())
            for i, (group, likelihood) in enumerate(zip(trial.groups, trial.likelihoods))
            if likelihood.reads_columns_alone
            for column in group.positions(trial.features).tolist()
        ]

    def _with_column(
        self, here: Tried, i: int, column: int, usual: Likelihood, others: Sequence[Likelihood], prior: Floats
    ) -> Tried:
        now = dict(here.chosen.apart).get(column, usual)
        with np.errstate(invalid="ignore"):
            rest = here.joint - (self.alone(here.chosen, i, column, now) if now else prior)
        if not np.isfinite(rest).all():
            return here  # something is impossible, with this column or another: that stays
        best, least = here, 0.0
        for likelihood in (None, usual, *others):
            if likelihood is now:
                continue
            joint = rest + (self.alone(here.chosen, i, column, likelihood) if likelihood else prior)
            change = self.cautious(self.judged(here.chosen, joint).losses - here.losses, COLUMN_CAUTION)
            if change < least:
                kept = tuple((j, other) for j, other in here.chosen.apart if j != column)
                apart = kept if likelihood is usual else (*kept, (column, likelihood))
                best, least = Tried(replace(here.chosen, apart=apart), here.losses, joint), change
        return best if best is here else self.judged(best.chosen, best.joint)

    def alone(self, chosen: Chosen, i: int = 0, column: int = 0, likelihood: Likelihood | None = None) -> Floats:
        """log P(column, class) of rows without themselves, or log P(class) if there is no event model."""
        seen = self.classifier.seen
        groups: tuple[Group, ...] = ()
        blocks: tuple[Block, ...] = ()
        if likelihood is not None:
            place = np.flatnonzero(self.classifier.groups[i].positions(self.classifier.features) == column)
            groups, blocks = (Group(np.array([column]), likelihood),), (seen.blocks[i].only(place),)
        one = replace(
            self.classifier,
            groups=groups,
            statistics=replace(seen, blocks=blocks),
            classes=None,
            settings=replace(self.classifier.settings, threads=1),  # too little for more of them
            chosen=Chosen(chosen.rows, chosen.alpha),
        )
        return self.joint(one)

    def tried(self, chosen: Chosen) -> Tried:
        return self.judged(chosen, self.joint(replace(self.classifier, chosen=chosen)))

    def joint(self, classifier: Classifier) -> Floats:
        """log P(row, class) of the rows that tell something, each without itself; class by class in memory, as there
        are fewer classes than rows."""
        joint = LeaveOneOut(classifier).joint(self.sample.x, self.sample.names, self.copies)
        return np.asfortranarray(joint[self.rows])

    def judged(self, chosen: Chosen, joint: Floats) -> Tried:
        if self.classifier.settings.calibrate is None:
            losses = log_losses(joint, self.codes[self.rows])
        else:
            _, losses = Temperature.fit(*self._to_calibrate(joint))
        return Tried(chosen, np.minimum(losses, WORST_LOSS), joint)

    def _to_calibrate(self, joint: Floats) -> tuple[Floats, Floats, NDArray[np.int64], Floats, bool]:
        """Scores, prior, classes and weights of rows, and whether rows may be of any size: documents are."""
        models = [group.likelihood for group in self.classifier.groups]
        by_size = any(m.joins_columns or m.reads_text for m in models) and all(m.unit_free for m in models)
        return joint, self.classifier.log_prior, self.codes[self.rows], self.weight, by_size

    def downhill(self, here: Tried, others: list[Chosen]) -> Tried:
        """One step after the other, as long as the loss gets less; one step may be worse if the next is better."""
        worse = 0
        for chosen in others:
            there = self.better(here, iter([chosen]))
            worse = worse + 1 if there is here else 0
            here = there
            if worse == 2:
                break
        return here

    def better(self, here: Tried, others: Iterator[Chosen]) -> Tried:
        """The least loss, as far as rows can tell."""
        for chosen in others:
            there = self.tried(chosen)
            if self.cautious(there.losses - self.reference.losses) < self.cautious(here.losses - self.reference.losses):
                here = there
        return here

    def cautious(self, change: Floats, errors: float = CAUTION) -> float:
        """The mean change of the loss, so many standard errors worse than it looks."""
        mean = self.share @ change
        return float(mean + errors * np.sqrt(self.share @ (change - mean) ** 2 / max(self.weight.sum(), 1e-300)))

    def calibrated(self, tried: Tried) -> Chosen:
        kind = self.classifier.settings.calibrate
        if kind is None:
            return tried.chosen
        rows = self._to_calibrate(tried.joint)
        temperature, losses = Temperature.fit(*rows)
        share = {"temperature": 0.0, "isotonic": 1.0}.get(kind)
        if share is None:
            bent = np.exp(-Isotonic.losses(*rows)) if self.weight.sum() >= ISOTONIC_ROWS else np.exp(-losses)
            share = min(SHARES, key=lambda s: self.cautious(mixed(losses, bent, s) - mixed(losses, bent, 0.0)))
        calibration: Calibration = temperature
        if share:
            classes = tuple(self.classifier.seen.classes.tolist())
            calibration = replace(Isotonic.fit(*rows), share=share, classes=classes)
        return replace(tried.chosen, calibration=calibration)
