"""The search for a temperature finds the least loss, whatever the start, and its derivatives are right."""

import numpy as np
import pytest

from deciban.model.calibration import TEMPERATURE_COST, Temperature, typical_margin
from deciban.model.tempering import COOLEST, HOTTEST, POWERS, WORST_LOSS, ScaledEvidence, TemperatureSearch
from deciban.scorers.posterior import log_losses

RNG = np.random.default_rng(31)


def rows_of_classes(classes, spread):
    """Return joint log probabilities, the log prior, classes and weights, with evidence that counts too much."""
    codes = RNG.integers(0, classes, 300)
    prior = np.log(RNG.dirichlet(np.full(classes, 5.0)))
    evidence = RNG.normal(size=(300, classes)) * spread
    evidence[np.arange(300), codes] += spread / 2
    return prior + evidence - 3 * spread, prior, codes, RNG.integers(1, 4, 300).astype(float)


CASES = [rows_of_classes(k, s) for k in (2, 3, 12) for s in (0.2, 1.0, 5.0, 60.0)]


def total_loss(rows, log_t, power=0.0):
    """Return the loss that ``Temperature.fit`` minimises, written as its docstring does."""
    joint, prior, codes, weight = rows
    evidence = joint - prior
    size = np.abs(evidence.max(axis=1))
    scale = np.exp(-log_t) * np.clip(size / size.mean(), 0.01, 100) ** -power
    losses = np.minimum(log_losses(prior + evidence * scale[:, None], codes), WORST_LOSS)
    imagined = np.logaddexp(0, typical_margin(joint, weight) * np.exp(-log_t))
    return (weight * losses).sum() + imagined + TEMPERATURE_COST * abs(log_t)


@pytest.mark.parametrize("rows", CASES)
def test_the_minimum_is_as_low_as_that_of_a_fine_grid(rows):
    grid = min(total_loss(rows, log_t) for log_t in np.linspace(COOLEST, HOTTEST, 1301))
    for start in (None, Temperature(0.3), Temperature(1.0), Temperature(50.0)):
        found, losses = Temperature.fit(*rows, start=start)
        assert total_loss(rows, np.log(found.value)) <= grid + 1e-6 * rows[3].sum()
        joint = rows[0].copy()
        found.apply(joint, rows[1])
        assert np.allclose(np.minimum(losses, WORST_LOSS), np.minimum(log_losses(joint, rows[2]), WORST_LOSS))


@pytest.mark.parametrize("rows", CASES)
def test_the_minimum_over_temperature_and_power_is_as_low_as_that_of_a_grid(rows):
    powers = np.linspace(*POWERS, 31)
    grid = min(total_loss(rows, log_t, p) for log_t in np.linspace(COOLEST, HOTTEST, 66) for p in powers)
    found, _ = Temperature.fit(*rows, by_size=True)
    assert total_loss(rows, np.log(found.value), found.power) <= grid + 1e-6 * rows[3].sum()


def test_derivatives_are_those_of_differences():
    joint, prior, codes, _ = CASES[5]
    scaled = ScaledEvidence.of(joint, prior, codes)
    assert np.allclose(scaled.losses(1.0), log_losses(joint, codes))
    for scale in (0.1, 0.7, 2.0):
        losses, first, second = scaled.derivatives(scale)
        near = [scaled.losses(scale + d) for d in (-1e-4, 1e-4)]
        assert np.allclose(first, (near[1] - near[0]) / 2e-4, atol=1e-5)
        assert np.allclose(second, (near[1] - 2 * losses + near[0]) / 1e-8, atol=1e-4)


def test_impossible_classes_take_no_part_and_an_impossible_own_class_loses_all():
    joint, prior, codes, weight = (part.copy() for part in CASES[5])
    joint[:, 2] = -np.inf
    prior[2] = -np.inf
    found, losses = Temperature.fit(joint, prior, codes, weight)
    assert np.isposinf(losses[codes == 2]).all()
    assert np.isfinite(losses[codes < 2]).all()
    rest = codes < 2
    pair = Temperature.fit(joint[rest][:, :2], prior[:2], codes[rest], weight[rest])[0]
    assert found.value == pytest.approx(pair.value, rel=1e-2)  # the imagined row has another margin


def test_a_penalty_moves_the_temperature_towards_its_minimum():
    joint, prior, codes, weight = CASES[2]
    rows = ScaledEvidence.of(joint, prior, codes)
    free = TemperatureSearch(rows, weight, lambda log_t, power: 0.0).minimum()[0]
    held = TemperatureSearch(rows, weight, lambda log_t, power: 1e6 * (log_t - 1) ** 2).minimum()[0]
    assert held == pytest.approx(1, abs=1e-2)
    assert abs(free - 1) > 0.1


@pytest.mark.parametrize("classes", [2, 3, 12])
def test_the_typical_margin_is_the_weighted_median_between_the_two_best_classes(classes):
    joint = RNG.normal(size=(99, classes))
    ordered = np.sort(joint, axis=1)
    assert typical_margin(joint, np.ones(99)) == np.median(ordered[:, -1] - ordered[:, -2])
