"""Offline measurement over recorded sessions: what each way to compact would have cost, and what it would hide."""
