"""One HTML file about a model and rows with labels (``pip install 'deciban[report]'``)."""

from deciban.report.report import Report

__all__ = ["Report"]
