"""Words event model: documents as bags or sets of words."""

from deciban.likelihoods.words.words import Words

__all__ = ["Words"]
