"""Open the lecture and reports in headless Chromium: no console error, nothing from the network, light and dark.

A report makes one request, has no script, and is printed to PDF.

Run by ``make browser``. With a folder as argument, screenshots and PDFs are written there.
"""

import base64
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import compute as pc
from pyarrow import csv
from pyarrow import json as jsonl

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "tests" / "report")]

from chromium import chromium, find_program  # noqa: E402
from reports import hostile_table, loans  # noqa: E402

import deciban as db  # noqa: E402
from deciban.markup import style  # noqa: E402
from deciban.plots.theme import DARK, LIGHT  # noqa: E402

LECTURE = ROOT / "build" / "lecture.html"

DATA = Path(os.environ.get("DECIBAN_DATA", ROOT.parent / "shared" / "data"))
GROUPS = ("comp.graphics", "rec.autos", "sci.space", "talk.politics.mideast")
MOST = 2_000_000
# Pixels of a wide and of a narrow window: neither may scroll sideways.
WIDTHS = 1000, 420


def adult():
    """Return training rows, rows of the report and the column of labels; generated rows where the set is absent."""
    if not (DATA / "adult").exists():
        return loans(2000), loans(1000, seed=1), "repaid"
    return *(csv.read_csv(DATA / "adult" / f"{part}.csv.gz") for part in ("train", "test")), "class"


def newsgroups():
    """Return texts of four groups; of two made-up ones where the set is absent."""
    if not (DATA / "20newsgroups").exists():
        rng = np.random.default_rng(0)
        words = np.array(
            [["orbit", "moon", "launch", "the", "of", "a"], ["engine", "wheel", "brake", "the", "of", "a"]]
        )
        label = rng.integers(0, 2, 600)
        texts = [" ".join(rng.choice(words[c], 30)) for c in label]
        table = pa.table({"text": texts, "label": np.array(["space", "autos"])[label]})
        return table.slice(0, 400), table.slice(400), "label"
    return *(four_groups(DATA / "20newsgroups" / f"{part}.jsonl.gz") for part in ("train", "test")), "label"


def four_groups(path):
    """Return the texts of four groups."""
    table = jsonl.read_json(path)
    label = next(name for name in table.column_names if name != "text")
    table = table.select(["text", label]).rename_columns(["text", "label"])
    return table.filter(pc.is_in(table.column("label"), pa.array(GROUPS)))


def iris():
    """Return the flowers, which are in scikit-learn too."""
    from sklearn.datasets import load_iris

    found = load_iris(as_frame=True)
    table = pa.Table.from_pandas(found.data, preserve_index=False)
    table = table.append_column("species", pa.array(found.target_names[found.target]))
    return table, table, "species"


def hostile():
    """Return a table of hostile names."""
    table, target = hostile_table()
    return table, table, target


def problems(browser):
    """Return everything that the page wrote to the console, and its exceptions."""
    logged = [entry["entry"]["text"] for entry in browser.of("Log.entryAdded")]
    return logged + browser.of("Runtime.consoleAPICalled") + browser.of("Runtime.exceptionThrown")


def check_lecture(browser, folder):
    """Open the executed lecture as a light and as a dark notebook; raise AssertionError if something is wrong."""
    for theme, colours in ((LIGHT, style.LIGHT), (DARK, style.DARK)):
        browser.open(LECTURE.as_uri(), theme.name, WIDTHS[0])
        is_light = str(theme is LIGHT).lower()
        browser.value(f"document.body.setAttribute('data-jp-theme-light', '{is_light}')")
        requests = [request["request"]["url"] for request in browser.of("Network.requestWillBeSent")]
        assert [url for url in requests if not url.startswith("data:")] == [LECTURE.as_uri()], requests
        assert not problems(browser), problems(browser)
        assert browser.value("document.querySelectorAll('.deciban table').length") >= 10
        assert browser.value("document.images.length") >= 12
        assert browser.value("[...document.images].every(i => i.complete && i.naturalWidth > 100)")
        assert browser.value("document.querySelectorAll('[data-mime-type$=stderr], .jp-mod-error').length") == 0
        favour = browser.value("getComputedStyle(document.querySelector('.deciban')).getPropertyValue('--for')")
        assert f"--for: {favour.strip()};" in colours, favour
        assert browser.value("document.documentElement.scrollWidth") <= WIDTHS[0]
        if folder:
            screenshot(browser, folder / f"lecture-{theme.name}.png")


def check(browser, path, folder):
    """Open a report in every way; raise AssertionError if something is wrong."""
    for theme in (LIGHT, DARK):
        for width in WIDTHS:
            browser.open(path.as_uri(), theme.name, width)
            requests = [request["request"]["url"] for request in browser.of("Network.requestWillBeSent")]
            assert requests == [path.as_uri()], requests
            assert not problems(browser), problems(browser)
            assert not browser.of("Page.javascriptDialogOpening")
            assert browser.value("document.scripts.length") == 0
            paper = "rgb({}, {}, {})".format(*bytes.fromhex(theme.paper[1:]))
            assert browser.value("getComputedStyle(document.body).backgroundColor") == paper
            wide = browser.value("document.documentElement.scrollWidth")
            assert wide <= width, f"the page is {wide} pixels wide in a window of {width}"
            assert browser.value("[...document.querySelectorAll('figure svg')].every(s => s.getBBox().height > 20)")
        if folder:
            browser.open(path.as_uri(), theme.name, WIDTHS[0])
            screenshot(browser, folder / f"{path.stem}-{theme.name}.png")
    printed = base64.b64decode(browser.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page/") + printed.count(b"/Type /Page ") >= 2
    if folder:
        (folder / f"{path.stem}.pdf").write_bytes(printed)


def screenshot(browser, path):
    """Write the whole page as a picture."""
    height = browser.value("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": WIDTHS[0], "height": height, "scale": 1}
    found = browser.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
    path.write_bytes(base64.b64decode(found["data"]))


def main():
    """Check the lecture, and make and check all reports."""
    if find_program() is None:
        sys.exit("Chromium is not installed; run make browser, or install the package chromium.")
    if not LECTURE.exists():
        sys.exit(f"{LECTURE} is missing; run make lecture, or make browser.")
    folder = Path(sys.argv[1]).absolute() if len(sys.argv) > 1 else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, chromium() as browser:
        check_lecture(browser, folder)
        print("lecture: nothing from the network, no message in the console")
        for make in (iris, adult, newsgroups, hostile):
            begin = time.monotonic()
            train, test, target = make()
            path = (folder or Path(temporary)) / f"{make.__name__}.html"
            nb = db.NaiveBayes({"text": db.Words()} if make is hostile else None).fit(train, target)
            nb.report(test, target, path)
            size = path.stat().st_size
            assert size < MOST, size
            check(browser, path, folder)
            print(f"{make.__name__}: {size:,} bytes, one request, no script, {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
