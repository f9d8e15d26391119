from __future__ import annotations

import pytest
from hypothesis import given
from tests.excerpts.lawful import HOSTILE, above, check, over, unit_of

from trimtab.excerpts.base import STRUCTURE, Outline
from trimtab.excerpts.code import Code

READ = Code().read

SOURCES = {
    "python": (
        "import os\nfrom x import (\n    y,\n)\n\nLIMIT = 3\n\nclass A(B):\n    '''Words of\n\n  a rule.'''\n\n"
        "    @cached\n    async def find(\n        self,\n    ) -> int:\n        if self.x:\n"
        "            return NEEDLE\n"
        "        return 1\n\ndef g(x):\n    return x\n",
        ["async def find(", "class A(B):"],
    ),
    "typescript": (
        "import { a } from 'b';\n\nexport interface Opts {\n  x: number;\n}\n\nexport class Box extends A {\n"
        "  private async load(path: string, n = 1): Promise<void> {\n    const y = await get(path);\n"
        "    if (y) {\n      return NEEDLE;\n    }\n  }\n}\n\nexport const f = (x: number) => {\n"
        "  return x;\n};\n",
        ["private async load(path: string, n = 1): Promise<void> {", "export class Box extends A {"],
    ),
    "java": (
        "package a.b;\n\nimport java.util.List;\n\npublic final class Box<T> implements X {\n    @Override\n"
        "    public List<T> items(int n) throws IOException {\n        int x = 1;\n"
        "        return NEEDLE;\n    }\n}\n",
        ["public List<T> items(int n) throws IOException {", "public final class Box<T> implements X {"],
    ),
    "c": (
        "#include <stdio.h>\n#define MOST 9\n\nstruct node {\n    int x;\n};\n\nstatic int add(int a, int b)\n{\n"
        "#ifdef X\n    a = b;\n#endif\n    return NEEDLE;\n}\n\nint main(void) {\n    return add(1, 2);\n}\n",
        ["static int add(int a, int b)"],
    ),
    "cpp": (
        "#include <vector>\nnamespace a {\nclass Box : public B {\n public:\n  int size() const {\n"
        "    int x = 1;\n"
        "    return NEEDLE;\n  }\n private:\n  int size_;\n};\n}\n",
        ["int size() const {", "class Box : public B {"],
    ),
    "go": (
        'package main\n\nimport (\n\t"fmt"\n)\n\ntype Box struct {\n\tx int\n}\n\n'
        "func (b *Box) Size(n int) (int, error) {\n\tif n > 1 {\n\t\treturn NEEDLE, nil\n\t}\n"
        "\treturn b.x, nil\n}\n",
        ["func (b *Box) Size(n int) (int, error) {"],
    ),
    "rust": (
        "use std::io;\n\npub struct Box<T> {\n    x: T,\n}\n\nimpl<T> Box<T> {\n    #[inline]\n"
        "    pub(crate) fn size(&self) -> usize {\n        let x = 1;\n        NEEDLE(x);\n        x\n    }\n}\n",
        ["pub(crate) fn size(&self) -> usize {", "impl<T> Box<T> {"],
    ),
    "ruby": (
        "require 'set'\n\nmodule A\n  class Box < B\n    def full?\n      return false unless @x\n      x = 1\n"
        "      call(NEEDLE)\n    end\n  end\nend\n",
        ["def full?", "class Box < B", "module A"],
    ),
    "shell": (
        "#!/bin/sh\nset -e\nX=1\n\n# Copies it.\ncopy() {\n  if [ -f a ]; then\n    cp a b\n"
        "    Y=NEEDLE\n  fi\n}\n\ncopy\n"
        'for x in a b; do\n  echo "$x"\ndone\n',
        ["copy() {"],
    ),
    "sql": (
        "CREATE TABLE IF NOT EXISTS box (\n  id INT PRIMARY KEY,\n  needle TEXT DEFAULT NEEDLE,\n  x INT\n);\n\n"
        "INSERT INTO box (id)\nVALUES (1);\nSELECT *\nFROM box\nWHERE id = 1;\n",
        ["CREATE TABLE IF NOT EXISTS box ("],
    ),
    "toml": (
        '[project]\nname = "x"\ndeps = [\n  "a",\n]\n\n[[tool.x]]\nkey = """\nany words\n"""\nother = "NEEDLE"\n',
        ["[[tool.x]]"],
    ),
    "ini": ("; of x\n[one]\na=1\nb=2\n\n[two words]\nc: NEEDLE\nd =\n  e\n  f\n", ["[two words]"]),
    "yaml": (
        "---\n# of x\nname: x\non:\n  push:\n    branches: [a]\njobs:\n  build:\n    steps:\n    - name: one\n"
        "      run: |\n        echo a: b\n\n        echo NEEDLE\n      shell: sh\n",
        ["run: |", "- name: one", "steps:", "build:", "jobs:"],
    ),
}


def read(text: str) -> Outline:
    outline = READ(text)
    assert outline is not None
    check(text, outline)
    return outline


def numbered(text: str, first: int = 1) -> str:
    return "".join(f"{n:6}\t{line}\n" for n, line in enumerate(text.splitlines(), first))


@pytest.mark.parametrize("language", SOURCES)
def test_a_line_needs_what_it_stands_in(language: str) -> None:
    text, expected = SOURCES[language]
    assert above(text, read(text), "NEEDLE") == expected


@pytest.mark.parametrize("language", SOURCES)
def test_numbers_in_front_change_nothing(language: str) -> None:
    text, _ = SOURCES[language]
    plain = read(text)
    shown = read("[a.x (12 lines total)]\n" + numbered(text, 100) + "\n(none below)\n")
    assert [unit.weight for unit in shown.units[1:-2]] == [unit.weight for unit in plain.units]
    assert [unit.needs - (unit.needs >= 0) for unit in shown.units[1:-2]] == [unit.needs for unit in plain.units]


@pytest.mark.parametrize(
    ("language", "sums"),
    [
        ("python", "4 definitions: 6 LIMIT, 8 A, 21 g"),
        ("go", "2 definitions: 7 Box, 11 Size"),
        ("yaml", "8 keys: 3 name, 4 on, 7 jobs"),
        ("toml", "2 sections: 1 project, 7 tool.x"),
        ("sql", "1 definition: 1 box"),
    ],
)
def test_sums(language: str, sums: str) -> None:
    assert read(SOURCES[language][0]).sums == sums


def test_in_a_long_file_a_tenth_of_the_lines_is_structure_the_outer_first() -> None:
    methods = "".join(f"    def m{n}(self):\n        return {n}\n\n" for n in range(300))
    text = f"import os\n\nclass A:\n{methods}\nclass B:\n{methods}"
    outline = read(text)
    weighty = [unit for unit in outline.units if unit.weight == STRUCTURE]
    assert len(weighty) <= len(outline.units) / 10
    assert {unit_of(text, outline, name) for name in ("class A", "class B")} <= set(weighty)


def test_of_equals_the_longest_are_structure() -> None:
    short = "".join(f"def f{n}():\n    return {n}\n\n" for n in range(200))
    text = f"import os\n\n{short}def longest():\n" + "    x = 1\n" * 20 + short
    outline = read(text)
    assert unit_of(text, outline, "def longest").weight == STRUCTURE
    assert unit_of(text, outline, "def f150").weight == 0


def test_a_text_inside_yaml_is_no_yaml() -> None:
    words = "".join(f"    words of a script {n}\n    class A{n}:\n        x\n" for n in range(9))
    text = f"name: x\njobs:\n  run: |\n{words}  other: y\n  more:\n    z: NEEDLE\n"
    outline = read(text)
    assert outline.sums == "4 keys: 1 name, 2 jobs"
    assert above(text, outline, "class A3") == ["run: |", "jobs:"]
    assert above(text, outline, "NEEDLE") == ["more:", "jobs:"]


def test_the_lines_below_an_overlong_definition_go_without_it() -> None:
    names = ", ".join(f"name{n}" for n in range(40))
    text = f"import os\n\ndef f({names}):\n    return NEEDLE\n" + SOURCES["python"][0].replace("NEEDLE", "1")
    assert above(text, read(text), "NEEDLE") == []


def test_an_overlong_line_in_code_is_several_units() -> None:
    text = SOURCES["python"][0] * 24 + f"def last(x):\n    y = 1\n    x = '{'ab ' * 300}NEEDLE'\n    return x\n"
    assert above(text, read(text), "NEEDLE'")[-1] == "def last(x):"


PYTHON = SOURCES["python"][0]
NOT_CODE = {
    "csv behind numbers": numbered("a,b,c\n" + "1,2,3\n" * 30),
    "log": "2024-01-02 03:04:05 worker.run(x) = done;\n" * 30,
    "log with levels": "ERROR worker.run(x) = done;\n" * 30,
    "search": "".join(f"src/a.py:{n}:    return f(x)\n" for n in range(30)),
    "search with numbers": "".join(f"{n * 3}:    return f(x)\n" for n in range(30)),
    "half a JSON": '{\n  "rows": [\n' + '    {"id": 1, "name": "x"},\n    {\n      "id": 2\n    },\n' * 30,
    "half a JSON, flat": '{\n  "a": {\n' + '    "id": 1,\n    "name": "x",\n' * 30,
    "traceback": 'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    f(x)\n' * 9,
    "session": "$ ls -la;\n>>> f(x)\nx = 1\n" * 20,
    "diff of code": "@@ -1,2 +1,2 @@\n" + "".join(f"+{line}\n" for line in PYTHON.splitlines()) * 3,
    "minified": "function f(a){return a};var b=1;" * 2_000,
    "minified, in few lines": ("var a=1;" * 200 + "\n") * 20,
    "markdown with code": f"# Title\n\nSome words about it here.\n\n```python\n{PYTHON}```\n\nMore of it.\n\n" * 3,
    "prose": "You import the goods, and if they are late, the class begins without them.\n" * 30,
    "pairs": "".join(f"name{n}: value\n" for n in range(30)),
    "environment": "".join(f"NAME_{n} value {n}\n" for n in range(30)),
    "table": "a | b | c\n--+---+--\n" + "1 | 2 | 3\n" * 30,
    "sections of nothing": "[one]\n[two]\nsome words are here\n" * 9,
    "tests": "tests/a.py::test_x PASSED\n" * 30 + "===== 30 passed in 1.2s =====\n",
    "list of files": "-rw-r--r-- 1 root root 12 Jan  2 03:04 a.py\n" * 30,
    "headers": "Name: x\nVersion: 1\nLicense: MIT\nTag: (a)\n" * 5 + "\nIt is a thing of words.\n" * 9,
}


@pytest.mark.parametrize("text", [*NOT_CODE.values(), *HOSTILE], ids=[*NOT_CODE, *map(str, range(len(HOSTILE)))])
def test_what_is_not_code(text: str) -> None:
    assert READ(text) is None


@given(
    over(
        "def f(x):",
        "    return x",
        "class A {",
        "}",
        "[a]",
        "k: v",
        "k:",
        "  - x: |",
        '"""',
        "/*",
        "#x",
        "x = [",
        "]",
    )
)
def test_units_are_the_text(text: str) -> None:
    check(text, READ(text))
    check(PYTHON + text, READ(PYTHON + text))
    check(SOURCES["yaml"][0] + text, READ(SOURCES["yaml"][0] + text))
