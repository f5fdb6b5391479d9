"""The report: sections about a model and labelled rows, as one HTML file without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from deciban.evaluation.evaluation import Evaluation
from deciban.evaluation.reliability import Reliability
from deciban.evaluation.scored_rows import ScoredRows
from deciban.explain.findings import Diagnosis
from deciban.explain.importance import Importance
from deciban.files.atomic import write_whole
from deciban.model.classifier import Classifier
from deciban.report import sections
from deciban.report.collect import Collected, Limits, collect
from deciban.report.columns import important_section
from deciban.report.origin import Origin
from deciban.report.parts import Section
from deciban.tables.learning_curve import LearningCurve
from deciban.terminal.values import percent

if TYPE_CHECKING:
    from deciban.report.page import Drawn

# Bytes of the largest report, unless another number is given.
MOST_BYTES = 2_000_000


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """A report on a model and labelled rows: ``save`` writes one HTML file, ``print`` shows its text."""

    title: str
    summary: tuple[tuple[str, str, str], ...]  # name, value and remark of the most important numbers
    sections: tuple[Section, ...]
    evaluation: Evaluation
    reliability: Reliability
    diagnosis: Diagnosis
    importance: Importance
    max_bytes: int = MOST_BYTES
    origin: Origin = field(default_factory=Origin)

    def section(self, name: str) -> Section:
        """Return the section with an anchor, such as "rows"."""
        names = [section.name for section in self.sections]
        if name not in names:
            raise ValueError(f"there is no section {name!r}; there are {', '.join(names)}.")
        return self.sections[names.index(name)]

    def to_html(self) -> str:
        """Return the complete page, of at most ``max_bytes`` bytes: the least important pictures are left out."""
        from deciban.report.page import render

        return render(self)

    @cached_property
    def drawn(self) -> Drawn:
        """The pictures as SVG, drawn when they are first needed."""
        from deciban.report.page import draw_pictures

        return draw_pictures(self.sections)

    def save(self, path: Any) -> None:
        """Write the page to a file, which appears complete or not at all."""
        from pathlib import Path

        page = self.to_html().encode()
        write_whole(Path(path), lambda temporary: temporary.write_bytes(page) and None)

    def __str__(self) -> str:
        lines = [self.title, *(f"{name}: {value} ({remark})" for name, value, remark in self.summary)]
        return "\n\n".join(["\n".join(lines), *map(str, self.sections)])

    def __repr__(self) -> str:
        names = ", ".join(section.title for section in self.sections)
        return f"Report({self.evaluation.rows:,} rows: {names})"

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own: nothing of it reaches the notebook."""
        return (
            f'<iframe sandbox srcdoc="{escape(self.to_html())}" style="width: 100%; height: 45em; border: 0"></iframe>'
        )


def make_report(
    classifier: Classifier,
    names: Sequence[str],
    batches: Iterable[ScoredRows],
    limits: Limits,
    origin: Origin,
    max_bytes: int = MOST_BYTES,
    curve: LearningCurve | None = None,
) -> Report:
    """Read labelled rows once and return the report on them."""
    from deciban.report.page import require_packages

    require_packages()
    check_bytes(max_bytes)
    found = collect(classifier, names, batches, limits)
    return Report(
        title=f"{found.target}: naive Bayes",
        summary=tuple(key_numbers(found)),
        sections=(
            sections.model_section(found),
            sections.scores_section(found),
            sections.reliability_section(found),
            sections.columns_section(found),
            important_section(found),
            sections.rows_section(found),
            sections.decisions_section(found),
            *([] if curve is None else [sections.curve_section(curve)]),
            sections.origin_section(origin),
        ),
        evaluation=found.evaluation,
        reliability=found.reliability,
        diagnosis=found.diagnosis,
        importance=found.importance,
        max_bytes=max_bytes,
        origin=origin,
    )


def check_bytes(max_bytes: Any) -> None:
    """Raise unless the limit is a whole number above 0."""
    if isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or max_bytes < 1:
        raise ValueError(f"max_bytes is {max_bytes!r}; give a whole number above 0.")


def key_numbers(found: Collected) -> list[tuple[str, str, str]]:
    """Return the numbers that come first on the page."""
    result = found.evaluation
    serious = sections.serious_findings(found)
    return [
        ("rows", f"{result.rows:,}", f"{result.unlabelled:,} without a label left out" if result.unlabelled else ""),
        ("accuracy", percent(result.accuracy), f"{percent(result.majority.accuracy)} by the commonest class"),
        ("log-loss", f"{result.log_loss:.4f}", f"{result.matching.log_loss:.4f} by the shares of the classes"),
        ("ROC AUC", f"{result.roc_auc:.4f}", "0.5 by guessing"),
        ("calibration error", f"{result.calibration_error:.4f}", "0 if probabilities are right"),
        ("findings", str(serious), "about columns, to act on"),
    ]
