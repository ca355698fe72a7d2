"""Annotating in Argilla: a server on this machine, and records and answers to and from any Argilla."""
