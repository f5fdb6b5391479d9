"""Binned event model and the kinds of bins it makes."""

from deciban.likelihoods.binned.binned import Binned

__all__ = ["Binned"]
