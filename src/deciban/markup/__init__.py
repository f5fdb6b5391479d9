"""HTML without scripts, ids or other files: fragments for notebooks, complete pages, tables, bars as small SVG."""
