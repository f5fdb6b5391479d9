"""Derivations in words: as text, as Markdown with LaTeX, and as a page."""

from __future__ import annotations

from fractions import Fraction
from html import escape

import numpy as np

from deciban.explain.derivation import Derivation, Factor
from deciban.explain.html import page
from deciban.explain.working import Normal, Rate, Ratio, Work
from deciban.terminal.width import padded, width_of

# A fraction with more bits is shown as a decimal number.
MOST_BITS = 80
TIMES = r" \cdot "


def as_text(d: Derivation) -> str:
    lines: list[str] = []
    for c in d.shown:
        rows = [(label(d, c), work_text(d.prior, c))]
        rows += [(f"P({f.name} | {label(d, c)[2:-1]})", work_text(f, c)) for f in d.factors]
        rows += [] if d.others is None else [(f"{d.folded} factors more", number(float(d.others[c])))]
        width = max(width_of(name) for name, _ in rows)
        lines += [f"{d.target} = {d.classes.tolist()[c]}"]
        lines += [f"  {padded(name, width)} = {work}" for name, work in rows]
        lines += [f"  {'product':{width}} = {product_text(d, c)}", ""]
    lines += [f"sum of the products = {sum_text(d)}"]
    lines += [f"P({d.target} = {name} | row) = {text}" for name, text in posteriors(d)]
    lines += [f"decision: {d.target} = {d.decision}", *closing(d)]
    return "\n".join(lines)


def label(d: Derivation, c: int) -> str:
    return f"P({d.target} = {d.classes.tolist()[c]})"


def work_text(f: Factor, c: int) -> str:
    work = None if f.works is None else f.works[c]
    if isinstance(work, Ratio):
        return ratio_text(work)
    if isinstance(work, Normal):
        return f"N({work.x:.6g}; mean {work.mean:.6g}, variance {work.variance:.6g}) = {number(float(f.scores[c]))}"
    if isinstance(work, Rate):
        return f"λ^x·e^−λ at x = {work.x:g}, λ = {work.rate:.6g}, = {number(float(f.scores[c]))}"
    return number(float(f.scores[c]))


def ratio_text(r: Ratio) -> str:
    if not (r.more or r.more_whole):
        return short(r)
    smoothed = f"({shown(r.count)} + {shown(r.more)})/({shown(r.whole)} + {shown(r.more_whole)})"
    return f"{smoothed if r.power == 1 else f'({smoothed})^{r.power}'} = {short(r)}"


def shown(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.6g}"


def product_text(d: Derivation, c: int) -> str:
    exact, log = d.product(c), float(d.log_products[c])
    if exact is None:
        return number(log)
    parts = [f for f in (d.prior, *d.factors) if f.works is not None]
    factors = " · ".join(short(f.works[c]) for f in parts if f.works is not None)
    return f"{factors} = {exact_text(exact, log)}"


def short(work: Work) -> str:
    """A ratio without its smoothing."""
    if not isinstance(work, Ratio):
        return ""
    plain = f"{shown(work.count + work.more)}/{shown(work.whole + work.more_whole)}"
    return plain if work.power == 1 else f"({plain})^{work.power}"


def exact_text(value: Fraction, log: float) -> str:
    if value.denominator == 1:
        return str(value)
    return f"{value} ≈ {number(log)}" if is_short(value) else number(log)


def is_short(value: Fraction) -> bool:
    return value.numerator.bit_length() + value.denominator.bit_length() <= MOST_BITS


def sum_text(d: Derivation) -> str:
    log = float(np.logaddexp.reduce(d.log_products))
    if d.total is None or len(d.shown) < len(d.classes) or not is_short(d.total):
        return number(log)
    return f"{' + '.join(str(d.product(c)) for c in d.shown)} = {exact_text(d.total, log)}"


def posteriors(d: Derivation) -> list[tuple[str, str]]:
    found = []
    for c in d.shown:
        exact, text = d.product(c), f"{d.posterior[c]:.4f}"
        if d.total and exact is not None and is_short(exact / d.total):
            text = f"{exact / d.total} ≈ {text}" if (exact / d.total).denominator != 1 else text
        found.append((str(d.classes.tolist()[c]), text))
    return found


def closing(d: Derivation) -> list[str]:
    """What is left to say."""
    lines = [f"no evidence: {item.text} ({item.silent})" for item in d.silent]
    hidden = len(d.classes) - len(d.shown)
    lines += [f"{hidden} less probable classes are not shown"] if hidden else []
    if d.total == 0 or not np.isfinite(d.log_products).any():
        lines.append(
            "Every product is 0: the row is impossible under every class, which is no evidence; the prior stays."
        )
    lines += d.remarks
    if d.remarks and np.abs(d.predicted - d.posterior).max() > 1e-9:
        c = int(d.predicted.argmax())
        lines.append(f"predict_proba: {d.target} = {d.classes.tolist()[c]} with {d.predicted[c]:.4f}")
    return lines


def number(log: float) -> str:
    """A probability, or density, from its natural logarithm; small ones as powers of ten."""
    if log == -np.inf:
        return "0"
    if -700 < log < 700:
        return f"{np.exp(log):.4g}"
    ten = log / np.log(10)
    return f"{10 ** (ten - np.floor(ten)):.3g}e{int(np.floor(ten))}"


def as_markdown(d: Derivation) -> str:
    """One formula to a line, so that any renderer of LaTeX takes them."""
    blocks = []
    for c in d.shown:
        given = f"{tex(d.target)} = {tex(str(d.classes.tolist()[c]))}"
        lines = [f"P({given}) = {work_tex(d.prior, c)}"]
        lines += [rf"P({tex(f.name)} \mid {given}) = {work_tex(f, c)}" for f in d.factors]
        lines += [] if d.others is None else [rf"{tex(f'{d.folded} factors more')} = {number_tex(float(d.others[c]))}"]
        lines.append(rf"{tex('product')} = {product_tex(d, c)}")
        blocks += [f"**{d.target} = {d.classes.tolist()[c]}**", *(f"$${line}$$" for line in lines)]
    blocks.append(f"$${tex('sum of the products')} = {sum_tex(d)}$$")
    for c in d.shown:
        given = rf"{tex(d.target)} = {tex(str(d.classes.tolist()[c]))} \mid {tex('row')}"
        blocks.append(f"$$P({given}) = {posterior_tex(d, c)}$$")
    blocks += [f"**Decision: {d.target} = {d.decision}**", *closing(d)]
    return "\n\n".join(blocks) + "\n"


def tex(words: str) -> str:
    special = {c: f"\\{c}" for c in "#$%&_{}"} | {"\\": "/", "^": " ", "~": " ", "“": '"', "”": '"'}
    return rf"\text{{{''.join(special.get(c, c) for c in words)}}}"


def frac(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


def work_tex(f: Factor, c: int) -> str:
    work, value = None if f.works is None else f.works[c], number_tex(float(f.scores[c]))
    if isinstance(work, Ratio):
        above, below = shown(work.count + work.more), shown(work.whole + work.more_whole)
        plain = rf"\frac{{{above}}}{{{below}}}"
        if work.power != 1:
            return rf"\left({plain}\right)^{{{work.power}}}"
        if work.more or work.more_whole:
            smoothed = f"{shown(work.count)} + {shown(work.more)}", f"{shown(work.whole)} + {shown(work.more_whole)}"
            return rf"\frac{{{smoothed[0]}}}{{{smoothed[1]}}} = {plain}"
        return plain
    if isinstance(work, Normal):
        mean, variance = f"{work.mean:.6g}", f"{work.variance:.6g}"
        return (
            rf"\frac{{1}}{{\sqrt{{2 \pi \cdot {variance}}}}} "
            rf"e^{{-({work.x:.6g} - {mean})^2 / (2 \cdot {variance})}} = {value}"
        )
    if isinstance(work, Rate):
        return rf"{work.rate:.6g}^{{{work.x:g}}} e^{{-{work.rate:.6g}}} = {value}"
    return value


def number_tex(log: float) -> str:
    mantissa, _, exponent = number(log).partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def product_tex(d: Derivation, c: int) -> str:
    exact, log = d.product(c), float(d.log_products[c])
    if exact is None:
        return number_tex(log)
    ratios = [f.works[c] for f in (d.prior, *d.factors) if f.works is not None]
    factors = [
        rf"\frac{{{shown(r.count + r.more)}}}{{{shown(r.whole + r.more_whole)}}}"
        + (f"^{{{r.power}}}" if r.power > 1 else "")
        for r in ratios
        if isinstance(r, Ratio)
    ]
    return f"{TIMES.join(factors)} = {approximately(exact, log)}"


def approximately(value: Fraction, log: float) -> str:
    if value.denominator == 1:
        return str(value)
    return rf"{frac(value)} \approx {number_tex(log)}" if is_short(value) else number_tex(log)


def sum_tex(d: Derivation) -> str:
    log = float(np.logaddexp.reduce(d.log_products))
    if d.total is None or len(d.shown) < len(d.classes) or not is_short(d.total):
        return number_tex(log)
    parts = [frac(p) for p in (d.product(c) for c in d.shown) if p is not None]
    return f"{' + '.join(parts)} = {approximately(d.total, log)}"


def posterior_tex(d: Derivation, c: int) -> str:
    exact = d.product(c)
    if not d.total or exact is None or not is_short(exact / d.total):
        return f"{d.posterior[c]:.4f}"
    return rf"{frac(exact)} : {frac(d.total)} = {frac(exact / d.total)} \approx {d.posterior[c]:.4f}"


def as_html(d: Derivation) -> str:
    """The text form, with fractions stacked."""
    parts = [f"<h2>{escape(f'{d.target} = {d.decision}')}</h2>"]
    for c in d.shown:
        rows = [(label(d, c), work_text(d.prior, c))]
        rows += [(f"P({f.name} | {label(d, c)[2:-1]})", work_text(f, c)) for f in d.factors]
        rows += [] if d.others is None else [(f"{d.folded} factors more", number(float(d.others[c])))]
        rows += [("product", product_text(d, c))]
        kinds = [""] * (len(rows) - 1) + [" class=last"]
        cells = [
            f'<tr{kind}><td class="name">{escape(a)}</td><td>= {escape(b)}</td></tr>'
            for kind, (a, b) in zip(kinds, rows)
        ]
        parts += [f"<h3>{escape(f'{d.target} = {d.classes.tolist()[c]}')}</h3>", "<table>", *cells, "</table>"]
    parts += [f"<p>sum of the products = {escape(sum_text(d))}</p>"]
    parts += [f"<p>P({escape(f'{d.target} = {name}')} | row) = {escape(text)}</p>" for name, text in posteriors(d)]
    parts += [f"<p><b>{escape(f'decision: {d.target} = {d.decision}')}</b></p>"]
    parts += [f'<p class="remark">{escape(line)}</p>' for line in closing(d)]
    return page(f"{d.target} = {d.decision}", parts)
