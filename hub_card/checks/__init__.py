"""The rules a release must keep, one subject a file; each check yields the problems it finds."""
