"""Measures of speed, memory and size, as ratios within one run: `make bench`."""
