"""Pairs of columns: how often values meet, class by class; counts that add up like everything else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import ndtri, xlogy
from scipy.stats import chi2

from deciban.arrays.labels import Codes, Floats
from deciban.arrays.matrix import densify
from deciban.explain.importance import importance
from deciban.likelihoods import Binned
from deciban.model.classifier import Classifier, Group
from deciban.model.model import take
from deciban.priors.priors import Estimation
from deciban.scorers import Steps
from deciban.statistics import Histogram, Moments, Sums, Tables, WordCounts
from deciban.statistics.tables import codes_among, starts
from deciban.statistics.words import documents_in

# Values of a column that are told apart: bins of numbers, and the most frequent categories.
BINS, CATEGORIES = 8, 16
# Words of a text that are looked at.
WORDS = 60


@dataclass(frozen=True)
class Reader:
    """A column as few codes: −1 where it is missing."""

    name: str
    values: int
    group: int  # of the classifier
    place: int  # among the group's columns
    position: int  # among all columns
    word: int = -1  # of the vocabulary, if it is one
    hole: bool = False  # whether what is missing is a value, the last


@dataclass(frozen=True, eq=False)
class Pairs:
    """How often values of columns meet: one matrix per class, values × values, and how many rows each class has."""

    readers: tuple[Reader, ...]
    meetings: tuple[Floats, ...]
    rows: Floats

    def __add__(self, other: Pairs) -> Pairs:
        together = tuple(a + b for a, b in zip(self.meetings, other.meetings))
        return Pairs(self.readers, together, self.rows + other.rows)

    @property
    def start(self) -> np.ndarray:
        return starts([r.values for r in self.readers])

    def table(self, i: int, j: int) -> Floats:
        """Classes × values of i × values of j, over rows where neither is missing."""
        s = self.start
        return np.stack([m[s[i] : s[i + 1], s[j] : s[j + 1]] for m in self.meetings])

    def alone(self, i: int) -> Floats:
        """Classes × values of one column."""
        s = self.start
        return np.stack([np.diagonal(m)[s[i] : s[i + 1]] for m in self.meetings])

    @staticmethod
    def of(readers: tuple[Reader, ...], codes: np.ndarray, classes: Codes, number: int) -> Pairs:
        """Of some rows: codes (rows × readers), and the class of every row, −1 for none."""
        start = starts([r.values for r in readers])
        meetings = []
        for c in range(number):
            own = codes[classes == c]
            row, column = np.nonzero(own >= 0)
            place = start[column] + own[row, column]
            there = sparse.csr_matrix((np.ones(len(place)), (row, place)), shape=(len(own), start[-1]))
            meetings.append((there.T @ there).toarray())
        return Pairs(readers, tuple(meetings), np.bincount(classes[classes >= 0], minlength=number).astype(float))


def readers_of(classifier: Classifier, names: list[str]) -> tuple[Reader, ...]:
    """What is looked at of every column that counts; columns that are read together are no pairs."""
    found: list[Reader] = []
    apart = {} if classifier.chosen is None else dict(classifier.chosen.apart)
    ignored = {j for j, likelihood in apart.items() if likelihood is None}
    holes = () if classifier.holes is None else classifier.holes.columns
    for g, (group, block) in enumerate(zip(classifier.groups, classifier.seen.blocks)):
        if group.likelihood.joins_columns or not isinstance(block, Tables | Histogram | Moments | Sums | WordCounts):
            continue
        for place, j in enumerate(group.positions(classifier.features).tolist()):
            if j in ignored:
                continue
            if group.likelihood.reads_text:
                found += _words(classifier, g, j)
            else:
                found.append(Reader(names[j], values_of(block, place) + (j in holes), g, place, j, hole=j in holes))
    return tuple(found)


def _words(classifier: Classifier, g: int, j: int) -> list[Reader]:
    model = classifier.model
    said = importance(classifier, [str(i) for i in range(classifier.features)]).words.get(str(j), {})
    part = next((p for p in model.parts if hasattr(p.scorer, "words_of") and _reads(p, j, classifier)), None)
    if part is None:
        return []
    scorer: Any = getattr(part.scorer, "words", part.scorer)
    place = {word: i for i, word in enumerate(scorer.named(np.arange(len(scorer.vocabulary))))}
    return [Reader(word, 2, g, 0, j, place[word]) for word in list(said)[:WORDS] if word in place]


def _reads(part: Any, j: int, classifier: Classifier) -> bool:
    return j in np.arange(classifier.features)[slice(None) if part.columns is None else part.columns]


def values_of(block: Any, place: int) -> int:
    if isinstance(block, Tables):
        return min(CATEGORIES + 1, len(block.categories[place]))
    if isinstance(block, Histogram | Moments):
        return BINS
    return CATEGORIES  # counts


def codes_of(classifier: Classifier, readers: tuple[Reader, ...], x: Any) -> np.ndarray:
    """Rows × readers."""
    found = np.full((x.shape[0], len(readers)), -1, dtype=np.int64)
    for g, (group, block) in enumerate(zip(classifier.groups, classifier.seen.blocks)):
        own = [(k, r) for k, r in enumerate(readers) if r.group == g]
        if not own:
            continue
        rows = group.read(take(x, group.columns))
        if own[0][1].word >= 0:
            part = next(p for p in classifier.model.parts if _reads(p, own[0][1].position, classifier))
            scorer: Any = getattr(part.scorer, "words", part.scorer)
            there = scorer.rows(documents_in(rows)).to_scipy().tocsc()
            for k, r in own:
                found[:, k] = 0
                found[there[:, [r.word]].nonzero()[0], k] = 1
            continue
        every = group_codes(group, block, rows)
        for k, r in own:
            code = np.minimum(every[:, r.place], r.values - 1 - r.hole)
            found[:, k] = np.where(code < 0, r.values - 1, code) if r.hole else code
    return found


def group_codes(group: Group, block: Any, rows: Any) -> np.ndarray:
    """Few codes for every column of a group."""
    if isinstance(block, Tables):
        return np.stack(
            [_frequent_first(block, j, c) for j, c in enumerate(_category_codes(group, block, rows))], axis=1
        )
    if isinstance(block, Histogram):
        return Binned(bins=BINS).estimate(block, Estimation()).bins(rows).astype(np.int64)
    if isinstance(block, Moments):
        return normal_bins(block).bins(rows).astype(np.int64)
    x = (rows.numbers() if hasattr(rows, "numbers") else densify(rows)).astype(float)
    return np.where(np.isnan(x), -1, np.minimum(np.nan_to_num(x), CATEGORIES - 1)).astype(np.int64)


def normal_bins(block: Moments) -> Steps:
    """Cuts of equal mass, were all classes together normal."""
    pooled = block.pooled()
    weight = np.where(pooled.weight > 0, pooled.weight, 1.0)
    deviation = np.sqrt(np.broadcast_to(pooled.deviation / weight, pooled.mean.shape))[0]
    at = ndtri(np.arange(1, BINS) / BINS)
    return Steps(tuple(m + d * at for m, d in zip(pooled.mean[0], deviation)), ())


def _category_codes(group: Group, block: Tables, rows: Any) -> np.ndarray:
    positions = [{value: i for i, value in enumerate(names.tolist())} for names in block.categories]
    unseen = np.full(block.features, -1, dtype=np.int64)
    return codes_among(rows if hasattr(rows, "coded") else densify(rows), block.categories, positions, unseen).T


def _frequent_first(block: Tables, j: int, codes: Codes) -> np.ndarray:
    """Categories by how frequent they are, so that the rare ones are lumped together."""
    rank = np.empty(len(block.categories[j]) + 1, dtype=np.int64)
    rank[np.argsort(-block.of_feature(j).sum(axis=0), kind="stable")] = np.arange(len(block.categories[j]))
    rank[-1] = -1
    return rank[codes]


def information(table: Floats) -> float:
    """Of rows and columns of a table of counts, in nats."""
    whole = table.sum()
    if whole <= 0:
        return 0.0
    p = table / whole
    return float(xlogy(p, p).sum() - xlogy(p.sum(1), p.sum(1)).sum() - xlogy(p.sum(0), p.sum(0)).sum())


def entropy(counts: Floats) -> float:
    p = counts / max(counts.sum(), 1e-300)
    return float(-xlogy(p, p).sum())


def chance(table: Floats) -> float:
    """What information a table of independent rows and columns shows on average: degrees of freedom / 2N."""
    rows, columns = (table.sum(1) > 0).sum(), (table.sum(0) > 0).sum()
    return float(max(0, rows - 1) * max(0, columns - 1) / (2 * max(table.sum(), 1.0)))


def is_real(table: Floats, level: float = 1e-3) -> bool:
    """Whether rows and columns of a table of counts go together (G-test)."""
    freedom = max(0, (table.sum(1) > 0).sum() - 1) * max(0, (table.sum(0) > 0).sum() - 1)
    return bool(freedom and 2 * table.sum() * information(table) > chi2.ppf(1 - level, freedom))
