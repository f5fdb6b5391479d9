"""Output to a terminal: width of text, tables and progress bars."""
