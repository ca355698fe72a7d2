"""The journal: what came from outside, append-only, in one SQLite file."""
