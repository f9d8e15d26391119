"""What one place of an Anthropic request says of another: citations (A16), compaction (A17), tools (A18)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from trimtab.invariants import place
from trimtab.transcript import JSON, Finding
from trimtab.wires.leaves import items, kind, string

LISTS = {"char_location": "document", "page_location": "document", "content_block_location": "document"} | {
    "search_result_location": "search_result"
}
"""The kinds of citations that name their source by its number, with the kind of that source."""


class _Block(NamedTuple):
    message: int
    path: tuple[str | int, ...]
    fields: dict[str, Any]

    @property
    def place(self) -> str:
        return place(self.message, self.path)


def check(fields: Mapping[str, JSON], messages: Sequence[JSON]) -> Iterator[Finding]:
    """Citations, compaction blocks, and, where the request names its tools, changes of them."""
    found = list(_blocks(messages))
    yield from _citations(found)
    yield from _compactions(fields, found)
    if "messages" in fields:
        yield from _tools(fields, found)


def _blocks(messages: Sequence[JSON]) -> Iterator[_Block]:
    """Every block in order, those of tool results after the result."""
    for index, message in enumerate(messages):
        for n, block in enumerate(items(message.get("content") if isinstance(message, dict) else None)):
            if isinstance(block, dict):
                path = ("content", n)
                yield _Block(index, path, block)
                if block.get("type") == "tool_result":
                    for m, item in enumerate(items(block.get("content"))):
                        if isinstance(item, dict):
                            yield _Block(index, (*path, "content", m), item)


def _citations(found: Sequence[_Block]) -> Iterator[Finding]:
    sources = {name: [one.fields for one in found if kind(one.fields) == name] for name in {*LISTS.values()}}
    for block in found:
        for n, citation in enumerate(items(block.fields.get("citations"))):
            name = LISTS.get(kind(citation))
            if name is None:
                continue
            number = citation.get(f"{name}_index")
            if not isinstance(number, int) or not 0 <= number < len(sources[name]):
                text = f"a citation of {name} {number!r}, but {len(sources[name])} are there"
                yield Finding("A16", f"{block.place}.citations[{n}]", text, "keep what is cited where it stood")
            elif not _stands_in(citation, sources[name][number]):
                text = f"the cited text does not stand at its place in {name} {number}"
                yield Finding("A16", f"{block.place}.citations[{n}]", text, "keep what is cited as it was")


def _stands_in(citation: dict[str, Any], document: dict[str, Any]) -> bool:
    """Whether the cited characters are there; of other kinds of documents the request does not tell."""
    source = document.get("source")
    text = source.get("data") if isinstance(source, dict) and source.get("type") == "text" else None
    start, stop = citation.get("start_char_index"), citation.get("end_char_index")
    if not isinstance(text, str) or not isinstance(start, int) or not isinstance(stop, int):
        return True
    cited = string(citation.get("cited_text")).rstrip()
    return 0 <= start <= stop - len(cited) <= len(text) - len(cited) and text.startswith(cited, start)


def _compactions(fields: Mapping[str, JSON], found: Sequence[_Block]) -> Iterator[Finding]:
    """A block with a signature stands for all that precedes it: there is one, and it comes first."""
    if fields.get("compaction") is not None and fields.get("context_management") is not None:
        text = "`compaction` and `context_management` exclude each other"
        yield Finding("A17", "compaction", text, "send one of them")
    signed = list[_Block]()
    for block in found:
        if kind(block.fields) == "compaction":
            held = block.fields.get("content")
            if held == "" or not isinstance(held, str | None):
                text = "the content of a compaction block must be a text or null"
                yield Finding("A17", block.place, text, "send it as it came")
            elif held and block.fields.get("signature"):
                signed.append(block)
    for number, block in enumerate(signed):
        if number or block[:2] != (0, ("content", 0)):
            text = "a signed compaction block must be the only one, and the first block"
            yield Finding("A17", block.place, text, "send the latest one, before all else")


def _tools(fields: Mapping[str, JSON], found: Sequence[_Block]) -> Iterator[Finding]:
    """What is added, taken away or found must be defined at that place in the conversation."""
    known, servers = set[str](), set[str]()
    for server in items(fields.get("mcp_servers")):
        servers.add(string(server.get("name")) if isinstance(server, dict) else "")
    for tool in items(fields.get("tools")):
        _define(tool, known, servers)
    for block in found:
        for reference in _references(block.fields):
            match reference:
                case {"definition": definition}:
                    _define(definition, known, servers)
                case {"server_name": str(name)} if name not in servers:
                    text = f"the server {name[:80]!r} is not defined here"
                    yield Finding("A18", block.place, text, "keep the block or field that defines it")
                case {"name": str(name)} | {"tool_name": str(name)} if (
                    "server_name" not in reference and not servers and name not in known
                ):
                    text = f"the tool {name[:80]!r} is not defined here"
                    yield Finding("A18", block.place, text, "keep the block or field that defines it")


def _define(tool: JSON, known: set[str], servers: set[str]) -> None:
    if isinstance(tool, dict):
        known.add(string(tool.get("name")))
        if tool.get("type") == "mcp_toolset":
            servers.add(string(tool.get("mcp_server_name")))


def _references(block: dict[str, Any]) -> Iterator[JSON]:
    """The tools and servers that a block names or defines."""
    match block:
        case {"type": "tool_addition" | "tool_removal", "tool": tool}:
            yield tool
        case {"type": "tool_reference"}:
            yield block
        case {"type": "compaction", "tool_changes": list(changes)}:
            yield from (change.get("tool") for change in changes if isinstance(change, dict))
        case {"type": "tool_search_tool_result", "content": {"tool_references": list(references)}}:
            yield from references
