"""A process that puts and gets, `writer.py FILE NAME COUNT`, and names each handle once it is committed."""

from __future__ import annotations

import sys

from tests.stores.making import content, numbered

from trimtab.stores import open_store


def main(path: str, name: str, count: int) -> None:
    store = open_store(path)
    for number in range(count):
        decision = numbered(name, number)
        store.commit("ns", [decision])
        sys.stdout.write(f"{name} {number}\n")
        sys.stdout.flush()
        found = store.artifact("ns", f"{name}:{number}")
        if found is None or found.data != content(name, number):
            sys.exit(f"{name}:{number} was committed and cannot be read")
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
