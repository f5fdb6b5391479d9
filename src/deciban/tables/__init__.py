"""Tables of named columns: event models chosen, rows learned from and predicted, a batch at a time."""
