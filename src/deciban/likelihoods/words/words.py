"""Words event model: documents as bags or sets of words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from deciban.arrays.documents import Tokenizer
from deciban.arrays.frame import Frame
from deciban.arrays.labels import Labels
from deciban.arrays.strings import StringBuffers
from deciban.arrays.types import Codes, Floats, Longs
from deciban.likelihoods.base import Information, Likelihood
from deciban.likelihoods.factors import Factors, ScoredRow
from deciban.likelihoods.fitted import FittedColumns
from deciban.likelihoods.generative import WordShares
from deciban.likelihoods.inspection import Inspection
from deciban.likelihoods.left_out import LeftOut
from deciban.likelihoods.parameters import ParameterTable
from deciban.likelihoods.scale_values import ColumnValues, ScaledColumns
from deciban.likelihoods.words.drawing import Lengths, document_drawing, draw_documents, refuse_to_draw
from deciban.likelihoods.words.factors import word_factors
from deciban.likelihoods.words.generative import generative_words, word_shares, word_tables
from deciban.likelihoods.words.informative import strongest_words, word_information, word_inspection
from deciban.likelihoods.words.left_out_scores import left_out_scores
from deciban.likelihoods.words.positions import (
    count_position_parameters,
    draw_words_at_positions,
    position_scorer,
    position_tables,
)
from deciban.likelihoods.words.recipes import ngram_variants, recipe_ladders
from deciban.likelihoods.words.scoring import word_scorer
from deciban.likelihoods.words.selection import find_selected, fixed_vocabulary, inverse_frequency
from deciban.likelihoods.words.settings import LIFT, POSITION, SHARE, check_settings
from deciban.likelihoods.words.table import word_table
from deciban.likelihoods.words.weights import (
    mean_entry,
)
from deciban.likelihoods.words.word_priors import prior_terms, pseudo_counts, set_pseudo_counts, with_checked_prior
from deciban.priors.by_value import SparsePseudoCounts
from deciban.priors.estimation import AUTO, Estimation
from deciban.priors.priors import PriorLike, as_prior
from deciban.scorers.words import DocumentScorer, WordPolya
from deciban.statistics import WordCounts
from deciban.statistics.words import WordValues


@dataclass(frozen=True, repr=False)
class Words(Likelihood):
    """An event model of texts: the words of a document are drawn given its class.

    ``model`` "bag": each of its words is drawn with probability θ, P = ∏ θ_w^n (multinomial); "set": each word of the
    vocabulary is in it or not, P = ∏ θ_w ∏ (1 − θ_v) over words in it and not in it (Bernoulli); "binary": a bag in
    which a word counts once; "position": the i-th word has a table of its own, P = ∏ P(w_i | position i), with which
    many lectures begin. ``complement`` scores a class by how little a document looks like all the others, and
    ``norm`` divides each class's weights by their sum then. Unknown words are not evidence.

    Words are those of scikit-learn's CountVectorizer: two or more letters, digits and underscores, in lower case.
    ``joiners`` hold a word together between two of these characters: with "-.@'", nasa.gov is one word and not two.
    ``analyzer="char"`` takes characters instead, "char_wb" characters within words, which have a space before and after
    them; ``ngrams=(1, 2)`` takes n-grams of one and two. ``strip_accents=True`` takes accents off letters, as
    scikit-learn's ``strip_accents="unicode"``.

    These can change after training: words of less than ``min_count``, words in more documents than ``max_df`` (a share
    like 0.5, or a whole number of documents), all but the ``max_words`` most frequent, and ``stop_words`` (a list,
    "english", or the number of most frequent words to drop) are left out, with their n-grams. A plain bag counts the
    documents of a word only if it is trained with a ``max_df``, such as 1.0, which leaves no word out. With a
    ``vocabulary``, a list of words or n-grams, these terms count and no others.
    ``prior=Dirichlet({"free": 3.0})`` gives words pseudo-counts of their own, ``{"spam": {"free": 3.0}}`` in one class;
    such words always count. For a set it is Beta(a, b). With a ``vocabulary`` the numbers can be listed in its order.
    Memory is bounded by ``limit`` words while counting, the most frequent of them, or by ``buckets``: words are then
    only known by the number of the bucket that their hash falls into.

    ``transform="tfidf"`` weighs a word that occurs n times by 1 + log n ("binary": by 1), divides a document's weights
    by their length, and multiplies by log((1 + N)/(1 + d)) + 1 for a word in d of N documents. That last factor is
    applied to the statistics, so they stay a sum: models merge, stream and forget. ``idf=False`` leaves it out.

    ``evidence="lift"`` scores a word by how much more often it occurs in a class than expected, against how much more
    often it occurs in all others: log L − log L′ with L = λ + (1 − λ)·(n + a) / (E + a), E = n_w·N_c / N. λ is
    ``neutral``, a share of every lift that is not evidence, and a the pseudo-count, in units of a word's mean value in
    a document under tf-idf. ``evidence="auto"`` leaves n-grams, ``idf``, ``evidence``, ``neutral`` and ``prior`` to the
    rows where ``alpha`` is left to them too.

    >>> import deciban as db
    >>> nb = db.NaiveBayes(db.Words()).fit(["cheap pills", "cheap watches", "see you later"], ["spam", "spam", "ham"])
    >>> nb.predict(["see you at lunch", "watches"]).tolist()
    ['ham', 'spam']
    """

    model: str = "bag"
    complement: bool = False
    norm: bool = False
    ngrams: tuple[int, int] = (1, 1)
    analyzer: str = "word"
    lowercase: bool = True
    joiners: str = ""
    min_count: float = 0
    max_words: int | None = None
    stop_words: Collection[str] | int | str | None = ()
    buckets: int | None = None
    transform: str | None = None
    idf: bool = True
    evidence: str = SHARE
    neutral: float = 0.0
    prior: PriorLike = None
    limit: int = 1 << 22
    max_df: float | None = None
    strip_accents: bool = False
    vocabulary: Collection[str] | None = None

    keeps: ClassVar[type[WordCounts]] = WordCounts
    unit_free: ClassVar[bool] = True
    reads_names: ClassVar[bool] = True
    reads_text: ClassVar[bool] = True
    one_column: ClassVar[bool] = True
    opinions: ClassVar[tuple[str, ...]] = (
        *("norm", "min_count", "max_df", "max_words", "stop_words", "vocabulary"),
        *("idf", "evidence", "neutral", "prior"),
    )

    def __post_init__(self) -> None:
        check_settings(self)
        # In a form that compares and can be written down.
        object.__setattr__(self, "ngrams", tuple(map(int, self.ngrams)))
        object.__setattr__(self, "joiners", "".join(sorted(set(self.joiners))))
        if not isinstance(self.stop_words, int | np.integer | str):
            object.__setattr__(self, "stop_words", tuple(sorted(set(self.stop_words or ()))))
        object.__setattr__(self, "prior", with_checked_prior(self))
        if self.vocabulary is not None:
            object.__setattr__(self, "vocabulary", tuple(sorted(set(self.vocabulary))))

    @property
    def values(self) -> WordValues:
        """The value that a word has in a document."""
        names = ("analyzer", "lowercase", "ngrams", "buckets", "joiners", "strip_accents")
        tokenizer = Tokenizer(**{name: getattr(self, name) for name in names}, positions=self.model == POSITION)
        counting = "presence" if self.model in ("set", "binary") else "logarithm" if self.transform else "occurrences"
        return WordValues(tokenizer, counting, normalise=self.transform is not None)

    @property
    def needs_uniform_prior(self) -> bool:
        return self.norm

    def summarize(self, x: Frame, labels: Labels) -> WordCounts:
        frequencies = self.transform is not None or (self.model == "bag" and self.max_df is not None)
        return WordCounts.of(x, labels, self.values, frequencies=frequencies, limit=self.limit)

    def estimate(self, statistics: WordCounts, estimation: Estimation) -> DocumentScorer:
        if self.model == POSITION:
            return position_scorer(self, statistics, estimation)
        counts, gain = self.counted_words(statistics)
        scorer = word_scorer(self, counts, gain, estimation)
        if not self.is_predictive(estimation):
            return scorer
        return WordPolya(scorer, counts, self.pseudo_counts(counts, estimation))

    @property
    def is_generative(self) -> bool:
        return self.model != POSITION and not self.is_comparison and not self.transform and self.evidence == SHARE

    def generative_default(self, classes: int) -> Words:
        return generative_words(self, classes) if self.evidence == AUTO else self

    def count_tables(self, statistics: WordCounts, estimation: Estimation) -> list[Floats]:
        return word_tables(self, statistics, estimation)

    def word_shares(self, statistics: WordCounts, estimation: Estimation) -> WordShares | None:
        return word_shares(self, statistics, estimation)

    def count_parameters(self, statistics: WordCounts, estimation: Estimation) -> int:
        if self.model == POSITION:
            return count_position_parameters(self, statistics)
        words = len(self.counted_words(statistics)[0].vocabulary)
        return statistics.classes * (words if self.model == "set" else max(0, words - 1))

    def counted_words(self, statistics: WordCounts) -> tuple[WordCounts, Floats | None]:
        """Return the counts of the words that are not left out, and their inverse document frequencies under tf-idf.

        For words at positions they are those of positions where a word was seen.
        """
        if self.model == POSITION:
            return position_tables(self, statistics).terms, None
        counts = self.plain_counts(statistics)
        if self.transform is None or not self.idf:
            return counts, None
        gain = inverse_frequency(counts.documents, statistics.lengths[:, 0].sum())
        return counts.weighed(gain), gain

    def plain_counts(self, statistics: WordCounts) -> WordCounts:
        """Return the counts of the words that are not left out, without inverse document frequencies."""
        statistics = self.with_vocabulary(statistics)
        return statistics.take(self.selected(statistics))

    def family_obstacle(self) -> str:
        can_share = not self.is_comparison and self.model != POSITION
        return "" if can_share else "Words() as a bag or a set, with the default evidence and without complement"

    def pseudo_counts(self, counts: WordCounts, estimation: Estimation) -> SparsePseudoCounts:
        """Return the pseudo-counts of the words in ``counts``; for lifts it is one for all words, in their unit."""
        found = pseudo_counts(self, counts, estimation)
        return replace(found, rest=found.rest * mean_entry(counts)) if self.is_lift and self.transform else found

    def set_counts(self, counts: WordCounts, estimation: Estimation) -> tuple[SparsePseudoCounts, SparsePseudoCounts]:
        """Return the pseudo-counts of documents with each of the words in ``counts``, and without it."""
        return set_pseudo_counts(self, counts, estimation)

    @property
    def starting_model(self) -> Words:
        return replace(self, evidence=SHARE) if self.evidence == AUTO else self

    def ladders(self, statistics: WordCounts, all_open: bool) -> Sequence[Sequence[Words]]:
        return recipe_ladders(self, statistics) if all_open and self.evidence == AUTO else ()

    @property
    def reads_alpha(self) -> bool:
        return self.prior is None

    def term_variants(self) -> Sequence[Words]:
        return ngram_variants(self) if self.evidence == AUTO else ()

    @property
    def is_lift(self) -> bool:
        """Whether a word's evidence is its lift."""
        return self.evidence == LIFT

    @property
    def is_comparison(self) -> bool:
        """Whether a class is scored by a comparison with all others, not by probabilities."""
        return self.complement or self.is_lift

    @property
    def _is_bag(self) -> bool:
        """Whether it is a density of draws, whose probabilities can be integrated out."""
        return self.model in ("bag", "binary") and not self.is_comparison and not self.transform

    @property
    def is_density(self) -> bool:
        """Whether it is a density of draws of words that may occur several times."""
        return self._is_bag and self.model == "bag"

    def is_predictive(self, estimation: Estimation) -> bool:
        """Return whether the probabilities of words are integrated out."""
        return self._is_bag and as_prior(self.prior).is_predictive(estimation)

    def integrates_out(self, estimation: Estimation) -> bool:
        is_density = not self.is_comparison and not self.transform
        return is_density and as_prior(self.prior).is_predictive(estimation)

    def evidence_priors(self, statistics: WordCounts, estimation: Estimation) -> Sequence[float] | None:
        if not as_prior(self.prior).by_evidence or estimation.is_mle:
            return None
        if self.model == POSITION:
            return [position_scorer(self, statistics, estimation).pseudo.rest]
        return [self.pseudo_counts(self.counted_words(statistics)[0], estimation).rest]

    def left_out(self, statistics: WordCounts, estimation: Estimation) -> LeftOut:
        """Return leave-one-out scores, with the selected words and document frequencies of all documents.

        A word that no other document has is not evidence, unless it is in a fixed vocabulary or has a prior of its own.
        A class that loses a document keeps its mass, except with words at positions.
        """
        return left_out_scores(self, statistics, estimation)

    def draw(
        self, statistics: WordCounts, estimation: Estimation, codes: Codes, rng: np.random.Generator
    ) -> list[StringBuffers]:
        """Draw documents: the number of words, then the words, as ``document_drawing`` says."""
        refuse_to_draw(self)
        if self.model == POSITION:
            return [draw_words_at_positions(self, statistics, estimation, codes, rng)]
        drawing = document_drawing(self, statistics, estimation)
        return [draw_documents(drawing, codes, rng, spaced=self.analyzer == "word", distinct=self.model != "bag")]

    def information(
        self, statistics: WordCounts, estimation: Estimation, scorer: DocumentScorer, prior: Floats
    ) -> Information:
        return word_information(self, statistics, scorer, prior)

    def inspection(self, statistics: WordCounts, scorer: DocumentScorer, prior: Floats) -> Inspection:
        return word_inspection(self, statistics, scorer, prior)

    def parameters(self, fitted: FittedColumns) -> list[ParameterTable]:
        return [self.terms(fitted)]

    def terms(self, fitted: FittedColumns) -> ParameterTable:
        return word_table(self, fitted)

    def length_steps(self, fitted: FittedColumns) -> Sequence[str]:
        if self.model == "set" or self.complement:
            return ()
        return Lengths.of(fitted.statistics.lengths, self.ngrams[1]).steps()

    def factors(self, row: ScoredRow) -> Factors:
        return word_factors(self, row)

    def scale_values(self, columns: ScaledColumns) -> list[ColumnValues]:
        return [strongest_words(self, columns)]

    def frequency(self, counts: WordCounts) -> Floats:
        """Return how often every word occurs: the documents that have it for a set and under tf-idf."""
        return counts.totals() if self.transform is None else counts.frequency

    def with_vocabulary(self, statistics: WordCounts) -> WordCounts:
        """Return the counts with all fixed terms, including terms that no document has."""
        return statistics.with_words(fixed_vocabulary(self.fixed_terms)[0])

    @property
    def fixed_terms(self) -> tuple[str, ...]:
        """The terms that always count: a fixed vocabulary, or every term that has a prior of its own."""
        return prior_terms(self) if self.vocabulary is None else tuple(self.vocabulary)

    def selected(self, statistics: WordCounts) -> Longs:
        """Return the positions of the words that are not left out, in counts with the fixed terms."""
        return find_selected(self, statistics)
