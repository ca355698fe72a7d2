"""Asking models: one SDK a file, pure translation beside it, typed errors."""
