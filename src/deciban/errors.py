"""The warnings deciban gives; bad input is a plain ``ValueError``: what was given, what is possible, what to do."""


class ImpossibleRowWarning(UserWarning):
    """Some rows have probability zero under every class, so the prior was used for them."""


class DegenerateVarianceWarning(UserWarning):
    """A maximum-likelihood variance is zero, so a sliver of the column's own variance was used."""
