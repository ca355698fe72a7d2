"""How alike two texts are: by their characters, by their words, by their meaning."""
