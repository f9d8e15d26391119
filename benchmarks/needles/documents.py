"""What people write: prose, a Markdown manual, a web page."""

from __future__ import annotations

from benchmarks.needles.base import Maker, Plan, fill, planted

SENTENCES = (
    "The {n} was discussed at length, and nobody objected to the way the {n} is handled today.",
    "{p} reported that the {n} for {m} came in later than the {n}, which is usual for the season.",
    "Most of the {n}s are counted twice a year; the {n}s follow in the week after.",
    "As before, every {n} has an owner, and the owner keeps the {n} up to date.",
    "It was agreed to look at the {n} again once the {n} has been moved.",
    "{p} and {p} will visit the {n} in {m} and bring back a list of what the {n} still needs.",
    "In earlier years a {n} took three days; with the new {n} it takes one.",
    "Nothing has changed for the {n}, apart from the colour of the {n}.",
    "Some of us would like a larger {n}, others a smaller {n}, and both have their reasons.",
    "The {n} stands next to the {n}, where visitors can find it without asking.",
    "For the {n} we rely on {p}, who has looked after it since {m}.",
    "When the {n} is full, the {n} waits, and when it is empty, the {n} waits as well.",
)
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "October", "November")
ELEMENTS = (
    "<p>{s} {s}</p>",
    '<div class="card" data-id="{h}"><h3>{N}</h3><p>{s}</p></div>',
    '<tr class="row"><td>{n}</td><td>{d}</td></tr>',
    '<a class="link" href="/{n}/{d}"><img src="/i/{h}.png" alt=""></a>',
    '<li class="item">{n} {v}</li>',
)
PAGE = """<!DOCTYPE html>
<html lang="en"><head><title>{n}</title><style>.btn{color:#333}</style></head>
<body><nav><ul>{l}</ul></nav>
<main>
{b}
</main><script>{j}</script></body></html>
"""


def prose(plan: Plan, size: int) -> str:
    """Minutes and reports in paragraphs, a paragraph a line."""
    maker = plan.maker
    sentences = fill(size, lambda: _sentence(maker))
    odd = [
        f"{_upper(plan.asked('a sentence'))}.",
        f"For {plan.mentioned()} the agreed figure is {plan.needle('identifier', 'a sentence')}.",
        f"During the trial we saw this: {plan.trouble('a sentence in a paragraph')}.",
        f"{_upper(plan.asked('a sentence in other forms of the words'))}, as said above.",
        f"Contrary to the plan, {plan.news('a sentence that contradicts')}.",
    ]
    told = planted(maker, sentences, odd[: 3 if size < 10_000 else 5])
    paragraphs = list[str]()
    while told:
        length = maker.randrange(3, 9)
        paragraphs.append(" ".join(told[:length]))
        told = told[length:]
    return "\n\n".join(paragraphs) + "\n"


def markdown(plan: Plan, size: int) -> str:
    """A manual: headings, lists, code, tables."""
    maker = plan.maker
    blocks = fill(size, lambda: _block(maker))
    key, value = plan.asked_key("a line of a code block")
    setting = f"The setting of `{plan.mentioned()}` must be {plan.needle('identifier', 'a sentence')}."
    odd = [
        f"## {_heading(plan)}\n\n{_sentence(maker)}\n",
        maker.say('```toml\n[{n}]\n{k} = "{w}"\n{n} = {d}\n```\n', k=key, w=value),
        f"{_sentence(maker)} {setting} {_sentence(maker)}\n",
        f"> **Warning**: {plan.trouble('a quoted warning')}\n",
        maker.say("| {n} | {x} |\n|---|---|\n| {n} | {d} |\n", x=plan.asked("a cell of a table")),
    ]
    body = planted(maker, blocks, odd[: 3 if size < 10_000 else 5])
    return maker.say("# Manual of the {n}\n\n") + "\n".join(body)


def html(plan: Plan, size: int) -> str:
    """A page with navigation, scripts and long lines."""
    maker = plan.maker
    blocks = fill(int(size * 0.8), lambda: _element(maker, maker.choice(ELEMENTS)))
    odd = [
        _element(maker, '<section id="{h}"><h2 class="title is-4">{x}</h2><p>{s}</p></section>', x=_heading(plan)),
        _element(maker, "<p>{s} {x}. {s}</p>", x=_upper(plan.asked("a sentence in a paragraph"))),
        f'<tr class="row"><td>{plan.mentioned()}</td><td>{plan.needle("identifier", "a cell")}</td></tr>',
        f'<div class="notice" role="alert"><span>{plan.trouble("an alert")}</span></div>',
        _element(maker, '<button class="btn" title="{x}" onclick="go({d})">Go</button>', x=plan.asked("a title")),
    ]
    body = planted(maker, blocks, odd[: 3 if size < 10_000 else 5])
    links = "".join(maker.say('<li><a class="nav-link" href="/{v}/{d}">{v}</a></li>') for _ in range(40))
    script = ";".join(maker.say("var {n}{d}=function(a){return a+{d}}") for _ in range(size // 400))
    lines = "".join(block + maker.choice(("\n", "", "")) for block in body)  # several to a line: some are long
    return maker.say(PAGE, l=links, j=script, b=lines)


def _heading(plan: Plan) -> str:
    name = plan.maker.say("{N} handover ") + plan.maker.hex(3)
    return plan.needle("structure", "a heading", name)


def _sentence(maker: Maker) -> str:
    return maker.say(maker.choice(SENTENCES), m=maker.choice(MONTHS))


def _element(maker: Maker, template: str, x: str = "") -> str:
    return maker.say(template, s=_sentence(maker), x=x)


def _upper(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


def _block(maker: Maker) -> str:
    choice = maker.randrange(20)
    if choice < 2:
        return "#" * maker.randrange(2, 4) + maker.say(" {N} and {n}\n")
    if choice < 5:
        return "".join(f"- {_sentence(maker)}\n" for _ in range(maker.randrange(2, 6)))
    if choice < 7:
        lines = "".join(maker.say("{n} = {d}\n") for _ in range(maker.randrange(2, 7)))
        return maker.say("```toml\n[{n}]\n") + f"{lines}```\n"
    if choice < 8:
        rows = "".join(maker.say("| {n} | {d} |\n") for _ in range(maker.randrange(2, 9)))
        return f"| name | count |\n|---|---|\n{rows}"
    return " ".join(_sentence(maker) for _ in range(maker.randrange(2, 7))) + "\n"
