"""Options whose values are given by the label of a class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

# Files that hold a mapping.
MAPPING_SUFFIXES = (".json", ".toml")


class WordOrNumbers(click.ParamType):  # type: ignore[type-arg]
    """A word, or an object of JSON by class, of which ``example`` is one."""

    name = "word or JSON"

    def __init__(self, words: tuple[str, ...], example: str) -> None:
        self.words, self.example = words, example

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value in self.words or not isinstance(value, str):
            return value
        import json

        try:
            given = json.loads(value)
        except json.JSONDecodeError:
            given = None
        if not isinstance(given, dict):
            words = f"{', '.join(self.words)} or " if self.words else ""
            self.fail(f"{value!r} is not {words}JSON such as {self.example}.", param, ctx)
        return given


class FamiliesOption(click.ParamType):  # type: ignore[type-arg]
    """A separator, "all", or a mapping from class to family: JSON, or a file of JSON or TOML."""

    name = "families"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str) or (not value.startswith("{") and not value.endswith(MAPPING_SUFFIXES)):
            return value
        import json
        import tomllib

        try:
            text = value if value.startswith("{") else Path(value).read_text("utf8")
            given = tomllib.loads(text) if value.endswith(".toml") else json.loads(text)
        except (OSError, ValueError) as error:
            self.fail(f"{value!r} cannot be read as a mapping from class to family: {error}", param, ctx)
        if not isinstance(given, dict):
            self.fail(f'{value!r} is not a mapping from class to family, such as {{"rose": "plant"}}.', param, ctx)
        return given


def by_label(given: Any, classes: list[Any]) -> Any:
    """Return an object of JSON with the labels of a model for keys: JSON knows no keys but texts."""
    if not isinstance(given, dict):
        return given
    labels = {str(label): label for label in classes}
    return {labels.get(key, key): by_label(value, classes) for key, value in given.items()}


def settings_by_label(settings: Any, labels: list[Any]) -> Any:
    """Return settings whose objects of JSON have the labels of the classes for keys."""
    from dataclasses import replace

    families = settings.estimation.families
    if families is not None:
        families = replace(families, given=by_label(families.given, labels))
        settings = replace(settings, estimation=replace(settings.estimation, families=families))
    given = {name: by_label(getattr(settings, name), labels) for name in ("class_prior", "class_weight")}
    return replace(settings, **given)
