"""Outside judges: packages of others that test what a compactor keeps, each run in an environment of its own."""
