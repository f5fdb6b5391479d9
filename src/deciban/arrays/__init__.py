"""Rows where they lie: matrices, frames, texts, labels, and the threads that work on them."""
