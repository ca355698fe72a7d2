"""Whether the harm level can be read off the surface of a request: its words, its length, its form."""
