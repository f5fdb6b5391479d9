"""The picture of expectation-maximisation draws its objective and the ends of other starts."""

import numpy as np
import pytest

import deciban as db

ROWS = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([0, 4], 30)[:, None]
MIXTURE = db.Mixture(2, db.Gaussian(), restarts=4, random_state=0).fit(ROWS)
FEW = db.NaiveBayes(db.Gaussian(), unlabelled_weight=0.5).fit(ROWS[::10], np.repeat([0, 1], 3), unlabelled=ROWS)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("estimator", [MIXTURE, FEW], ids=["mixture", "labelled rows"])
def test_the_line_is_the_objective_and_circles_are_other_ends(estimator, theme):
    em = estimator.em_
    display = em.plot(theme=theme)
    (line,) = display.ax_.lines
    np.testing.assert_array_equal(line.get_ydata(), em.objective)
    np.testing.assert_array_equal(line.get_xdata(), np.arange(em.iterations + 1))
    (circles,) = display.ax_.collections
    np.testing.assert_array_equal(np.sort(circles.get_offsets()[:, 1]), np.sort(em.restarts)[:-1])
    assert ("other 3 random starts" in display.caption) == (estimator is MIXTURE)
    assert f"{em.iterations} iterations raise the objective" in display.title
    assert f"{em.rows:,.6g} rows without labels, weight {em.weight:g}" in display.caption
    display.figure_.canvas.draw()


def test_it_is_drawn_from_an_estimator_and_refused_without_rows_without_labels():
    assert FEW.plot("objective").em.objective.tobytes() == FEW.em_.objective.tobytes()
    alone = db.NaiveBayes(db.Gaussian()).fit(ROWS, np.repeat([0, 1], 30))
    with pytest.raises(AttributeError, match="has learned from no rows without labels"):
        alone.plot("objective")
