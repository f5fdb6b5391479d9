"""Descriptions of a fitted estimator as a whole: its parameters, top words and generative story."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from deciban.estimators.base import Estimator

if TYPE_CHECKING:
    from deciban.describe.estimates import EstimateComparison
    from deciban.describe.parameters import Parameters
    from deciban.describe.story import Story
    from deciban.describe.top_words import TopWords


class DescribingEstimator(Estimator):
    """An estimator that describes what it has learned."""

    def parameters(self, columns: Sequence[str] | str | None = None, words: int = 10) -> Parameters:
        """Return the estimated parameters: P(class), then every value of every column, classes across.

        Numbers are exact fractions where they are ratios of counts, such as 9/14, also with pseudo-counts. Gaussians
        have means and variances, texts the ``words`` with the most evidence for each class against the rest.
        ``columns`` names one column or several; at most 20 values of a column are listed, the most frequent ones.

        >>> from deciban import Categorical, NaiveBayes
        >>> nb = NaiveBayes(Categorical(), estimate="mle").fit([["sun"], ["sun"], ["rain"]], ["out", "in", "in"])
        >>> nb.parameters()["x0"]["sun"].given("in")
        Fraction(1, 2)
        """
        from deciban.describe.parameters import parameters

        return parameters(self._fitted(), self._column_names(), columns, words)

    def top_words(self, n: int = 10, columns: Sequence[str] | str | None = None) -> TopWords:
        """Return, for every class, the n words with the most evidence for it against the rest, and against it.

        Evidence is 10·log₁₀ of P(word | class) over P(word | other classes), the others weighted by their prior. Words
        are those of texts, or the columns of an array under Multinomial, Complement or Bernoulli.
        """
        from deciban.describe.parameters import chosen_columns
        from deciban.describe.top_words import top_words

        classifier, names = self._fitted(), self._column_names()
        return top_words(classifier, names, sorted(chosen_columns(names, columns)), n)

    def words(self, label: Any, n: int = 20, columns: Sequence[str] | str | None = None) -> TopWords:
        """Return the n words with the most evidence for one class against the rest, and against it, with counts.

        >>> from deciban import NaiveBayes, Words
        >>> nb = NaiveBayes(Words()).fit(["wheat and corn", "corn", "oil and gas"], ["grain", "grain", "energy"])
        >>> [(word.word, word.count) for word in nb.words("grain", 2)["grain"]]
        [('corn', 2.0), ('wheat', 1.0)]
        """
        return self.top_words(n, columns).of_class(label)

    def story(self) -> Story:
        """Return the generative story: the class is drawn, then every column given the class."""
        from deciban.describe.story import story

        return story(self._fitted(), self._column_names())

    def compare_estimates(self, column: str, value: Any = None, *, prior: Any = None) -> EstimateComparison:
        """Compare maximum likelihood, MAP and predictive estimates of P(value | class), with their curves.

        ``value`` is one value of a column of categories, bits, bins or words; by default the last one. ``prior`` is a
        Beta(a, b), a Dirichlet or a pseudo-count in place of the model's own.
        """
        from deciban.describe.estimates import compare_model_estimates

        return compare_model_estimates(self._fitted(), self._column_names(), column, value, prior)

    def _repr_html_inner(self) -> str:
        """Return HTML for a notebook: the model if it is fitted, else scikit-learn's diagram."""
        classifier = self._counted()
        if classifier is None:
            return super()._repr_html_inner()
        from deciban.describe.model_html import model_html

        return model_html(classifier, super().__repr__().splitlines()[0])

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        """Return the forms that Jupyter can show; without HTML under ``sklearn.set_config(display="text")``."""
        found = super()._repr_mimebundle_(**kwargs)
        return found | {"text/html": self._repr_html_inner()} if "text/html" in found else found

    def _column_names(self) -> list[str]:
        """Return the names of the columns: the schema's, scikit-learn's, or x0, x1, …"""
        return self._fitted().column_names(self._feature_names())

    def _feature_names(self) -> Any:
        return self.__dict__.get("feature_names_in_")
