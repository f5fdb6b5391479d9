"""The style of every HTML fragment and page: all selectors begin with the class ``deciban``."""

from __future__ import annotations

# Evidence for a class and against it: blue and vermillion, which colour-blind people tell apart, on light and on dark.
LIGHT = "--for: #0072b2; --against: #d55e00; --for-text: #00659d; --against-text: #ac4c00"
DARK = "--for: #5cb3f0; --against: #ff8a4c; --for-text: #5cb3f0; --against-text: #ff8a4c"

# The class is written three times where Jupyter's own rules for tables must lose: they have up to two classes.
FRAGMENT_STYLE = f"""
.deciban {{ {LIGHT}; --line: color-mix(in srgb, currentColor 30%, transparent); font-size: .95em; line-height: 1.45;
  max-width: 62em; overflow-x: auto }}
[data-jp-theme-light="false"] .deciban, .vscode-dark .deciban {{ {DARK} }}
.deciban h2 {{ font-size: 1.15em; margin: 1em 0 .3em }} .deciban h3 {{ font-size: 1em; margin: .8em 0 .2em }}
.deciban.deciban.deciban table {{ border-collapse: collapse; border: 0; margin: .3em 0; font-size: inherit }}
.deciban.deciban.deciban tr {{ background: none; border: 0 }}
.deciban.deciban.deciban :is(td, th) {{ padding: .12em .6em; text-align: left; white-space: nowrap; border: 0;
  vertical-align: middle; max-width: 32em; overflow: hidden; text-overflow: ellipsis }}
.deciban.deciban.deciban td.folded {{ white-space: normal; min-width: 12em; max-width: 42em; overflow-wrap: anywhere }}
.deciban.deciban.deciban thead th {{ border-bottom: 1px solid var(--line); font-weight: 600 }}
.deciban.deciban.deciban .number {{ text-align: right; font-variant-numeric: tabular-nums }}
.deciban.deciban.deciban tr.last td {{ border-top: 1px solid var(--line); font-weight: 600 }}
.deciban svg {{ display: block }} .deciban .remark {{ opacity: .75; margin: .2em 0 }}
.deciban .text {{ white-space: pre-wrap; border-left: 3px solid var(--line); padding: .2em .8em; max-height: 30em;
  overflow-y: auto }}
.deciban mark {{ border-radius: .2em; color: inherit; background: none }}
.deciban math {{ padding-block: .2em }} .deciban mfrac {{ padding-inline: .15em }}
.deciban mfrac > :first-child {{ padding-bottom: .15em }}
.deciban mfrac > :last-child, .deciban msqrt > * {{ padding-top: .15em }}
.deciban pre {{ overflow-x: auto; font-size: .9em; line-height: 1.35 }}
"""

# The class is written twice: the fragment's own style comes later.
PAGE_STYLE = f"""
:root {{ color-scheme: light dark }} body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem }}
@media (prefers-color-scheme: dark) {{ .deciban.deciban {{ {DARK} }} }}
@media print {{ .deciban.deciban {{ {LIGHT} }} }}
"""
