"""Tables and reports that several tests look at."""

from html.parser import HTMLParser

import numpy as np
import pyarrow as pa

# Names that try to leave their place: markup, mathematics, right-to-left, emoji, the end of a picture, a long one.
HOSTILE = (
    "<script>alert(1)</script>",
    r"$\frac{$ \textbf{x} & % #",
    "שלום \u202eevil\u202c",
    "🙂🧪 ﷽",
    "</text></svg><script>alert(2)</script>",
    "</pre></details><img src=x onerror=alert(3)>",
    "</style><style>*{display:none}",
    "{{ 7 * 7 }}{% raw %}",
    "\x1b[31m\x00\ufffe\ud800",
    "n" * 10_000,
)
VOID = {"meta", "br", "hr", "img", "input", "link", "col", "wbr"}


def loans(rows=400, seed=0):
    """Return a table with numbers, words, a flag and labels that depend on them."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, rows)
    income = np.exp(rng.normal(8, 0.4, rows)).round(2)
    late = rng.poisson(1.5, rows)
    city = rng.choice(["Rome", "Porto", "Graz"], rows)
    odds = 0.002 * (income - 3000) - late + 0.5 * (city == "Rome") + rng.normal(0, 1, rows)
    repaid = np.where(odds > -1, "yes", "no")
    return pa.table({"age": age, "income": income, "late payments": late, "city": city, "repaid": repaid})


def hostile_table(rows=400):
    """Return a table whose columns, values and classes have hostile names."""
    rng = np.random.default_rng(1)
    valid = [name.replace("\ud800", "") for name in HOSTILE]
    y = rng.integers(0, 3, rows)
    columns = {valid[0]: rng.normal(y, 1.0), valid[8]: rng.integers(0, 40, rows)}
    for k in (1, 2, 3, 4, 5, 6, 9):
        values = [valid[(3 * k + j) % len(valid)] for j in range(4)]
        columns[valid[k]] = [values[c if rng.random() < 0.6 else 3] for c in y]
    columns["text"] = [" ".join(rng.permutation([*HOSTILE[c], "word", HOSTILE[4], HOSTILE[0], "é🙂"])) for c in y]
    labels = [valid[4], valid[1], valid[9]]
    return pa.table(columns | {valid[7]: [labels[c] for c in y]}), valid[7]


class Page(HTMLParser):
    """The elements, texts and attributes of a page; raises where an element is closed that is not open."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.ids, self.data = [], [], [], [], []
        self.feed(html)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.data.append(data)

    @property
    def text(self):
        return "".join(self.data)


def check_page(html):
    """Assert that a page is one harmless file, and return it parsed."""
    page = Page(html)
    assert "script" not in page.tags
    assert not {"img", "iframe", "object", "embed", "link", "base", "form", "image", "foreignobject"} & set(page.tags)
    assert len(page.ids) == len(set(page.ids))
    for name, value in page.attributes:
        assert not name.startswith("on"), name
        if name in ("href", "src", "xlink:href", "action"):
            assert value.startswith("#"), value
            assert value[1:] in page.ids
        if name == "style":
            assert "url(" not in value.replace("url(#", "")
    policy = dict(page.attributes).get("http-equiv")
    assert policy == "Content-Security-Policy"
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in page.attributes
    assert "http:" not in html
    assert "https:" not in html
    return page
