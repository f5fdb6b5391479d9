"""Top words: for every class, the words or columns of a bag with the most evidence for it, and against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from deciban.arrays.types import Floats, Longs
from deciban.describe.groups import TableOfGroup, fitted_groups, target_name, weight_remark
from deciban.explain.row_explanation import DECIBANS
from deciban.likelihoods.parameters import ParameterTable
from deciban.model.classifier import Classifier
from deciban.priors.counts import log
from deciban.scorers.base import log_odds

if TYPE_CHECKING:
    import pyarrow as pa

    from deciban.plots.top_words import TopWordsDisplay

# Terms that are compared at a time.
BLOCK = 1 << 16


@dataclass(frozen=True)
class TopWord:
    """A word, or a column of a bag, and its evidence for a class against all other classes."""

    word: str
    column: str  # "" for a model of texts alone, and for the columns of an array
    decibans: float  # 10·log₁₀ of P(word | class) over P(word | other classes), which are weighted by their prior
    count: float  # weight of the word in the class
    other_count: float  # weight of the word in all other classes

    @property
    def text(self) -> str:
        """The word, after its column if it has one."""
        return f"{self.column}: {self.word}" if self.column else self.word


@dataclass(frozen=True)
class TopWords:
    """The words with the most evidence for every class against the rest, and against it, the strongest first.

    Words are chosen by decibans times the root of their count, which is about decibans in standard errors: neither
    words seen once nor words of every text crowd out the others. They are sorted by decibans. For two classes, the
    words against one are those for the other.
    """

    target: str
    classes: tuple[Any, ...]
    favour: tuple[tuple[TopWord, ...], ...]  # per class
    against: tuple[tuple[TopWord, ...], ...]  # per class
    unit: str  # what counts are, such as "occurrences"
    remark: str = ""  # that a refined model gives words a weight

    def __getitem__(self, label: Any) -> tuple[TopWord, ...]:
        if label not in self.classes:
            raise KeyError(f"{label!r} is not among the classes {list(self.classes)}.")
        return self.favour[self.classes.index(label)]

    def of_class(self, label: Any) -> TopWords:
        """Return the words of one class alone."""
        favour = self[label]
        return replace(self, classes=(label,), favour=(favour,), against=(self.against[self.classes.index(label)],))

    def __repr__(self) -> str:
        return f"TopWords({len(self.classes)} classes, {sum(map(len, self.favour))} words)"

    def __str__(self) -> str:
        from deciban.describe.parameters_text import top_words_text

        return top_words_text(self)

    def to_arrow(self) -> pa.Table:
        """Return a row for every word and class, with the words against a class below 0 decibans."""
        import pyarrow as pa

        found = [
            (str(label), w.column, w.word, w.decibans, w.count, w.other_count)
            for label, favour, against in zip(self.classes, self.favour, self.against)
            for w in (*favour, *against)
        ]
        names = ["class", "column", "word", "decibans", "count", "other_count"]
        kinds = [pa.string()] * 3 + [pa.float64()] * 3
        columns = list(zip(*found)) or [()] * len(names)
        return pa.table({name: pa.array(c, kind) for name, c, kind in zip(names, columns, kinds)})

    def plot(self, ax: Any = None, *, theme: str | None = None) -> TopWordsDisplay:
        """Draw the words of every class as bars (needs matplotlib); see ``deciban.plots.TopWordsDisplay``."""
        from deciban.plots.top_words import TopWordsDisplay

        return TopWordsDisplay(self).plot(ax, theme=theme)

    def _repr_html_(self) -> str:
        from deciban.describe.parameters_text import top_words_html

        return top_words_html(self)


def top_words(classifier: Classifier, names: list[str], columns: Sequence[str] | None = None, n: int = 10) -> TopWords:
    """Return the n words with the most evidence for every class against the rest, and the n against it."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
        raise ValueError(f"n is {n!r}; give a whole number of at least 1.")
    groups = (group.terms() for group in fitted_groups(classifier, names))
    tables = [t for t in groups if t is not None and (columns is None or set(columns).intersection(t.columns))]
    if not tables:
        raise ValueError(
            "the model has no words: top_words is for texts (Words) and for columns of counts or bits under "
            "Multinomial, Complement or Bernoulli; parameters() shows other columns."
        )
    prior, classes = np.exp(classifier.log_prior), tuple(classifier.model.classes.tolist())
    ranked = [_ranked_words(t, prior, n, named=len(names) > 1) for t in tables]
    favour = [_merged([r[0][c] for r in ranked], n, 1) for c in range(len(classes))]
    against = [_merged([r[1][c] for r in ranked], n, -1) for c in range(len(classes))]
    unit = " or ".join(dict.fromkeys(t.table.counted for t in tables))
    return TopWords(target_name(classifier), classes, tuple(favour), tuple(against), unit, weight_remark(classifier))


def strongest_terms(table: ParameterTable, prior: Floats, n: int) -> Longs:
    """Return the n terms with the most evidence for each class, every term once, class by class."""
    chosen = _choose(table, prior, n)[0]
    return np.array(list(dict.fromkeys(int(i) for terms in chosen for i in terms)), dtype=np.int64)


def against_rest(scores: Floats, prior: Floats) -> Floats:
    """[terms × classes] log P(term | class) − log P(term | other classes), whose shares follow from the prior."""
    classes = len(prior)
    if classes < 2:
        return np.zeros_like(scores)
    shares = np.where(np.eye(classes, dtype=bool), 0.0, prior[:, None])
    whole = shares.sum(axis=0)
    shares = np.where(whole > 0, shares / np.where(whole > 0, whole, 1.0), (1 - np.eye(classes)) / (classes - 1))
    top = scores.max(axis=1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    rest = np.einsum("tc,cd->td", np.exp(scores - top), shares)  # not @, whose rounding depends on threads
    return log_odds(scores, log(rest) + top)


def _choose(table: ParameterTable, prior: Floats, n: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return, for every class, the terms with the most evidence for it and those with the most against it."""
    classes = len(prior)
    best: tuple[list[Any], list[Any]] = ([[] for _ in range(classes)], [[] for _ in range(classes)])
    for begin in range(0, table.size, BLOCK):
        lines = np.arange(begin, min(begin + BLOCK, table.size))
        odds = against_rest(table.scores(lines), prior)
        counts = np.ones_like(odds) if table.counts is None else table.counts(lines)
        for c in range(classes):
            rest = counts.sum(axis=1) - counts[:, c]
            for side, weight, value in ((0, counts[:, c], odds[:, c]), (1, rest, -odds[:, c])):
                usable = np.flatnonzero((weight > 0) & (value > 0))
                strength = np.sqrt(weight[usable]) * value[usable]
                order = np.lexsort((-weight[usable], -strength))[:n]
                best[side][c] += [(-strength[k], -weight[usable][k], int(lines[usable[k]])) for k in order.tolist()]
    chosen = [[[line for *_, line in sorted(found)[:n]] for found in side] for side in best]
    return chosen[0], chosen[1]


def _ranked_words(
    table: TableOfGroup, prior: Floats, n: int, named: bool
) -> tuple[list[list[TopWord]], list[list[TopWord]]]:
    """Return the chosen words for every class, and against it."""
    inner = table.table
    column = inner.name if named and len(inner.columns) == 1 and table.likelihood.reads_text else ""

    def words_of(lines: list[int], c: int) -> list[TopWord]:
        where = np.array(lines, dtype=np.int64)
        odds = against_rest(inner.scores(where), prior)[:, c] * DECIBANS
        counts = np.zeros((len(lines), len(prior))) if inner.counts is None else inner.counts(where)
        rest = counts.sum(axis=1) - counts[:, c]
        return [
            TopWord(str(inner.value(i)), column, float(odds[k]), float(counts[k, c]), float(rest[k]))
            for k, i in enumerate(lines)
        ]

    favour, against = _choose(inner, prior, n)
    return [words_of(w, c) for c, w in enumerate(favour)], [words_of(w, c) for c, w in enumerate(against)]


def _merged(parts: list[list[TopWord]], n: int, sign: int) -> tuple[TopWord, ...]:
    """Return the n strongest words of several columns, sorted by decibans."""

    def strength(w: TopWord) -> float:
        return float(-sign * w.decibans * np.sqrt(w.count if sign > 0 else w.other_count))

    words = sorted((w for part in parts for w in part), key=strength)[:n]
    return tuple(sorted(words, key=lambda w: (-sign * w.decibans, -max(w.count, w.other_count), w.word)))
