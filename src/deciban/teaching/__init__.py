"""Tools for lectures: data of known truth, counts of parameters, learning curves, logistic regression to compare."""
