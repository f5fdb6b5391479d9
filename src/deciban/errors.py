"""The warnings that deciban gives. Bad input is a plain ValueError: what was given, what is possible, what to do."""

from __future__ import annotations

import os
import sys
import warnings

PACKAGE = os.path.dirname(__file__) + os.sep


class ImpossibleRowWarning(UserWarning):
    """Some rows have probability zero under every class, so the prior was used for them."""


class DegenerateVarianceWarning(UserWarning):
    """A maximum-likelihood variance is zero, so a small share of the column's own variance was used."""


class ColumnWarning(UserWarning):
    """Some columns of a table were left out, or carry little or no evidence."""


class MissingLabelWarning(UserWarning):
    """Some rows have no label and were left out of the counts."""


class ChoiceWarning(UserWarning):
    """Something that is usually chosen on rows could not be chosen, so constants are used."""


def warn_of_unlabelled(unlabelled: int, rows: int, target: str | None = None) -> None:
    """Warn if some rows have no label; ``target`` is the column of the labels, if it is one."""
    if unlabelled:
        warn_user(f"{unlabelled} of {rows} rows have no {target or 'label'} and were left out.", MissingLabelWarning)


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line outside deciban that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
