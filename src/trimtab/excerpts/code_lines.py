"""What single lines of source code look like, across languages; no language is parsed.

All patterns are matched at the first character of a line that is no blank, on at most `SEEN` characters.
"""

from __future__ import annotations

import re

SEEN = 240
"""Characters of a line that are looked at: what a line is shows at its beginning."""

_MODIFIERS = (
    r"(?:(?:export|default|public|private|protected|internal|static|final|abstract|sealed|async|unsafe|extern"
    r"|open|override|virtual|inline|constexpr|declare|data|partial|suspend|pub(?:\([^)\s]*+\))?)\s++)*+"
)

DEFINITION = re.compile(
    _MODIFIERS
    + r"""(?:
    (?:def|class|func|fn|function\*?|struct|interface|trait|enum|protocol|module|namespace|object|record|union)\s++
      (?:\([^()]*+\)\s*+)?([\w$.:~]++[?!]?)\s*+(?=[\[({:<=;|#]|$|->|//|extends\b|implements\b|where\b)
    |impl\b\s*+(?:<[^{}]{0,80}?>\s)?\s*+([\w:<>,&' ]++)(?=\{|$)
    |type\s++(\w++)\s*+(?:=|<[^=]++=|struct\b|interface\b|func\b|\[|map\b|\*|\w++$)
    |(?:const|let|var|val)\s++([\w$]++)\s*+(?::[^=]++)?=(?=.*(?:=>|\bfunction\b))
    |(?:CREATE|create)\s++(?:\w++\s++){0,3}?
      (?:TABLE|VIEW|INDEX|FUNCTION|PROCEDURE|TRIGGER|TYPE|SCHEMA|table|view|index|function)\s++
      (?:(?i:if\s++not\s++exists)\s++)?([\w."`\[\]]++)
    |macro_rules!\s*+(\w++)|\#\s*+define\s++(\w++)|typedef\s++(?:struct|enum|union)\b\s*+(\w*+)
    |([\w-]++)\s*+\(\)\s*+(?:\{|$)
    )""",
    re.VERBOSE,
)
"""A line that names what the lines below it are: a function, a type, a table."""

DEFINING = re.compile(
    r"(?:def|class|func|fn|function|struct|interface|trait|enum|protocol|module|namespace|object|record|union|impl|type"
    r"|const|let|var|val|create|CREATE|macro_rules|typedef|export|default|public|private|protected|internal|static|final"
    r"|abstract|sealed|async|unsafe|extern|open|override|virtual|inline|constexpr|declare|data|partial|suspend|pub)\b"
    r"|#|[\w-]++\s*+\(\)"
)
"""How a definition begins: whatever else a line begins with is looked at no further."""

ROUTINE = re.compile(
    r"""(?!(?:if|for|while|switch|catch|return|else|do|new|throw|delete|await|yield|typeof|using|lock|elif|elsif
        |unless|until|assert|with|and|or|not|in|case|when|match|foreach|synchronized|goto|print|echo|function)\b)
    (?:[\w:<>,\[\]*&?.$~]++[ ]++){0,6}[*&]*+([\w$:~]++)\s*+\((?!["'`])[^;{}]*\)
    \s*+(?:(?:const|noexcept|override|final)\s*+)*+(?:(?:->|:|throws\b)[^{};=]++)?\{$""",
    re.VERBOSE,
)
"""The head of a function or method in languages that name it by no keyword, with its opening brace."""

OUTERMOST = re.compile(
    r"""(?:export\s++|pub\s++|static\s++)*+(?:const|let|var|val|static)\s++([\w$]++)\s*+(?::[^=]++)?=
    |([A-Z][A-Z0-9_]++)\s*+(?::[^=]++)?=\s
    |(?!(?:INSERT|GRANT|REVOKE|DELETE|CREATE|ALTER|VALUES|return|else|new|echo|print)\b)
     (?:[A-Za-z_][\w:<>,*&]*+[ ]++){1,5}[*&]*+([\w:~]++)\s*+\([^;{}=]*\)$""",
    re.VERBOSE,
)
"""What is a definition at the left margin only: a constant; a function of C with its brace on the next line."""

STATEMENT = re.compile(
    r"""(?:import|export)\s[\w*{"'$(.]|from\s++[\w.]++\s++import\s|\#\s*+include\s*+[<"]|using\s++[\w:. ]++;
    |use\s++[\w:]++
    |package\s++[\w.]++;?$|require(?:_relative)?[\s(]|(?:pub\s++)?mod\s++\w++;|@\w[\w.]*+(?:\(|$)|\#!\s*+/|\#\[
    |(?:return|raise|throw|yield|await|assert|del|defer|goto|delete|pass|break|continue)\b
    |(?:if|elif|elsif|while|for|with|switch|match|unless|until|foreach|case|when|except|catch)\b.*[:{)(]$
    |(?:if|elif|while|until|for)\b.*[;\s](?:then|do)$
    |(?:\}\s*+)?(?:else|try|finally|do|default|ensure|rescue|begin|except|catch|loop|select)\b\s*+(?:[:{]|$|\(.*\{$|if\b.*[{:]$)
    |(?:let|var|const|val|auto|static|local|readonly|export|set|declare)\s++[\w$*&{\[(]
    |(?:SELECT|INSERT\s++INTO|UPDATE|DELETE\s++FROM|FROM|WHERE|(?:LEFT\s|INNER\s)?JOIN|GROUP\s++BY|ORDER\s++BY
       |ALTER\s++TABLE|VALUES|COMMIT|DROP)\b
    |self\.|this\.|super\b""",
    re.VERBOSE,
)
"""A line that does something: an import, a branch, a query."""

ASSIGNMENT = re.compile(
    r"""[\w$.*&>\[\]"'(),:@ -]{1,80}?(?:\s(?::|[-+*/%|&^]|<<|>>|\?\?|\|\|)?=\s|(?<=[\w\]])=[^=\s>])"""
)
CALL = re.compile(r"""(?:(?:await|new|go)\s++|[*&!])*+[\w$.:>\[\]"'?!-]++\(.*[;,({\[)]$""")

LOOSE = re.compile(
    r"""[\])}>;,:\\]++$|.*[;{}()\[\],:\\]$|//|\#|/?\*|--|[.&|+?:]{1,2}\s*+[\w(!]|</?[\w>]|["'`f].*["'`]$
    |(?:echo|printf|cd|cp|mv|rm|mkdir|exit|set|exec|eval|shift|source|trap|puts|print)\s|.*\s\$?[$-][\w{(]
    |(?:end|fi|done|esac|then|in|nil|None|true|false|null|self)$|[\w$."']++\s*+(?::|=>|==)\s|[\w.]++\($""",
    re.VERBOSE,
)
"""What else lines of code look like: closers, comments, arguments, literals."""

FOREIGN = re.compile(
    r"""\d++(?:[:-](?:\S|\s\s)|-\s)|\[?\d{4}-\d\d-\d\d[T\s]|\[?\d\d:\d\d:\d\d|@@\s-|[+]{3}\s|diff\s--
    |Traceback\s\(|File\s".*",\sline\s\d|\$\s|>>>\s|-->\s|[\w./-]++:\d++[:-]|={3,}+\s.*\s={3,}+$|```|~~~
    |\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|PASS|FAIL|PASSED|FAILED)
     [\]\s:]""",
    re.VERBOSE,
)
"""The beginning of a line of something else: a log, a diff, a search, a session, a traceback, a fence."""
