"""Priors: pseudo-data in the same group as the statistics, and the prior of the classes."""
