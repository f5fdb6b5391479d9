"""The course of expectation-maximisation: objective of every iteration, weight, and posterior of the rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from deciban.arrays.types import Floats, Names
from deciban.model.expected import Expected

if TYPE_CHECKING:
    from deciban.plots.em import ObjectiveDisplay


@dataclass(frozen=True, eq=False)
class EM:
    """The course of expectation-maximisation over rows without labels.

    Attributes
    ----------
    objective : log posterior of the parameters before every iteration and after the last, up to a constant
    iterations : number of iterations
    weight : weight of a row without a label next to a labelled row
    temperature : what the evidence of rows was divided by
    rows : number of rows without labels
    classes : class labels, in the order of the columns of ``posterior``
    posterior : [rows × classes] P(class | row) of these rows; None for a loaded model, and for very many rows
    losses : log-loss of held-out labelled rows by weight, where the weight was chosen
    restarts : objective at the end of every start; one for labelled rows
    """

    objective: Floats
    weight: float
    temperature: float
    rows: float
    classes: Names
    posterior: Floats | None = field(default=None, repr=False)
    losses: dict[float, float] = field(default_factory=dict)
    restarts: tuple[float, ...] = ()

    @staticmethod
    def of(expected: Expected, classes: Names) -> EM:
        """Return the course of EM that has made these expected statistics."""
        last = tuple(expected.objective[-1:].tolist())
        return EM(
            expected.objective,
            expected.weight,
            expected.temperature,
            expected.rows,
            classes,
            expected.posterior,
            expected.losses,
            last,
        )

    @property
    def iterations(self) -> int:
        """Number of iterations."""
        return max(0, len(self.objective) - 1)

    def __repr__(self) -> str:
        return (
            f"EM({self.rows:,.6g} rows without labels of weight {self.weight:g}, {self.iterations} iterations, "
            f"objective {self.objective[-1]:,.6g})"
        )

    def __str__(self) -> str:
        lines = [
            f"Expectation-maximisation over {self.rows:,.6g} rows without labels, each of weight {self.weight:g}",
            f"{self.iterations} iterations: objective {self.objective[0]:,.6g} → {self.objective[-1]:,.6g}",
        ]
        if self.temperature != 1:
            lines.append(f"The evidence of rows was divided by {self.temperature:g}.")
        if self.losses:
            tried = ", ".join(f"{weight:g}: {loss:.3f}" for weight, loss in self.losses.items())
            lines.append(f"Log-loss of labelled rows that were held out, by weight: {tried}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return all but the posterior as plain values."""
        return {
            "objective": self.objective.tolist(),
            "iterations": self.iterations,
            "weight": self.weight,
            "temperature": self.temperature,
            "rows": self.rows,
            "classes": self.classes.tolist(),
            "losses": {str(weight): loss for weight, loss in self.losses.items()},
            "restarts": list(self.restarts),
        }

    def _repr_html_(self) -> str:
        from deciban.markup.html import fragment, remark_html, text_html
        from deciban.markup.sparkline import sparkline

        chart = sparkline(list(range(len(self.objective))), (self.objective - self.objective.min()).tolist())
        lines = "".join(f"<p>{text_html(line)}</p>" for line in str(self).splitlines())
        return fragment(lines, chart, remark_html("Line: the objective over the iterations, from its least value."))

    def plot(self, ax: Any = None, *, theme: str | None = None) -> ObjectiveDisplay:
        """Draw the objective over the iterations."""
        from deciban.plots.em import ObjectiveDisplay

        return ObjectiveDisplay(self).plot(ax, theme=theme)
