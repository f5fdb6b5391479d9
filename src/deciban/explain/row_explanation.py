"""The explanation of one row: the evidence of its items for a class against another, line by line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from deciban.arrays.json_values import finite_or_none, json_value
from deciban.arrays.terms import Term
from deciban.arrays.types import Floats, Names
from deciban.explain.flip import Flip, smallest_flip
from deciban.explain.item import Item
from deciban.explain.spans import Segment, Span, cut_segments, share_evidence
from deciban.terminal.values import percent

if TYPE_CHECKING:
    from deciban.plots.text import TextDisplay
    from deciban.plots.waterfall import WaterfallDisplay

# Decibans per nat: a factor of ten in the odds is ten decibans.
DECIBANS = 10 / np.log(10)
# Kinds of lines.
PRIOR, ITEM, REST, ADJUSTMENT, POSTERIOR = "prior", "item", "rest", "adjustment", "posterior"


class Line(NamedTuple):
    """A line of an explanation: what it is about in words, its evidence in decibans, its kind, and its addends."""

    text: str
    decibans: float
    kind: str
    addends: str = ""  # of a word with learned evidence


@dataclass(frozen=True)
class RowExplanation:
    """One row: the items that speak for a class against another, and the posterior of all classes.

    ``prior + Σ evidence + adjustment`` is the log-odds of the posterior in decibans; the adjustment comes from
    calibration, class weights and the prior in use.
    """

    classes: Names
    log_prior: Floats  # with the class offsets of a refined model
    items: tuple[Item, ...]
    posterior: Floats
    favour: int  # position of the class that is explained
    against: int  # position of the class that it is compared with
    log_posterior: Callable[[Floats], Floats] = field(repr=False)  # from joint log probabilities [rows × classes]
    adjusted_by: str = ""  # what the adjustment comes from, in words
    target: str | None = None
    row: int = 0
    texts: dict[int, str] = field(default_factory=dict, repr=False)  # the documents of columns that hold texts
    columns: tuple[str, ...] = field(default=(), repr=False)  # names of all columns
    # By column of texts, a function that finds the words of a document.
    find_terms: dict[int, Callable[[str], Sequence[Term]]] = field(default_factory=dict, repr=False)
    is_refined: bool = False  # evidence has weights, and columns may be read together

    @property
    def decision(self) -> Any:
        """Label of the class that is explained."""
        return self.classes.tolist()[self.favour]

    @property
    def other(self) -> Any:
        """Label of the class that it is compared with."""
        return self.classes.tolist()[self.against]

    @property
    def title(self) -> str:
        """The decision with its probability, and the class that it is compared with."""
        name = f"{self.target} = {self.decision}" if self.target else f"{self.decision}"
        found = f"{name}, {percent(self.posterior[self.favour])}"
        if self.favour == self.against:
            return found
        return f"{found}; against {self.other}, {percent(self.posterior[self.against])}"

    def decibans(self, scores: Floats) -> float:
        """Return the evidence of scores for the one class against the other."""
        a, b = float(scores[self.favour]), float(scores[self.against])
        return 0.0 if a == b else DECIBANS * (a - b)

    @cached_property
    def prior(self) -> float:
        """Log-odds of the prior, in decibans."""
        return self.decibans(self.log_prior)

    @cached_property
    def evidence(self) -> Floats:
        """Evidence of every item, in decibans."""
        return np.array([self.decibans(item.scores) for item in self.items])

    @cached_property
    def joint(self) -> Floats:
        """log P(row, class) of every class."""
        return self.log_prior + sum((item.scores for item in self.items), np.zeros(len(self.classes)))

    @cached_property
    def odds(self) -> float:
        """Log-odds of the posterior, in decibans."""
        return self.decibans(self.log_posterior(self.joint[None])[0])

    @property
    def is_impossible(self) -> bool:
        """Whether every class is ruled out, so that nothing is evidence and the prior stays."""
        return not np.isfinite(self.joint).any()

    @cached_property
    def adjustment(self) -> float:
        """Change of the log-odds by calibration, class weights and the prior in use, in decibans."""
        with np.errstate(invalid="ignore"):
            rest = self.odds - (self.prior + self.evidence.sum())
        return float(rest) if self.adjusted_by and np.isfinite(rest) else 0.0

    def top(self, n: int) -> list[tuple[Item, float]]:
        """Return the items with the most evidence, and their evidence in decibans."""
        order = np.argsort(-np.abs(self.evidence), kind="stable")[:n]
        return [(self.items[i], float(self.evidence[i])) for i in order if not self.items[i].silent]

    def lines(self, n: int = 12) -> list[Line]:
        """Return the sum line by line: prior, the n strongest items, all others together, adjustment, posterior.

        The lines before the last add up to the last one.
        """
        top = self.top(n)
        lines = [Line("prior", self.prior, PRIOR)]
        lines += [Line(item.text, value, ITEM, self.addends(item)) for item, value in top]
        shown = {id(item) for item, _ in top}
        rest = [v for item, v in zip(self.items, self.evidence) if not item.silent and id(item) not in shown]
        if rest:
            lines.append(Line(f"{len(rest)} more", float(sum(rest)), REST))
        if self.adjusted_by:
            lines.append(Line(self.adjusted_by, self.adjustment, ADJUSTMENT))
        return [*lines, Line("posterior", self.odds, POSTERIOR)]

    def addends(self, item: Item) -> str:
        """Return the counted and the learned evidence of an item in words; empty if nothing was learned."""
        if item.learned is None:
            return ""
        learned = self.decibans(item.learned)
        return f"{self.decibans(item.scores) - learned:+.1f} counted, {learned:+.1f} learned"

    def spans(self, column: str | None = None) -> list[Span]:
        """Return every occurrence of a word or n-gram that is evidence in a text: begin, end, word, decibans.

        ``column`` names a column of texts, if there are several. The evidence of a word is divided evenly among its
        occurrences, so that the spans of a word add up to the word's line in the explanation. Upper and lower case are
        as in the text: ``text[begin:end]`` is what the word was read from.

        >>> import deciban as db
        >>> nb = db.NaiveBayes(db.Words()).fit(["free cash", "see you"], ["spam", "ham"])
        >>> [span[:3] for span in nb.explain(["See: FREE cash"])[0].spans()]
        [(0, 3, 'see'), (5, 9, 'free'), (10, 14, 'cash')]
        """
        j = self.text_column(column)
        if j not in self.texts:
            return []
        words = {i.word: self.decibans(i.scores) for i in self.items if i.column == j and i.word is not None}
        return share_evidence(self.find_terms[j](self.texts[j]), words)

    def segments(self, column: str | None = None) -> list[Segment]:
        """Return a text cut where its evidence changes: begin, end, decibans and words of every segment.

        Segments cover the whole text. The evidence of a segment is the sum over all spans that cover it: where n-grams
        overlap, a character belongs to several.
        """
        j = self.text_column(column)
        return cut_segments(len(self.texts[j]), self.spans(column)) if j in self.texts else []

    def text_column(self, column: str | None) -> int:
        """Return the index of a column of texts; raise if none has that name, or if there are several and no name."""
        names = {self.columns[j]: j for j in self.find_terms}
        if not names:
            raise ValueError("the model reads no texts, so there are no words to mark.")
        if column is None and len(names) > 1:
            raise ValueError(f"the model reads several texts; give the name of one: {', '.join(names)}.")
        if column is not None and column not in names:
            raise ValueError(f"{column!r} is not a column of texts; these are: {', '.join(names)}.")
        return names[column] if column is not None else next(iter(names.values()))

    def plot_text(
        self, ax: Any = None, *, column: str | None = None, n: int = 10, theme: str | None = None
    ) -> TextDisplay:
        """Draw a text with its words marked (needs matplotlib); see ``deciban.plots.TextDisplay``."""
        from deciban.plots.text import TextDisplay

        return TextDisplay(self, column, n).plot(ax, theme=theme)

    def plot(self, ax: Any = None, *, n: int = 12, theme: str | None = None) -> WaterfallDisplay:
        """Draw the row as a waterfall (needs matplotlib); see ``deciban.plots.WaterfallDisplay``."""
        from deciban.plots.waterfall import WaterfallDisplay

        return WaterfallDisplay(self, n).plot(ax, theme=theme)

    @property
    def silent(self) -> list[Item]:
        """Items that are not evidence."""
        return [item for item in self.items if item.silent]

    @cached_property
    def flip(self) -> Flip | None:
        """The fewest items without which the decision is another, and that decision; None if no removal changes it."""
        return smallest_flip(self.items, self.log_prior, self.classes, self.favour, self.log_posterior)

    def __str__(self) -> str:
        from deciban.explain.show.explanation_text import plain_text

        return plain_text(self)

    def __rich__(self) -> Any:
        from deciban.explain.show.explanation_text import rich_text

        return rich_text(self)

    def to_dict(self, columns: Sequence[str]) -> dict[str, Any]:
        """Return the row as plain values: decision, posterior, evidence of every item in decibans, and what flips it.

        An infinite number of decibans is None, and ``verdict`` says whether it is for or against the class.
        """
        labels = [json_value(label) for label in self.classes.tolist()]
        decided = int(self.posterior.argmax())
        flip = self.flip if decided == self.favour else None
        return {
            "row": self.row,
            "decision": labels[decided],
            "posterior": {str(label): float(p) for label, p in zip(labels, self.posterior)},
            "class": labels[self.favour],
            "against": labels[self.against],
            "log_odds": finite_or_none(self.odds),
            "prior": finite_or_none(self.prior),
            "evidence": [self._item_dict(i, columns) for i in range(len(self.items))],
            "adjustment": {"by": self.adjusted_by, "decibans": self.adjustment} if self.adjusted_by else None,
            "flip": flip and {"without": [item.text for item in flip.items], "decision": json_value(flip.decision)},
        }

    def _item_dict(self, i: int, columns: Sequence[str]) -> dict[str, Any]:
        item, decibans = self.items[i], float(self.evidence[i])
        found = {
            "column": item.name if item.is_joint else columns[item.column],
            "value": json_value(list(item.value) if item.is_joint and item.value else item.value),
            "decibans": finite_or_none(decibans),
        }
        if item.word is not None:
            found["word"] = item.word
        if item.learned is not None:
            learned = self.decibans(item.learned)
            found |= {"counted": finite_or_none(decibans - learned), "learned": finite_or_none(learned)}
        if item.silent:
            found["silent"] = item.silent
        if not np.isfinite(decibans):
            found["verdict"] = "certain" if decibans > 0 else "impossible"
        return found

    def to_html(self) -> str:
        """Return a complete HTML page."""
        from deciban.explain.show.explanation_html import row_html
        from deciban.markup.html import page

        return page(self.title, row_html(self))

    def _repr_html_(self) -> str:
        from deciban.explain.show.explanation_html import row_html
        from deciban.markup.html import fragment

        return fragment(row_html(self))
