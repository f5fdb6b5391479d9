"""Choices that need rows: exact leave-one-out, and the search for the least log-loss."""
