"""One HTML file about a model and rows with labels."""
