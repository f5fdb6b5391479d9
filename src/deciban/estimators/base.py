"""What all estimators share: scikit-learn's face over a classifier."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import (
    assert_all_finite,
    check_array,
    column_or_1d,
    validate_data,
)

from deciban.arrays.labels import Codes, Floats, Names, encode
from deciban.arrays.matrix import Matrix, as_sparse
from deciban.model.classifier import Classifier
from deciban.model.model import Model
from deciban.statistics import Statistics

Method = TypeVar("Method", bound=Callable[..., Any])


def all_or_nothing(method: Method) -> Method:
    """A method that changes the estimator completely or, when it raises, not at all."""

    @wraps(method)
    def guarded(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = dict(self.__dict__)
        try:
            return method(self, *args, **kwargs)
        except BaseException:
            for name in self.__dict__.keys() - before.keys():
                del self.__dict__[name]
            self.__dict__.update(before)
            raise

    return guarded  # type: ignore[return-value]


class Estimator(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predictions from a classifier. Subclasses make one in ``fit``; it is replaced, never changed.

    What was learned lives in one value, ``_classifier``, so prediction changes nothing here, is safe from many threads,
    and a failed fit leaves the old model.
    """

    _classifier: Classifier
    _number_type: Any = None  # what validation converts X to; None keeps it
    _sparse: Any = ("csr", "csc")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_classifier")

    def _fitted(self) -> Classifier:
        try:
            return self._classifier
        except AttributeError:
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before "
                "using this estimator."
            ) from None

    @property
    def statistics_(self) -> Statistics:
        """Everything that was learned: add, subtract, scale."""
        return self._learned("statistics_").statistics

    @property
    def model_(self) -> Model:
        """Parameters estimated from the statistics under the current settings."""
        return self._learned("model_").model

    @property
    def classes_(self) -> Names:
        """Class labels, sorted."""
        return self._learned("classes_").model.classes

    def _learned(self, attribute: str) -> Classifier:
        """The classifier for a fitted attribute: before fit there is no such attribute."""
        try:
            return self._classifier
        except AttributeError:
            raise AttributeError(f"{type(self).__name__!r} has no attribute {attribute!r} before fit") from None

    def predict(self, X: Any) -> Names:
        """The most probable class of every row."""
        return self._scored(X, Model.decide)

    def predict_proba(self, X: Any) -> Floats:
        """P(class | row), rows × classes, in the order of ``classes_``."""
        return self._scored(X, Model.posterior)

    def predict_log_proba(self, X: Any) -> Floats:
        """log P(class | row), rows × classes."""
        return self._scored(X, Model.log_posterior)

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """log P(row, class), rows × classes."""
        return self._scored(X, Model.joint_log_probability)

    def _scored(self, X: Any, score: Callable[[Model, Any], Any]) -> Any:
        """What ``score`` makes of the rows."""
        model = self._fitted().model
        return score(model, self._rows(X))

    def _rows(self, X: Any) -> Matrix:
        """Rows to predict, read in place; a plain array of numbers needs no more than a look at its shape."""
        if (
            type(X) is np.ndarray
            and X.ndim == 2
            and X.dtype.kind in "fiub"
            and X.shape[1] == self.n_features_in_
            and len(X)
            and "feature_names_in_" not in self.__dict__
        ):
            return self._prepared(X)
        return self._prepared(self._validated(X, reset=False))

    def _validated(self, X: Any, reset: bool) -> Any:
        # Finiteness is the kernels' business: they see every cell anyway.
        return validate_data(
            self, X, reset=reset, accept_sparse=self._sparse, dtype=self._number_type, ensure_all_finite=False
        )

    def _prepared(self, X: Any) -> Matrix:
        return X if isinstance(X, np.ndarray) else as_sparse(X)

    def _training_rows(self, X: Any, reset: bool) -> Matrix:
        return self._prepared(self._validated(X, reset))

    def _targets(self, rows: int | None, y: Any) -> tuple[Names, Codes]:
        """Class labels, sorted, and the code of every row; there must be so many rows, if it is known."""
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None; give one label per row."
            )
        if type(y) is not np.ndarray or y.ndim != 1:
            y = column_or_1d(y, warn=True)
        if rows is not None and len(y) != rows:
            raise different_lengths(rows, len(y))
        if y.dtype.kind == "f":
            assert_all_finite(y, input_name="y")
        names, codes = encode(y)
        if len(codes) and codes.min() < 0:
            raise ValueError(
                "Input y contains NaN or None: a row without a label cannot be trained on; drop such rows."
            )
        if names.dtype.kind == "f" and (names != np.trunc(names)).any():
            raise ValueError(
                f"Unknown label type: continuous. y holds fractions such as {names[names != np.trunc(names)][0]:g}; "
                "a classifier needs labels: bin y, or use a regressor."
            )
        return names, codes

    def _row_weight(self, rows: int, weight: Any) -> Floats | None:
        """One weight per row, at least 0, not all 0."""
        if weight is None:
            return None
        if np.isscalar(weight):
            weight = np.full(rows, weight, dtype=float)
        weight = check_array(weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight")
        if weight.ndim != 1:
            raise ValueError(f"Sample weights must be 1D array or scalar, got {weight.ndim}D array.")
        if len(weight) != rows:
            raise ValueError(f"sample_weight.shape == {weight.shape}, expected {(rows,)}: give one weight per row.")
        if (weight < 0).any():
            raise ValueError(f"Negative values in data passed to `sample_weight`: the least is {weight.min():g}.")
        if not weight.any():
            raise ValueError("Sample weights must contain at least one non-zero number; all are 0.")
        return np.ascontiguousarray(weight)


def different_lengths(rows: int, labels: int) -> ValueError:
    return ValueError(f"Found input variables with inconsistent numbers of samples: X has {rows} rows and y {labels}.")
