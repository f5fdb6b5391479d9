"""Spam or not, and the words that decided it.

Learns from the SMS Spam Collection where it is at hand (DECIBAN_DATA, or the folder of data sets beside the project),
and otherwise from a few mails written for this example.
"""

import os
from pathlib import Path

import numpy as np

import deciban as db

HERE = Path(__file__).parent
DATA = Path(os.environ.get("DECIBAN_DATA", HERE.parents[1] / "shared" / "data"))
MESSAGE = "Reply now to claim your free prize! Or see you at lunch?"


def messages() -> Path:
    real = DATA / "sms_spam" / "all.jsonl.gz"
    return real if real.exists() else HERE / "mails.txt"


def verdict(nb: db.NaiveBayes, text: str) -> None:
    """The posterior of a message and the evidence of each of its words, in decibans for spam."""
    ham, spam = nb.classes_.tolist().index("ham"), nb.classes_.tolist().index("spam")
    decibans = 10 / np.log(10)
    scorer = nb.model_.parts[0].scorer
    words, evidence = scorer.word_evidence(text)
    weight = (evidence[:, spam] - evidence[:, ham]) * decibans
    prior = (nb.model_.log_prior[spam] - nb.model_.log_prior[ham]) * decibans
    print(f'  "{text}"\n')
    print(f"  {'prior':<12}{prior:+7.1f}")
    for i in np.argsort(-np.abs(weight)):
        bar = "█" * round(abs(weight[i]) / 2)
        print(f"  {scorer.vocabulary.words[words[i]]:<12}{weight[i]:+7.1f}  {bar}")
    print(f"  {'total':<12}{prior + weight.sum():+7.1f}")
    probability = nb.predict_proba([text])[0, spam]
    print(f"\n  {nb.predict([text])[0]}, with probability of spam {probability:.4f}")


def main() -> None:
    path = messages()
    nb = db.NaiveBayes({"text": db.Words()}).fit(path, "label")
    print(f"Spam or ham? Learned from {nb.statistics_.weight.sum():g} messages; evidence for spam in decibans:\n")
    verdict(nb, MESSAGE)


if __name__ == "__main__":
    main()
