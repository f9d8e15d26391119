"""Other tools that make conversations smaller, each in an environment of its own and asked in its own way.

Each has a driver beside this file that runs there: a line of JSON in (messages of a chat), a line out.
"""
