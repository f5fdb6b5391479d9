"""Dense arrays of every number type and memory layout give the same model."""

import numpy as np
import pytest
from event_models import event_models_reading

import deciban as db

RNG = np.random.default_rng(11)
COUNTS, LABELS = RNG.poisson(1.5, (400, 7)), RNG.integers(0, 4, 400)
LAYOUTS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "strided": lambda a: np.repeat(np.repeat(a, 2, axis=0), 3, axis=1)[::2, ::3],
    "reversed": lambda a: np.ascontiguousarray(a[::-1, ::-1])[::-1, ::-1],
    "read-only": lambda a: _frozen(a),
    "misaligned": lambda a: _misaligned(a),
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
}
NUMBER_TYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]


def _frozen(a):
    a = a.copy()
    a.flags.writeable = False
    return a


def _misaligned(a):
    """Return a copy whose memory begins at an odd address, as in a file that is mapped into memory."""
    out = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape)
    out[...] = a
    return out


@pytest.mark.parametrize("layout", LAYOUTS)
def test_row_weights_and_soft_labels_of_every_layout(layout):
    weight, soft = RNG.random(400), RNG.random((400, 3))
    reshaped = LAYOUTS[layout](weight[:, None])[:, 0]

    def statistics(y, **options):
        return db.NaiveBayes(db.Poisson()).fit(COUNTS, y, **options).statistics_

    assert statistics(LABELS, sample_weight=reshaped) == statistics(LABELS, sample_weight=weight)
    assert statistics(LAYOUTS[layout](soft)) == statistics(soft)


@pytest.mark.parametrize("likelihood", event_models_reading("counts"))
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", NUMBER_TYPES)
def test_every_number_type_and_layout_gives_the_same_model(kind, layout, likelihood):
    x = (COUNTS > 1 if kind == "?" else COUNTS).astype(kind)
    reference = x.astype(np.int64)
    given = LAYOUTS[layout](x)
    nb = db.NaiveBayes(likelihood).fit(given, LABELS)
    expected = db.NaiveBayes(likelihood).fit(reference, LABELS)
    assert nb.statistics_ == expected.statistics_
    assert np.allclose(nb.predict_log_proba(given), expected.predict_log_proba(reference), rtol=1e-12, atol=1e-12)
