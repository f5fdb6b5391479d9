"""Print the lowest versions that pyproject.toml allows, as constraints for pip: numpy>=2.0 becomes numpy==2.0."""

import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def lowest(requirement: str) -> str:
    """Return the constraint of one requirement, which must be of the form name>=version."""
    name, bound, version = requirement.partition(">=")
    if not bound or not version.replace(".", "").isdigit():
        raise SystemExit(f"{PROJECT.name} requires {requirement!r}; write it as name>=version.")
    return f"{name}=={version}"


if __name__ == "__main__":
    settings = tomllib.loads(PROJECT.read_text())
    extras = settings["project"]["optional-dependencies"]
    drawing = [name for extra in ("plots", "report") for name in extras[extra] if not name.startswith("deciban[")]
    for requirement in (*settings["build-system"]["requires"], *settings["project"]["dependencies"], *drawing):
        print(lowest(requirement))
