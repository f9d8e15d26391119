"""Attached files for a system prompt: in full while small, else as previews whose rest comes by recall."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from trimtab import identity
from trimtab.attachments import original
from trimtab.compactor import Compactor
from trimtab.journal import SPAN, Artifact, Kind
from trimtab.previews import DEFAULT, Attached, Sizes, previews, ranked


def context(
    files: Mapping[str, str],
    question: str,
    compactor: Compactor,
    *,
    conversation: str = "",
    refresh: bool = False,
    sizes: Sizes = DEFAULT,
) -> str:
    """The text that puts files, by their names, into a system prompt; what it does not show is stored.

    With the name of a `conversation` the choice is made once, by the first question, and answered again to every
    later one: a prompt that changes costs the provider's cache. `refresh` makes it anew by this question. Raises
    StoreError; without a store every file is given in full.
    """
    root = identity.digest(b"files of ", conversation.encode("utf-8", "surrogatepass"))
    originals = {name: original(name, text, root) for name, text in files.items()}
    attached = [Attached(name, text, originals[name].handle) for name, text in files.items()]
    if not compactor.store.keeps:
        return _laid_out(attached, [one.text for one in attached])
    standing = _Standing(compactor, root, attached)
    if conversation and not refresh and standing.text is not None:
        return standing.text
    order = [attached[number] for number in ranked(attached, question)]
    text = _laid_out(order, previews(order, question, sizes))
    compactor.store.keep(compactor.settings.namespace, root, list(originals.values()))
    if conversation:
        standing.keep(text)
    return text


class _Standing:
    """What was answered for these files in this conversation: the latest choice, and where the next one goes."""

    def __init__(self, compactor: Compactor, root: bytes, files: list[Attached]) -> None:
        self._store, self._namespace, self._root = compactor.store, compactor.settings.namespace, root
        self._files = identity.digest(*(one.handle.encode() for one in files))
        self._made, self.text = 0, self._held(0)
        while (later := self._held(self._made + 1)) is not None:
            self._made, self.text = self._made + 1, later

    def keep(self, text: str) -> None:
        """Let this be the latest choice, unless it is."""
        if text != self.text:
            number = 0 if self.text is None else self._made + 1
            self._store.keep(self._namespace, self._root, [self._artifact(number, text)])

    def _held(self, number: int) -> str | None:
        held = self._store.artifact(self._namespace, self._artifact(number, "").handle)
        return None if held is None else held.data.decode("utf-8", "surrogatepass")

    def _artifact(self, number: int, text: str) -> Artifact:
        own = identity.digest(b"choice ", self._root, self._files, number.to_bytes(4, "big"))
        return Artifact(
            handle=f"t:{own.hex()[: identity.HANDLE_HEX]}",
            data=text.encode("utf-8", "surrogatepass"),
            kind=Kind.TEXT,
            media_type="",
            origin=own,
            part=SPAN,
        )


def _laid_out(files: list[Attached], shown: list[str]) -> str:
    """Each file between its tags."""
    return "\n".join(
        f'<file name="{escape(one.name)}">\n{text.removesuffix(chr(10))}\n</file>'
        for one, text in zip(files, shown, strict=True)
    )
