"""A trained classifier whose choices are made when it is first used."""

from __future__ import annotations

import threading
from typing import Any

from deciban.choosing.training import settle
from deciban.model.classifier import Classifier


class Trained:
    """A classifier, and the promise to make choices that are due before it predicts.

    Many threads may read it at once: choices are made once, and every reader gets the same classifier.
    """

    def __init__(self, classifier: Classifier) -> None:
        self._classifier = classifier
        self._lock = threading.Lock()

    @property
    def counted(self) -> Classifier:
        """The classifier as it was counted last: its choices may be due."""
        return self._classifier

    def ready(self) -> Classifier:
        """Return the classifier with its choices made."""
        if self._classifier.is_due:
            with self._lock:
                self._classifier = settle(self._classifier)
        return self._classifier

    def __getstate__(self) -> Classifier:
        return self._classifier

    def __setstate__(self, state: Any) -> None:
        self._classifier = state
        self._lock = threading.Lock()
