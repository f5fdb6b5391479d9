"""The reference in docs/command-line.md, made from --help; run as a module, it writes the page again."""

from __future__ import annotations

from pathlib import Path

import click

from deciban.cli.main import HELP, Commands, deciban_command

BEGIN, END = "<!-- reference: begin -->\n", "<!-- reference: end -->\n"
WIDTH = 100


def reference() -> str:
    """Return the help of the program and of every command."""
    group: Commands = deciban_command
    parts = [_help(group, "deciban")]
    parts += [_help(group.get_command(None, name), f"deciban {name}") for name in group.names]  # type: ignore[arg-type]
    return "\n".join(parts)


def _help(command: click.Command | None, name: str) -> str:
    assert command is not None
    context = click.Context(
        command, info_name=name, help_option_names=HELP, max_content_width=WIDTH, terminal_width=WIDTH
    )
    return f"### {name}\n\n```text\n{command.get_help(context).rstrip()}\n```\n"


if __name__ == "__main__":
    page = Path("docs/command-line.md")
    before, _, rest = page.read_text().partition(BEGIN)
    page.write_text(before + BEGIN + "\n" + reference() + "\n" + END + rest.partition(END)[2])
