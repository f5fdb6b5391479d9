"""Names of columns, values, classes and words stay text in all HTML, Markdown and LaTeX that deciban writes."""

import re
from dataclasses import replace

import pytest
from reports import HOSTILE, Page, hostile_table

import deciban as db

TABLE, TARGET = hostile_table()
# Elements that the HTML of notebooks consists of; MathML is that of derivations.
HTML = {
    "div",
    "style",
    "h2",
    "h3",
    "h4",
    "p",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "span",
    "mark",
    "ul",
    "li",
    "ol",
}
HTML |= {
    "svg",
    "path",
    "g",
    "line",
    "rect",
    "text",
    "circle",
    "polyline",
    "details",
    "summary",
    "pre",
    "code",
    "b",
    "strong",
}
HTML |= {"em", "br", "sup", "sub", "label", "small", "i", "a", "dl", "dt", "dd", "hr", "title", "polygon"}
MATHML = re.compile("^(math|m[a-z]+|semantics|annotation)$")
PAGE = {"html", "head", "meta", "body", "title"}


@pytest.fixture(scope="module")
def nb():
    return db.NaiveBayes({"text": db.Words()}).fit(TABLE, TARGET)


@pytest.fixture(scope="module")
def shown(nb):
    """Every object that shows itself as HTML, by name."""
    row = TABLE.slice(5, 1)
    evaluation, column = nb.evaluate(TABLE, TARGET), TABLE.column_names[2]
    return {
        "explanation": nb.explain(row),
        "row": nb.explain(row)[0],
        "derivation": nb.derive(row),
        "importance": nb.importance(),
        "diagnosis": nb.diagnose(TABLE, TARGET),
        "pairs": nb.diagnose(TABLE, TARGET).pairs,
        "evaluation": evaluation,
        "comparison": replace(evaluation.compare(evaluation), names=HOSTILE[:2]),
        "reliability": nb.reliability(TABLE, TARGET, favour=nb.classes_.tolist()[0]),
        "priors": nb.vary_prior(TABLE, TARGET, nb.classes_.tolist()[0]),
        "parameters": nb.parameters(),
        "top words": nb.top_words(),
        "story": nb.story(),
        "densities": nb.densities(column),
        "scales": nb.scales(),
        "estimator": nb,
    }


NAMES = "explanation row derivation importance diagnosis pairs evaluation comparison reliability priors parameters"
NAMES = [*NAMES.split(), "top words", "story", "densities", "scales", "estimator"]


@pytest.mark.parametrize("name", NAMES)
def test_html_of_notebooks_has_no_element_of_the_data(shown, name):
    found = shown[name]
    html = found._repr_html_inner() if name == "estimator" else found._repr_html_()
    page = Page(html)
    assert not {tag for tag in page.tags if tag not in HTML and not MATHML.match(tag)}
    assert not page.ids
    assert not [attribute for attribute, _ in page.attributes if attribute.startswith("on")]
    parts = "alert(", r"\frac{$", "display:none", "7 * 7", "nnnnnnnn"
    assert any(part in page.text for part in parts)


@pytest.mark.parametrize("name", ["explanation", "row", "derivation"])
def test_pages_have_no_element_of_the_data(shown, name):
    page = Page(shown[name].to_html())
    assert not {tag for tag in page.tags if tag not in HTML | PAGE and not MATHML.match(tag)}


@pytest.mark.parametrize("name", ["derivation", "parameters"])
def test_markdown_has_no_markup_of_the_data(shown, name):
    text = shown[name].to_markdown()
    assert not re.search(r"(?<!\\)<(script|img|/|style)", text)


@pytest.mark.parametrize("name", ["derivation", "story"])
def test_latex_has_no_command_of_the_data(shown, name):
    text = shown[name].to_latex()
    assert r"\frac{$" not in text
    assert r"\textbf{x}" not in text
    assert not re.search(r"(?<!\\)%", text)
    assert balanced(text)


def balanced(text):
    """Return whether every brace that is not escaped has its partner."""
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0
