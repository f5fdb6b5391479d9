"""A trained classifier whose choices are made when it is first used."""

from __future__ import annotations

import threading
from typing import Any

from deciban.choosing.sample_columns import Decide, with_terms_decided
from deciban.choosing.training import settle
from deciban.model.classifier import Classifier


class Trained:
    """A classifier, and the promise to make choices that are due before it predicts.

    Many threads may read it at once: choices are made once, and every reader gets the same classifier.
    """

    def __init__(self, classifier: Classifier, decide: Decide | None = None) -> None:
        self._classifier = classifier
        self._decide = decide  # decides on the terms of texts, if they are due
        self._lock = threading.Lock()

    @property
    def as_left(self) -> Classifier:
        """The classifier as it was counted last: terms of texts, and choices, may be due."""
        return self._classifier

    @property
    def counted(self) -> Classifier:
        """The classifier as it was counted last, with the terms of its texts decided: its choices may be due."""
        if self._classifier.terms_due:
            with self._lock:
                self._classifier = with_terms_decided(self._classifier, self._decide)
        return self._classifier

    def ready(self) -> Classifier:
        """Return the classifier with its choices made."""
        if self.counted.is_due:
            with self._lock:
                self._classifier = settle(self._classifier)
        return self._classifier

    def __getstate__(self) -> Classifier:
        return self.counted

    def __setstate__(self, state: Any) -> None:
        self._classifier, self._decide = state, None
        self._lock = threading.Lock()
