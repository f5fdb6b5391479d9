"""Corrections of counted evidence on texts: CPU time of a pass, and what the passes gain on test documents.

``python -m benchmarks.correction`` prints accuracy and log-loss on the test documents of imdb after 0, 1, 2, 4 and 8
passes over its training documents, and the number of passes that ``refine="rows"`` chooses on rows held out.
``--data 20newsgroups`` takes another set, and ``--longest 2`` pairs of words too. The data are in ``DECIBAN_DATA``.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import deciban as db
from benchmarks.real_data import NO_DATA, Split
from benchmarks.report import announce, table_line, yes_no
from benchmarks.text_protocol import whole_sets
from deciban.arrays.labels import Labels
from deciban.arrays.texts import Texts
from deciban.choosing.correcting import Teacher
from deciban.choosing.correction import PASSES, TaughtRows, learn_weights
from deciban.choosing.rows_again import LabelledRows
from deciban.choosing.sample_rows import SampleRows
from deciban.scorers.posterior import log_losses

# CPU seconds that a pass may cost, and the set and the longest n-grams for which this is asked.
MOST_SECONDS, JUDGED = 0.5, ("imdb", 1)


def labelled(texts: list[str], labels: np.ndarray, classes: np.ndarray) -> LabelledRows:
    codes = np.searchsorted(classes, labels).astype(np.int32)
    return LabelledRows(Texts.of(texts), classes, Labels(len(classes), codes))


def passes_table(taught: TaughtRows, tested: TaughtRows) -> tuple[list[str], float]:
    """Return the lines of the table of all numbers of passes, and the least CPU seconds of a pass."""
    header = ["passes", "CPU s", "accuracy", "log-loss"]
    lines, seconds, last, before = [table_line(header), table_line(["---"] * len(header))], [], time.process_time(), 0
    for passes, weights in zip(PASSES, learn_weights([taught], taught.rows.terms, taught.base.shape[1], PASSES)):
        cost = time.process_time() - last
        seconds += [cost / (passes - before)] if passes else []
        scores = weights.scores(tested.rows, tested.base)
        accuracy, loss = (scores.argmax(axis=1) == tested.codes).mean(), log_losses(scores, tested.codes).mean()
        lines.append(table_line([str(passes), f"{cost:.3f}", f"{accuracy:.4f}", f"{loss:.4f}"]))
        last, before = time.process_time(), passes
    return lines, min(seconds)


def report(split: Split, longest: int) -> str:
    """Return the table and the choice for one set."""
    words = db.Words(transform="tfidf", ngrams=(1, longest))
    settings = {"alpha": "auto", "calibrate": "temperature"}
    model = db.NaiveBayes(words, **settings).fit(split.x, split.y)
    classifier = model._fitted()
    teacher = Teacher.of(classifier, SampleRows.of(classifier))
    assert teacher is not None
    order = np.random.default_rng(0).permutation(len(split.y))  # files may be sorted by class
    given = labelled(split.x, split.y, model.classes_).pick(order)
    taught = teacher.taught(given, np.ones(len(order)))
    tested = teacher.tested(labelled(split.x_test, split.y_test, model.classes_), np.ones(len(split.y_test)))
    lines, seconds = passes_table(taught, tested)
    chosen = db.NaiveBayes(words, **settings, refine="rows").fit(split.x, split.y).chosen_
    judged = (split.name, longest) == JUDGED
    verdict = f" (at most {MOST_SECONDS}: {yes_no(seconds <= MOST_SECONDS)})" if judged else ""
    return "\n".join(
        [
            f"{split.name}: {len(split.x):,} training documents, {taught.rows.terms:,} terms that several documents "
            f"have, {len(taught.rows.term):,} entries; {len(split.x_test):,} test documents.",
            "",
            *lines,
            "",
            f"- CPU seconds of the quickest pass: {seconds:.3f}{verdict}",
            f'- refine="rows" chooses on rows held out: {chosen.correction or "no correction"}',
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="imdb")
    parser.add_argument("--longest", type=int, default=1, help="words of the longest n-grams")
    options = parser.parse_args()
    announce(options.data)
    split = next(whole_sets([options.data]), None)
    print(NO_DATA if split is None else report(split, options.longest))


if __name__ == "__main__":
    main()
