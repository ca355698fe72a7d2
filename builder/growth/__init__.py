"""Growing the corpus with a model: what to ask next, what to take of the answers, what to say of the rest. Pure."""
