"""Descriptions of a whole model: parameters, scales, densities, regions, estimates, words, its story; data only."""
