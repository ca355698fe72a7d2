"""What things cost and how good they are, measured; each module says how to run it."""
