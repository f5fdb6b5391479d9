"""The warnings deciban gives; bad input is a plain ``ValueError``: what was given, what is possible, what to do."""


class ImpossibleRowWarning(UserWarning):
    """Some rows have probability zero under every class, so the prior was used for them."""


class DegenerateVarianceWarning(UserWarning):
    """A maximum-likelihood variance is zero, so a sliver of the column's own variance was used."""


class ColumnWarning(UserWarning):
    """Some columns of a table were left out, or say nothing, or next to nothing."""


class MissingLabelWarning(UserWarning):
    """Some rows have no label and were left out of the counts."""
