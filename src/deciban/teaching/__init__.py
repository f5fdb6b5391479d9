"""Tools for lectures: data whose truth is known, counts of parameters, learning curves."""
