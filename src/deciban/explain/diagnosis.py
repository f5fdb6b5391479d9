"""Diagnosis: what is wrong with the columns, or with the probabilities, and what to do about it; one sentence each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from deciban.arrays.labels import Codes, Floats
from deciban.explain.explanation import DECIBANS
from deciban.explain.pairs import Pairs, Reader, chance, codes_of, entropy, information, is_real, readers_of
from deciban.model.classifier import Classifier
from deciban.statistics import Tables

# Columns that tell at least this share of each other, given the class, are copies.
COPY = 0.8
# Evidence counted twice that is worth a sentence, as a share of what both columns say; such columns tell at least
# the other share of each other.
AGAIN, TOGETHER = 0.2, 0.1
# A column that tells this share of all there is to know about the class may leak it.
LEAK = 0.95
# Less than this, in decibans on average, says nothing worth having.
NOTHING = 0.02
# A value that should have been seen with a class this often, and never was.
EXPECTED = 20.0
# Confidence beyond accuracy that is too much.
TOO_SURE = 0.03
# Rows that are looked at.
ROWS = 200_000
# Findings of one kind that are shown.
SHOWN = 8

DUPLICATE, IRRELEVANT, LEAKING, NEVER, UNTRUSTED = "duplicate", "irrelevant", "leak", "never seen", "over-confident"


@dataclass(frozen=True)
class Finding:
    """What was found, in which columns, how much it is in decibans, and what to do."""

    kind: str
    columns: tuple[str, ...]
    decibans: float
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Diagnosis:
    """Findings, the gravest of every kind first."""

    findings: tuple[Finding, ...]
    rows: int

    def of(self, kind: str) -> list[Finding]:
        return [f for f in self.findings if f.kind == kind]

    def __str__(self) -> str:
        if not self.findings:
            return f"Nothing was found in {self.rows:,} rows."
        lines = []
        for kind in (LEAKING, DUPLICATE, UNTRUSTED, NEVER, IRRELEVANT):
            found = self.of(kind)
            lines += [f"{kind}: {f.sentence}" for f in found[:SHOWN]]
            lines += [f"{kind}: … and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
        return "\n".join(lines)

    def to_arrow(self) -> Any:
        import pyarrow as pa

        return pa.table(
            {
                "kind": pa.array([f.kind for f in self.findings], pa.string()),
                "columns": pa.array([list(f.columns) for f in self.findings], pa.list_(pa.string())),
                "decibans": pa.array([f.decibans for f in self.findings], pa.float64()),
                "sentence": pa.array([f.sentence for f in self.findings], pa.string()),
            }
        )


def diagnose(classifier: Classifier, names: list[str], blocks: Iterable[tuple[Any, Codes]]) -> Diagnosis:
    """Of rows in blocks, with the position of their class among the model's, −1 for none."""
    readers = readers_of(classifier, names)
    model, seen = classifier.model, Trust()
    pairs = None
    for x, codes in blocks:
        some = Pairs.of(readers, codes_of(classifier, readers, x), codes, len(model.classes))
        pairs = some if pairs is None else pairs + some
        seen.add(model.posterior(x), codes)
        if pairs.rows.sum() >= ROWS:
            break
    if pairs is None or not pairs.rows.sum():
        raise ValueError("there are no labelled rows to diagnose; give rows with their labels.")
    alone = [pairs.alone(i) for i in range(len(readers))]
    found = [
        *leaks(readers, alone),
        *duplicates(pairs, readers),
        *untrusted(seen, classifier),
        *never_seen(classifier, names),
        *irrelevant(readers, alone),
    ]
    return Diagnosis(tuple(found), int(pairs.rows.sum()))


def leaks(readers: tuple[Reader, ...], alone: list[Floats]) -> list[Finding]:
    found = []
    for reader, table in zip(readers, alone):
        told, all_of_it = information(table) - chance(table), entropy(table.sum(axis=1))
        if all_of_it > 0 and told / all_of_it > LEAK:
            said = (
                f"{reader.name} alone tells {told / all_of_it:.0%} of what there is to know about the class; if it is "
                "made from the label, or known only afterwards, leave it out."
            )
            found.append(Finding(LEAKING, (reader.name,), told * DECIBANS, said))
    return sorted(found, key=lambda f: -f.decibans)


def duplicates(pairs: Pairs, readers: tuple[Reader, ...]) -> list[Finding]:
    """Pairs that go together given the class, by I(i; j | class), and the evidence that is counted twice for it."""
    found = []
    for i, j in combinations(range(len(readers)), 2):
        table = pairs.table(i, j)
        whole = table.sum()
        if whole <= 0 or not any(is_real(t) for t in table):
            continue
        shared = sum(t.sum() / whole * _corrected(t) for t in table)
        spread = [_entropy_given_class(table, axis) for axis in (1, 2)]
        told = _corrected(table.sum(axis=2)) + _corrected(table.sum(axis=1))
        twice = counted_twice(table)
        same = bool(max(spread) > 1e-9 and shared >= COPY * max(spread))
        much = twice >= max(NOTHING, AGAIN * told * DECIBANS) and shared >= TOGETHER * min(spread)
        if same or much:
            found.append(_duplicate(readers[i].name, readers[j].name, same, shared / max(spread), max(twice, 0.0)))
    return [f for f, _ in sorted(found, key=lambda pair: (not pair[1], -pair[0].decibans))]


def counted_twice(table: Floats) -> float:
    """By how much two columns as independent are more sure of their decision than both together are, in decibans.

    From classes × values × values: the mean of the log-odds that naive Bayes gives, less that of the share of the class
    among rows that have both values. One imagined row for every pair of values is as naive Bayes says, so that what few
    rows show does not count.
    """
    prior = table.sum(axis=(1, 2))
    some = np.where(prior > 0, prior, 1.0)[:, None]
    first, second = table.sum(axis=2) / some, table.sum(axis=1) / some
    naive = prior[:, None, None] * first[:, :, None] * second[:, None, :]
    naive = naive / np.maximum(naive.sum(axis=0), 1e-300)
    both = (table + naive) / np.maximum((table + naive).sum(axis=0), 1e-300)
    best = naive.argmax(axis=0)[None]
    a, b = (np.clip(np.take_along_axis(p, best, axis=0)[0], 1e-9, 1 - 1e-9) for p in (naive, both))
    more = np.log(a / (1 - a)) - np.log(b / (1 - b))
    return float((table.sum(axis=0) * more).sum() / table.sum() * DECIBANS)


def _duplicate(a: str, b: str, same: bool, share: float, twice: float) -> tuple[Finding, bool]:
    how = "say the same" if same else f"go together ({share:.0%})"
    remedy = f"leave {b} out" if same else "leave one out, or calibrate"
    kept = f", {twice:.2g} dB too much on average" if twice >= NOTHING else ""
    said = f"{a} and {b} {how} given the class, so their evidence counts twice{kept}; {remedy}."
    return Finding(DUPLICATE, (a, b), float(twice), said), same


def _corrected(table: Floats) -> float:
    return max(0.0, information(table) - chance(table))


def _entropy_given_class(table: Floats, axis: int) -> float:
    whole = table.sum()
    return float(sum(t.sum() / whole * entropy(t.sum(axis=2 - axis)) for t in table))


class Trust:
    """How sure the model was, and how often right."""

    def __init__(self) -> None:
        self.sure = self.right = self.rows = self.chance = 0.0

    def add(self, posterior: Floats, codes: Codes) -> None:
        known = codes >= 0
        best = posterior[known].argmax(axis=1)
        top = posterior[known].max(axis=1)
        self.sure += float(top.sum())
        self.chance += float((top * (1 - top)).sum())  # the variance of how many are right, were it as sure as it says
        self.right += float((best == codes[known]).sum())
        self.rows += float(known.sum())


def untrusted(seen: Trust, classifier: Classifier) -> list[Finding]:
    sure, right = seen.sure / seen.rows, seen.right / seen.rows
    if sure - right < max(TOO_SURE, 3 * np.sqrt(seen.chance) / seen.rows):
        return []
    remedy = "fit with calibrate='auto'" if classifier.calibration is None else "calibrate on rows like these"
    said = (
        f"The model is {sure:.0%} sure on average and right in {right:.0%}: do not trust its probabilities; {remedy}."
    )
    p, q = (min(max(share, 0.5 / seen.rows), 1 - 0.5 / seen.rows) for share in (sure, right))
    odds = DECIBANS * float(np.log(p / (1 - p)) - np.log(q / (1 - q)))
    return [Finding(UNTRUSTED, (), odds, said)]


def never_seen(classifier: Classifier, names: list[str]) -> list[Finding]:
    """Values that a class never showed though it should have, by chance, many times: from statistics alone."""
    found = []
    classes = classifier.seen.classes.tolist()
    for group, block in zip(classifier.groups, classifier.seen.blocks):
        if not isinstance(block, Tables):
            continue
        for place, j in enumerate(group.positions(classifier.features).tolist()):
            table = block.of_feature(place)
            whole = table.sum()
            expected = table.sum(1, keepdims=True) * table.sum(0) / max(whole, 1e-300)
            for c, v in zip(*np.nonzero((table == 0) & (expected >= EXPECTED))):
                value = block.categories[place].tolist()[v]
                said = (
                    f"{names[j]} = {value} never occurs with {classes[c]}, where {expected[c, v]:.0f} rows would by "
                    "chance: it rules the class out as far as the pseudo-count lets it; see that this is so in reality."
                )
                found.append(Finding(NEVER, (names[j],), float(expected[c, v]), said))
    return sorted(found, key=lambda f: -f.decibans)


def irrelevant(readers: tuple[Reader, ...], alone: list[Floats]) -> list[Finding]:
    found = []
    for reader, table in zip(readers, alone):
        if reader.word >= 0:
            continue
        told = _corrected(table) * DECIBANS
        real = is_real(table, 0.01)
        if told < NOTHING or not real:
            how = (
                f"says nothing about the class ({told:.2f} dB on average)" if real else "says no more than chance would"
            )
            how = how if (table.sum(axis=0) > 0).sum() > 1 else "never varies"
            said = f"{reader.name} {how}; leave it out."
            found.append(Finding(IRRELEVANT, (reader.name,), told, said))
    return found
