"""Importance: the evidence that a column gives on average, from the statistics alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from deciban.arrays.tolerances import TINY
from deciban.explain.row_explanation import DECIBANS
from deciban.model.classifier import Classifier
from deciban.scorers.information import mutual_information
from deciban.terminal.printable import printable_line
from deciban.terminal.width import align_columns

# Characters of the longest bar.
BAR_WIDTH = 24
# Words that are printed per column.
PRINTED_WORDS = 10


REFINED = (
    "These are means of what an explanation shows for a row's own class against the others, with the weights of the "
    "refined model; columns that are read together have a line of their own. A line below 0 takes back some of what "
    "others say."
)
COUNTED = "Words are as counted, before the weight of their text."


class Importance(dict[str, float]):
    """Decibans by line of evidence, the most important first: every column, and columns that are read together.

    ``words`` has the decibans of the most informative words of texts, and ``together`` the columns of every line of a
    refined model that reads several of them.
    """

    def __init__(
        self,
        columns: dict[str, float],
        words: dict[str, dict[str, float]],
        together: dict[str, tuple[str, ...]] | None = None,
    ) -> None:
        super().__init__(sorted(columns.items(), key=lambda pair: (pair[1] != pair[1], -pair[1])))
        self.words = words
        self.together = {} if together is None else together
        self.is_refined = together is not None

    def remarks(self, words: int = PRINTED_WORDS) -> list[str]:
        """Return sentences on what the decibans of a refined model are, and those of its words if any are named."""
        return [REFINED, *([COUNTED] if self.words and words else [])] if self.is_refined else []

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
        most = max([v for v in self.values() if np.isfinite(v)] + [TINY])
        bars = {name: "█" * round(BAR_WIDTH * min(max(v, 0.0), most) / most) for name, v in self.items() if v == v}
        lines = align_columns(
            [(name, bars.get(name, "(not known)"), f"{v:8.2f} dB" if v == v else "") for name, v in self.items()]
        )
        for column in self.words if words else ():
            named = ", ".join(f"{word} ({v:.3f})" for word, v in self.best_words(column, words).items())
            lines.append(printable_line(f"{column}: {named}"))
        lines += self.remarks(words)
        return "\n".join(lines)

    def to_dicts(self, words: int = PRINTED_WORDS) -> list[dict[str, Any]]:
        """Return a mapping for every column; unknown ``decibans`` are None, and ``words`` unless it holds texts."""
        return [
            {
                "column": name,
                "columns": list(self.together.get(name, (name,))),
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

    In a refined model evidence has weights, and lines make up for each other: there it is the mean evidence for a row's
    own class against the others, line by line, as an explanation shows it, which adds up (:func:`line_importance`).
    """
    columns, words = _information(classifier, names)
    refinement = classifier.refinement
    if refinement is None:
        return Importance(columns, words)
    from deciban.explain.refined_importance import line_importance

    lines = classifier.model.line_names(names)
    together = {
        name: tuple(names[j] for j in own)
        for name, own in zip(lines[len(names) :], classifier.model.joint_lines, strict=True)
    }
    return Importance(dict(zip(lines, line_importance(classifier, refinement).tolist())), words, together)


def _information(classifier: Classifier, names: list[str]) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    """Return the mutual information with the class of every column, and of the words of texts, in decibans."""
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
    return found, words
