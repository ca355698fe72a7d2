"""What a corpus must be: one family of rules a file, each from requests to complaints. Pure."""
