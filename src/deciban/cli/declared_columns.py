"""The option --column, which declares event models of columns."""

from __future__ import annotations

from typing import Any

import click

from deciban.cli.options import split_pair

COLUMN = """Event model of a column: bernoulli, binned, categorical, gaussian, poisson …, with parameters as in
'binned(bins=5)'; skip leaves it out. Other columns' models are chosen by type and content."""
# Words for a column that is not used, instead of an event model.
SKIP_WORDS = ("skip", "none")


def column_option(command: Any) -> Any:
    """Add the option of declared event models."""
    return click.option("-c", "--column", "columns", metavar="NAME=MODEL", multiple=True, help=COLUMN)(command)


def declared_column(text: str) -> tuple[str, Any]:
    """Return a column's name and event model; both the name and the model's parameters may contain =."""
    from deciban.likelihoods import LIKELIHOODS

    marks = [i for i, c in enumerate(text) if c == "="]
    at = next((i for i in marks if text[i + 1 :].partition("(")[0] in (*LIKELIHOODS, *SKIP_WORDS)), None)
    name, model = split_pair(text, "--column") if at is None else (text[:at], text[at + 1 :])
    return name, event_model(model)


def _parameter(value: Any) -> Any:
    """Return a parameter of an event model: a Python literal, or a word without quotes as a text."""
    import ast

    return value.id if isinstance(value, ast.Name) else ast.literal_eval(value)


def event_model(text: str) -> Any:
    """Return an event model from its name and parameters: gaussian, binned(bins=5); None for skip."""
    import ast
    from inspect import signature

    from deciban.likelihoods import LIKELIHOODS

    name, _, rest = text.partition("(")
    if name in SKIP_WORDS:
        return None
    if name not in LIKELIHOODS:
        raise click.BadParameter(
            f"{name!r} is not an event model; there are {', '.join(LIKELIHOODS)} and skip.", param_hint="--column"
        )
    try:
        call = ast.parse(f"f({rest}" if rest else "f()", mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError("parameters are written name=value")
        parameters = {str(k.arg): _parameter(k.value) for k in call.keywords}
        known = list(signature(LIKELIHOODS[name]).parameters)
        if unknown := [k for k in parameters if k not in known]:
            has = f"its settings are {', '.join(known)}" if known else "it has none"
            raise ValueError(f"{unknown[0]!r} is not a setting of {name}; {has}")
        return LIKELIHOODS[name](**parameters)
    except (SyntaxError, TypeError, ValueError) as error:
        reason = str(error) if "malformed" not in str(error) else "parameters are plain values, as in binned(bins=5)"
        raise click.BadParameter(f"{text!r}: {reason}", param_hint="--column") from None
