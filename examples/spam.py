"""Spam or not, and the words that decided it.

Learns from the SMS Spam Collection where it is at hand (DECIBAN_DATA, or the folder of data sets beside the project),
and otherwise from a few mails written for this example.
"""

import os
from pathlib import Path

import deciban as db

HERE = Path(__file__).parent
DATA = Path(os.environ.get("DECIBAN_DATA", HERE.parents[1] / "shared" / "data"))
MESSAGE = "Reply now to claim your free prize! Or see you at lunch?"


def messages() -> Path:
    real = DATA / "sms_spam" / "all.jsonl.gz"
    return real if real.exists() else HERE / "mails.txt"


def verdict(nb: db.NaiveBayes, text: str) -> None:
    """The evidence of each of a message's words, in decibans, and the posterior."""
    found = nb.explain({"text": text})[0]
    print(f'"{text}"\n\n{found}\n')
    probability = found.posterior[nb.classes_.tolist().index("spam")]
    print(f"  {found.decision}, with probability of spam {probability:.4f}")


def main() -> None:
    path = messages()
    nb = db.NaiveBayes({"text": db.Words()}).fit(path, "label")
    print(f"Spam or ham? Learned from {nb.statistics_.weight.sum():g} messages; evidence in decibans:\n")
    verdict(nb, MESSAGE)


if __name__ == "__main__":
    main()
