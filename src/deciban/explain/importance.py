"""Importance: how much evidence a column gives on average, from the statistics alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import gammaln, logsumexp, xlogy

from deciban.arrays.labels import Floats
from deciban.explain.explanation import DECIBANS
from deciban.likelihoods import Bernoulli, Multinomial, Poisson, Words
from deciban.model.classifier import Classifier
from deciban.priors.priors import log, share
from deciban.scorers import Quadratic, Steps, Table
from deciban.statistics.moments import ratio
from deciban.terminal.width import aligned

# Places where a normal distribution is looked at, and rows that are drawn where nothing else is possible.
PLACES, DRAWN = 64, 4096
# Words named per column.
WORDS = 60


class Importance(dict[str, float]):
    """Decibans by column, the most important first; ``words`` has those of the words of texts."""

    def __init__(self, columns: dict[str, float], words: dict[str, dict[str, float]]) -> None:
        super().__init__(sorted(columns.items(), key=lambda pair: (pair[1] != pair[1], -pair[1])))
        self.words = words

    def __str__(self) -> str:
        most = max([v for v in self.values() if v == v] + [1e-12])
        lines = aligned(
            [
                (name, "█" * round(24 * v / most), f"{v:8.2f} dB") if v == v else (name, "(not known)", "")
                for name, v in self.items()
            ]
        )
        for column, words in self.words.items():
            named = ", ".join(f"{word} ({v:.3f})" for word, v in list(words.items())[:10])
            lines.append(f"{column}: {named}")
        return "\n".join(lines)


def importance(classifier: Classifier, names: list[str]) -> Importance:
    """The expected evidence of every column for a row's own class: its mutual information with the class.

    I = Σ P(c)·P(x | c)·log P(x | c) / P(x), in decibans: what the column adds to the log posterior of the right class,
    on average, if it were alone. A column that is ignored has 0, one whose event model cannot say NaN. A text has the
    sum of its words', as if they were columns: it may be more than there is to know about the class.
    """
    found, words = dict.fromkeys(names, 0.0), {}
    prior = np.exp(classifier.log_prior)
    for (group, block), part in zip(classifier.scored, classifier.model.parts):
        columns = group.positions(classifier.features).tolist()
        if isinstance(group.likelihood, Words):
            name = names[columns[0]]
            found[name], words[name] = word_information(group.likelihood, block, part.scorer, prior)
            continue
        for j, value in zip(columns, information(group.likelihood, block, classifier, part.scorer, prior)):
            found[names[j]] = max(float(value), 0.0) * DECIBANS  # NaN stays
    if classifier.holes is not None:
        for j, hole, there in zip(classifier.holes.columns, *(p.T for p in classifier.holes.log_probability)):
            found[names[j]] += mutual(prior, np.stack([hole, there], axis=1)) * DECIBANS
    return Importance(found, words)


def information(likelihood: Any, block: Any, classifier: Classifier, scorer: Any, prior: Floats) -> Iterator[float]:
    """Of every feature, in nats."""
    if isinstance(scorer, Table | Steps):
        return (mutual(prior, table) for table in scorer.log_probability)
    if isinstance(scorer, Quadratic):
        return (of_normals(prior, m, v) for m, v in zip(scorer.mean.T, scorer.variance.T))
    if type(likelihood) is Bernoulli:
        ones, zeros = likelihood.smoothed(block, classifier.how)
        return (mutual(prior, log(share(np.stack([a, b], axis=1)))) for a, b in zip(ones.T, zeros.T))
    if type(likelihood) is Multinomial:
        return iter(of_draws(block, share(likelihood.smoothed(block, classifier.how)), prior))
    if type(likelihood) is Poisson:
        events, rows, _ = likelihood.shape_and_rows(block, classifier.how)
        return (of_counts(prior, rate) for rate in (events / rows).T)
    return by_drawing(likelihood, block, classifier, scorer, prior)


def mutual(prior: Floats, log_probability: Floats) -> float:
    """Σ P(c)·P(v | c)·log P(v | c) / P(v), from classes × values."""
    p = np.exp(log_probability)
    mixed = prior @ p
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = xlogy(p, p) - xlogy(p, mixed)
    return float(prior @ terms.sum(axis=1))


def of_normals(prior: Floats, mean: Floats, variance: Floats) -> float:
    """By Gauss and Hermite's places of every class."""
    if not (variance > 0).all():
        return 0.0
    place, weight = np.polynomial.hermite_e.hermegauss(PLACES)
    deviation = np.sqrt(variance)
    x = mean[:, None] + deviation[:, None] * place  # of class c: places where its own density is looked at
    far = (x[:, None, :] - mean[:, None]) / deviation[:, None]
    log_density = -0.5 * far**2 - np.log(deviation)[:, None]
    own = log_density[np.arange(len(mean)), np.arange(len(mean))]
    with np.errstate(divide="ignore"):
        mixed = logsumexp(log_density + np.log(prior)[:, None], axis=1)
    return float(prior @ ((own - mixed) @ (weight / weight.sum())))


def of_counts(prior: Floats, rate: Floats) -> float:
    """Of Poisson counts, up to one that no class reaches."""
    x = np.arange(int(rate.max() + 12 * np.sqrt(rate.max() + 1)) + 20)
    return mutual(prior, xlogy(x, rate[:, None]) - rate[:, None] - gammaln(x + 1))


def of_draws(block: Any, theta: Floats, prior: Floats) -> Floats:
    """Of the columns of a bag: expected counts times what one draw says."""
    mean = ratio(block.total, block.weight)
    with np.errstate(divide="ignore", invalid="ignore"):
        says = np.where(theta > 0, np.log(theta) - np.log(prior @ theta), 0.0)
    return np.asarray(prior @ (mean * says))


def by_drawing(likelihood: Any, block: Any, classifier: Classifier, scorer: Any, prior: Floats) -> Iterator[float]:
    """From rows of the model, where there is no closed form; NaN if the event model cannot be drawn from."""
    rng = np.random.default_rng(0)
    codes = rng.choice(len(prior), DRAWN, p=prior).astype(np.int32)
    try:
        x = np.stack([np.asarray(c, dtype=float) for c in likelihood.draw(block, classifier.how, codes, rng)], axis=1)
    except (ValueError, TypeError, AttributeError):
        return iter([np.nan] * scorer.features)
    said = scorer.evidence(x)
    own = said[np.arange(DRAWN), codes]
    mixed = logsumexp(said + classifier.log_prior[:, None], axis=1)
    return iter((own - mixed).mean(axis=0).tolist())


def word_information(likelihood: Words, block: Any, scorer: Any, prior: Floats) -> tuple[float, dict[str, float]]:
    """Of all words of a text column together, and of the most important: expected counts times what one says."""
    words = getattr(scorer, "words", scorer)
    kept = likelihood.weighed_words(block)[0]
    documents = np.maximum(block.lengths[:, 0], 1e-300)
    score = np.zeros(len(kept.vocabulary))
    mixed = prior @ np.stack([kept.of_class(c) / documents[c] for c in range(kept.classes)])
    for c in range(kept.classes):
        rate = kept.of_class(c) / documents[c]
        score += prior[c] * (xlogy(rate, rate) - xlogy(rate, mixed))
    best = np.argsort(-score, kind="stable")[:WORDS]
    return float(score.sum()) * DECIBANS, dict(zip(words.named(best), (score[best] * DECIBANS).tolist()))
