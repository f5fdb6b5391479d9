"""Correcting: learned evidence for the words of a text, on top of the counted evidence.

How many passes to learn, if any, is decided on rows whose statistics were subtracted: evidence that has seen a row's
label is too good, and would hide what a correction gains.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.names import find_names
from deciban.arrays.row_keys import Keys
from deciban.arrays.tolerances import WEIGHT_SLACK
from deciban.arrays.types import Codes, Floats, Longs
from deciban.choosing.correction import TaughtRows, choose_passes, learn_weights
from deciban.choosing.leave_one_out import LeaveOneOut
from deciban.choosing.refining import without_rows
from deciban.choosing.rows_again import LabelledRows, RowsAgain
from deciban.choosing.sample_rows import SampleRows
from deciban.choosing.term_reader import TermReader
from deciban.model.calibration import Temperature
from deciban.model.classifier import Classifier
from deciban.refinement import Refinement
from deciban.refinement.correction import Correction
from deciban.refinement.sparse_rows import SparseRows
from deciban.statistics.row_sample import below, row_keys
from deciban.terminal.progress import show_steps

# Effective rows of a sample from which on a correction is learned from it, and rows if all of them are read again.
ENOUGH_ROWS, FEWEST_ROWS = 4000, 100
# Words × classes that can be learned, at most: their state takes 130 MB.
MOST_CELLS = 1 << 23
# Share of the rows that are held out to choose the number of passes, and their number at most.
HELD_OUT_SHARE, MOST_HELD_OUT = 0.2, 2000
# Entries of documents that are kept between passes, at most: about 200 MB. More are read again in every pass.
KEPT_ENTRIES = 1 << 24


@dataclass(frozen=True, eq=False)
class Teacher:
    """Makes rows to learn from: left-out scores of a classifier with a temperature, and the terms of the documents."""

    classifier: Classifier
    temperature: Temperature
    reader: TermReader

    @staticmethod
    def of(classifier: Classifier, found: SampleRows) -> Teacher | None:
        """Return the teacher of a model of texts; None if its words have no weights that could be corrected."""
        ready = classifier.with_training_prior().without_correction()
        parts, classes = ready.model.parts, len(ready.seen.classes)
        scorer = parts[0].scorer.correctable_words if ready.reads_texts_alone and parts else None
        if scorer is None or classes < 2:
            return None
        reader = TermReader.of(scorer, ready.rows, parts[0].rows(ready.sample_frame()))
        if len(reader.words) * classes > MOST_CELLS:
            return None
        return Teacher(ready, _temperature(ready, found), reader)

    def without(self, taken: LabelledRows) -> Teacher | None:
        """Return a teacher that has not counted some rows; None if the others would lose their digits."""
        rest = without_rows(self.classifier, taken.x, taken.names, taken.labels)
        return None if rest is None else replace(self, classifier=rest)

    def usable(self, given: LabelledRows, weight: Floats) -> Longs:
        """Return the numbers of the rows that have a class and a weight, and are not their whole class."""
        codes = self._codes(given)
        alone = self.classifier.seen.weight[codes] <= _one_copy(given.labels) * (1 + WEIGHT_SLACK)
        return np.flatnonzero((codes >= 0) & (weight > 0) & ~alone)

    def taught(self, given: LabelledRows, weight: Floats) -> TaughtRows:
        """Return usable rows to learn from, which the classifier has counted."""
        labels = replace(given.labels, weight=_one_copy(given.labels))
        joint = LeaveOneOut(self.classifier).joint(given.x, given.names, labels)
        return TaughtRows(self._rows(given.x), self._tempered(joint), self._codes(given), weight)

    def tested(self, given: LabelledRows, weight: Floats) -> TaughtRows:
        """Return rows to test weights on, which the classifier has not counted."""
        joint = self.classifier.model.joint_log_probability(given.x)
        return TaughtRows(self._rows(given.x), self._tempered(joint), self._codes(given), weight)

    def _codes(self, given: LabelledRows) -> Codes:
        position = find_names(given.names, self.classifier.seen.classes)
        assert given.labels.codes is not None
        codes: Codes = np.append(position, -1)[given.labels.codes].astype(np.int32)
        return codes

    def _rows(self, x: Frame) -> SparseRows:
        return self.reader.rows(self.classifier.model.parts[0].rows(x))

    def _tempered(self, joint: Floats) -> Floats:
        self.temperature.apply(joint, self.classifier.log_prior)
        return joint

    def refinement(self, lessons: Iterable[TaughtRows], passes: int, rows: float, has_all_rows: bool) -> Refinement:
        """Return what some passes over rows teach, as a refinement of the counts; ``rows`` is their weight."""
        classes = self.classifier.seen.classes
        (weights,) = learn_weights(lessons, len(self.reader.words), len(classes), (passes,))
        delta = (weights.delta * self.reader.factors[:, None]).astype(np.float32)
        learned = np.flatnonzero(delta.any(axis=1))
        # Of words with equal hashes, which are extremely rare, the first has a Δ.
        hashes = self.reader.scorer.vocabulary.hash[self.reader.words[learned]]
        terms, first = np.unique(hashes, return_index=True)
        power, size = float(self.temperature.power), float(self.temperature.size)
        return Refinement(
            tuple(classes.tolist()),
            weights.offsets,
            np.array([1 / self.temperature.value]),
            correction=Correction(terms, delta[learned[first]], passes, rows, power, size),
            counts_all_rows=has_all_rows,
        )


@dataclass(frozen=True, eq=False)
class Lessons:
    """All rows that can be read again, with left-out scores, for several passes; those of keys below a limit are not.

    They come in the order of their keys where they fit in memory, so that the order of the source does not matter, and
    otherwise in the order of the source, which is read again in every pass.
    """

    teacher: Teacher
    all_rows: RowsAgain
    limit: int = 0

    def __iter__(self) -> Iterator[TaughtRows]:
        if self._kept is not None:
            yield self._kept
            return
        for rows, _ in self._read():
            yield rows

    @cached_property
    def _kept(self) -> TaughtRows | None:
        """All rows in the order of their keys, None if they are too many to be kept."""
        parts: list[TaughtRows] = []
        keys: list[Keys] = []
        entries = 0
        for rows, key in self._read():
            entries += len(rows.rows.term) + rows.base.size
            if entries > KEPT_ENTRIES:
                return None
            parts.append(rows)
            keys.append(key)
        return TaughtRows.ordered(parts, keys)

    def _read(self) -> Iterator[tuple[TaughtRows, Keys]]:
        for given in self.all_rows.batches():
            weight = np.ones(given.labels.rows) if given.labels.weight is None else given.labels.weight.astype(float)
            key = row_keys(*given)
            rows = self.teacher.usable(given, np.where(below(key, self.limit), 0.0, weight) if self.limit else weight)
            yield self.teacher.taught(given.pick(rows), weight[rows]), key[rows]


def correct_on_sample(classifier: Classifier, fewest: int = ENOUGH_ROWS) -> Refinement | None:
    """Return the correction that the rows of a classifier's sample teach; None if they are few or it gains nothing."""
    if not classifier.reads_texts_alone:
        return None
    sample, found = classifier.sample, SampleRows.of(classifier)
    teacher = Teacher.of(classifier, found) if found.weight[found.usable].sum() >= fewest else None
    if teacher is None:
        return None
    every = LabelledRows(classifier.sample_frame(), sample.names, found.copies)
    held, kept = np.split(found.usable, [min(int(HELD_OUT_SHARE * len(found.usable)), MOST_HELD_OUT)])
    rest = teacher.without(LabelledRows(every.x, sample.names, sample.labels).pick(held))
    if rest is None:
        return None
    kept = kept[rest.usable(every.pick(kept), found.weight[kept])]
    lessons = [rest.taught(every.pick(kept), found.weight[kept])]
    passes = choose_passes(lessons, rest.tested(every.pick(held), found.weight[held])).passes
    if not passes:
        return None
    lessons = [teacher.taught(every.pick(found.usable), found.weight[found.usable])]
    return teacher.refinement(lessons, passes, float(found.weight.sum()), sample.is_complete)


def correct_on_all_rows(classifier: Classifier, all_rows: RowsAgain) -> Refinement | None:
    """Return the correction that all rows teach, which are read again; None if it gains nothing."""
    sample, found = classifier.sample, SampleRows.of(classifier)
    teacher = Teacher.of(classifier, found)
    size = min(int(HELD_OUT_SHARE * classifier.rows), MOST_HELD_OUT, len(found.usable) // 2)
    if teacher is None or size < 2:
        return None
    held = found.usable[:size]
    limit = int(sample.key[held[-1]]) + 1  # of the rows that can be used, those held out have keys below it
    every = LabelledRows(classifier.sample_frame(), sample.names, sample.labels)
    rest = teacher.without(every.pick(np.flatnonzero(below(sample.key, limit))))
    if rest is None:
        return None
    with show_steps("correcting") as announce:
        announce("choosing the number of passes", 0.0)
        passes = choose_passes(Lessons(rest, all_rows, limit), rest.tested(every.pick(held), found.weight[held])).passes
        announce(f"passes over all rows: {passes}", 0.5)
        return teacher.refinement(Lessons(teacher, all_rows), passes, classifier.rows, True) if passes else None


def _one_copy(labels: Labels) -> Floats:
    """[rows] weight of one copy of each row, which is left out of the counts when the row is scored."""
    return np.ones(labels.rows) if labels.weight is None else np.minimum(labels.weight, 1.0)


def _temperature(classifier: Classifier, found: SampleRows) -> Temperature:
    """Return the temperature that was chosen for the counted evidence, or else one fitted on the rows of the sample."""
    calibration = None if classifier.choices is None else classifier.choices.calibration
    if calibration is not None:
        return calibration.without_steps()
    rows, sample = found.usable, classifier.sample
    x, labels = classifier.sample_frame().pick(rows), found.copies.pick(rows)
    joint = LeaveOneOut(classifier).joint(x, sample.names, labels)
    return Temperature.fit(joint, classifier.log_prior, found.codes[rows], found.weight[rows], by_size=True)[0]
