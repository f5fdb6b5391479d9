"""The generative story of a model: the distributions that a row is drawn from, in words and in LaTeX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deciban.describe.groups import fitted_groups
from deciban.describe.parameters import ColumnParameters, Parameter, Parameters, parameters
from deciban.explain.show.derivation_tex import words_tex
from deciban.likelihoods.factors import SCORE
from deciban.likelihoods.parameters import BITS, NUMBER
from deciban.likelihoods.workings import fraction_tex
from deciban.model.classifier import Classifier
from deciban.terminal.printable import printable
from deciban.terminal.values import short_value

# Columns, classes and values that a story lists.
TOLD_COLUMNS, TOLD_CLASSES, TOLD_VALUES = 12, 6, 5


COUNTS_ONLY = (
    "This is the story of the counts, from which rows are drawn. Predictions of this refined model multiply the "
    "evidence of every column by a weight, and add evidence of columns that are read together."
)


@dataclass(frozen=True)
class Step:
    """One step of the story: a quantity is drawn from a distribution, given the class or not."""

    subject: str  # the class, a column, or "number of words"
    given: str  # "Y = 1", "" for the class itself
    distribution: str  # such as "Bernoulli(4/9)"
    tex: str  # the distribution in LaTeX

    def __str__(self) -> str:
        given = f" given {self.given}" if self.given else ""
        return printable(f"{self.subject}{given} ~ {self.distribution}")

    def to_latex(self) -> str:
        """Return the step as a line of an aligned formula."""
        given = rf" \mid {words_tex(self.given)}" if self.given else ""
        return rf"{words_tex(self.subject)}{given} &\sim {self.tex}"


@dataclass(frozen=True)
class Story:
    """The generative story: the class is drawn, then every column given the class, independently of the others."""

    steps: tuple[Step, ...]
    remarks: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, i: int) -> Step:
        return self.steps[i]

    def __repr__(self) -> str:
        return f"Story({len(self.steps)} steps)"

    def __str__(self) -> str:
        return "\n".join([*map(str, self.steps), *self.remarks])

    def to_latex(self) -> str:
        """Return the story as one aligned formula; names are escaped."""
        lines = " \\\\\n".join(step.to_latex() for step in self.steps)
        return f"\\begin{{aligned}}\n{lines}\n\\end{{aligned}}"

    def _repr_html_(self) -> str:
        from deciban.markup.html import MOST_LISTED, fragment, heading_html, remark_html, table_html, text_html

        rows = [
            [
                text_html(step.subject),
                text_html(f"given {step.given}" if step.given else ""),
                "~",
                text_html(step.distribution, MOST_LISTED),
            ]
            for step in self.steps
        ]
        table = table_html([""] * 4, rows, folded=[3])
        return fragment(heading_html("generative story"), table, *map(remark_html, self.remarks))


def story(classifier: Classifier, names: list[str]) -> Story:
    """Return the story of the first columns of a model; the others are counted."""
    told = names[:TOLD_COLUMNS]
    found = parameters(classifier, names, told, words=TOLD_VALUES)
    lengths = _lengths(classifier, names)
    steps = [_class_step(found)]
    for column in found.columns:
        for c in range(min(len(found.classes), TOLD_CLASSES)):
            given = f"{found.target} = {short_value(found.classes[c])}"
            subject = column.name or "text"
            if column.columns[0] in lengths:
                step = lengths[column.columns[0]][c]
                steps.append(Step(f"number of words of {subject}", given, step, words_tex(step)))
            steps.append(Step(_subject(column), given, *_distribution(column, c)))
    remarks = _remarks(found, len(names) - len(told))
    return Story(tuple(steps), tuple(remarks + ([COUNTS_ONLY] if classifier.refinement is not None else [])))


def _lengths(classifier: Classifier, names: list[str]) -> dict[str, Any]:
    """Return the distribution of the number of words, by column of texts."""
    groups = fitted_groups(classifier, names)
    found = {group.fitted.names[0]: group.likelihood.length_steps(group.fitted) for group in groups}
    return {name: steps for name, steps in found.items() if steps}


def _subject(column: ColumnParameters) -> str:
    if not column.are_terms:
        return column.name
    if column.family == "Multinomial":
        return f"counts of {column.name}"
    return f"{'each word in' if column.family == 'Bernoulli' else 'each word of'} {column.name or 'text'}"


def _class_step(found: Parameters) -> Step:
    if list(found.classes) in BITS:
        tex = rf"{_upright('Bernoulli')}({_tex(found.prior, 1)})"
        return Step(found.target, "", f"Bernoulli({found.prior.cells[1]})", tex)
    shown = range(min(len(found.classes), TOLD_CLASSES))
    more = len(found.classes) - len(shown)
    pairs = [(short_value(found.classes[c]), found.prior.cells[c], _tex(found.prior, c)) for c in shown]
    return Step(found.target, "", *_listed("Categorical", pairs, more))


def _distribution(column: ColumnParameters, c: int) -> tuple[str, str]:
    """Return a distribution with its parameters in one class, as text and in LaTeX."""
    values = [line for line in column.lines if line.value is not None]  # without P(missing)
    if column.family == "Bernoulli" and not column.are_terms:
        return f"Bernoulli({values[1].cells[c]})", rf"{_upright('Bernoulli')}({_tex(values[1], c)})"
    if column.are_terms and column.omitted:  # the words that are most typical of the class
        values.sort(key=lambda line: -line.numbers[c] / (sum(line.numbers) or 1.0))
    shown = values[: TOLD_VALUES + 1]
    more = column.omitted + len(values) - len(shown)
    if values and values[0].notation == NUMBER:
        return _listed(column.family, [(line.label, line.cells[c], _tex(line, c)) for line in shown], more, between=" ")
    return _listed(column.family, [(line.label, line.cells[c], _tex(line, c)) for line in shown], more)


def _listed(family: str, pairs: list[tuple[str, str, str]], more: int, between: str = ": ") -> tuple[str, str]:
    rest = f", … {more:,} more" if more else ""
    text = ", ".join(f"{name}{between}{cell}" for name, cell, _ in pairs) + rest
    tex = r",\ ".join(f"{words_tex(name + between)} {number}" for name, _, number in pairs)
    return f"{family}({text})", rf"{_upright(family)}({tex}{words_tex(rest) if rest else ''})"


def _upright(family: str) -> str:
    return rf"\operatorname{{{family}}}" if family.isalpha() else words_tex(family)


def _tex(line: Parameter, c: int) -> str:
    """Return a number in LaTeX: a fraction if it is exact, else a decimal."""
    above, slash, below = line.cells[c].partition("/")
    if slash and above.isdigit() and below.isdigit():
        return rf"\frac{{{above}}}{{{below}}}"
    fraction = line.fractions[c]
    is_short = fraction is not None and len(str(fraction)) < 8
    return fraction_tex(fraction) if fraction is not None and is_short else _decimal_tex(line.numbers[c])


def _decimal_tex(number: float) -> str:
    mantissa, _, exponent = f"{number:.4g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _remarks(found: Parameters, untold: int) -> list[str]:
    remarks = []
    if len(found.classes) > TOLD_CLASSES:
        remarks.append(f"… and likewise given each of the other {len(found.classes) - TOLD_CLASSES} classes.")
    if untold:
        remarks.append(f"… and likewise {untold:,} more columns.")
    if any(line.notation == SCORE for column in found.columns for line in column.lines):
        remarks.append(
            "Scores compare a class with all others; they are not probabilities, so no row is drawn by them."
        )
    return remarks
