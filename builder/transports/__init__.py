"""Asking many models many things: requests in, completions journalled."""
