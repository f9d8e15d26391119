"""Functions, and a class, in three languages: Python, TypeScript, Go."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from benchmarks.needles.base import Maker, fill


class Language(Struct, frozen=True):
    """Templates: {a}, {b} and {c} are the parameters and the result of a function, {x} is a name."""

    comment: str
    constant: str
    head: Sequence[str]
    body: Sequence[str]
    tail: Sequence[str]
    keeper: Sequence[str]

    def function(self, maker: Maker, name: str) -> list[str]:
        """The lines of a function, five to thirty."""
        a, b, c = maker.noun(), maker.noun(), maker.noun()
        known = {"a": a, "b": b, "c": c, "A": a.title(), "C": c.title(), "x": name}
        body = fill(maker.randrange(200, 900), lambda: maker.say(maker.choice(self.body), **known))
        pieces = [
            *(maker.say(line, **known) for line in self.head),
            *body,
            *(maker.say(t, **known) for t in self.tail),
        ]
        return "\n".join(pieces).split("\n")

    def class_of(self, maker: Maker, name: str) -> list[str]:
        """The lines of a class without methods."""
        return [maker.say(line, x=name) for line in self.keeper]


PYTHON = Language(
    comment="#",
    constant='{x} = "{y}"',
    head=("def {x}({a}: {A}, {b}: int = 0) -> {C}:", '    """The {c} of a {a}."""', "    {c} = {C}()"),
    body=(
        "    {n} = {a}.{v}({b}, key=lambda one: one.{n}_id)",
        "    if {n} is None or len({a}) > {d}:\n        return {n}",
        "    for {c} in {a}.{n}s:\n        {b}.append({c}.{n})",
        "    # the {n} comes before the {n}",
        '    log.debug("{v} {n} %s", {a})',
        "",
    ),
    tail=("    return {c}", "", ""),
    keeper=("class {x}:", '    """Keeps {n}s."""', "", "    kept: list[{N}]", "", ""),
)

TYPESCRIPT = Language(
    comment="//",
    constant='export const {x} = "{y}"',
    head=(
        "export async function {x}({a}: {A}, {b}: string[]): Promise<{C} | null> {",
        "  const {c}: {C}[] = []",
        "",
    ),
    body=(
        "  const {n}{d} = await {a}.{v}({b}, { {c}: true })",
        "  if (!{a} || {b}.length > {d}) {\n    return null\n  }",
        "  // the {n} comes before the {n}",
        "  {c}.push(...{a}.{n}s.map((one) => one.{n}))",
        "",
    ),
    tail=("  return {c}[0] ?? null", "}", ""),
    keeper=("export class {x} {", "  private kept: {N}[] = []", "}", ""),
)

GO = Language(
    comment="//",
    constant='const {x} = "{y}"',
    head=("func {x}(ctx context.Context, {a} *{A}) (*{C}, error) {", "\t{b} := []{N}{}", ""),
    body=(
        "\t{n}, err := {a}.{v}(ctx, {b})\n\tif err != nil {\n\t\treturn nil, err\n\t}",
        "\tfor _, one := range {a}.{N}s {\n\t\t{b} = append({b}, one.{N})\n\t}",
        "\t// the {n} comes before the {n}",
        '\tslog.Debug("{v} {n}", "{a}", {a}.ID)',
        "",
    ),
    tail=("\treturn &{C}{}, nil", "}", ""),
    keeper=("type {x} struct {", "\tkept []{N}", "}", ""),
)

LANGUAGES = (PYTHON, TYPESCRIPT, GO)
