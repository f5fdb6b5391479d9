"""Models from files."""

from __future__ import annotations

import os
from collections.abc import Iterable

import numpy as np

from deciban.estimators.naive_bayes import NaiveBayes
from deciban.files.model_file import load as load_classifier
from deciban.likelihoods import Likelihood
from deciban.refinement.declared_pair import Pair


def load(path: str | os.PathLike[str], likelihoods: Iterable[type[Likelihood]] = ()) -> NaiveBayes:
    """Load a model that ``save`` wrote; ``likelihoods`` are the classes of event models written outside deciban.

    A file that is damaged, not a deciban model, or written by a newer version raises a ValueError.
    """
    classifier = load_classifier(path, likelihoods)
    settings = classifier.settings
    nb = NaiveBayes(
        alpha=settings.estimation.alpha,
        estimate=settings.estimation.kind,
        class_prior=settings.class_prior,
        calibrate=settings.calibrate or False,
        class_weight=settings.class_weight,
        refine=settings.refine,
        pairs=settings.pairs,
        families=None if settings.estimation.families is None else settings.estimation.families.given,
        remember=settings.remember,
    )
    nb.n_features_in_ = classifier.features
    if classifier.schema is not None:
        nb.feature_names_in_ = np.array(classifier.schema.names, dtype=object)
    nb._keep(classifier)
    nb.columns = dict(nb.columns_) | dict.fromkeys(settings.declared_pairs, Pair())
    return nb
