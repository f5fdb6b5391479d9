"""Classify a message as spam or ham, and show the evidence of its words.

The training messages are the SMS Spam Collection from the folder DECIBAN_DATA (or from the data sets beside the
project) if it exists, and otherwise a few mails that were written for this example.
"""

import os
from pathlib import Path

import deciban as db

HERE = Path(__file__).parent
DATA = Path(os.environ.get("DECIBAN_DATA", HERE.parents[1] / "shared" / "data"))
MESSAGE = "Reply now to claim your free prize! Or see you at lunch?"


def messages() -> Path:
    """Return the file of training messages."""
    real = DATA / "sms_spam" / "all.jsonl.gz"
    return real if real.exists() else HERE / "mails.txt"


def show_verdict(nb: db.NaiveBayes, text: str) -> None:
    """Print the evidence of each word of a message, in decibans, and the posterior."""
    explanation = nb.explain({"text": text})[0]
    print(f'"{text}"\n\n{explanation}\n')
    probability = explanation.posterior[nb.classes_.tolist().index("spam")]
    print(f"  {explanation.decision}, with probability of spam {probability:.4f}")


def main() -> None:
    path = messages()
    nb = db.NaiveBayes({"text": db.Words()}).fit(path, "label")
    print(f"Spam or ham? Learned from {nb.statistics_.weight.sum():g} messages; evidence in decibans:\n")
    show_verdict(nb, MESSAGE)


if __name__ == "__main__":
    main()
