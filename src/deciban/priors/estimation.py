"""Estimation: the way from statistics to parameters, and the default pseudo-count."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from deciban.arrays.types import Names
from deciban.errors import setting
from deciban.priors.counts import checked_pseudo_count
from deciban.priors.families import Families, FamilyCodes

Estimate: TypeAlias = Literal["map", "predictive", "mle"]
ESTIMATES = ("mle", "map", "predictive")
# A setting that is chosen on rows.
AUTO = "auto"


@dataclass(frozen=True)
class Estimation:
    """The default pseudo-count, and the kind of estimate.

    ``kind`` is "mle" (maximum likelihood: priors do not count), "map" (most probable parameters) or "predictive"
    (parameters integrated out). ``classes`` are the labels of the classes, for priors that name them; None if they are
    not known. ``families`` says which classes share a prior.
    """

    alpha: Any = 1.0
    kind: Estimate = "map"
    classes: Names | None = field(default=None, compare=False, repr=False)
    families: Families | None = None

    def __post_init__(self) -> None:
        if self.kind not in ESTIMATES:
            raise ValueError(f"estimate is {self.kind!r}; it can be {' or '.join(map(repr, ESTIMATES))}.")
        if self.is_open:
            return
        if isinstance(self.alpha, str):
            raise ValueError(
                f"{setting('alpha')} is {self.alpha!r}; give a number of at least 0, or 'auto' to have one chosen."
            )
        checked_pseudo_count(self.alpha, "alpha")

    @property
    def is_open(self) -> bool:
        """Whether the pseudo-count must still be chosen."""
        return isinstance(self.alpha, str) and self.alpha == AUTO

    @property
    def pseudo_count(self) -> Any:
        """The pseudo-count of an event model without a prior of its own: alpha, 0 for maximum likelihood."""
        return 0.0 if self.is_mle else self.alpha

    @property
    def is_mle(self) -> bool:
        """Whether priors do not count."""
        return self.kind == "mle"

    def with_classes(self, classes: Names) -> Estimation:
        """Return the estimation for classes with these labels."""
        return replace(self, classes=classes)

    @property
    def family_codes(self) -> FamilyCodes | None:
        """The families of the classes; None without families, and for maximum likelihood, where priors do not count."""
        if self.families is None or self.is_mle:
            return None
        if self.classes is None:
            raise ValueError(f"{setting('families')} names classes, but the classes have no labels here.")
        return self.families.of(self.classes)
