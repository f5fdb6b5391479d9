"""The model: groups of columns and settings become a classifier, and the classifier's statistics a model."""
