"""Oracles by kind; ``deciban.oracles`` has their public names."""
