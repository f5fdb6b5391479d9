"""Explanations: what the prior and every column say for a class against another, in decibans; data only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.labels import Codes, Floats, Names, is_missing
from deciban.model.model import Contrast, Model, Part

# A factor of ten in the odds is ten decibans.
DECIBANS = 10 / np.log(10)
# Longer values are cut short where they are shown.
VALUE_WIDTH = 40
# As a logarithm, where it must be finite.
IMPOSSIBLE = -1e6

MISSING, UNSEEN, IGNORED = "missing", "never seen in training", "ignored: predictions are better without it"
ALIKE = "says the same of every class"


@dataclass(frozen=True)
class Item:
    """A column and its value, or a word of a text: log P(value | class) of every class."""

    name: str
    value: Any
    scores: Floats = field(repr=False)  # per class, natural logarithms
    silent: str = ""  # why it is no evidence, if it is none
    column: int = -1
    word: str | None = None
    hole: bool = False  # that there is a value, or none

    @property
    def text(self) -> str:
        """As people would say it."""
        if self.word is not None:
            word = self.word if self.word.startswith("(") else f"“{self.word}”"
            return (f"{self.name}: " if self.name else "") + word + (f" ×{self.value:g}" if self.value != 1 else "")
        if self.hole:
            return f"{self.name} is {'there' if self.value else 'missing'}"
        whole = isinstance(self.value, float) and self.value.is_integer()
        shown = f"{self.value:.0f}" if whole else " ".join(str(self.value).split())
        return f"{self.name} = {shown if len(shown) <= VALUE_WIDTH else shown[: VALUE_WIDTH - 1] + '…'}"


def after(scores: Floats) -> Floats:
    """The sum of all rows behind each."""
    behind = np.zeros_like(scores)
    behind[:-1] = np.cumsum(scores[:0:-1], axis=0)[::-1]
    return behind


@dataclass(frozen=True)
class RowExplanation:
    """One row: the items that speak for a class against another, and the posterior of all classes.

    ``prior + Σ evidence + adjustment`` are the posterior's odds in decibans; the adjustment is what calibration, class
    weights and the prior in use make of them.
    """

    classes: Names
    log_prior: Floats
    items: tuple[Item, ...]
    posterior: Floats
    of: int
    against: int
    settle: Callable[[Floats], Floats] = field(repr=False)  # joint log probabilities to log posteriors, rows × classes
    adjusted_by: str = ""
    target: str | None = None
    row: int = 0
    texts: dict[int, str] = field(default_factory=dict, repr=False)  # the documents of columns that hold texts

    @property
    def decision(self) -> Any:
        return self.classes.tolist()[self.of]

    @property
    def other(self) -> Any:
        return self.classes.tolist()[self.against]

    def decibans(self, scores: Floats) -> float:
        """What scores say for the one class against the other."""
        a, b = float(scores[self.of]), float(scores[self.against])
        return 0.0 if a == b else DECIBANS * (a - b)

    @cached_property
    def prior(self) -> float:
        return self.decibans(self.log_prior)

    @cached_property
    def evidence(self) -> Floats:
        """Of every item, in decibans."""
        return np.array([self.decibans(item.scores) for item in self.items])

    @cached_property
    def joint(self) -> Floats:
        """log P(row, class)."""
        return self.log_prior + sum((item.scores for item in self.items), np.zeros(len(self.classes)))

    @cached_property
    def odds(self) -> float:
        """Of the posterior, in decibans."""
        return self.decibans(self.settle(self.joint[None])[0])

    @property
    def is_impossible(self) -> bool:
        """Whether every class is ruled out, so that there is no evidence and the prior stays."""
        return not np.isfinite(self.joint).any()

    @cached_property
    def adjustment(self) -> float:
        with np.errstate(invalid="ignore"):
            rest = self.odds - (self.prior + self.evidence.sum())
        return float(rest) if self.adjusted_by and np.isfinite(rest) else 0.0

    def top(self, n: int) -> list[tuple[Item, float]]:
        """The items that say most, and what, in decibans."""
        order = np.argsort(-np.abs(self.evidence), kind="stable")[:n]
        return [(self.items[i], float(self.evidence[i])) for i in order if not self.items[i].silent]

    @property
    def silent(self) -> list[Item]:
        """What is no evidence."""
        return [item for item in self.items if item.silent]

    @cached_property
    def flip(self) -> tuple[list[Item], Any] | None:
        """The fewest items without which the decision is another, and which; None if no removal changes it."""
        scores = np.array([item.scores for item in self.items]).reshape(len(self.items), len(self.classes))
        scores = np.maximum(scores, IMPOSSIBLE)  # what is impossible can be taken away, too
        best: tuple[list[Item], Any] | None = None
        for other in range(len(self.classes)):
            if other == self.of:
                continue
            speaks = scores[:, self.of] - scores[:, other]
            order = np.argsort(-speaks, kind="stable")[: np.count_nonzero(speaks > 0)]
            if best is not None:
                order = order[: len(best[0]) - 1]
            # Sums of what is left: with nothing left they are the prior, to the last bit, and a tie stays one.
            left = scores[np.delete(np.arange(len(scores)), order)].sum(axis=0) + after(scores[order])
            joint = self.log_prior + left
            decided = self.settle(joint).argmax(axis=1) if len(order) else np.array([], dtype=int)
            changed = np.flatnonzero(decided != self.of)
            if len(changed):
                n = int(changed[0])
                best = [self.items[i] for i in order[: n + 1]], self.classes.tolist()[decided[n]]
        return best

    def __str__(self) -> str:
        from deciban.explain.text import plain_text

        return plain_text(self)

    def __rich__(self) -> Any:
        from deciban.explain.text import rich_text

        return rich_text(self)

    def to_dicts(self, columns: Sequence[str]) -> list[dict[str, Any]]:
        """One mapping for the prior, every column or word, and what calibration makes of it; columns by their names."""
        pair = {"row": self.row, "class": str(self.decision), "against": str(self.other)}

        def line(decibans: float, column: str, value: Any = None) -> dict[str, Any]:
            finite = float(decibans) if np.isfinite(decibans) else None
            return pair | {"column": column, "value": shown(value), "decibans": finite}

        lines = [line(self.prior, "(prior)")]
        for item, decibans in zip(self.items, self.evidence):
            lines.append(line(decibans, columns[item.column], item.word or item.value))
        return lines + ([line(self.adjustment, f"({self.adjusted_by})")] if self.adjusted_by else [])

    def to_html(self) -> str:
        """A page by itself."""
        from deciban.explain.html import page, row_html

        return page(f"{self.decision}", [row_html(self)])


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why rows were decided as they were: evidence in decibans (10·log₁₀ of a likelihood ratio), which adds up.

    ``evidence`` (rows × columns) is that for the class decided on (``of``) against the runner-up (``against``), or
    those asked for; ``prior + evidence.sum(1)`` is the log-odds of the event models, and ``posterior`` is what
    ``predict_proba`` gives. ``explanation[i]`` has a row in detail: its values, the words of its texts, every class.
    """

    model: Model = field(repr=False)
    columns: tuple[str, ...]
    contrast: Contrast = field(repr=False)
    blocks: Sequence[Any] = field(repr=False)  # all rows, as the model reads them
    rows: Callable[[int], Any] = field(repr=False)  # one of them
    values: Callable[[int], Sequence[Any]] = field(repr=False)  # and as people do
    adjusted_by: str = ""
    target: str | None = None
    first: int = 0  # the number of the first row

    @property
    def classes(self) -> Names:
        return self.model.classes

    @property
    def of(self) -> Names:
        return self.classes[self.contrast.of]

    @property
    def against(self) -> Names:
        return self.classes[self.contrast.against]

    @property
    def posterior(self) -> Floats:
        return self.contrast.posterior

    @cached_property
    def prior(self) -> Floats:
        """Of every row, in decibans."""
        return self.model.prior_between(self.contrast.of, self.contrast.against) * DECIBANS

    @cached_property
    def evidence(self) -> Floats:
        """Rows × columns, in decibans."""
        parts = [self.model.evidence_between(x, of, against) for x, of, against in self._pairs()]
        evidence = parts[0] if len(parts) == 1 else np.concatenate(parts)
        evidence *= DECIBANS
        return evidence

    def _pairs(self) -> Iterator[tuple[Any, Codes, Codes]]:
        """Rows in blocks, with the two classes of every row."""
        begin = 0
        for x in self.blocks:
            end = begin + x.shape[0]
            yield x, self.contrast.of[begin:end], self.contrast.against[begin:end]
            begin = end

    def totals(self) -> dict[str, float]:
        """The mean evidence of every column over the rows, by size, in decibans: what the decisions rest on."""
        said = sum((self.model.total_evidence(*pair) for pair in self._pairs()), np.zeros(len(self.columns)))
        mean = said * DECIBANS / max(1, len(self))
        order = np.argsort(-mean, kind="stable")
        return {self.columns[j]: float(mean[j]) for j in order}

    def __len__(self) -> int:
        return len(self.contrast.of)

    def __getitem__(self, i: int) -> RowExplanation:
        if not isinstance(i, int | np.integer):
            raise TypeError(f"rows are asked for by number, one at a time, not by {i!r}")
        if not -len(self) <= i < len(self):
            raise IndexError(f"there are {len(self)} rows, and no row {i}")
        i %= len(self)
        x = self.rows(i)
        scores, holes = self.model.evidence(x)[0].T, self._holes(x)
        items: list[Item] = []
        for j, (name, value) in enumerate(zip(self.columns, self.values(i))):
            said = scores[j] - holes[j] if j in holes else scores[j]
            words = self._words(j, value)
            items += words or [Item(name, value, said, self._why_silent(x, j, value, said), j)]
            items += self._absent(name, j, said, words)
            items += [Item(name, not is_missing(value), holes[j], column=j, hole=True)] if j in holes else []
        return RowExplanation(
            self.classes,
            self.model.log_prior,
            tuple(items),
            self.posterior[i],
            int(self.contrast.of[i]),
            int(self.contrast.against[i]),
            self.model.settled,
            self.adjusted_by,
            self.target,
            self.first + i,
            {j: str(v) for j, v in enumerate(self.values(i)) if j in self._scorers and not is_missing(v)},
        )

    def __iter__(self) -> Iterator[RowExplanation]:
        return (self[i] for i in range(len(self)))

    def _holes(self, x: Any) -> dict[int, Floats]:
        """What it says that a value is there or not, by column, where that counts."""
        holes = self.model.holes
        return {} if holes is None else dict(zip(holes.columns, holes.evidence(x)[0].T))

    def _words(self, j: int, value: Any) -> list[Item]:
        scorer = self._scorers.get(j)
        if scorer is None or is_missing(value):
            return []
        words, counts, scores = scorer.words_of(str(value))
        name = self.columns[j] if len(self.columns) > 1 else ""
        return [Item(name, float(n), s, column=j, word=word) for word, n, s in zip(words, counts, scores)]

    def _absent(self, name: str, j: int, whole: Floats, words: list[Item]) -> list[Item]:
        """What words say by not being there, where that says something."""
        if not words or not self._scorers[j].absence_speaks:
            return []
        with np.errstate(invalid="ignore"):
            rest = whole - sum(item.scores for item in words)
        said = np.isfinite(rest).all() and np.ptp(rest) > 1e-9
        name = name if len(self.columns) > 1 else ""
        return [Item(name, 1, rest, column=j, word="(words that are not there)")] if said else []

    @cached_property
    def _scorers(self) -> dict[int, Any]:
        """Of the columns that hold texts."""
        found = {}
        for part in self.model.parts:
            if hasattr(part.scorer, "words_of"):
                places = np.arange(len(self.columns))[slice(None) if part.columns is None else part.columns]
                found[int(places[0])] = part.scorer
        return found

    @cached_property
    def _parts(self) -> dict[int, tuple[Part, int]]:
        """Who reads every column, and as which of its own."""
        every = np.arange(len(self.columns))
        return {
            int(j): (part, k)
            for part in self.model.parts
            for k, j in enumerate(every[slice(None) if part.columns is None else part.columns])
        }

    def _why_silent(self, x: Any, j: int, value: Any, scores: Floats) -> str:
        if not np.isfinite(scores).all() or (np.ptp(scores) and len(self.classes) > 1):
            return ""
        if is_missing(value):
            return MISSING
        if j not in self._parts:
            return IGNORED
        part, k = self._parts[j]
        unseen = hasattr(part.scorer, "codes") and part.scorer.codes(part.of(x))[0, k] < 0
        if j in self._scorers:
            return "no word that training had" if str(value).strip() else "an empty text"
        return UNSEEN if unseen else ALIKE

    def top(self, n: int = 5) -> list[list[tuple[Item, float]]]:
        """The items that say most in every row."""
        return [row.top(n) for row in self]

    def to_arrow(self) -> Any:
        """One row per row and column: row, class, against, column, value, decibans; the prior comes first, and what
        calibration makes of it last."""
        import pyarrow as pa

        names, adjusted = ["(prior)", *self.columns], [] if not self.adjusted_by else [f"({self.adjusted_by})"]
        names += adjusted
        rows = np.repeat(np.arange(self.first, self.first + len(self)), len(names))
        values = [
            v for i in range(len(self)) for v in (None, *(shown(v) for v in self.values(i)), *(None for _ in adjusted))
        ]
        parts = [self.prior, self.evidence, *(np.array([row.adjustment for row in self]) for _ in adjusted)]
        decibans = np.column_stack(parts).ravel() if len(self) else np.zeros(0)
        return pa.table(
            {
                "row": pa.array(rows),
                "class": pa.array([str(c) for c in np.repeat(self.of, len(names)).tolist()], pa.string()),
                "against": pa.array([str(c) for c in np.repeat(self.against, len(names)).tolist()], pa.string()),
                "column": pa.array(names * len(self), pa.string()),
                "value": pa.array(values, pa.string()),
                "decibans": pa.array(decibans),
            }
        )

    def __str__(self) -> str:
        """Of the first rows."""
        more = f"\n\n… and {len(self) - SHOWN:,} rows more" if len(self) > SHOWN else ""
        return "\n\n".join(str(self[i]) for i in range(min(SHOWN, len(self)))) + more

    def __repr__(self) -> str:
        return f"Explanation({len(self):,} rows × {len(self.columns)} columns)"

    def __rich__(self) -> Any:
        from rich.console import Group

        return Group(*(self[i].__rich__() for i in range(min(SHOWN, len(self)))))

    def to_html(self) -> str:
        """A page by itself, of the first rows."""
        from deciban.explain.html import page, row_html

        return page("explanation", [row_html(self[i]) for i in range(min(SHOWN, len(self)))])


# Rows that are printed.
SHOWN = 10


def shown(value: Any) -> str | None:
    return None if is_missing(value) else str(value)
