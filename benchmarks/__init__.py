"""Benchmarks of deciban against its peers; run ``python -m benchmarks`` from the repository root."""
