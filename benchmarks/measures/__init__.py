"""The measures, one a file; each has `measure`, which yields rows."""
