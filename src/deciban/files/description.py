"""The description of a model file: columns, settings and choices as JSON, and the way back to a classifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import deciban
from deciban.arrays.checks import require
from deciban.arrays.frame import Columns
from deciban.arrays.kept_table import Reading
from deciban.files.expected import EXPECTED, describe_expected, read_expected
from deciban.files.plain import from_plain, read_object, read_optional, to_plain
from deciban.files.sample import SAMPLE, read_sample
from deciban.files.versions import VERSION
from deciban.likelihoods import Likelihood
from deciban.model.choices import Choices
from deciban.model.classifier import Classifier
from deciban.model.group import Group
from deciban.model.pair_columns import pair_columns
from deciban.model.schema import DATE, TEXT, Column, Schema
from deciban.model.settings import Settings
from deciban.model.summarize import count_rows
from deciban.priors.estimation import Estimation
from deciban.priors.families import Families
from deciban.refinement.joint_counts import JointCounts, JointPlan
from deciban.statistics import STATISTICS, Statistics

Arrays = Mapping[str, NDArray[Any]]
Description = dict[str, Any]
Known = Mapping[str, type]

# The settings that are saved: all that change what a model predicts or remembers.
SAVED_SETTINGS = {"alpha", "estimate", "class_prior", "calibrate", "class_weight", "remember"}
SAVED_SETTINGS |= {"refine", "pairs", "declared_pairs"}
# Settings that a file has only where they are used, so that files without them are those of earlier versions.
OPTIONAL_SETTINGS = {"families"}
# Names of the arrays of joint counts begin with this, and those of choices with that.
JOINT, STORED = "joint.", "choices."
# A sample may weigh this share more than its class, because sums are rounded.
SAMPLE_SLACK = 1e-6


def describe(classifier: Classifier) -> tuple[Description, dict[str, NDArray[Any]]]:
    """Return everything of a classifier but its counts and its sample, in types that JSON has, and large arrays."""
    settings, schema = classifier.settings, classifier.schema
    stored: dict[str, NDArray[Any]] = {}
    described = {
        "version": VERSION,
        "deciban": deciban.__version__,
        "groups": [
            {"columns": _plain_columns(group.columns), "likelihood": to_plain(group.likelihood)}
            for group in classifier.groups
        ],
        "settings": {
            "alpha": to_plain(settings.estimation.alpha),
            "estimate": settings.estimation.kind,
            "class_prior": to_plain(settings.class_prior),
            "calibrate": settings.calibrate,
            "class_weight": to_plain(settings.class_weight),
            "remember": settings.remember,
            "refine": settings.refine,
            "pairs": settings.pairs,
            "declared_pairs": to_plain(settings.declared_pairs),
            **_described_families(settings),
        },
        "choices": to_plain(classifier.choices, stored),
        "joint": to_plain(classifier.joint.plan) if classifier.joint else None,
        "expected": describe_expected(classifier.expected),
        "schema": None if schema is None else {
            "target": schema.target,
            "target_kind": schema.target_kind,
            "weight": schema.weight,
            "columns": [[c.name, c.kind, to_plain(c.likelihood), c.why] for c in schema.columns],
        },
    }  # fmt: skip
    return described, {STORED + name: array for name, array in stored.items()}


def _described_families(settings: Settings) -> Description:
    families = settings.estimation.families
    return {} if families is None else {"families": to_plain(families.given)}


def _plain_columns(columns: Columns) -> Any:
    if columns is None:
        return None
    return {"slice": [columns.start, columns.stop]} if isinstance(columns, slice) else columns.tolist()


def read_classifier(described: Description, arrays: Arrays, known: Known) -> Classifier:
    """Return the classifier of a description and arrays; raise if training could not have made them."""
    groups = tuple(
        Group(_columns(g["columns"]), read_object(g["likelihood"], known, Likelihood)) for g in described["groups"]
    )
    kinds = STATISTICS | {group.likelihood.keeps.name: group.likelihood.keeps for group in groups}
    plain = {n: a for n, a in arrays.items() if not n.startswith((SAMPLE, JOINT, EXPECTED, STORED))}
    statistics = Statistics.from_arrays(plain, kinds)
    _check_learned(statistics)
    schema = _schema(described["schema"], known)
    _check_columns(schema, groups, statistics)
    stored = {name.removeprefix(STORED): array for name, array in arrays.items() if name.startswith(STORED)}
    choices = read_optional(described["choices"], known, Choices, stored)
    require(not stored, "it has arrays of choices that were not made")
    _check_choices(choices, groups, statistics)
    joint = _joint_counts(described["joint"], arrays, known)
    if joint is not None:
        joint.check(sum(block.features for block in statistics.blocks), statistics)
        joint.check_refinement(None if choices is None else choices.refinement)
    found = Classifier(
        groups,
        statistics,
        _settings(described["settings"], known),
        schema=schema,
        choices=choices,
        sample=read_sample(described["sample"], arrays),
        due_at=float(statistics.weight.sum()),
        joint=joint,
        expected=read_expected(described["expected"], arrays, kinds, statistics),
    )
    pair_columns(found)  # raises for columns that are not there
    _check_models(found)
    _check_sample(found)
    return found


def joint_arrays(classifier: Classifier) -> dict[str, NDArray[Any]]:
    """Return the arrays of joint counts by name; the result is empty for a classifier without joint counts."""
    arrays = {} if classifier.joint is None else classifier.joint.statistics.to_arrays()
    return {JOINT + name: array for name, array in arrays.items()}


def _joint_counts(described: Any, arrays: Arrays, known: Known) -> JointCounts | None:
    plan = read_optional(described, known, JointPlan)
    found = {name.removeprefix(JOINT): array for name, array in arrays.items() if name.startswith(JOINT)}
    require((plan is None) == (not found), "it has counts of several columns without a plan, or a plan without counts")
    return None if plan is None else JointCounts(plan, Statistics.from_arrays(found))


def check_classifier(classifier: Classifier) -> None:
    """Raise a ValueError if a classifier could not be read from the file that it is to be written to."""
    classifier.statistics.check()
    if classifier.joint is not None:
        classifier.joint.statistics.check()
    if classifier.expected is not None:
        classifier.expected.statistics.check()
    _check_learned(classifier.statistics)


def _check_learned(statistics: Statistics) -> None:
    learned = len(statistics.classes) and (statistics.weight > 0).all()
    require(learned, "a class has no weight: nothing was learned, or all of it was forgotten")


def _columns(plain: Any) -> Columns:
    if plain is None:
        return None
    if isinstance(plain, dict):
        start, stop = plain["slice"]
        require(all(type(end) is int and end >= 0 for end in (start, stop)), "a slice of columns has no ends")
        return slice(start, stop)
    require(isinstance(plain, list) and all(type(j) is int and j >= 0 for j in plain), "columns are not whole numbers")
    return np.array(plain, dtype=np.int64)


def _settings(described: Description, known: Known) -> Settings:
    require(set(described) - OPTIONAL_SETTINGS == SAVED_SETTINGS, "its settings are not those that a model has")
    settings = {name: from_plain(value, known) for name, value in described.items()}
    alpha, estimate, families = settings.pop("alpha"), settings.pop("estimate"), settings.pop("families", None)
    require(not np.ndim(alpha), "alpha is not one number")
    return Settings(Estimation(alpha, estimate, families=None if families is None else Families(families)), **settings)


def _schema(described: Description | None, known: Known) -> Schema | None:
    if described is None:
        return None
    columns = (
        Column(name, kind, read_optional(likelihood, known, Likelihood), why)
        for name, kind, likelihood, why in described["columns"]
    )
    return Schema(tuple(columns), described["target"], described["target_kind"], described["weight"])


def _check_columns(schema: Schema | None, groups: tuple[Group, ...], statistics: Statistics) -> None:
    """Raise unless every column is in one group, has statistics there, and has a name if there are names."""
    blocks = statistics.blocks
    kinds = [type(block) for block in blocks]
    require(kinds == [g.likelihood.keeps for g in groups], "its groups of columns have statistics of other kinds")
    sizes = [block.features for block in blocks]
    places = [group.column_indices(sum(sizes)).tolist() for group in groups]
    every = [j for columns in places for j in columns]
    fits = [len(columns) for columns in places] == sizes and sorted(every) == list(range(sum(sizes)))
    require(fits and all(sizes) and every, "its groups of columns do not fit its statistics")
    if schema is None:
        return
    require(
        len(schema.used) == len(every), f"it has names of {len(schema.used)} columns but statistics of {len(every)}"
    )
    declared = {j: group.likelihood for group, columns in zip(groups, places) for j in columns}
    same = all(declared[j].same_as(column.likelihood) for j, column in enumerate(schema.used))
    require(same, "its table and its groups of columns have different event models")


def _check_choices(choices: Choices | None, groups: tuple[Group, ...], statistics: Statistics) -> None:
    """Raise unless choices fit the columns."""
    if choices is None:
        return
    if choices.group_models is not None:
        require(len(choices.group_models) == len(groups), "what was chosen does not fit the groups of columns")
    features = sum(block.features for block in statistics.blocks)
    declared = {j: group.likelihood for group in groups for j in group.column_indices(features).tolist()}
    named = (*choices.missing_columns, *dict(choices.column_models))
    require(all(j in declared for j in named), "what was chosen names columns that are not there")
    pairs = [(declared[j], model) for j, model in choices.column_models if model is not None]
    pairs += list(zip((group.likelihood for group in groups), choices.group_models or ()))
    refinement = choices.refinement
    if refinement is not None:
        used = {*dict(refinement.cells), *refinement.missing_columns}
        used |= set() if refinement.design is None else {*refinement.design.numbers, *refinement.design.categories}
        fits = refinement.features == features and all(j in declared for j in used)
        require(fits, "its weights and pairs do not fit its columns")
    fits = all(model.has_same_statistics(likelihood) for likelihood, model in pairs)
    require(fits, "what was chosen does not fit the event models of the columns")


def _check_models(classifier: Classifier) -> None:
    """Raise unless parameters can be estimated, under the chosen event models and under the declared ones."""
    choices = classifier.choices
    chosen = choices is not None and (choices.group_models is not None or choices.column_models)
    for c in (classifier, replace(classifier, choices=None)) if chosen else (classifier,):
        require(not np.isnan(c.model.log_prior).any(), "the probabilities of its classes are not numbers")


def _check_sample(classifier: Classifier) -> None:
    """Raise unless the rows of the sample can be counted, and weigh no more than all rows of their classes."""
    sample, schema = classifier.sample, classifier.schema
    if sample.rows is None:
        return
    if schema is not None:
        every = sample.rows.frame([Reading(c.name, c.kind, c.kind in (TEXT, DATE)) for c in schema.remembered])
        for j in range(every.shape[1]):
            every.column(j)  # raises for texts in a column of numbers
    rows = classifier.sample_frame()
    features = classifier.features
    require(rows.shape[1] == features, f"the rows of its sample do not have its {features} columns")
    counted, joint = count_rows(rows, sample.names, sample.labels, classifier.groups, classifier.plan, 1)
    known = classifier.statistics.on(sample.names).weight
    fits = (counted.on(sample.names).weight <= known * (1 + SAMPLE_SLACK)).all()
    require(fits, "the rows of its sample weigh more than all rows")
    if classifier.settings.refine is not None:  # rows of the sample are taken out of the statistics then
        _ = classifier.statistics - counted
    if classifier.joint is not None and joint is not None:
        _ = classifier.joint - joint
