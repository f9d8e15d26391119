"""What says that something tried or assumed does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trimtab.finders.rules import SENTENCE

REFUTES = re.compile(
    r"\b(?:ruled? out|(?:is|was|are|were)? ?(?:not|n['’]t|never) (?:really |actually )?"
    r"(?:the |a |an |our )?(?:\w+ )?(?:cause|problem|reason|culprit|bug|issue|fault)"
    r"|(?:cause|bug|problem|reason|culprit|issue|fault|error)\b[^.\n]{0,40}?\b(?:is|was)(?: not|n['’]t)"
    r"|(?:is|was|were|are)(?: not|n['’]t) (?:it|to blame|related|guilty|responsible)"
    r"|['’]s not (?:it|that|related)"
    r"|revert(?:ed|ing)?|roll(?:ed|ing)? back|undone|undid|disproved?|turned out (?:not|to be wrong)|red herring"
    r"|dead end|(?:does|did|do)(?: not|n['’]t) (?:work|help|fix|change|explain|matter)|no effect|unrelated"
    r"|(?:was|were|am|is) (?:wrong|mistaken)|wrong (?:guess|lead|track|assumption)|false (?:lead|alarm)"
    r"|ausgeschlossen|nicht (?:die ursache|der grund|das problem|schuld)|zurückgesetzt|rückgängig|half nicht"
    r"|descartad[oa]s?|no (?:es|era|fue) (?:la causa|el problema|el motivo)|revertid[oa]s?"
    r"|écartée?s?|exclue?s?|n['’](?:est|était) pas (?:la cause|le problème)|annulée?s?"
    r"|não (?:é|era|foi) (?:a causa|o problema)|desfeit[oa]s?|escluso|non è (?:la causa|il problema)"
    r"|исключено|не причина|откат(?:или|ил)?)(?!\w)"
    r"|排除|不是(?:原因|问题)|撤销|回滚|除外|原因ではな|元に戻|원인이 아니|되돌렸",
    re.IGNORECASE,
)
"""What says that something tried or assumed does not hold."""

LEANS = re.compile(
    r"\W*(?:that|this|it|which|so|das|dies|es|eso|esto|ça|cela|isso|isto)\b"
    r"|\W*(?:ruled out|reverted|undone|not it)\b",
    re.IGNORECASE,
)
"""How a sentence begins that says what it is about in the one before it."""


def refuting(text: str) -> Iterator[str]:
    """The sentences of a text that say what does not hold."""
    before = ""
    for match in SENTENCE.finditer(text):
        sentence = match[0].strip()
        if REFUTES.search(sentence):
            yield f"{before} {sentence}" if before and LEANS.match(sentence) else sentence
        before = sentence
