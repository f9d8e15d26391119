"""The cache of an agent's own tool loop: `ToolCache`, what its calls change, and what it holds."""

from trimtab.tool_cache.cache import ToolCache

__all__ = ["ToolCache"]
