from __future__ import annotations

from tests.stores.making import decide, original

from trimtab.stores.none import NoStore


def test_it_answers_commits_with_what_was_given_and_keeps_nothing() -> None:
    store = NoStore()
    decision = decide(b"b", original(b"data", "t:1"), outputs=((b"out", b"in"),))
    assert store.keeps is False
    assert store.commit("ns", iter([decision])) == [decision.entry]
    store.note_usage("ns", "claude", 10, 12, 1.0)
    assert store.decisions("ns", "default", [b"b"]) == {}
    assert store.origins("ns", [b"out"]) == {}
    assert store.artifact("ns", "t:1") is None
    assert store.artifacts("ns", [b"message"]) == []
    assert store.alike("ns", "t:1") == []
    assert store.usage("ns", "claude") == []
    assert store.log("ns", 10) == []
    assert store.conversations() == []
    assert list(store.export("ns", b"root".hex())) == []
    assert store.delete("ns", b"root".hex()) == 0
    assert store.prune(0, 0, 0) == 0
    store.close()
