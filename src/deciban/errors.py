"""Warning classes, and functions that word messages for users of Python or of the command line."""

from __future__ import annotations

import os
import shlex
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

PACKAGE = os.path.dirname(__file__) + os.sep
# Options of the command line whose names are not those of the arguments.
OPTIONS = {"columns": "column", "format": "read-as", "sample_weight": "weight", "types": "type", "y": "target"}


class ImpossibleRowWarning(UserWarning):
    """Some rows have probability zero under every class, so the prior was used for them."""


class DegenerateVarianceWarning(UserWarning):
    """A maximum-likelihood variance is zero, so a small share of the column's own variance was used."""


class ColumnWarning(UserWarning):
    """Some columns of a table were left out, or carry little or no evidence."""


class MissingLabelWarning(UserWarning):
    """Some rows have no label and were left out of the counts."""


class UnreadableValueWarning(UserWarning):
    """Some values or rows of a text file do not fit its columns and were left out, as ``on_error`` asks."""


class ChoiceWarning(UserWarning):
    """Something that is usually chosen on rows could not be chosen, so constants are used."""


class PriorWarning(UserWarning):
    """A prior names classes that no row has, so it does not count."""


def warn_of_unlabelled(unlabelled: int, rows: int, target: str | None = None) -> None:
    """Warn if some rows have no label; ``target`` is the name of the label column, if labels are in one."""
    if unlabelled:
        warn_user(f"{unlabelled} of {rows} rows have no {target or 'label'} and were left out.", MissingLabelWarning)


@contextmanager
def missing_labels_expected(expected: bool) -> Iterator[None]:
    """Do not warn of rows without a label inside a ``with`` block, if they are ``expected`` and learned from."""
    with warnings.catch_warnings():
        if expected:
            warnings.simplefilter("ignore", MissingLabelWarning)
        yield


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line outside deciban that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


@contextmanager
def needs(package: str, extra: str, purpose: str) -> Iterator[None]:
    """Name the extra to install if an import of ``package`` fails inside the ``with`` block.

    >>> with needs("nonsense", extra="plots", purpose="a picture"):
    ...     import nonsense
    Traceback (most recent call last):
    ModuleNotFoundError: a picture needs nonsense, which is not installed; run pip install 'deciban[plots]'.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package:
            raise
        raise ModuleNotFoundError(
            f"{purpose} needs {package}, which is not installed; run pip install 'deciban[{extra}]'.", name=package
        ) from None


class Wording:
    """State of the process: whether messages name arguments of Python or options of the command line."""

    on_command_line = False


@contextmanager
def command_line_words() -> Iterator[None]:
    """Let messages name options of the command line inside a ``with`` block, in all threads."""
    before, Wording.on_command_line = Wording.on_command_line, True
    try:
        yield
    finally:
        Wording.on_command_line = before


def wording(python: str, command_line: str) -> str:
    """Return one of two wordings: for users of Python, or of the command line."""
    return command_line if Wording.on_command_line else python


def setting(name: str, value: Any = None) -> str:
    """Return an argument as the user would give it: in Python, or as an option of the command line.

    >>> print(setting("encoding", "latin-1"), setting("columns", {"id": None}), setting("delimiter"))
    encoding='latin-1' columns={'id': None} delimiter
    >>> with command_line_words():
    ...     print(setting("encoding", "latin-1"), setting("columns", {"id": None}), setting("delimiter"))
    --encoding latin-1 --column id=skip --delimiter
    """
    if not Wording.on_command_line:
        return name if value is None else f"{name}={value!r}"
    option = "--" + OPTIONS.get(name, name).replace("_", "-")
    if isinstance(value, Mapping):
        value = " ".join(f"{key}={'skip' if item is None else item}" for key, item in value.items())
    return option if value is None else f"{option} {shlex.quote(str(value))}"
