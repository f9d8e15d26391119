"""Made-up tool results with needles in them, the same on every run: `python -m benchmarks.needles`."""
