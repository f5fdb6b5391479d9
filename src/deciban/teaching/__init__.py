"""Tools for lectures: data of known truth, counts of parameters, learning curves, a logistic regression to compare."""
