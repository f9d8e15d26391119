"""The results of a replay as one page that needs nothing but a browser."""

from __future__ import annotations

from trimtab.replay.page.page import page

__all__ = ["page"]
