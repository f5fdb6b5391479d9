"""Tables of named columns: event models decided, rows learned from and predicted, a batch at a time."""
