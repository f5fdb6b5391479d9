"""The base of all estimators: scikit-learn's face over a classifier."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_array, validate_data

from deciban.arrays.cells import without_mask
from deciban.arrays.frame import Frame
from deciban.arrays.labels import different_lengths
from deciban.arrays.matrix import Dense, as_frame
from deciban.arrays.types import Codes, Floats, Names
from deciban.choosing.trained import Trained
from deciban.describe.public_model import Model as PublicModel
from deciban.estimators.scikit_learn_base import ScikitLearnClassifier
from deciban.estimators.targets import encode_labels
from deciban.model.classifier import Classifier
from deciban.model.model import Model
from deciban.statistics import Statistics

Method = TypeVar("Method", bound=Callable[..., Any])


# A lock for every estimator that is being changed: not an attribute, because it is no part of a model.
_LOCKS: WeakKeyDictionary[Any, threading.RLock] = WeakKeyDictionary()
_NEW_LOCK = threading.Lock()


def update_lock(estimator: Any) -> threading.RLock:
    """Return the lock that whoever changes an estimator holds."""
    with _NEW_LOCK:
        return _LOCKS.setdefault(estimator, threading.RLock())


def all_or_nothing(method: Method) -> Method:
    """Wrap a method that changes the estimator: one thread at a time, completely or, when it raises, not at all.

    Threads that read see the model before the change or after it.
    """

    @wraps(method)
    def guarded(self: Any, *args: Any, **kwargs: Any) -> Any:
        with update_lock(self):
            before = dict(self.__dict__)
            try:
                return method(self, *args, **kwargs)
            except BaseException:
                for name in self.__dict__.keys() - before.keys():
                    del self.__dict__[name]
                self.__dict__.update(before)
                raise

    return guarded  # type: ignore[return-value]


class Estimator(ScikitLearnClassifier):
    """Predictions from a classifier. Subclasses make one in ``fit``; it is replaced, never changed.

    Everything learned is one value, ``_trained``, so prediction changes nothing, is safe from many threads, and a
    failed fit leaves the old model.
    """

    _trained: Trained
    _number_type: Any = None  # the type that validation converts X to; None keeps it
    _sparse: Any = ("csr", "csc")

    def __sklearn_is_fitted__(self) -> bool:
        return "_trained" in self.__dict__

    def _counted(self) -> Classifier | None:
        """Return the classifier as it was counted last, whether or not its choices are due; None before fit."""
        trained = self.__dict__.get("_trained")
        return None if trained is None else trained.counted

    def _fitted(self) -> Classifier:
        """Return the classifier, or raise scikit-learn's error if the estimator is not fitted."""
        trained = self.__dict__.get("_trained")
        if trained is None:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before "
                "using this estimator."
            )
        return trained.ready()

    @property
    def statistics_(self) -> Statistics:
        """Everything that was learned: add, subtract, scale."""
        return self._learned("statistics_").statistics

    @property
    def model_(self) -> PublicModel:
        """Parameters estimated from the statistics under the current settings."""
        return PublicModel.of(self._learned("model_"))

    @property
    def classes_(self) -> Names:
        """Class labels, sorted."""
        return self._learned("classes_").model.classes

    def _learned(self, attribute: str) -> Classifier:
        """Return the classifier for a fitted attribute; before fit there is no such attribute."""
        trained = self.__dict__.get("_trained")
        if trained is None:
            raise AttributeError(f"{type(self).__name__!r} has no attribute {attribute!r} before fit")
        return trained.ready()

    def predict(self, X: Any) -> Names:
        """Return the most probable class of every row; on a tie, the first one in the order of ``classes_``."""
        return self._score_rows(X, Model.decide)

    def predict_proba(self, X: Any) -> Floats:
        """[rows × classes] P(class | row), in the order of ``classes_``."""
        return self._score_rows(X, Model.posterior)

    def predict_log_proba(self, X: Any) -> Floats:
        """[rows × classes] log P(class | row)."""
        return self._score_rows(X, Model.log_posterior)

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """[rows × classes] log P(row, class)."""
        return self._score_rows(X, Model.joint_log_probability)

    def _score_rows(self, X: Any, score: Callable[[Model, Any], Any]) -> Any:
        """Return the result of ``score`` for all rows."""
        model = self._fitted().model
        return score(model, self._frame(X))

    def _frame(self, X: Any) -> Frame:
        """Return rows to predict, read in place; a plain array of numbers needs no more than a look at its shape."""
        if (
            type(X) is np.ndarray
            and X.ndim == 2
            and X.dtype.kind in "fiub"
            and X.shape[1] == self.n_features_in_
            and len(X)
            and "feature_names_in_" not in self.__dict__
        ):
            return Dense(X)
        return self._validated(X, reset=False)

    def _validated(self, X: Any, reset: bool) -> Frame:
        """Return rows as a frame after scikit-learn's checks; ``reset`` for a fit, which sets the number of columns."""
        # Finiteness is left to the kernels: they see every cell anyway.
        checks = {"accept_sparse": self._sparse, "dtype": self._number_type, "ensure_all_finite": False}
        return as_frame(validate_data(self, without_mask(X), reset=reset, **checks))

    def _targets(self, rows: int | None, y: Any) -> tuple[Names, Codes]:
        """Return class labels, sorted, and the code of every row, −1 for a missing label.

        ``rows`` is the number of rows, if it is known.
        """
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None; give one label per row."
            )
        names, codes = encode_labels(y)
        if rows is not None and len(codes) != rows:
            raise different_lengths(rows, len(codes))
        return names, codes

    def _row_weight(self, rows: int | None, weight: Any) -> Floats | None:
        """Return one weight per row, at least 0, not all 0; ``rows`` is the number of rows, if it is known."""
        if weight is None:
            return None
        if isinstance(weight, str):
            raise ValueError(f"sample_weight is {weight!r}, but X has no columns by name; give one weight per row.")
        if np.isscalar(weight) and rows is None:
            raise ValueError("sample_weight is one number for all rows of a stream or file; give one weight per row.")
        if np.isscalar(weight):
            weight = np.full(rows, weight, dtype=float)
        weight = check_array(weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight")
        if weight.ndim != 1:
            raise ValueError(f"Sample weights must be 1D array or scalar, got {weight.ndim}D array.")
        if rows is not None and len(weight) != rows:
            raise ValueError(f"sample_weight.shape == {weight.shape}, expected {(rows,)}: give one weight per row.")
        if (weight < 0).any():
            raise ValueError(f"Negative values in data passed to `sample_weight`: the least is {weight.min():g}.")
        if not weight.any():
            raise ValueError("Sample weights must contain at least one non-zero number; all are 0.")
        return np.require(weight, requirements=["C", "ALIGNED"])
