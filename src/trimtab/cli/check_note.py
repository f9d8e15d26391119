"""`trimtab check FILE --note NOTE`: what a note says that is not so, and the facts that it does not show."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from trimtab.cli.exits import FINDINGS, FINE
from trimtab.cli.files import named, print_json
from trimtab.cli.screen import counted, screen, table, text, waiting
from trimtab.compactor import Compactor
from trimtab.finders import wanted
from trimtab.fresh_run import check_note
from trimtab.handoff import STRUCK

STYLES = {True: "bold red", False: "yellow"}


def check_a_note(
    file: str, payload: bytes, note: str, facts: Mapping[str, str], compactor: Compactor, json: bool
) -> int:
    """Tell what is wrong; the exit code. The compactor is closed."""
    try:
        with waiting("checking"), named(file, payload):
            sentences, faults = check_note(note, payload, compactor)
    finally:
        compactor.store.close()
    missing = [
        name for name, fact in facts.items() if not all(one.pattern.search(note) for one in wanted([fact], ()))
    ]
    if json:
        told = [{"rule": one.rule, "sentence": one.text, "why": one.why} for one in faults]
        print_json({"items": sentences, "faults": told, "missing": missing})
    else:
        made = table("what", "*sentence", "*why")
        for one in faults:
            what = one.rule.removeprefix("note-")
            made.add_row(Text(what, STYLES[one.rule == STRUCK]), text(one.text), text(one.why))
        for name in missing:
            made.add_row(Text("missing", STYLES[True]), text(facts[name]), text(name))
        console = screen()
        console.print(made if made.row_count else "", end="")
        console.print(
            f"{counted(sentences, 'item')}: {len(faults)} wrong, {counted(len(missing), 'fact')} missing"
        )
    return FINDINGS if faults or missing else FINE
