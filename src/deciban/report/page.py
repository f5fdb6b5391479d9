"""The page of a report: sections rendered by a Jinja template, pictures as SVG, a limit on its bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deciban.errors import needs, setting
from deciban.markup.html import printed_table_html
from deciban.markup.style import DARK as DARK_VARIABLES
from deciban.markup.style import FRAGMENT_STYLE
from deciban.markup.style import LIGHT as LIGHT_VARIABLES
from deciban.plots.theme import DARK, LIGHT, Theme
from deciban.report.parts import Markup, Picture, Section
from deciban.report.svg import SvgPage
from deciban.terminal.printable import printable
from deciban.terminal.progress import show_steps

if TYPE_CHECKING:
    from deciban.report.report import Report

# Characters of a heading, a sentence and a text on the page, at most.
MOST_HEADING, MOST_SENTENCE = 300, 2_000
# No script, no other file: inline styles are all that a browser may use.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def require_packages() -> None:
    """Raise one sentence that names the extra if a package that a report needs is not installed."""
    with needs("jinja2", extra="report", purpose="a report"):
        import jinja2  # noqa: F401
    with needs("matplotlib", extra="report", purpose="a report"):
        import matplotlib  # noqa: F401


@dataclass(frozen=True)
class Drawn:
    """The pictures of a report as SVG, by the id of their part, and the page whose colours they have."""

    page: SvgPage
    pictures: dict[int, str]


def draw_pictures(sections: Sequence[Section]) -> Drawn:
    """Draw all pictures, with a progress bar if it takes long."""
    page = SvgPage()
    pictures = [part for section in sections for part in section.parts if isinstance(part, Picture)]
    found: dict[int, str] = {}
    with show_steps("report") as announce:
        for i, picture in enumerate(pictures):
            announce("pictures", i / len(pictures))
            found[id(picture)] = page.add(picture.display)
    return Drawn(page, found)


def render(report: Report) -> str:
    """Return the page, of at most ``report.max_bytes`` bytes."""
    parts = [part for section in report.sections for part in section.parts]
    droppable = [part for part in parts if isinstance(part, Picture | Markup) and part.rank > 0]
    left_out: list[Picture | Markup] = []
    html = render_page(report, left_out)
    for part in sorted(droppable, key=lambda part: -part.rank):
        if len(html.encode()) <= report.max_bytes:
            break
        left_out.append(part)
        html = render_page(report, left_out)
    if (size := len(html.encode())) > report.max_bytes:
        raise ValueError(
            f"{setting('max_bytes')} is {report.max_bytes:,}, and the report takes {size:,} without any picture; allow "
            "more bytes, or ask for fewer rows and columns."
        )
    return html


def render_page(report: Report, left_out: Sequence[Picture | Markup]) -> str:
    """Return the page; parts that are left out are replaced by a sentence."""
    page, without = report.drawn.page, set(map(id, left_out))
    return template().render(
        report=report,
        policy=POLICY,
        fragment_style=FRAGMENT_STYLE,
        light=variables(page, LIGHT, LIGHT_VARIABLES),
        dark=variables(page, DARK, DARK_VARIABLES),
        svg=lambda part: report.drawn.pictures[id(part)],
        is_shown=lambda part: id(part) not in without,
        table_html=lambda part: printed_table_html(part.table),
        left_out=left_out,
    )


def variables(page: SvgPage, theme: Theme, fragment: str) -> str:
    """Return the variables of a theme: of the page, of fragments and of pictures."""
    own = f"--ink: {theme.ink}; --quiet: {theme.quiet}; --faint: {theme.faint}; --paper: {theme.paper}"
    return f"{own}; {fragment}; {page.style(theme)}"


@cache
def template() -> Any:
    """Return the template of the page."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["heading"] = lambda text: shortened(text, MOST_HEADING)
    environment.filters["sentence"] = lambda text: shortened(text, MOST_SENTENCE)
    environment.filters["printable"] = lambda text: printable(str(text))
    return environment.from_string(Path(__file__).with_name("report.html.jinja").read_text("utf-8"))


def shortened(text: object, most: int) -> str:
    """Return a text without control characters, cut to ``most`` characters."""
    shown = printable(str(text))
    return shown if len(shown) <= most else shown[: most - 1] + "…"
