"""Learning from rows without labels: expectation-maximisation (EM), its weight next to labelled rows, and mixtures."""
