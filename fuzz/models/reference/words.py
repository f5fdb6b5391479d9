"""Words of a document: bag, binary bag, set, complement, lift and positions, some with and without tf-idf."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from .arithmetic import Row, column, exact, log, missing, of_class, total
from .counts import bag_density, complement_score, shares_score
from .priors import Estimation, Prior

# Values of tf-idf are kept in multiples of this.
UNIT = 2**24


class WordFacts(dict[str, Fraction]):
    """The factor of every word that counts, and the mean value of a word in a document that has it."""

    unit: Fraction = Fraction(1)


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
    idf: bool = True
    evidence: str = "share"
    neutral: float = 0.0
    prior: Prior | None = None
    max_df: float | None = None
    strip_accents: bool = False

    @property
    def named(self) -> set[str]:
        """The words that have a prior of their own, which always count."""
        return set() if self.prior is None else {word for word in self.prior.numbers if word is not None}

    def folded(self, text: str) -> str:
        """Return a text in lower case and without accents, as far as that is asked for."""
        text = text.lower() if self.lowercase else text
        if not self.strip_accents:
            return text
        return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))

    def tokens(self, text: str) -> list[str]:
        """Return the words of a text in their order."""
        return re.findall(r"(?u)\b\w\w+\b", self.folded(text))

    def counts(self, text: str) -> dict[str, int]:
        """Return how often every word, or run of words, occurs in a text."""
        if self.analyzer == "char_wb":
            return dict(Counter(run for word in self.folded(text).split() for run in self.runs_within(f" {word} ")))
        char = self.analyzer == "char"
        tokens = list(re.sub(r"\s\s+", " ", self.folded(text))) if char else self.tokens(text)
        low, high = self.ngrams
        runs = (
            ("" if char else " ").join(tokens[i : i + n])
            for n in range(low, high + 1)
            for i in range(len(tokens) - n + 1)
        )
        return dict(Counter(runs))

    def runs_within(self, word: str) -> list[str]:
        """Return the runs of characters of a word; all of it if it is shorter than the shortest run."""
        low, high = min(self.ngrams[0], len(word)), self.ngrams[1]
        return [word[i : i + n] for n in range(low, high + 1) for i in range(len(word) - n + 1)]

    def values(self, counts: dict[str, int]) -> dict[str, Fraction]:
        """Return the values of words that occur so often in a document, in multiples of 2⁻²⁴."""
        if self.transform is None:
            return {word: Fraction(1 if self.model in ("binary", "set") else n) for word, n in counts.items()}
        raw = {word: 1 + math.log(n) if self.model == "bag" else 1.0 for word, n in counts.items()}
        length = math.sqrt(math.fsum(v * v for v in raw.values()))
        return {word: Fraction(round(v / length * UNIT), UNIT) for word, v in raw.items()}

    def facts(self, rows: list[Row]) -> WordFacts:
        """Return the words that count, the factor of each, and the unit of a lift's pseudo-count."""
        found = WordFacts(self.factors(rows))
        if self.transform is not None:
            documents = [(self.values(self.counts(text)), weight) for text, weight in column(rows, 0)]
            entries = total(w for values, w in documents for word in values if word in found)
            found.unit = self.mass(found, rows) / entries if entries else Fraction(1)
        return found

    def factors(self, rows: list[Row]) -> dict[str, Fraction]:
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
        most = self.most_documents(total(weight for _, weight in documents))
        words = [
            w
            for w, n in often.items()
            if n >= self.min_count and within[w] <= most and not stopped & {w, *w.split()} and w not in self.named
        ]
        words += sorted(self.named)
        if self.transform is None or not self.idf:
            return dict.fromkeys(words, Fraction(1))
        whole = total(weight for _, weight in documents)
        return {w: exact(log((1 + whole) / (1 + within[w])) + 1) for w in words}

    def most_documents(self, documents: Fraction) -> Fraction:
        """Return the most documents that a word that counts is in: ``max_df``, as a float times all documents."""
        if self.max_df is None:
            return documents
        return Fraction(str(self.max_df)) * (documents if isinstance(self.max_df, float) else 1)

    def score(self, facts: Any, rows: list[Row], label: Any, cells: tuple[Any, ...], how: Estimation) -> float:
        (text,) = cells
        if missing(text) or not facts:
            return 0.0
        value = self.values({word: n for word, n in self.counts(text).items() if word in facts})
        x = [value.get(word, Fraction(0)) * idf for word, idf in facts.items()]
        if self.evidence == "lift":
            return self.lift_score(facts, rows, label, x, how)
        if self.model == "position":
            return self.position_score(facts, rows, label, text, how)
        seen = [row for row in rows if row.label != label] if self.complement else of_class(rows, label)
        documents = [(self.values(self.counts(t)), w) for t, w in column(seen, 0)]
        n = [total(w * v.get(word, 0) for v, w in documents) * idf for word, idf in facts.items()]
        pseudo = [how.pseudo_count(self.prior)(word) for word in facts]
        if self.model == "set":
            return set_score(n, total(w for _, w in documents), x, pseudo)
        smoothed = [k + a for k, a in zip(n, pseudo)]
        if self.complement:
            return complement_score(smoothed, x, self.norm)
        return shares_score(smoothed, x, how if self.transform is None else replace(how, kind="map"))

    def position_score(self, facts: Any, rows: list[Row], label: Any, text: str, how: Estimation) -> float:
        """Return Σ log (n + α) / (N + Σα) over the words that count, at positions that rows reach with such a word."""
        found = 0.0
        pseudo = {word: how.pseudo_count(self.prior)(word) for word in facts}
        for i, word in enumerate(self.tokens(text)):
            at = [(row, self.tokens(row.cells[0])[i : i + 1]) for row in rows if not missing(row.cells[0])]
            reached = [(row.label, words[0], row.weight) for row, words in at if words and words[0] in facts]
            if word not in facts or not reached:
                continue
            here = [(other, w) for name, other, w in reached if name == label]
            n, whole = total(w for other, w in here if other == word), total(w for _, w in here)
            count, size = n + pseudo[word], whole + total(pseudo.values())
            found += log(count / size if size else Fraction(1, len(facts)))
        return found

    def lift_score(self, facts: WordFacts, rows: list[Row], label: Any, x: list[Fraction], how: Estimation) -> float:
        """Return Σ x·(log L − log L′) with L = λ + (1 − λ)·(n + a)/(E + a), and L′ the same of all other classes."""
        here, there = (
            [(self.values(self.counts(t)), w) for t, w in column(part, 0)] for part in (of_class(rows, label), rows)
        )
        mass, whole = self.mass(facts, of_class(rows, label)), self.mass(facts, rows)
        a = max(facts.unit * how.pseudo_count(self.prior)(None), Fraction(1, 10**10))
        kept, found = exact(self.neutral), 0.0
        for (word, idf), value in zip(facts.items(), x):
            if not value:
                continue
            n, all_n = (total(w * v.get(word, 0) for v, w in part) * idf for part in (here, there))
            expected = all_n * mass / whole
            own, others = (n + a) / (expected + a), (all_n - n + a) / (all_n - expected + a)
            found += float(value) * (log(kept + (1 - kept) * own) - log(kept + (1 - kept) * others))
        return found

    def without(self, facts: Any, rows: list[Row], left: int) -> tuple[Any, list[Row]]:
        """Return words and rows for a row that is left out: words of other rows, and its class scaled to its mass."""
        rest, label = [*rows[:left], *rows[left + 1 :]], rows[left].label
        known = {word for text, _ in column(rest, 0) for word in self.counts(text)} | self.named
        kept = WordFacts({word: idf for word, idf in facts.items() if word in known})
        kept.unit = facts.unit
        if self.complement or self.model == "position":
            return kept, rest
        mass, remaining = (self.mass(facts, of_class(r, label)) for r in (rows, rest))
        factor = mass / remaining if remaining else Fraction(1)
        return kept, [replace(row, weight=row.weight * factor) if row.label == label else row for row in rest]

    def mass(self, facts: Any, rows: list[Row]) -> Fraction:
        """Return the documents of a set, or the words of a bag."""
        if self.model == "set":
            return total(w for _, w in column(rows, 0))
        values = ((self.values(self.counts(text)), w) for text, w in column(rows, 0))
        return total(w * n * facts[word] for found, w in values for word, n in found.items() if word in facts)

    def class_free(self, facts: Any, rows: list[Row], cells: tuple[Any, ...]) -> float:
        if self.model != "bag" or self.complement or self.evidence == "lift" or self.transform or missing(cells[0]):
            return 0.0
        documents = column(rows, 0)
        length = total(w * n for text, w in documents for word, n in self.counts(text).items() if word in facts)
        x = [Fraction(n) for word, n in self.counts(cells[0]).items() if word in facts]
        return bag_density(x, length / total(w for _, w in documents))


def set_score(n: list[Fraction], documents: Fraction, x: list[Fraction], pseudo: list[Fraction]) -> float:
    """Return Σ log θ of the words in the document + Σ log(1 − θ) of all others."""
    wholes = [documents + 2 * a for a in pseudo]
    share = [(k + a) / whole if whole else Fraction(1, 2) for k, a, whole in zip(n, pseudo, wholes)]
    return sum(log(p) if k else log(1 - p) for p, k in zip(share, x))
