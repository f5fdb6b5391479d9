"""The correction of counted evidence on texts: CPU time of a pass, and what the passes gain on test documents.

``python -m benchmarks.correction`` prints accuracy and log-loss on the test documents of imdb after 0, 1, 2, 4 and 8
passes over its training documents, and the number of passes that held-out documents choose. ``--data 20newsgroups``
takes another set that its publishers split, ``--longest 2`` pairs of words too, and ``--peers`` adds logistic
regression. The data are in ``DECIBAN_DATA``.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

import deciban as db
from benchmarks.real_data import DATA, NO_DATA, read_documents
from benchmarks.report import announce, table_line, yes_no
from deciban.arrays.documents import documents_of
from deciban.choosing.correction import (
    PASSES,
    LeftOutScores,
    PassChoice,
    choose_passes,
    fit_correction,
    random_order,
)
from deciban.priors.estimation import Estimation
from deciban.refinement.sparse_rows import SparseRows
from deciban.scorers.posterior import log_losses

# CPU seconds that a pass may cost, and the set and the longest n-grams for which this is asked.
MOST_SECONDS, JUDGED = 0.5, ("imdb", 1)
SETTINGS = {"alpha": "auto", "calibrate": "temperature"}


@dataclass(frozen=True)
class Documents:
    """Texts and their labels."""

    texts: list[str]
    labels: np.ndarray

    @staticmethod
    def read(data: str, part: str) -> Documents:
        """Read one part of a set, "train" or "test"."""
        found = list(read_documents([DATA / data / f"{part}.jsonl.gz"]))
        return Documents([text for text, _ in found], np.array([label for _, label in found]))

    def pick(self, rows: np.ndarray) -> Documents:
        """Return the documents with the given numbers."""
        return Documents([self.texts[i] for i in rows.tolist()], self.labels[rows])

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True)
class Counted:
    """A counted model of training documents. The value of a word is (1 + log n) / ‖·‖₂ · √idf in its correction."""

    words: db.Words
    train: Documents
    model: db.NaiveBayes

    @staticmethod
    def fit(words: db.Words, train: Documents) -> Counted:
        """Count the words of documents; the pseudo-count and a temperature are chosen by leave-one-out."""
        return Counted(words, train, db.NaiveBayes(words, **SETTINGS).fit(train.texts, train.labels))

    def rows(self, documents: Documents) -> SparseRows:
        """Return the values of the known words of documents."""
        scorer = self.words.estimate(self.model.statistics_.blocks[0], Estimation())
        matrix = scorer.rows(documents_of(documents.texts)).to_scipy().tocsr()
        gain = np.sqrt(scorer.gain)
        start, term = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)
        return SparseRows(start, term, matrix.data / gain[term], len(gain))

    def codes(self, documents: Documents) -> np.ndarray:
        """Return the index of the class of every document."""
        return np.searchsorted(self.model.classes_, documents.labels).astype(np.int32)

    def left_out(self) -> np.ndarray:
        """[rows × classes] scores of the training documents, each without itself."""
        return self.model.leave_one_out(self.train.texts, self.train.labels)


def passes_table(counted: Counted, test: Documents) -> tuple[list[str], float]:
    """Return the lines of the table of all numbers of passes, and the least CPU seconds of a pass."""
    rows, base, codes = counted.rows(counted.train), counted.left_out(), counted.codes(counted.train)
    test_rows, test_base, test_codes = (
        counted.rows(test),
        counted.model.predict_log_proba(test.texts),
        counted.codes(test),
    )
    order, weight = random_order(len(codes)), np.ones(len(codes))
    header = ["passes", "CPU s", "accuracy", "log-loss"]
    lines, seconds = [table_line(header), table_line(["---"] * len(header))], []
    for passes in PASSES:
        begin = time.process_time()
        found = fit_correction(rows, base, codes, weight, order, passes)
        cost = time.process_time() - begin
        seconds += [cost / passes] if passes else []
        figures = accuracy_and_loss(found.scores(test_rows, test_base), test_codes)
        lines.append(table_line([str(passes), f"{cost:.3f}", *figures]))
    return lines, min(seconds)


def accuracy_and_loss(scores: np.ndarray, codes: np.ndarray) -> tuple[str, str]:
    """Return the cells of accuracy and log-loss."""
    return f"{(scores.argmax(axis=1) == codes).mean():.4f}", f"{log_losses(scores, codes).mean():.4f}"


def chosen_passes(counted: Counted) -> PassChoice:
    """Return the choice by held-out documents, which models of the other documents score."""
    train = counted.train

    def score_without(kept: np.ndarray, held_out: np.ndarray) -> LeftOutScores:
        rest = Counted.fit(counted.words, train.pick(kept))
        return LeftOutScores(rest.left_out(), rest.model.predict_log_proba(train.pick(held_out).texts))

    codes = counted.codes(train)
    return choose_passes(counted.rows(train), codes, np.ones(len(codes)), random_order(len(codes)), score_without)


def peer_line(counted: Counted, test: Documents) -> str:
    """Return the row of scikit-learn's logistic regression on the same values."""
    train, other = (to_scipy(counted.rows(documents)) for documents in (counted.train, test))
    model = LogisticRegression(C=10.0, max_iter=200)
    begin = time.process_time()
    model.fit(train, counted.codes(counted.train))
    cost = time.process_time() - begin
    figures = accuracy_and_loss(model.predict_log_proba(other), counted.codes(test))
    return table_line(["LogisticRegression(C=10)", f"{cost:.1f}", *figures])


def to_scipy(rows: SparseRows) -> csr_matrix:
    return csr_matrix((rows.value, rows.term, rows.start), shape=(len(rows), rows.terms))


def report(data: str, longest: int, with_peers: bool) -> str:
    """Return the tables and the choice for one set."""
    train, test = Documents.read(data, "train"), Documents.read(data, "test")
    counted = Counted.fit(db.Words(transform="tfidf", ngrams=(1, longest)), train)
    lines, seconds = passes_table(counted, test)
    lines += [peer_line(counted, test)] if with_peers else []
    rows = counted.rows(train)
    choice = chosen_passes(counted)
    judged = (data, longest) == JUDGED
    verdict = f" (at most {MOST_SECONDS}: {yes_no(seconds <= MOST_SECONDS)})" if judged else ""
    held = ", ".join(f"{passes}: {loss:.4f}" for passes, loss in choice.losses.items())
    return "\n".join(
        [
            f"{data}: {len(train):,} training documents, {rows.terms:,} terms, {len(rows.term):,} entries; "
            f"{len(test):,} test documents.",
            "",
            *lines,
            "",
            f"- CPU seconds of the quickest pass: {seconds:.3f}{verdict}",
            f"- passes chosen by held-out documents: {choice.passes}, gain {choice.gain:.4f} ± {choice.error:.4f} nats "
            f"(log-loss by passes {held})",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="imdb")
    parser.add_argument("--longest", type=int, default=1, help="words of the longest n-grams")
    parser.add_argument("--peers", action="store_true", help="logistic regression on the same values")
    options = parser.parse_args()
    if not (DATA / options.data / "train.jsonl.gz").exists():
        print(NO_DATA)
        return
    announce(options.data)
    print(report(options.data, options.longest, options.peers))


if __name__ == "__main__":
    main()
