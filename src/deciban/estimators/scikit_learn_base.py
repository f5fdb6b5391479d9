"""scikit-learn's base classes, typed: scikit-learn has no types, and a base of type Any would hide every mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from deciban.arrays.types import Names

    class ScikitLearnClassifier:
        """The members of scikit-learn's classifiers that deciban and its users rely on."""

        n_features_in_: int
        feature_names_in_: Names

        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...
        def __sklearn_tags__(self) -> Any: ...
        def __repr__(self, *args: Any, **kwargs: Any) -> str: ...
        def _repr_html_inner(self) -> str: ...
        def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]: ...

else:
    from sklearn.base import BaseEstimator, ClassifierMixin

    class ScikitLearnClassifier(ClassifierMixin, BaseEstimator):
        """scikit-learn's base classes of a classifier."""
