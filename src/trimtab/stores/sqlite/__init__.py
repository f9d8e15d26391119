"""The store in one SQLite file: `store` over `rows` over one guarded `connection`."""
