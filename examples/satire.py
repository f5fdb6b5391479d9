"""Tell satire from real news by headlines: accuracy in five folds, and the most telling words of either class.

The headlines are onion_or_not from the folder DECIBAN_DATA (or from the data sets beside the project) if it exists,
and otherwise a few that were written for this example.
"""

import gzip
import json
import os
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_predict

import deciban as db

HERE = Path(__file__).parent
DATA = Path(os.environ.get("DECIBAN_DATA", HERE.parents[1] / "shared" / "data"))


def headlines() -> tuple[list[str], np.ndarray]:
    """Return headlines and their labels, "news" or "satire"."""
    real = DATA / "onion_or_not" / "all.jsonl.gz"
    if real.exists():
        with gzip.open(real, "rt", encoding="utf8") as lines:
            rows = [json.loads(line) for line in lines]
        return [r["text"] for r in rows], np.where([r["label"] == "1" for r in rows], "satire", "news")
    lines = (HERE / "headlines.txt").read_text(encoding="utf8").splitlines()
    labels, texts = zip(*(line.removeprefix("__label__").split(" ", 1) for line in lines))
    return list(texts), np.array(labels)


def main() -> None:
    texts, y = headlines()
    nb = db.NaiveBayes(db.Words(ngrams=(1, 2)))
    x = np.array(texts, dtype=object)
    guess = cross_val_predict(nb, x, y, cv=StratifiedKFold(5, shuffle=True, random_state=0))
    share = (y == "satire").mean()
    print(f"{len(y)} headlines, {share:.0%} satire; right in five folds: {(guess == y).mean():.3f}")
    print(f"always the larger class would be right in {max(share, 1 - share):.3f}\n")

    counts = nb.fit(x, y).statistics_.blocks[0]
    news, satire = counts.total() + 1
    odds = np.log(satire / satire.sum()) - np.log(news / news.sum())
    words = np.array(counts.vocabulary.words, dtype=object)
    for name, order in (("satire", np.argsort(-odds)), ("news", np.argsort(odds))):
        print(f"most telling for {name}: {', '.join(words[order[:10]])}")


if __name__ == "__main__":
    main()
