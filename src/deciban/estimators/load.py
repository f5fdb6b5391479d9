"""Models from files."""

from __future__ import annotations

from typing import Any

import numpy as np

from deciban.estimators.naive_bayes import NaiveBayes
from deciban.files.model_file import load as load_classifier
from deciban.files.model_file import refuse


def load(path: Any, likelihoods: Any = ()) -> NaiveBayes:
    """A model from a file that ``save`` wrote; ``likelihoods`` are the classes of event models written outside deciban.

    A file that is damaged, foreign or of a later version is one ValueError.
    """
    classifier = load_classifier(path, likelihoods)
    settings = classifier.settings
    nb = NaiveBayes(
        alpha=settings.how.alpha,
        estimate=settings.how.kind,
        class_prior=settings.class_prior,
        calibrate=settings.calibrate or False,
        class_weight=settings.class_weight,
    )
    nb.n_features_in_ = classifier.features
    if classifier.schema is not None:
        nb.feature_names_in_ = np.array(classifier.schema.names, dtype=object)
    try:
        nb._ready(classifier)
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        refuse(path, f"does not hold together: {str(error).rstrip('.')}")
    nb.columns = dict(nb.columns_)
    return nb
