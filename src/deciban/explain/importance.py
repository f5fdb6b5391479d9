"""Importance: the evidence that a column gives on average, from the statistics alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from deciban.arrays.tolerances import TINY
from deciban.explain.row_explanation import DECIBANS
from deciban.model.classifier import Classifier
from deciban.scorers.information import mutual_information
from deciban.terminal.width import align_columns

# Characters of the longest bar.
BAR_WIDTH = 24
# Words that are printed per column.
PRINTED_WORDS = 10


class Importance(dict[str, float]):
    """Decibans by column, the most important first; ``words`` has those of the most informative words of texts."""

    def __init__(self, columns: dict[str, float], words: dict[str, dict[str, float]]) -> None:
        super().__init__(sorted(columns.items(), key=lambda pair: (pair[1] != pair[1], -pair[1])))
        self.words = words

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from deciban.explain.show.bars_html import importance_html

        return importance_html(self)

    def to_text(self, words: int = PRINTED_WORDS) -> str:
        """Return a line with a bar for every column, and a line with the best words of every text.

        >>> print(Importance({"age": 0.5, "mail": 2.0}, {"mail": {"prize": 1.5, "free": 0.25}}).to_text(words=1))
        mail  ████████████████████████      2.00 dB
        age   ██████                        0.50 dB
        mail: prize (1.500)
        """
        most = max([v for v in self.values() if v == v] + [TINY])
        lines = align_columns(
            [
                (name, "█" * round(BAR_WIDTH * v / most), f"{v:8.2f} dB") if v == v else (name, "(not known)", "")
                for name, v in self.items()
            ]
        )
        for column in self.words if words else ():
            named = ", ".join(f"{word} ({v:.3f})" for word, v in self.best_words(column, words).items())
            lines.append(f"{column}: {named}")
        return "\n".join(lines)

    def to_dicts(self, words: int = PRINTED_WORDS) -> list[dict[str, Any]]:
        """Return a mapping for every column; unknown ``decibans`` are None, and ``words`` unless it holds texts."""
        return [
            {
                "column": name,
                "decibans": v if v == v else None,
                "words": self.best_words(name, words) if name in self.words else None,
            }
            for name, v in self.items()
        ]

    def best_words(self, column: str, number: int) -> dict[str, float]:
        """Return the words of a text that tell most about the class, the best first."""
        return dict(list(self.words[column].items())[:number])


def importance(classifier: Classifier, names: list[str]) -> Importance:
    """Return the expected evidence of every column for a row's own class: its mutual information with the class.

    I = Σ P(c)·P(x | c)·log P(x | c) / P(x), in decibans: what the column adds to the log posterior of the right class,
    on average, if it were alone. An ignored column has 0, one whose event model cannot tell has NaN. A text has the sum
    over its words, as if they were columns: it may be more than there is to know about the class.
    """
    found = dict.fromkeys(names, 0.0)
    words: dict[str, dict[str, float]] = {}
    prior = np.exp(classifier.log_prior)
    for (group, block), part in zip(classifier.scored, classifier.model.parts):
        columns = group.column_indices(classifier.features).tolist()
        information = group.likelihood.information(block, classifier.estimation, part.scorer, prior)
        for j, value in zip(columns, information.columns.tolist()):
            found[names[j]] = max(value, 0.0) * DECIBANS if value == value else value
        if information.words is not None:
            words[names[columns[0]]] = {word: value * DECIBANS for word, value in information.words.items()}
    missing = classifier.missing_values
    if missing is not None:
        for j, absent, known in zip(missing.columns, *(p.T for p in missing.log_probability)):
            found[names[j]] += mutual_information(prior, np.stack([absent, known], axis=1)) * DECIBANS
    return Importance(found, words)
