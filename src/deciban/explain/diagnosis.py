"""Diagnosis: problems of columns and of probabilities, and what to do about them; one sentence each."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np

from deciban.arrays.frame import Frame
from deciban.arrays.tolerances import EQUAL_SCORES, TINY
from deciban.arrays.types import Codes, Floats
from deciban.errors import setting
from deciban.explain.findings import (
    DUPLICATE,
    IRRELEVANT,
    LEAKING,
    NEVER,
    TOO_FEW,
    UNTRUSTED,
    Diagnosis,
    Finding,
)
from deciban.explain.line_gains import LineGains
from deciban.explain.pair_information import column_pairs
from deciban.explain.pairs import (
    PairedColumn,
    Pairs,
    chance_information,
    corrected_information,
    count_entropy,
    detectable_information,
    inspect,
    is_dependent,
    table_information,
)
from deciban.explain.row_explanation import DECIBANS
from deciban.model.classifier import Classifier
from deciban.readers.source import Source
from deciban.tables.predict import labelled_rows
from deciban.tables.rows import table_schema
from deciban.terminal.values import short_value

# Columns that share at least this part of their entropy, given the class, are copies.
COPY_SHARE = 0.8
# Evidence counted twice is worth a sentence if it is at least the first share of the evidence of both columns, and the
# columns share at least the second part of their entropy.
DOUBLE_SHARE, SHARED_PART = 0.2, 0.1
# A column with this share of all information about the class may leak it.
LEAK_SHARE = 0.95
# Less mean evidence than this, in decibans, is negligible.
NEGLIGIBLE = 0.02
# A value that never occurs with a class is worth a sentence if this number of rows was expected.
EXPECTED_ROWS = 20.0
# Mean confidence may exceed accuracy by this much.
OVERCONFIDENCE = 0.03
# Rows that are looked at, at most.
DIAGNOSED_ROWS = 200_000
# Significance level below which a column is not irrelevant.
RELEVANT = 0.01
# A column is called irrelevant only if its rows are enough to detect this mean evidence, in decibans.
TELLING = 0.1
# A column is said never to vary only if at least this number of rows have its value.
CONSTANT_ROWS = 30
# Posteriors are clipped this far from 0 and 1 before log-odds are taken.
CLIPPED = 1e-9


def diagnose(classifier: Classifier, names: list[str], blocks: Iterable[tuple[Frame, Codes]]) -> Diagnosis:
    """Diagnose rows in blocks, with the position of their class among the model's, −1 for none."""
    inspected = inspect(classifier, names)
    model, confidence, gains = classifier.model, Confidence(), LineGains(classifier)
    pairs, rest = None, iter(blocks)
    for x, codes in rest:
        counted = Pairs.of(inspected.columns, inspected.codes(x), codes, len(model.classes))
        pairs = counted if pairs is None else pairs + counted
        confidence.add(model.posterior(x), codes)
        gains.add(x, codes)
        if pairs.rows.sum() >= DIAGNOSED_ROWS:
            break
    if pairs is None or not pairs.rows.sum():
        raise ValueError("there are no labelled rows to diagnose; give rows with their labels.")
    counts = [pairs.counts(i) for i in range(len(inspected.columns))]
    found = [
        *leaks(inspected.columns, counts),
        *(duplicates(pairs, classifier.calibration is not None) if gains.refinement is None else copies(pairs)),
        *overconfidence(confidence, classifier),
        *never_seen(classifier, names),
        *irrelevant(inspected.columns, counts, gains.useful(names)),
        *undecided(inspected.columns, counts, gains.useful(names)),
        *gains.findings(names),
    ]
    more = [f"rows after the first {int(pairs.rows.sum()):,}"] if next(rest, None) is not None else []
    matrix = column_pairs(pairs, counts)
    is_refined = gains.refinement is not None
    return Diagnosis(tuple(found), int(pairs.rows.sum()), (*inspected.skipped, *more), matrix, is_refined)


def leaks(columns: tuple[PairedColumn, ...], counts: list[Floats]) -> list[Finding]:
    """Find columns that alone tell nearly all about the class."""
    found = []
    for column, table in zip(columns, counts):
        information = table_information(table) - chance_information(table)
        entropy = count_entropy(table.sum(axis=1))
        if entropy > 0 and information / entropy > LEAK_SHARE:
            sentence = (
                f"{column.name} alone tells {information / entropy:.0%} of what there is to know about the class; if "
                "it is made from the label, or known only afterwards, leave it out."
            )
            found.append(Finding(LEAKING, (column.name,), information * DECIBANS, sentence))
    return sorted(found, key=lambda f: -f.decibans)


def duplicates(pairs: Pairs, is_calibrated: bool) -> list[Finding]:
    """Find pairs that go together given the class, by I(i; j | class), so that evidence is counted twice."""
    found = []
    for i, j in combinations(range(len(pairs.columns)), 2):
        table = pairs.table(i, j)
        whole = table.sum()
        if whole <= 0 or not any(is_dependent(t) for t in table):
            continue
        shared = sum(t.sum() / whole * corrected_information(t) for t in table)
        entropies = [_entropy_given_class(table, axis) for axis in (1, 2)]
        evidence = corrected_information(table.sum(axis=2)) + corrected_information(table.sum(axis=1))
        double = counted_twice(table)
        is_copy = is_nearly_all(shared, max(entropies))
        is_much = double >= max(NEGLIGIBLE, DOUBLE_SHARE * evidence * DECIBANS)
        if is_copy or (is_much and shared >= SHARED_PART * min(entropies)):
            share = shared / max(entropies)
            sentence = _duplicate_sentence(pairs.columns[i].name, pairs.columns[j].name, is_copy, share, double)
            remedy = "leave one out" if is_calibrated else "leave one out, or calibrate"
            remedy = f"leave {pairs.columns[j].name} out" if is_copy else remedy
            remedy += " (the calibration makes up for it only on average)" if is_calibrated else ""
            columns = pairs.columns[i].name, pairs.columns[j].name
            found.append((Finding(DUPLICATE, columns, max(double, 0.0), f"{sentence}; {remedy}."), is_copy))
    return [f for f, _ in sorted(found, key=lambda pair: (not pair[1], -pair[0].decibans))]


def is_nearly_all(shared: float, entropy: float) -> bool:
    """Return whether two columns that share some information, given the class, are copies of each other."""
    return bool(entropy > EQUAL_SCORES and shared >= COPY_SHARE * entropy)


def copies(pairs: Pairs) -> list[Finding]:
    """Find pairs that say the same given the class in a refined model, whose weights make up for that."""
    found = []
    for i, j in combinations(range(len(pairs.columns)), 2):
        table, (a, b) = pairs.table(i, j), (pairs.columns[i], pairs.columns[j])
        whole = table.sum()
        if a.is_word or b.is_word or whole <= 0 or not any(is_dependent(t) for t in table):
            continue
        shared = sum(t.sum() / whole * corrected_information(t) for t in table)
        entropy = max(_entropy_given_class(table, axis) for axis in (1, 2))
        if is_nearly_all(shared, entropy):
            sentence = (
                f"{a.name} and {b.name} say the same given the class; the weights of the model keep their evidence "
                f"from counting twice, and one of the two is enough: {b.name} can be left out."
            )
            found.append(Finding(DUPLICATE, (a.name, b.name), shared * DECIBANS, sentence))
    return sorted(found, key=lambda f: -f.decibans)


def counted_twice(table: Floats) -> float:
    """Return how many decibans of evidence are counted twice, on average.

    From counts [classes × values × values]: the mean of the log-odds that naive Bayes gives, less the mean of the
    log-odds of the class among rows that have both values. One imagined row for every pair of values is as naive Bayes
    says, so that few rows prove nothing.
    """
    prior = table.sum(axis=(1, 2))
    weight = np.where(prior > 0, prior, 1.0)[:, None]
    first, second = table.sum(axis=2) / weight, table.sum(axis=1) / weight
    naive = prior[:, None, None] * first[:, :, None] * second[:, None, :]
    naive = naive / np.maximum(naive.sum(axis=0), TINY)
    both = (table + naive) / np.maximum((table + naive).sum(axis=0), TINY)
    best = naive.argmax(axis=0)[None]
    a, b = (np.clip(np.take_along_axis(p, best, axis=0)[0], CLIPPED, 1 - CLIPPED) for p in (naive, both))
    excess = np.log(a / (1 - a)) - np.log(b / (1 - b))
    return float((table.sum(axis=0) * excess).sum() / table.sum() * DECIBANS)


def _duplicate_sentence(a: str, b: str, is_copy: bool, share: float, double: float) -> str:
    relation = "say the same" if is_copy else f"go together ({share:.0%})"
    part = "their evidence" if is_copy else "part of their evidence"
    size = f", {double:.2g} dB too much on average" if double >= NEGLIGIBLE else ""
    return f"{a} and {b} {relation} given the class, so {part} counts twice{size}"


def _entropy_given_class(table: Floats, axis: int) -> float:
    whole = table.sum()
    return float(sum(t.sum() / whole * count_entropy(t.sum(axis=2 - axis)) for t in table))


class Confidence:
    """Sums of the model's confidence and of its right decisions."""

    def __init__(self) -> None:
        self.confidence = self.right = self.rows = self.variance = 0.0

    def add(self, posterior: Floats, codes: Codes) -> None:
        """Add rows with these posteriors, and the position of their class, −1 for none."""
        known = codes >= 0
        best = posterior[known].argmax(axis=1)
        top = posterior[known].max(axis=1)
        self.confidence += float(top.sum())
        # The variance of the number of right decisions, if the confidence were justified.
        self.variance += float((top * (1 - top)).sum())
        self.right += float((best == codes[known]).sum())
        self.rows += float(known.sum())


def overconfidence(seen: Confidence, classifier: Classifier) -> list[Finding]:
    """Find a mean confidence that is clearly above the accuracy."""
    confidence, accuracy = seen.confidence / seen.rows, seen.right / seen.rows
    if confidence - accuracy < max(OVERCONFIDENCE, 3 * np.sqrt(seen.variance) / seen.rows):
        return []
    remedy = "fit with calibrate='auto'"
    if classifier.settings.calibrate is not None:
        remedy = "its calibration could not be fitted, so tune it on rows with labels"
    if classifier.calibration is not None:
        remedy = "it is calibrated, but on other rows: tune it on rows like these"
    if classifier.refinement is not None:
        remedy = "its weights were fitted on other rows: tune it on rows like these"
    sentence = (
        f"The model is {confidence:.0%} sure on average and right in {accuracy:.0%}: do not trust its probabilities; "
        f"{remedy}."
    )
    p, q = (min(max(share, 0.5 / seen.rows), 1 - 0.5 / seen.rows) for share in (confidence, accuracy))
    odds = DECIBANS * float(np.log(p / (1 - p)) - np.log(q / (1 - q)))
    return [Finding(UNTRUSTED, (), odds, sentence)]


def never_seen(classifier: Classifier, names: list[str]) -> list[Finding]:
    """Find values that a class never showed though many rows were expected by chance, from statistics alone."""
    found = []
    bound = "the pseudo-count lets" if classifier.refinement is None else "the pseudo-count and its weight let"
    classes = classifier.seen.classes.tolist()
    for group, block in zip(classifier.groups, classifier.seen.blocks):
        for place, j in enumerate(group.column_indices(classifier.features).tolist()):
            counted = block.categories_of(place)
            if counted is None:
                break
            if classifier.refinement is not None and not classifier.refinement.column_weights[j]:
                continue
            categories, table = counted
            expected = table.sum(1, keepdims=True) * table.sum(0) / max(table.sum(), TINY)
            for c, v in zip(*np.nonzero((table == 0) & (expected >= EXPECTED_ROWS))):
                sentence = (
                    f"{short_value(names[j])} = {short_value(categories.tolist()[v])} never occurs with "
                    f"{short_value(classes[c])}, where "
                    f"{expected[c, v]:.0f} rows would by chance: it rules the class out as far as {bound} "
                    "it; see that this is so in reality."
                )
                found.append(Finding(NEVER, (names[j],), float(expected[c, v]), sentence))
    return sorted(found, key=lambda f: -f.decibans)


def irrelevant(columns: tuple[PairedColumn, ...], counts: list[Floats], useful: set[str]) -> list[Finding]:
    """Find columns (not words) that tell nothing about the class, if there are enough rows to show it.

    Columns that are ``useful`` together with others are none of them.
    """
    found = []
    for column, table in zip(columns, counts):
        evidence = corrected_information(table) * DECIBANS
        dependent = is_dependent(table, RELEVANT)
        if column.is_word or column.name in useful or (evidence >= NEGLIGIBLE and dependent) or has_too_few_rows(table):
            continue
        problem = "says no more than chance would"
        if dependent:
            problem = f"says hardly anything about the class ({evidence:.2f} dB on average)"
        if never_varies(table):
            problem = "never varies"
        found.append(Finding(IRRELEVANT, (column.name,), evidence, f"{column.name} {problem}; leave it out."))
    return found


def undecided(columns: tuple[PairedColumn, ...], counts: list[Floats], useful: set[str]) -> list[Finding]:
    """Find columns (not words) that seem to tell nothing about the class, but have too few rows to show it."""
    few = [
        (column.name, table)
        for column, table in zip(columns, counts)
        if not (column.is_word or column.name in useful or is_dependent(table, RELEVANT)) and has_too_few_rows(table)
    ]
    if not few:
        return []
    least = max(detectable_information(table, RELEVANT) for _, table in few) * DECIBANS
    names = tuple(name for name, _ in few)
    rows = max(int(table.sum()) for _, table in few)
    sentence = (
        f"{rows:,} rows are too few to tell whether {', '.join(names)} matter{'s' if len(names) == 1 else ''}: "
        f"less than {least:.1f} dB of evidence on average would not show; diagnose more rows."
    )
    return [Finding(TOO_FEW, names, least, sentence)]


def has_too_few_rows(table: Floats) -> bool:
    """Return whether counts [classes × values] are too few to show a column's evidence, or that it never varies."""
    if never_varies(table):
        return bool(table.sum() < CONSTANT_ROWS)
    return detectable_information(table, RELEVANT) * DECIBANS > TELLING


def never_varies(table: Floats) -> bool:
    """Return whether a column of counts [classes × values] has at most one value."""
    return bool((table.sum(axis=0) > 0).sum() <= 1)


def diagnose_table(classifier: Classifier, source: Source, target: str | None) -> Diagnosis:
    """Diagnose the rows of a table with labels in the column ``target``, by default the one trained on."""
    schema = table_schema(classifier)
    target = schema.target if target is None else target
    if target is None:
        raise ValueError(f"the model does not know which column has the labels; name it ({setting('y')}).")
    return diagnose(classifier, schema.names, labelled_rows(classifier, source, target))
