"""Explanations and derivations shown: as text, Markdown with LaTeX, and HTML."""
