"""The scikit-learn face: NaiveBayes, and drop-ins for scikit-learn's own five classes."""
