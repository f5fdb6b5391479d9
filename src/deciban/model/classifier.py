"""Classifier: columns, statistics and settings, and the model that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from deciban.arrays.frame import Columns, Frame
from deciban.arrays.tolerances import WEIGHT_SLACK
from deciban.arrays.types import Floats, Names
from deciban.errors import setting
from deciban.likelihoods.base import Likelihood
from deciban.model.calibration import Calibration
from deciban.model.choices import Choices
from deciban.model.expected import Expected
from deciban.model.group import Group, split_by_model
from deciban.model.missing import MissingValues
from deciban.model.model import Model
from deciban.model.other_models import with_other_models
from deciban.model.parts import Part
from deciban.model.precision import lost_digits, sample_lost_digits
from deciban.model.schema import LABEL, LABEL_KINDS, MIXED, TEXT, Column, Schema, schema_identity
from deciban.model.settings import Settings
from deciban.model.summarize import count_rows
from deciban.priors.class_prior import class_log_prior, log_class_weight
from deciban.priors.estimation import Estimation
from deciban.priors.families import FamilyCodes
from deciban.refinement import Refinement
from deciban.refinement.joint_counts import JointCounts, JointPlan
from deciban.statistics import Block, RowSample, Statistics

# Attributes that are computed from the others.
DERIVED = (
    "model", "seen", "scored", "log_prior", "log_shares", "log_shift", "missing_values", "refinement", "table_schema",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Classifier:
    """Statistics, and the columns and settings to read them by; a value, so a failed update leaves the old one.

    Statistics are facts about all rows, the sample is some of the rows themselves, and choices follow from both. The
    model is estimated once, when first asked for.
    """

    groups: tuple[Group, ...]
    statistics: Statistics
    settings: Settings
    classes: Names | None = None  # declared beforehand; None: the classes seen
    schema: Schema | None = None  # the columns by name; None: an array's, by position
    choices: Choices | None = None
    sample: RowSample = field(default_factory=RowSample.none)
    is_due: bool = False  # the choices must be made again before the model is used
    terms_due: bool = False  # so must the terms of texts, for which rows are counted again; all rows are in the sample
    due_at: float = 0.0  # weight of the rows when choices were due for the last time
    joint: JointCounts | None = None  # several columns together, counted over all rows: refine="rows"
    expected: Expected | None = None  # rows without labels in their expected classes; None after a change of rows

    @cached_property
    def table_schema(self) -> Schema | None:
        """The columns of the tables it reads; None for an array's. A model of texts alone reads a column "text"."""
        likelihood = self.groups[0].likelihood
        if self.schema is not None and self.statistics.classes.dtype == object and len(self.statistics.classes):
            return replace(self.schema, target_kind=MIXED)
        if self.schema is not None or not likelihood.reads_text or self.features != 1:
            return self.schema
        kind = LABEL_KINDS.get(self.statistics.classes.dtype.kind, "text")
        return Schema((Column(TEXT, "text", likelihood, "texts by themselves"),), LABEL, kind)

    @property
    def reads_texts_alone(self) -> bool:
        """Whether all it reads is one column of texts."""
        columns = () if self.table_schema is None else self.table_schema.used
        return len(columns) == 1 and columns[0].likelihood is not None and columns[0].likelihood.reads_text

    @cached_property
    def model(self) -> Model:
        """The parameters that follow from the statistics under the settings."""
        self.refuse_families()
        refinement = self.refinement
        parts = (
            Part(
                group.columns,
                group.likelihood.estimate(block, self.estimation),
                group.read,
                group.needs_dense,
                group.log_jacobian,
                None if refinement is None else refinement.column_weights[group.column_indices(self.features)],
                None if refinement is None else refinement.correction,
            )
            for group, block in self.scored
        )
        return Model(
            self.seen.classes,
            self.log_prior,
            tuple(parts),
            self.settings.threads,
            self.settings.strict,
            self.calibration,
            self.missing_values,
            self.log_shift,
            self.features,
            self.log_shares,
            refinement,
        )

    @cached_property
    def refinement(self) -> Refinement | None:
        """The refinement that was fitted, if the settings want one and the classes are still the same."""
        found = None if self.choices is None or self.settings.refine is None else self.choices.refinement
        if found is None or not found.suits(self.seen.classes):
            return None
        if self.joint is not None:
            return self.joint.on(self.seen.classes).complete(found)
        has_more_rows = abs(self.rows - self.due_at) > WEIGHT_SLACK * self.rows
        return replace(found, counts_all_rows=False) if found.counts_all_rows and has_more_rows else found

    @property
    def plan(self) -> JointPlan:
        """The plan of the joint counts of several columns; it is empty if there are none."""
        return JointPlan() if self.joint is None else self.joint.plan

    @cached_property
    def scored(self) -> list[tuple[Group, Block]]:
        """The columns that predictions use, under the event models that were chosen, and their statistics."""
        return self._grouped(keep_ignored=False)

    def drawn(self) -> list[tuple[Group, Block]]:
        """Return all columns with the event models that were chosen; an ignored column has its group's."""
        return self._grouped(keep_ignored=True)

    def _grouped(self, keep_ignored: bool) -> list[tuple[Group, Block]]:
        own = {} if self.choices is None else dict(self.choices.column_models)
        found: list[tuple[Group, Block]] = []
        for group, likelihood, block in zip(self.groups, self.group_models, self.seen.blocks):
            columns = group.column_indices(self.features).tolist() if own else []
            models = [own.get(j, likelihood) or (likelihood if keep_ignored else None) for j in columns]
            found += split_by_model(group, self.features, block, models or [likelihood])
        return found

    @property
    def calibration(self) -> Calibration | None:
        """The calibration that was fitted, if the settings want one, for the classes that there are now.

        A refined model needs none: the temperature is in its weights.
        """
        if self.choices is None or self.settings.calibrate is None or self.choices.calibration is None:
            return None
        if self.refinement is not None:
            return None
        return self.choices.calibration.for_classes(self.seen.classes)

    @cached_property
    def missing_values(self) -> MissingValues | None:
        """The columns in which a missing value is evidence."""
        if self.refinement is not None:
            columns, weights = self.refinement.missing_columns, [w for _, w in self.refinement.missing_weights]
            found = MissingValues.of(self.seen, self.places, columns)
            return replace(found, weights=np.array(weights)) if columns else None
        if self.choices is None or not self.choices.missing_columns:
            return None
        return MissingValues.of(self.seen, self.places, self.choices.missing_columns)

    @property
    def places(self) -> list[Columns]:
        """The columns of every group."""
        return [group.columns for group in self.groups]

    @cached_property
    def seen(self) -> Statistics:
        """The statistics that parameters are estimated from, of all classes, including those declared beforehand."""
        statistics = self.statistics if self.expected is None else self.expected.added_to(self.statistics)
        return statistics if self.classes is None else statistics.on(self.classes)

    @property
    def counted(self) -> Statistics:
        """The statistics of all rows, each by its own weight, whether it has a label or not."""
        return self.statistics if self.expected is None else self.statistics + self.expected.statistics

    @property
    def estimation(self) -> Estimation:
        """The estimation of the settings, with the pseudo-count that was chosen and the labels of the classes."""
        estimation = self.settings.estimation.with_classes(self.seen.classes)
        if not estimation.is_open:
            return estimation
        alpha = None if self.choices is None else self.choices.alpha
        return replace(estimation, alpha=1.0 if alpha is None else alpha)

    @property
    def families(self) -> FamilyCodes | None:
        """The families of the classes, None if there are none."""
        return self.estimation.family_codes

    def refuse_families(self) -> None:
        """Raise if classes of a family are to share a prior, and a column has an event model that cannot."""
        if self.settings.estimation.families is None:
            return
        for group, _ in self.scored:
            other = group.likelihood.family_obstacle()
            if other:
                column = self.column_names()[int(group.column_indices(self.features)[0])]
                raise ValueError(
                    f"{setting('families')} shares counts between classes, and column {column!r} has "
                    f"{group.likelihood}, which does not estimate shares of counts; give it {other}."
                )

    @property
    def group_models(self) -> tuple[Likelihood, ...]:
        """The event model of every group, as it was chosen."""
        chosen = None if self.choices is None else self.choices.group_models
        return tuple(group.likelihood for group in self.groups) if chosen is None else chosen

    @cached_property
    def log_prior(self) -> Floats:
        """log P(class) where the model is used."""
        return class_log_prior(self.settings.class_prior, self.seen.classes, self.seen.weight, self.estimation)

    @cached_property
    def log_shares(self) -> Floats:
        """log P(class) under which the calibration was fitted: the classes' shares in the training rows."""
        prior = self.with_training_prior().settings.class_prior
        return class_log_prior(prior, self.seen.classes, self.seen.weight, self.estimation)

    def with_training_prior(self) -> Classifier:
        """Return the same classifier as choices see it: classes have their shares in the training rows.

        Scores that are not log probabilities would be outweighed by the shares; they keep the prior of the settings.
        """
        if any(group.likelihood.needs_uniform_prior for group in self.groups):
            return self.with_settings(replace(self.settings, class_weight=None))
        return self.with_settings(replace(self.settings, class_prior=None, class_weight=None))

    @cached_property
    def log_shift(self) -> Floats | None:
        """The logarithm of the factors that class weights put on calibrated posteriors; None without class weights."""
        weight = self.settings.class_weight
        return None if weight is None else log_class_weight(weight, self.seen.classes, self.log_prior)

    @property
    def rows(self) -> float:
        """Weight of all rows."""
        return float(self.statistics.weight.sum())

    def add(self, statistics: Statistics, sample: RowSample, joint: JointCounts | None = None) -> Classifier:
        """Return the classifier with more rows; ``joint`` are their counts by its plan, if it has one."""
        both = None if self.joint is None or joint is None else self.joint + joint
        whole = self.statistics + statistics
        return replace(self, statistics=whole, sample=self.sample + sample, joint=both, expected=None)

    def subtract(self, statistics: Statistics, sample: RowSample, joint: JointCounts | None = None) -> Classifier:
        """Return the classifier without some of its rows, or raise if nothing would be left."""
        remaining = self.sample - sample
        rest = self.statistics - statistics
        if not len(rest.classes):
            raise ValueError("forgetting these rows would leave nothing learned; keep at least one row.")
        both = None if self.joint is None or joint is None else self.joint - joint
        smaller = replace(self, statistics=rest, sample=remaining, joint=both, expected=None)
        lost = lost_digits(self.statistics, statistics, self.groups, self.column_names())
        if not lost:
            return smaller
        if remaining.keeps_rows and remaining.is_complete and not sample_lost_digits(self.sample, remaining):
            return smaller.remade(self.schema, self.groups)
        raise ValueError(
            f"forgetting these rows would lose the digits of {lost[0]}: their numbers are so large that rounding hides "
            "those of the other rows; train again without these rows."
        )

    def scale(self, factor: float) -> Classifier:
        """Return the classifier with all row weights multiplied by a factor."""
        joint = None if self.joint is None else self.joint * factor
        expected = None if self.expected is None else self.expected * factor
        statistics, sample = self.statistics * factor, self.sample * factor
        return replace(self, statistics=statistics, sample=sample, joint=joint, expected=expected)

    def sample_frame(self) -> Frame:
        """Return the rows of the sample."""
        if self.sample.rows is None:
            raise ValueError("the sample has no rows.")
        return self.sample.rows.frame(None if self.table_schema is None else self.table_schema.readings)

    def remade(self, schema: Schema | None, groups: tuple[Group, ...]) -> Classifier:
        """Return a classifier of other columns, its statistics made from a complete sample in the order of keys."""
        same = self.reads_columns(schema, groups)
        new = replace(self, schema=schema, groups=groups, choices=self.choices if same else None)
        statistics, joint = new.count_sample(groups, self.plan if same else JointPlan())
        return replace(new, statistics=statistics, joint=joint, expected=None)

    def count_sample(self, groups: tuple[Group, ...], plan: JointPlan) -> tuple[Statistics, JointCounts | None]:
        """Return the statistics of the rows of the sample, and their joint counts by a plan."""
        sample = self.sample
        return count_rows(self.sample_frame(), sample.names, sample.labels, groups, plan, self.settings.threads)

    def due(self) -> Classifier:
        """Return the classifier with its choices to be made again."""
        return replace(self, is_due=True, due_at=self.rows)

    def reads_columns(self, schema: Schema | None, groups: tuple[Group, ...]) -> bool:
        """Return whether its columns and their event models are the given ones."""
        return self.groups == groups and schema_identity(self.schema) == schema_identity(schema)

    def has_columns_of(self, other: Classifier) -> bool:
        """Return whether another classifier reads the same columns in the same way."""
        return self.features == other.features and self.reads_columns(other.schema, other.groups)

    @property
    def features(self) -> int:
        """Number of columns."""
        return sum(block.features for block in self.statistics.blocks)

    def has_values(self, column: int) -> bool:
        """Return whether any row had a value in a column."""
        for group, block in zip(self.groups, self.seen.blocks):
            columns = group.column_indices(self.features).tolist()
            if column in columns:
                return block.has_values(columns.index(column))
        return False

    def column_names(self, given: Sequence[Any] | None = None) -> list[str]:
        """Return the names of the columns: the table's own; of an array, those given, else x0, x1, …"""
        if self.table_schema is not None:
            return self.table_schema.names
        return [f"x{j}" for j in range(self.features)] if given is None else [str(name) for name in given]

    def under(self, event_models: dict[int, Likelihood]) -> Classifier:
        """Return the same statistics under other event models of some columns, by column index."""
        return with_other_models(self, event_models)

    def with_settings(self, settings: Settings) -> Classifier:
        """Return the same statistics under other settings."""
        return replace(self, settings=settings)

    def without_correction(self) -> Classifier:
        """Return the classifier that scores the words of texts by their counts alone."""
        choices = self.choices
        if choices is None or choices.refinement is None or choices.refinement.correction is None:
            return self
        return replace(self, choices=replace(choices, refinement=None))

    def with_threads(self, threads: int | None) -> Classifier:
        """Return the same classifier with another number of threads."""
        return self.with_settings(replace(self.settings, threads=threads))

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without derived attributes: statistics travel, the model is estimated again."""
        return {name: value for name, value in self.__dict__.items() if name not in DERIVED}
