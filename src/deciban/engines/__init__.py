"""Engines: tables that lie on a cluster are counted where they are, and only sums travel."""
