from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import Phase, settings

settings.register_profile("local", deadline=None)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    phases=[
        Phase.explicit,
        Phase.generate,
    ],
)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a corpus, say so instead of passing over it in silence."""
    if not os.environ.get("TRIMTAB_CORPUS"):
        unset = pytest.mark.skip(reason="TRIMTAB_CORPUS is not set")
        for item in items:
            if item.get_closest_marker("corpus"):
                item.add_marker(unset)


@pytest.fixture(scope="session", autouse=True)
def _no_trace_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Neither the user's settings nor the user's store take part in a test."""
    home = str(tmp_path_factory.mktemp("home"))
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("TRIMTAB_") and name != "TRIMTAB_CORPUS":
                patch.delenv(name)
        for name in ("HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"):
            patch.setenv(name, home)
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            patch.delenv(name, raising=False)
        yield
