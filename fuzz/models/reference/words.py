"""Words of a document: the bag, the binary bag, the set and the complement, with and without tf-idf."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from .arithmetic import Row, column, exact, log, missing, of_class, total
from .counts import bag_density, complement_score, shares_score
from .priors import Estimation, Prior

# Values of tf-idf are kept in multiples of this.
UNIT = 2**24


@dataclass(frozen=True)
class Words:
    """One document a cell; which words it has is decided as scikit-learn's CountVectorizer decides it."""

    model: str = "bag"
    complement: bool = False
    norm: bool = False
    ngrams: tuple[int, int] = (1, 1)
    analyzer: str = "word"
    lowercase: bool = True
    min_count: float = 0
    stop_words: tuple[str, ...] = ()
    transform: str | None = None
    prior: Prior | None = None

    def counts(self, text: str) -> dict[str, int]:
        """Return how often every word, or run of words, occurs in a text."""
        text = text.lower() if self.lowercase else text
        char = self.analyzer == "char"
        tokens = list(re.sub(r"\s\s+", " ", text)) if char else re.findall(r"(?u)\b\w\w+\b", text)
        low, high = self.ngrams
        runs = (
            ("" if char else " ").join(tokens[i : i + n])
            for n in range(low, high + 1)
            for i in range(len(tokens) - n + 1)
        )
        return dict(Counter(runs))

    def values(self, counts: dict[str, int]) -> dict[str, Fraction]:
        """Return the values of words that occur so often in a document, in multiples of 2⁻²⁴."""
        if self.transform is None:
            return {word: Fraction(n if self.model == "bag" else 1) for word, n in counts.items()}
        raw = {word: 1 + math.log(n) if self.model == "bag" else 1.0 for word, n in counts.items()}
        length = math.sqrt(math.fsum(v * v for v in raw.values()))
        return {word: Fraction(round(v / length * UNIT), UNIT) for word, v in raw.items()}

    def facts(self, rows: list[Row]) -> dict[str, Fraction]:
        """Return the words that count, and the factor of each: 1, or log((1 + N)/(1 + d)) + 1."""
        documents = column(rows, 0)
        sums: Counter[str] = Counter()
        within: Counter[str] = Counter()
        for text, weight in documents:
            for word, n in self.values(self.counts(text)).items():
                sums[word] += n * weight
                within[word] += weight
        stopped = set(self.stop_words)
        often = sums if self.transform is None else within
        words = [w for w, n in often.items() if n >= self.min_count and not stopped & {w, *w.split()}]
        if self.transform is None:
            return dict.fromkeys(words, Fraction(1))
        whole = total(weight for _, weight in documents)
        return {w: exact(log((1 + whole) / (1 + within[w])) + 1) for w in words}

    def score(self, facts: Any, rows: list[Row], label: Any, cells: tuple[Any, ...], how: Estimation) -> float:
        (text,) = cells
        if missing(text) or not facts:
            return 0.0
        value = self.values({word: n for word, n in self.counts(text).items() if word in facts})
        x = [value.get(word, Fraction(0)) * idf for word, idf in facts.items()]
        seen = [row for row in rows if row.label != label] if self.complement else of_class(rows, label)
        documents = [(self.values(self.counts(t)), w) for t, w in column(seen, 0)]
        n = [total(w * v.get(word, 0) for v, w in documents) * idf for word, idf in facts.items()]
        pseudo = how.pseudo_count(self.prior)(None)
        if self.model == "set":
            return set_score(n, total(w for _, w in documents), x, pseudo)
        if self.complement:
            return complement_score([k + pseudo for k in n], x, self.norm)
        return shares_score([k + pseudo for k in n], x, how if self.transform is None else replace(how, kind="map"))

    def class_free(self, facts: Any, rows: list[Row], cells: tuple[Any, ...]) -> float:
        if self.model != "bag" or self.complement or self.transform or missing(cells[0]):
            return 0.0
        documents = column(rows, 0)
        length = total(w * n for text, w in documents for word, n in self.counts(text).items() if word in facts)
        x = [Fraction(n) for word, n in self.counts(cells[0]).items() if word in facts]
        return bag_density(x, length / total(w for _, w in documents))


def set_score(n: list[Fraction], documents: Fraction, x: list[Fraction], pseudo: Fraction) -> float:
    """Return Σ log θ of the words in the document + Σ log(1 − θ) of all others."""
    whole = documents + 2 * pseudo
    share = [(k + pseudo) / whole if whole else Fraction(1, 2) for k in n]
    return sum(log(p) if k else log(1 - p) for p, k in zip(share, x))
