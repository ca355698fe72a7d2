"""The stages, one verb a file: pure functions that say what should exist and read what came back."""
