"""A generator of valid arguments for every function and method of the native module."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from kernel_arguments import Draw

ZEROS = np.zeros
Generator = Callable[[Draw], tuple]
GENERATORS: dict[str, Generator] = {}


def call(generator: Generator) -> Generator:
    """Register the generator of the function of the same name; `Documents_slice` is a method of `Documents`."""
    owner, _, method = generator.__name__.partition("_")
    name = f"{owner}.{method}" if owner[0].isupper() else generator.__name__
    GENERATORS[name] = generator
    return generator


# Statistics


@call
def add_moments(d):
    return d.matrix(), *d.labels(), *ZEROS((3, d.classes, d.features))


@call
def add_sums(d):
    return d.matrix(), *d.labels(), d.threshold(), d.below(32), *ZEROS((2, d.classes, d.features))


@call
def add_sums_sparse(d):
    by_column = d.chance()
    entries = d.sparse(d.features, d.rows) if by_column else d.sparse(d.rows, d.features)
    out = ZEROS((d.classes, d.features))
    return *entries, d.rows, by_column, *d.labels(), d.threshold(), d.below(32), out


@call
def add_weights(d):
    return *d.labels(), ZEROS(d.classes)


@call
def add_counts(d):
    low, start, width = d.layout()
    return d.matrix(), *d.labels(), low, start, ZEROS((d.classes, width))


@call
def count_codes(d):
    start = d.start(d.features)
    return d.code_columns(), *d.labels(), start, ZEROS((d.classes, int(start[-1])))


@call
def column_ranges(d):
    return d.matrix(), ZEROS(d.features, np.int64), ZEROS(d.features, np.int64)


@call
def count_buckets(d):
    return d.matrix(cols=1), *d.bits(), *d.labels(), d.classes, d.below(53), 4096


# Refinements


@call
def relative_terms(d):
    others = max(d.classes - 1, 0)
    scores = np.random.default_rng(0).normal(size=(2, d.rows, d.classes))
    return scores, codes_of(d, d.rows), 1, ZEROS((d.rows, others, 4))


@call
def logistic_losses(d):
    return (*logistic_terms(d), ZEROS(d.rows))


@call
def add_logistic_derivatives(d):
    return (*logistic_terms(d), ZEROS(d.rows), ZEROS(d.features), ZEROS((d.features, d.features)))


@call
def pair_gains(d):
    cell, cells, first, second = pairs_of_cells(d)
    posterior = np.full((d.rows, d.classes), 1 / max(d.classes, 1))
    given = codes_of(d, d.rows), np.ones(d.rows), posterior, np.ones(d.classes), np.array([1.0, 10.0])
    return cell, cells, first, second, *given, ZEROS(len(first)), ZEROS(len(first))


@call
def score_pairs(d):
    cell, cells, first, second = pairs_of_cells(d)
    start = np.concatenate([[0], np.cumsum(cells[first] * cells[second])]).astype(np.int64)
    return cell, cells, first, second, start, np.ones((int(start[-1]), d.classes)), ZEROS((d.rows, d.classes))


def term_rows(d):
    """Offsets, terms and values of sparse rows; the features are the terms."""
    start = d.start(d.rows) if d.features else ZEROS(d.rows + 1, np.int64)
    return start, d.codes(int(start[-1]), d.features), d.doubles(int(start[-1]))


@call
def learn_correction(d):
    order = d.longs(d.rows, d.rows)
    taught = d.codes(d.rows, d.classes + 1) - np.int32(1), d.counts(d.rows), d.doubles(d.rows, d.classes), order
    return *term_rows(d), *taught, 0.3, 1.0, ZEROS((d.features, 2, d.classes)), ZEROS((2, d.classes))


@call
def add_correction(d):
    return *term_rows(d), d.doubles(d.features, d.classes), ZEROS((d.rows, d.classes))


def codes_of(d, size):
    return (np.arange(size) % max(d.classes, 1)).astype(np.int32)


def logistic_terms(d):
    rng, others = np.random.default_rng(1), max(d.classes - 1, 0)
    terms, offset = rng.normal(size=(d.rows, others, d.features)), rng.normal(size=(d.rows, others))
    return terms, offset, np.ones(d.rows), rng.normal(size=d.features)


def pairs_of_cells(d):
    cell = np.random.default_rng(2).integers(-1, 3, (d.features, d.rows)).astype(np.int32)
    columns = np.arange(d.features - 1 if d.features else 0, dtype=np.int32)
    return cell, np.full(d.features, 3, dtype=np.int64), columns, columns + np.int32(1)


# Codes


@call
def encode(d):
    return d.memory(d.rows * d.features).reshape(d.rows, d.features), ZEROS(d.rows, np.int32)


@call
def encode_strings(d):
    return *d.strings(), ZEROS(d.rows, np.int32)


@call
def encode_views(d):
    return *d.views(), ZEROS(d.rows, np.int32)


@call
def bit_codes(d):
    return d.memory(d.rows // 8 + 2), d.below(9), ZEROS(d.rows, np.int32)


@call
def mark_missing(d):
    return bit_codes(d)


@call
def renumber(d):
    return d.codes(d.rows, d.classes + 1) - 1, d.codes(d.classes, 99)


@call
def merge_sorted(d):
    a, b = np.unique(d.hashes(d.rows)), np.unique(d.hashes(d.features))
    return a, b, ZEROS(len(a), np.int64), ZEROS(len(b), np.int64)


@call
def bin_codes(d):
    return d.matrix(cols=1), *d.bits(), np.sort(d.doubles(d.features)), ZEROS(d.rows, np.int32)


# Scores


@call
def normal_cdf(d):
    return d.doubles(d.rows), ZEROS(d.rows)


def linear(d, *shape):
    """Weight, base, total, threshold and whether x is binary."""
    base = d.doubles(*shape) if d.chance() else None
    return d.doubles(*shape), base, d.doubles(d.classes), d.threshold(), d.chance()


@call
def score_linear(d):
    return d.matrix(), *linear(d, d.classes, d.features_padded), ZEROS((d.rows, d.classes))


@call
def score_linear_sparse(d):
    by_column = d.chance()
    entries = d.sparse(d.features, d.rows) if by_column else d.sparse(d.rows, d.features)
    return *entries, d.rows, by_column, *linear(d, d.features, d.classes_padded), ZEROS((d.rows, d.classes))


@call
def score_quadratic(d):
    parameters = d.doubles(3, d.classes, d.features_padded)
    return d.matrix(), *parameters, d.doubles(d.classes), ZEROS((d.rows, d.classes))


@call
def score_table(d):
    low, start, width = d.layout()
    return d.matrix(), low, start, d.doubles(width, d.classes_padded), ZEROS((d.rows, d.classes))


@call
def score_codes(d):
    start = d.start(d.features)
    return d.code_columns(), start, d.doubles(int(start[-1]) + 1, d.classes_padded), ZEROS((d.rows, d.classes))


@call
def score_steps(d):
    cuts = d.cuts()
    return *d.columns(), cuts, d.doubles(d.bins(cuts) + 1, d.classes_padded), ZEROS((d.rows, d.classes))


@call
def score_gaussian(d):
    return *d.columns(), d.doubles(3 * d.features, d.classes_padded), ZEROS((d.rows, d.classes))


@call
def centre(d):
    return d.doubles(d.rows, d.classes), d.doubles(d.classes)


@call
def divide_by_sum(d):
    return (d.counts(d.rows, d.classes),)


@call
def decide(d):
    return d.doubles(d.rows, d.classes), d.doubles(d.classes), ZEROS(d.rows, np.int32)


# Leave-one-out


def own(d):
    """A matrix and the class and weight of its rows."""
    return d.matrix(), d.codes(d.rows, d.classes), d.counts(d.rows)


@call
def own_gaussian(d):
    varies = (d.memory(d.features) & 1).astype(np.uint8)
    return *own(d), d.counts(d.classes), *d.counts(2, d.classes, d.features), varies, ZEROS(d.rows)


@call
def shared_gaussian(d):
    mean, deviation, varies = d.counts(d.classes, d.features), d.counts(d.features), d.memory(d.features)
    return *own(d), d.counts(d.classes), mean, deviation, 9.0, varies, ZEROS((d.rows, d.classes))


@call
def others_counts(d):
    return *own(d), d.counts(d.classes, d.features), d.counts(d.classes), ZEROS((d.rows, d.classes))


@call
def own_counts(d):
    return *own(d), d.counts(d.classes, d.features), ZEROS(d.rows), ZEROS(d.rows)


# Contrasts


def column_major(d):
    return ZEROS((d.rows, d.features), order="F")


@call
def contrast_linear(d):
    weight = d.doubles(d.features, d.classes)
    base = d.doubles(d.features, d.classes) if d.chance() else None
    return *d.columns(), weight, base, d.threshold(), *d.pairs(), column_major(d)


@call
def contrast_gaussian(d):
    return *d.columns(), d.doubles(3 * d.features, d.classes), *d.pairs(), column_major(d)


@call
def contrast_codes(d):
    low, start, width = d.layout()
    return d.columns()[0], low, start, d.doubles(width, d.classes), *d.pairs(), column_major(d)


@call
def contrast_steps(d):
    cuts = d.cuts()
    return *d.columns(), cuts, d.doubles(d.bins(cuts) + 1, d.classes), *d.pairs(), column_major(d)


@call
def contrast_linear_rows(d):
    weight = d.doubles(d.classes, d.features_padded)
    base = d.doubles(*weight.shape) if d.chance() else None
    return d.row_major(), weight, base, d.threshold(), *d.pairs(), ZEROS((d.rows, d.features))


@call
def contrast_gaussian_rows(d):
    parameters = d.doubles(3, d.classes, d.features_padded)
    return d.row_major(), *parameters, *d.pairs(), ZEROS((d.rows, d.features))


@call
def contrast_code_rows(d):
    low, start, width = d.layout()
    return d.row_major(), low, start, d.doubles(width, d.classes), *d.pairs(), ZEROS((d.rows, d.features))


@call
def contrast_scores(d):
    return d.doubles(d.rows, d.classes), *d.pairs(), ZEROS(d.rows)


@call
def two_best(d):
    return d.doubles(d.rows, d.classes), ZEROS(d.rows, np.int32), ZEROS(d.rows, np.int32)
